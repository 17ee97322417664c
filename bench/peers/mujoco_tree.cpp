// MuJoCo: one tree of ball joints.
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
        for (const Solver s : {Solver{"CG", 10, 12}, Solver{"CG", 30, 16}, Solver{"CG", 100, 30}, Solver{"PGS", 10, 60},
                               Solver{"Newton", 5, 40}, Solver{"Newton", 100, 80}}) {
            if (segments > 200 && std::string(s.name) == "PGS") continue;  // its matrix is rows x rows
            for (const char* solimp : {"0.9 0.95 0.001", "0.95 0.99 0.001"}) {
                list.push_back(mujoco_setting(steps, s.name, s.iterations, solimp, s.work));
            }
        }
    }
    return list;
}

}  // namespace

int main(int argc, char** argv) {
    return mujoco_main(
        argc, argv,
        {"mujoco-tree", "", "capsules on ball joints in one tree, sparse Jacobian, exact bowl", settings, {}},
        MujocoChain::tree);
}
