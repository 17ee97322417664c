#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>

#include "render/colour_by.hpp"
#include "scene/description.hpp"

namespace plica::desktop {

struct ViewOptions {
    SceneSource source;
    std::uint64_t seed = 1;
    int threads = 1;
    double fps = 60.0;  // frames a second to hold
    int width = 1280, height = 800;
    render::ColourBy colour = render::ColourBy::tissue;
    bool low = false;           // least detail, whatever the machine can do
    double seconds = 0.0;       // on the wall clock, after which the window closes; 0: never
    std::function<bool()> end;  // asked every frame: is the window to close?
};

// What happened while the window was open.
struct ViewReport {
    std::size_t frames = 0;
    double fps_p50 = 0.0, fps_p99 = 0.0;  // rates that half of the frames and 99 % of them reach
    int level = 0;                        // of detail, at the end
    double simulated_s = 0.0;             // since the last reset
    double pace = 0.0;                    // simulated seconds a second, at the end
    std::uint64_t step = 0;
    bool hand_used = false;
    double largest_force = 0.0;  // N, that the hand felt
    bool paused = false, wireframe = false, contacts = false, help = false;
    int resets = 0, pictures = 0, recordings = 0;
    int width = 0, height = 0;  // pixels, at the end
    bool lost = false;          // the simulation lost validity
    std::uint64_t hash = 0;     // of State
};

// Opens the window and returns when it is closed. Throws Error: the scene's, or without a display one with
// Status::environment.
ViewReport view(const ViewOptions& options);

}  // namespace plica::desktop
