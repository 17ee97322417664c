#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/common/trajectory.hpp"
#include "bench/self_collision/rope_case.hpp"

// The built-in scene intestine-pile at any number of segments.
namespace plica::bench {

enum class Growth {
    segment,  // segments of 0.04 m: rope and bowl grow, by the cube root of the number, so the bowl is as full
    length    // four metres in one bowl: segments shrink
};

// Values that turn intestine-pile into this pile, for `plica run --set`.
std::vector<std::string> pile_overrides(int segments, Growth growth);

struct PileRun {
    RopeCase rope;
    Trajectory trajectory;
    std::vector<double> seconds;  // CPU time of each frame's step
    bool valid = true;
};

// Steps the pile on one thread; calls after each frame with its number and stops when that returns false.
PileRun run_pile(const std::vector<std::string>& overrides, double seconds,
                 const std::function<bool(int)>& after_frame);

// Windows of consecutive substeps of the pile, spread over the run from the fall to the rest: `windows` of them, each
// with the positions before its first frame. The case counts substeps as its frames.
struct Windows {
    int windows = 4;
    int frames = 30;  // of each
};
PileRun record_substeps(const std::vector<std::string>& overrides, double seconds, const Windows& windows,
                        const std::function<bool(int)>& after_frame);

}  // namespace plica::bench
