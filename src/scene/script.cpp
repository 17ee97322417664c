#include "scene/script.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "scene/apparent_gravity.hpp"

namespace plica {
namespace {

constexpr double just_before = 1e-9;  // s, rounding of step times

Vec3 goal(const Waypoint& point, const Vec3& from) {
    if (point.kind == WaypointKind::move) return from + point.where;
    if (point.kind == WaypointKind::to) return point.where;
    return from;
}

bool is_solid(const Model& model, const std::string& body) {
    return std::any_of(model.bodies.begin(), model.bodies.end(),
                       [&](const Body& b) { return b.name == body && traits_of(b.tissue).surface; });
}

}  // namespace

std::int32_t find_node(const Model& model, const std::string& body, double fraction) {
    for (const Body& b : model.bodies) {
        if (b.name == body) return b.first_node + static_cast<std::int32_t>(std::lround(fraction * (b.nodes - 1)));
    }
    throw Error("no body is called \"" + body + "\"");
}

std::int32_t find_nearest_node(const Model& model, const std::string& body, std::span<const Vec3> positions,
                               const Vec3& point) {
    std::int32_t nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const Body& b : model.bodies) {
        for (std::int32_t n = b.first_node; b.name == body && n < b.first_node + b.nodes; ++n) {
            const auto i = static_cast<std::size_t>(n);
            const double square = squared_norm(positions[i] - point);
            if (model.contact_radius[i] < 0.0 || square >= least) continue;
            least = square;
            nearest = n;
        }
    }
    if (nearest < 0) throw Error("no body with a surface is called \"" + body + "\"");
    return nearest;
}

Script::Script(const SceneDescription& scene) : m_scene(scene), m_progress(scene.tools.size()) {
    m_inputs.tools.resize(scene.tools.size());
    // A ball that is yet to appear waits where it will, not in the middle of everything.
    for (std::size_t t = 0; t < scene.tools.size(); ++t) {
        if (scene.tools[t].path.empty()) continue;
        m_progress[t].from = scene.tools[t].path.front().where;
        m_progress[t].turn = scene.tools[t].path.front().turn.value_or(Vec3{});
    }
}

void Script::pass(const Waypoint& point, const World& world, Progress& progress) const {
    if (point.kind == WaypointKind::release) {
        progress.present = false;
        progress.node = -1;
    } else if (point.kind == WaypointKind::at) {
        progress.present = true;
        progress.from = point.where;
        if (!point.body.empty()) {
            progress.node = is_solid(world.model(), point.body)
                                ? find_nearest_node(world.model(), point.body, world.state().x, point.near)
                                : find_node(world.model(), point.body, point.fraction);
            progress.from = world.state().x[static_cast<std::size_t>(progress.node)];
        }
    } else {
        progress.from = goal(point, progress.from);
    }
    progress.turn = point.turn.value_or(progress.turn);
}

ToolInput Script::next(const ToolDescription& tool, const World& world, Progress& progress) const {
    const double dt = world.model().dt;
    const double now = static_cast<double>(world.state().step) * dt;
    const std::size_t count = tool.path.size();
    const auto is_left = [&](std::size_t i) { return i < count || (tool.repeat > 0.0 && count > 0); };
    const auto time = [&](std::size_t i) {
        return tool.path[i % count].t + static_cast<double>(i / count) * tool.repeat;
    };
    for (; is_left(progress.passed) && time(progress.passed) <= now + just_before; ++progress.passed) {
        pass(tool.path[progress.passed % count], world, progress);
    }
    Vec3 target = progress.from;
    Vec3 turn = progress.turn;
    if (progress.passed > 0 && is_left(progress.passed)) {
        const Waypoint& next = tool.path[progress.passed % count];
        const double began = time(progress.passed - 1);
        const double share = std::clamp((now + dt - began) / (time(progress.passed) - began), 0.0, 1.0);
        target += (goal(next, progress.from) - progress.from) * share;
        turn += (next.turn.value_or(progress.turn) - progress.turn) * share;
    }
    return {target, progress.node, progress.present ? 1 : 0, turn};
}

const Inputs& Script::next(const World& world) {
    const double dt = world.model().dt;
    const double now = static_cast<double>(world.state().step) * dt;
    m_inputs.gravity = compute_apparent_gravity(m_scene, now, now + dt);
    for (std::size_t t = 0; t < m_scene.tools.size(); ++t) {
        m_inputs.tools[t] = next(m_scene.tools[t], world, m_progress[t]);
    }
    return m_inputs;
}

}  // namespace plica
