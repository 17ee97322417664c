#pragma once
#include <functional>
#include <vector>

#include "collision/recall.hpp"
#include "scene/description.hpp"

// Frames of exact runs, for detectors to be tried on.
namespace plica::experiments {

struct Motion {
    Surface surface;
    Neighbours neighbours;
    std::vector<std::uint8_t> enabled;
    std::vector<std::vector<Vec3>> frames;  // at 30 Hz
    std::vector<std::vector<Vec3>> trail;   // the last frames again, every substep of them
    double substep = 0.0;                   // s, between positions of the trail
    double travel = 0.0;                    // in radii, of the fastest node from frame to frame, mean over the frames

    [[nodiscard]] TrackedView view(const std::vector<Vec3>& x) const { return {surface, neighbours, enabled, x}; }
    [[nodiscard]] int tubes() const { return static_cast<int>(neighbours.tubes.size()); }
};

struct Recording {
    double before = 0.0;   // s, simulated before the first frame
    int frames = 60;       // kept
    int trail_frames = 0;  // of them, how many at the end are kept at substep rate too
    double stir = 0.0;     // m/s, speed of a hand that holds the middle of the gut and goes round; 0: no hand
    double force = 3.0;    // N, the most the hand gives
    bool on_spot = false;  // round a circle through where the middle was, instead of round the axis
};

// The gut of 4 m in the bowl of 0.15 m radius, or on a plane.
SceneDescription pile_scene(int segments, bool on_plane = false);
// A pile at constant segment length 0.04 m: 0.04 N metres of gut in a bowl whose volume grows with it.
struct GrowingPile {
    SceneDescription scene;
    std::vector<Vec3> start;  // loose layers of passes to and fro, each across the one below
};
GrowingPile growing_pile(int segments);

// `start` replaces the scene's own positions unless it is empty; `tick` is called with the share done.
Motion record(SceneDescription scene, const Recording& recording, const std::vector<Vec3>& start,
              const std::function<void(double)>& tick);

}  // namespace plica::experiments
