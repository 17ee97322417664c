#include "scene/script.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace plica {
namespace {

constexpr double just_before = 1e-9;  // s, rounding of step times

Vec3 goal(const Waypoint& point, const Vec3& from) {
    if (point.kind == WaypointKind::move) return from + point.where;
    if (point.kind == WaypointKind::to) return point.where;
    return from;
}

}  // namespace

std::int32_t find_node(const Model& model, const std::string& body, double fraction) {
    for (const Body& b : model.bodies) {
        if (b.name == body) return b.first_node + static_cast<std::int32_t>(std::lround(fraction * (b.nodes - 1)));
    }
    throw Error("no body is called \"" + body + "\"");
}

Script::Script(const SceneDescription& scene)
    : m_gravity(scene.gravity), m_tools(scene.tools), m_progress(scene.tools.size()) {
    m_inputs.tools.resize(m_tools.size());
}

void Script::pass(const Waypoint& point, const World& world, Progress& progress) const {
    if (point.kind == WaypointKind::release) {
        progress.present = false;
        progress.node = -1;
    } else if (point.kind == WaypointKind::at) {
        progress.present = true;
        progress.from = point.where;
        if (!point.body.empty()) {
            progress.node = find_node(world.model(), point.body, point.fraction);
            progress.from = world.state().x[static_cast<std::size_t>(progress.node)];
        }
    } else {
        progress.from = goal(point, progress.from);
    }
}

const Inputs& Script::next(const World& world) {
    const double dt = world.model().dt;
    const double now = static_cast<double>(world.state().step) * dt;
    m_inputs.gravity = m_gravity;
    for (std::size_t t = 0; t < m_tools.size(); ++t) {
        const std::vector<Waypoint>& path = m_tools[t].path;
        Progress& progress = m_progress[t];
        while (progress.passed < path.size() && path[progress.passed].t <= now + just_before) {
            pass(path[progress.passed], world, progress);
            ++progress.passed;
        }
        Vec3 target = progress.from;
        if (progress.passed > 0 && progress.passed < path.size()) {
            const Waypoint& next = path[progress.passed];
            const double began = path[progress.passed - 1].t;
            const double share = std::clamp((now + dt - began) / (next.t - began), 0.0, 1.0);
            target += (goal(next, progress.from) - progress.from) * share;
        }
        m_inputs.tools[t] = {target, progress.node, progress.present ? 1 : 0};
    }
    return m_inputs;
}

}  // namespace plica
