#pragma once
#include <functional>
#include <string>

#include "bench/common/audit_trajectory.hpp"
#include "bench/common/bench.hpp"
#include "bench/self_collision/rope_case.hpp"

namespace plica::bench {

// One setting of one program, tried on one rope.
struct Trial {
    Json setting;
    std::string state = "done";               // "too slow", "too deep", "exploded", "failed"
    std::string why;                          // when it failed
    double cost = 0.0;                        // s of CPU per simulated second
    double frame_p50 = 0.0, frame_p99 = 0.0;  // ms
    double joint_gap = 0.0;                   // m, widest
    Verdict verdict;

    [[nodiscard]] double work() const { return setting.at("work").get<double>(); }
};

// True when the trial's time counts: it went to its end in the bowl, nothing passed through anything, and at no frame
// was it deeper than this.
bool counts(const Trial& trial, const RopeCase& rope, double depth);

// A trial beyond these may stop: it cannot win.
struct Limits {
    double seconds;  // of CPU per simulated second
    double depth;    // of a radius
};

// A program in the self-collision benchmark. `run` writes the trajectory to a folder.
struct Participant {
    std::string name, version, setup;
    Json settings;  // by growing work
    std::function<Trial(const Json& setting, const std::string& folder, const Limits& limits)> run;
};

Participant make_plica(int segments, const RopeCase& rope);
// plica_peer_NAME in the folder `programs`; throws Error saying in one line why it cannot take part.
Participant make_peer(const std::string& programs, const std::string& name, const std::string& case_file,
                      const RopeCase& rope);

}  // namespace plica::bench
