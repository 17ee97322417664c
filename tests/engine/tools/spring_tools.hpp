#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audit/audit.hpp"
#include "geometry/pose.hpp"
#include "tests/engine/worlds.hpp"

// Worlds with rigid tools on springs.
namespace plica::testing {

inline SceneDescription read_text(const std::string& text) {
    return read_scene({"mine", "mine.toml", text, {}});
}

inline void replace(std::string& text, const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
}

// Steps by the script, under the exact audit.
struct SpringWorld {
    SceneDescription scene;
    World world;
    Script script;
    audit::Audit audit;
    int intersections = 0, looks = 0;
    std::int64_t held = 0;
    double sweeps = 0.0, substeps = 0.0;

    explicit SpringWorld(const std::string& text, int threads = 1) : SpringWorld(read_text(text), threads) {}
    SpringWorld(const SceneDescription& description, int threads)
        : SpringWorld(description, build(description), threads) {}
    SpringWorld(const SceneDescription& description, Built built, int threads)
        : scene(description),
          world(std::move(built.model), std::move(built.state), threads),
          script(scene),
          audit(without_edges(world.model().surface), world.model().rest,
                static_cast<int>(world.model().bodies.size())) {
        world.keep_trail(true, audit.trail_interval());
    }
    static Built build(const SceneDescription& scene) { return build_scene(scene, 1); }

    bool step() {
        const StepReport report = world.step(script.next(world));
        const auto moves = static_cast<int>(world.trail().size() / world.model().nodes()) - 1;
        const audit::StepFindings& found = audit.examine(world.trail(), moves, audit.trail_interval());
        intersections = std::max(intersections, found.intersections);
        looks += found.looks;
        held += report.held;
        sweeps += report.sweeps;
        substeps += report.substeps;
        return report.is_valid();
    }
    bool run(double seconds) {
        bool valid = true;
        while (valid && world.frame().time < seconds - 1e-9) valid = step();
        return valid;
    }

    // The rigid body of the first tool.
    [[nodiscard]] const RigidBody& body() const { return world.model().rigids.back(); }
    [[nodiscard]] const RigidState& tool() const { return world.state().rigids.back(); }
    [[nodiscard]] Vec3 centre() const { return apply(make_pose(tool().turn, tool().position), body().centre); }
    [[nodiscard]] Vec3 force() const { return world.frame().tool_force.back(); }
    [[nodiscard]] Vec3 hand() const { return world.frame().hand_force.back(); }
    // About the centre of mass.
    [[nodiscard]] Vec3 torque() const {
        return world.frame().tool_torque.back() - cross(centre() - tool().position, force());
    }
    // Of tissue and tool, about the origin.
    [[nodiscard]] Vec3 momentum_of_all() const { return momentum(world) + tool().velocity * body().coupling.mass; }
    [[nodiscard]] Vec3 turning_of_all() const {
        Vec3 sum = cross(centre(), tool().velocity) * body().coupling.mass +
                   turn(make_pose(tool().turn, {}), body().inertia) * tool().spin;
        for (std::size_t n = 0; n < world.model().nodes(); ++n) {
            if (world.model().inverse_mass[n] == 0.0) continue;
            sum += cross(world.state().x[n], world.state().v[n]) * mass(world, n);
        }
        return sum;
    }
};

}  // namespace plica::testing
