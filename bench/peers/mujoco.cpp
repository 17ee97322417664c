// MuJoCo: free capsules whose ends are held together by connect constraints.
#include "bench/peers/mujoco_rope.hpp"

namespace {

using namespace plica::bench;

struct Solver {
    const char* name;
    int iterations;
    int work;  // of one step
};

Json settings(int segments) {
    Json list = Json::array();
    for (const int steps : {4, 5, 6, 8, 12, 16, 33, 66}) {  // of 8.3 to 0.5 ms
        for (const Solver s : {Solver{"CG", 10, 12}, Solver{"CG", 20, 15}, Solver{"CG", 30, 18}, Solver{"CG", 100, 32},
                               Solver{"PGS", 5, 20}, Solver{"PGS", 10, 22}, Solver{"Newton", 100, 300}}) {
            if (std::string(s.name) == "Newton" && (segments > 200 || steps > 8)) continue;
            for (const char* solimp : {"0.9 0.95 0.001", "0.95 0.99 0.001"}) {
                list.push_back(mujoco_setting(steps, s.name, s.iterations, solimp, s.work));
            }
        }
    }
    return list;
}

}  // namespace

int main(int argc, char** argv) {
    return mujoco_main(argc, argv,
                       {"mujoco", "", "free capsules, connect constraints, sparse Jacobian, exact bowl", settings, {}},
                       MujocoChain::free);
}
