#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// Runs of scenes under the independent audit, and what experiments on the response want to know of them.
namespace plica::experiments {

struct Trial {
    std::string scene;
    std::vector<std::string> overrides;
    std::uint64_t seed = 1;
    double seconds = 0.0;
};

struct BodyStretch {
    std::string name;
    double end = 0.0, peak = 0.0;  // largest l / rest - 1 of its springs
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BodyStretch, name, end, peak)

// "At rest" means in the last two seconds, or the last half of a shorter run.
struct Outcome {
    bool lost = false;     // a position was not a number, or further than ten metres away
    double lost_at = 0.0;  // s
    double worst = 0.0;    // deepest penetration, by the audit: depth over half the sum of the radii
    double settled = 0.0;  // the same at rest
    int pass_throughs = 0;
    double energy_gain = 0.0;  // J, most that kinetic, elastic and gravity energy ever rose above their lowest so far
    double energy_drop = 0.0;  // J, from the start to that lowest
    double rest_speed = 0.0;   // m/s, rms of what the positions did in each substep
    double peak_speed = 0.0;   // m/s, fastest node from frame to frame
    double moving = 0.0;       // share of nodes that move faster than 1 cm/s from frame to frame, at rest
    double reversals = 0.0;    // share of those whose next move goes against this one: the surgeons' spasm
    std::vector<BodyStretch> stretch;
    double frame_ms = 0.0;  // median CPU time
    double substeps = 0.0;  // mean, as taken
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outcome, lost, lost_at, worst, settled, pass_throughs, energy_gain, energy_drop,
                                   rest_speed, peak_speed, moving, reversals, stretch, frame_ms, substeps)

Outcome run_trial(const Trial& trial);

// All of them, as many at a time as the machine has cores; results are in the order of the trials.
std::vector<Outcome> run_trials(const std::vector<Trial>& trials, const std::function<void(double)>& progress);

// What a table says of a number of a run: with this format, or "lost" when the run was.
std::string cell(const Outcome& outcome, double value, const char* format = "{:.3f}");

}  // namespace plica::experiments
