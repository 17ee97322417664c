#include "engine/tools/pushing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/index.hpp"
#include "engine/tools/rigids.hpp"

namespace plica {
namespace {

constexpr double of_tubes = 0.25;       // of the thickness of the thinnest pair with a tube
constexpr double slows_from = 0.75;     // of its largest force on, a tool slows down
constexpr double faster = 1.05;         // what it tries, from one substep to the next, where nothing holds it
constexpr double slower = 0.5;          // where something does
constexpr double slowest = 1.0 / 1024;  // of the furthest way
constexpr double gives_way = 0.02;      // of the furthest way, at twice its largest force: slowly, or it would hammer

double way_of(const RigidBody& rigid, const RigidState& now, const RigidState& aim) {
    return norm(aim.position - now.position) + norm(aim.turn - now.turn) * rigid.radius;
}

// Does what presses it stand in the way?
bool is_opposed(const RigidState& now, const RigidState& aim) {
    return dot(aim.position - now.position, now.load) + dot(aim.turn - now.turn, now.twist) < 0.0;
}

// Of its largest force.
double effort(const RigidBody& rigid, const Vec3& load, double h) {
    return norm(load) / (rigid.max_force * h * h);
}

// That, or what it does to tissue.
double strain(const StepContext& c, const RigidBody& rigid, const Vec3& load) {
    if (load == Vec3{}) return 0.0;
    return std::max(effort(rigid, load, c.h), c.crush);
}

}  // namespace

double furthest_of_tools(const Model& model) {
    constexpr double any = std::numeric_limits<double>::infinity();
    if (!model.adapt || !model.contact.enabled) return any;
    const double tubes = model.thinnest_pair > 0.0 ? of_tubes * model.thinnest_pair : any;
    return std::min(tubes, model.thinnest_solid > 0.0 ? model.thinnest_solid : any);
}

RigidState push_towards(const StepContext& c, std::size_t i, const RigidState& aim) {
    const double most = furthest_of_tools(c.model);
    if (!std::isfinite(most)) return aim;
    const RigidBody& rigid = c.model.rigids[i];
    const RigidState& now = c.state.rigids[i];
    if (c.tools_wait) return now;
    const double way = way_of(rigid, now, aim), used = strain(c, rigid, now.load);
    if (used > 1.0) {  // gives way
        const Vec3 back = now.load * (most * gives_way * std::min(1.0, used - 1.0) / norm(now.load));
        return {now.position + back, now.turn};
    }
    const double furthest = is_opposed(now, aim) ? most * now.pace : most;
    return way > furthest ? rigid_on_the_way(now, aim, furthest / way) : aim;
}

void feel(const StepContext& c, std::size_t i, const Vec3& load, const Vec3& twist, RigidState& now) {
    const RigidBody& rigid = c.model.rigids[i];
    const bool held = now.pace == 0.0;
    const double change = held || strain(c, rigid, load) > slows_from ? slower : faster;
    now.pace = std::clamp(c.state.rigids[i].pace * change, slowest, 1.0);
    now.load = load;
    now.twist = twist;
}

bool is_pushed_tool(const Model& model, const Body& body) {
    return std::any_of(model.rigids.begin(), model.rigids.end(), [&](const RigidBody& rigid) {
        return rigid.first_node == body.first_node && rigid.tool >= 0 && rigid.floating < 0;
    });
}

bool has_pushed_tools(const Model& model) {
    const auto is_pushed = [](const RigidBody& rigid) { return rigid.tool >= 0 && rigid.floating < 0; };
    return std::isfinite(furthest_of_tools(model)) && std::any_of(model.rigids.begin(), model.rigids.end(), is_pushed);
}

void stop_tools(const Model& model, State& state) {
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        if (model.rigids[i].tool >= 0 && model.rigids[i].floating < 0) state.rigids[i].pace = slowest;
    }
}

double way_ahead(const RigidBody& rigid, const RigidState& now, const RigidState& goal, double h) {
    const double way = way_of(rigid, now, goal);
    if (!is_opposed(now, goal)) return way;
    return effort(rigid, now.load, h) > 1.0 ? 0.0 : way * now.pace;
}

}  // namespace plica
