#include "bench/common/bench.hpp"

#include <algorithm>

namespace plica::bench {

const std::vector<Benchmark>& benchmarks() {
    static const std::vector<Benchmark> list{
        {"self-collision",
         "a rope dropped into a bowl: time per simulated second in Plica, Bullet, MuJoCo and Newton, all judged by one "
         "audit",
         {"plica", "bullet", "mujoco", "mujoco-tree", "newton"},
         run_self_collision},
        {"detection",
         "all close pairs of a rope: Plica's detectors, a plain double loop, CGAL's and FCL's broad phases",
         {"plica", "scalar", "cgal", "fcl"},
         run_detection},
        {"render",
         "drawing: preparing a frame, each level of detail, and our law and the paper's that hold a frame rate",
         {"plica"},
         run_render},
        {"tled",
         "solid organs: complete steps per second by element and instruction set, a textbook version, the machine's "
         "limits, and memory",
         {"plica"},
         run_tled,
         2'000'000},
        {"contact",
         "solids that touch: what contact costs beside the elements, and the search for near features beside FCL and "
         "CGAL",
         {"plica", "fcl", "cgal"},
         run_contact},
        {"heat",
         "heat tissue: conduction and motion of a body by its nodes, their solves beside Eigen's and gradients",
         {"plica"},
         run_heat,
         1'000'000},
        {"hand",
         "what a hand feels: whole steps of the scenes with contact by number of threads, median, p99, worst, stages",
         {"plica"},
         run_hand},
        {"abuse",
         "a thousand gestures that nobody should make: what the worst step costs, what passes through, what never "
         "rests",
         {"plica"},
         run_abuse},
    };
    return list;
}

bool is_wanted(const Options& options, const std::string& program) {
    return options.peers.empty() ||
           std::find(options.peers.begin(), options.peers.end(), program) != options.peers.end();
}

}  // namespace plica::bench
