#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/common/album.hpp"

// The papers' simulator as a whole, and variants of it that change one part at a time, on their anatomy.
namespace plica::experiments {

struct WholeWay {
    std::string name;  // in tables
    std::string file;  // of its pictures and its column; empty: neither
    std::vector<std::string> overrides;
    bool by_chance = true;  // its pairs are: then it is counted what they miss
};
// Theirs at n = N first, then the variants; ours last.
std::vector<WholeWay> whole_ways(bool quick);

// Of the colliding regions, summed over the frames.
struct RegionsFound {
    std::int64_t regions = 0, held = 0;
    [[nodiscard]] double share() const {
        return regions > 0 ? static_cast<double>(held) / static_cast<double>(regions) : 1.0;
    }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RegionsFound, regions, held)

// "At rest" means in the last two seconds, or the last half of a shorter run.
struct WholeOutcome {
    std::string name;
    bool by_chance = true;
    bool lost = false;
    RegionsFound gut, mesentery;          // gut against gut, and against mesentery edges
    double worst = 0.0;                   // deepest penetration, by the audit: depth over half the sum of the radii
    double settled = 0.0;                 // the same at rest
    int through = 0, gut_through = 0;     // pass-throughs, and those of gut through gut
    int pierced = 0, pierced_end = 0;     // (segment, triangle, frame); pairs at the end
    double speed = 0.0;                   // m/s, rms over the nodes and frames at rest, from frame to frame
    double reversals = 0.0;               // share of the nodes faster than 1 cm/s at rest that turn back
    double seconds = 0.0, slowest = 0.0;  // of CPU a frame: mean, 99 of 100 are below
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WholeOutcome, name, by_chance, lost, gut, mesentery, worst, settled, through,
                                   gut_through, pierced, pierced_end, speed, reversals, seconds, slowest)

// What the eye sees of one frame.
struct WholeFrame {
    double time = 0.0;   // s
    double depth = 0.0;  // of a radius
    double found = 1.0;  // share of the regions of gut and mesentery together that were held
    double speed = 0.0;  // m/s, rms from the frame before
};
struct WholeRun {
    WholeOutcome outcome;
    std::vector<WholeFrame> frames;
};

inline constexpr double whole_pulled_at = 7.0, whole_ends_at = 12.0;  // s

WholeRun run_whole(const WholeWay& way, double share, Album& album);

}  // namespace plica::experiments
