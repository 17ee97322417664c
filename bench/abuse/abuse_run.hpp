#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/abuse/abuse_scene.hpp"
#include "bench/abuse/gesture.hpp"

// One gesture after another on one scene, each from the same settled state.
namespace plica::bench {

// What a gesture did, hands and the time to come to rest after it together.
struct Abused {
    int number = 0;  // from which it is drawn again
    Gesture gesture;
    std::int64_t pass_throughs = 0, intersections = 0;
    double depth = 0.0;                // deepest, over half the sum of the radii
    int lost = 0;                      // steps whose state was taken back
    int limited = 0, held = 0;         // steps in which something did not do as it was asked
    double speed_after = 0.0;          // m/s, of the fastest tissue, rms over its nodes, at the end
    double rest_after = -1.0;          // s after the hands went, until all tissue was at rest; negative: it never was
    std::vector<double> tests;         // distances, per step
    std::vector<double> milliseconds;  // CPU time of a step
};

inline constexpr double rest_speed = 0.002;  // m/s, rms over a tissue's nodes

class AbuseRun {
public:
    // Settles. Overrides as --set.
    AbuseRun(const AbuseScene& scene, const std::vector<std::string>& overrides, std::uint64_t seed);

    // Gestures of one number and seed are the same, whatever was done before. patience: s, that it waits for rest.
    Abused abuse(int number, double patience);
    [[nodiscard]] double nodes() const { return static_cast<double>(m_simulation.velocities().size() / 3); }

private:
    [[nodiscard]] double fastest_tissue() const;
    void note_step(Abused& found);

    const AbuseScene& m_scene;
    std::uint64_t m_seed;
    Simulation m_simulation;
    SavedState m_settled;
};

}  // namespace plica::bench
