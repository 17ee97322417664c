#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "bench/contact/surface_case.hpp"
#include "engine/frame.hpp"
#include "engine/report.hpp"

// A scene with contact runs on one thread: what its frames cost, and windows of its substeps for searches.
namespace plica::bench {

struct ContactScene {
    std::string name;
    std::string source;  // a built-in scene or a file
    std::vector<std::string> overrides;
    double seconds = 0.0;  // simulated; 0: the scene's own
    int windows = 3;       // that end at equal times
    int moves = 100;       // substeps in each
};

// One frame, in CPU time.
struct FrameCost {
    std::array<double, stage_count> stages{};  // s
    double step = 0.0;                         // s
    int substeps = 0;
    double contacts = 0.0;    // pairs that carry load, mean over the substeps
    int own = 0;              // of them, of one body with itself, at the end of the frame
    double volumes = 0.0;     // of the tree read or written by updates, a substep
    double candidates = 0.0;  // pairs on the list

    [[nodiscard]] double elements() const { return stages[static_cast<std::size_t>(Stage::tissue)]; }
    [[nodiscard]] double contact() const;  // detect, respond and certify
};

struct ContactRecording {
    SurfaceCase surface;
    std::size_t cells = 0, nodes = 0;
    int volumes = 0;                   // of the tree
    std::vector<FrameCost> frames;     // but those whose substeps were kept: keeping them takes time
    int looks = 0, intersections = 0;  // of the exact audit, at the end of each frame; pairs of triangles, the most
    int most_own = 0;                  // pairs of one body with itself that carry load, at the end of a frame
    double most_contacts = 0.0;
    std::int64_t held = 0;  // nodes, by certify
    double seconds = 0.0;   // simulated
    std::string lost;       // why the run ended early; empty: it did not
    std::vector<FeatureWindow> windows;
};

// Calls with the share that is done; stops when that returns false.
ContactRecording record_contact(const ContactScene& scene, const std::function<bool(double)>& progress);

}  // namespace plica::bench
