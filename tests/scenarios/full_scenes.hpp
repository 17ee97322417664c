#pragma once
#include <algorithm>

#include "audit/audit.hpp"
#include "scene/description.hpp"
#include "tests/engine/worlds.hpp"
#include "tissue/tled/fields.hpp"

// A built-in scene with one solid, step by step under the exact audit.
namespace plica::testing {

struct FullScene {
    SceneDescription description;
    World world;
    Script script;
    audit::Audit audit;
    int intersections = 0;  // pairs of triangles, the most at one look
    audit::BodyPair bodies{-1, -1};
    int looks = 0, substeps = 0;
    std::int64_t held = 0;
    double least_ratio = 1.0;  // of a cell's volume to its volume at rest, at the end of any step

    explicit FullScene(const std::string& name, const std::vector<std::string>& overrides = {})
        : description(read_scene(find_scene(name, overrides))),
          world(make_world(description)),
          script(description),
          audit(without_edges(world.model().surface), world.model().rest,
                static_cast<int>(world.model().bodies.size())) {
        world.keep_trail(true, audit.trail_interval());
    }

    // False: the step was not valid.
    bool step() {
        const StepReport report = world.step(script.next(world));
        if (!report.is_valid()) return false;
        substeps += report.substeps;
        held += report.held;
        const auto moves = static_cast<int>(world.trail().size() / world.model().nodes()) - 1;
        const audit::StepFindings& found = audit.examine(world.trail(), moves, audit.trail_interval());
        if (found.intersections > intersections) bodies = found.intersection_bodies;
        intersections = std::max(intersections, found.intersections);
        looks += found.looks;
        for (std::size_t cell = 0; cell < organ().cells(); ++cell) {
            least_ratio = std::min(least_ratio, tled::compute_volume_ratio(organ(), cell, rest(), x()));
        }
        return true;
    }

    [[nodiscard]] const tled::Organ& organ() const { return world.model().of<Solids>()[0]; }
    [[nodiscard]] std::span<const Vec3> rest() const { return part(world.model().rest); }
    [[nodiscard]] std::span<const Vec3> x() const { return part(world.state().x); }
    [[nodiscard]] double elastic_energy() const { return tled::compute_energy(organ(), rest(), x()); }

private:
    [[nodiscard]] std::span<const Vec3> part(const std::vector<Vec3>& values) const {
        return std::span(values).subspan(static_cast<std::size_t>(organ().first_node),
                                         static_cast<std::size_t>(organ().nodes));
    }
};

}  // namespace plica::testing
