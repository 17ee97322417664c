#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "audit/audit.hpp"
#include "geometry/wall.hpp"
#include "tests/engine/worlds.hpp"

// Whole scenes under the independent audit.
namespace plica::testing {

struct Outcome {
    double worst = 0.0, settled = 0.0, stretch = 0.0, peak_stretch = 0.0, rms = 0.0, fastest = 0.0, touching = 0.0;
    double outside = 0.0;     // m, how far a node's surface was beyond a wall at the most
    double tool_force = 0.0;  // N, the most that any tool felt
    int pass_throughs = 0;
    bool flagged = false;
};

inline double compute_rms(const World& world) {
    double square = 0.0;
    for (const Vec3& v : world.state().v) square += squared_norm(v);
    return std::sqrt(square / static_cast<double>(world.state().v.size()));
}

inline double compute_fastest(const World& world) {
    double most = 0.0;
    for (const Vec3& v : world.state().v) most = std::max(most, norm(v));
    return most;
}

// How far beyond the walls the surface of a free node is.
inline double compute_outside(const World& world) {
    const Model& model = world.model();
    double most = 0.0;
    for (std::size_t n = 0; n < model.tissue_nodes; ++n) {
        if (model.contact_radius[n] < 0.0 || !(model.inverse_mass[n] > 0.0)) continue;
        for (const Wall& wall : model.walls) {
            most = std::max(most, model.contact_radius[n] - sample_wall(wall, world.state().x[n]).distance);
        }
    }
    return most;
}

// Calls look(world) after each step. `settled` is over the last 2 s.
inline Outcome run_scene(const SceneDescription& scene, std::uint64_t seed, double seconds,
                         const std::function<void(const World&)>& look = {}) {
    World world = make_world(scene, seed);
    Script script(scene);
    audit::Audit audit(without_edges(world.model().surface), world.model().rest,
                       static_cast<int>(world.model().bodies.size()));
    world.keep_trail(true);
    Outcome o;
    const auto steps = static_cast<int>(std::lround(seconds / world.model().dt));
    const int last = static_cast<int>(std::lround(2.0 / world.model().dt));
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(script.next(world));
        o.flagged = o.flagged || report.flag_count > 0;
        const audit::StepFindings& found = audit.examine(world.trail(), report.substeps);
        o.worst = std::max(o.worst, found.worst);
        o.pass_throughs += found.pass_throughs;
        o.stretch = mass_spring::compute_max_stretch(world.model().of<Springs>(), world.state().x, 0);
        o.peak_stretch = std::max(o.peak_stretch, o.stretch);
        o.outside = std::max(o.outside, compute_outside(world));
        for (const Vec3& force : world.frame().tool_force) o.tool_force = std::max(o.tool_force, norm(force));
        if (look) look(world);
        if (i < steps - last) continue;
        o.settled = std::max(o.settled, found.worst);
        o.touching += static_cast<double>(found.touching) / last;
    }
    o.rms = compute_rms(world);
    o.fastest = compute_fastest(world);
    return o;
}

}  // namespace plica::testing
