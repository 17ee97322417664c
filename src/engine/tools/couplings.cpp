#include "engine/tools/couplings.hpp"

#include <cmath>

#include "core/index.hpp"
#include "engine/tools/rigids.hpp"
#include "geometry/rotation.hpp"

namespace plica {
namespace {

Vec3 centre_of(const RigidBody& rigid, const RigidState& now) {
    return apply(make_pose(now.turn, now.position), rigid.centre);
}

// What the hand wants of rigid body i in the substep.
Pull find_pull(const StepContext& c, std::size_t i) {
    const RigidBody& rigid = c.model.rigids[i];
    const RigidState& start = c.state.rigids[i];
    const ToolState& now = c.state.tools[at(rigid.tool)];
    const ToolInput& input = c.inputs.tools[at(rigid.tool)];
    const RigidState hand{now.handle, now.turn}, goal{input.target, input.turn};
    const RigidState before = rigid_on_the_way(hand, goal, c.share() - c.h / c.model.dt);
    const RigidState after = rigid_on_the_way(hand, goal, c.share());
    Pull pull;
    pull.away = centre_of(rigid, after) - centre_of(rigid, start);
    pull.velocity = (centre_of(rigid, after) - centre_of(rigid, before)) / c.h;
    pull.turned = rotation_between(start.turn, after.turn);
    pull.spin = rotation_between(before.turn, after.turn) / c.h;
    return pull;
}

// m (v' - v) / h = k (away - h v') + c (velocity of the hand - v'), cut back to the largest force.
void fly(const Coupling& c, double h, const Vec3& velocity, Pull& pull, FloatingBody& body) {
    const double mass = c.mass + h * c.damping + h * h * c.stiffness;
    const Vec3 next = (velocity * c.mass + pull.away * (h * c.stiffness) + pull.velocity * (h * c.damping)) / mass;
    const Vec3 force = (next - velocity) * (c.mass / h);
    const double size = norm(force);
    pull.limited = size > c.max_force;
    pull.force = pull.limited ? force * (c.max_force / size) : force;
    body.inverse_mass = 1.0 / (pull.limited ? c.mass : mass);  // a force that cannot grow is no spring
    body.shift = (pull.limited ? velocity + pull.force * (h / c.mass) : next) * h;
}

// The same of the turn, about the centre of mass, with the inertia at the start.
void spin(const RigidBody& rigid, double h, const RigidState& start, const Pull& pull, FloatingBody& body) {
    const Coupling& c = rigid.coupling;
    const Symmetric inertia = turn(body.turned, rigid.inertia);
    body.inverse_inertia = invert(add_to_diagonal(inertia, h * c.turn_damping + h * h * c.turn_stiffness));
    const Vec3 momentum =
        inertia * start.spin + pull.turned * (h * c.turn_stiffness) + pull.spin * (h * c.turn_damping);
    body.rotation = body.inverse_inertia * momentum * h;
}

// Velocities are what the places did. The turning momentum is that of the start's inertia; at the end it belongs to
// another spin.
void take_velocities(const RigidBody& rigid, const FloatingBody& body, double h, RigidState& now) {
    const Vec3 momentum = turn(body.turned, rigid.inertia) * (body.rotation / h);
    now.velocity = body.shift / h;
    now.spin = invert(turn(body.pose, rigid.inertia)) * momentum;
}

void follow(const FloatingBody& body, const RigidState& start, RigidState& now) {
    now.position = body.pose.shift;
    now.turn = compose_rotations(body.rotation, start.turn);
}

}  // namespace

void prepare_couplings(const Model& model, Scratch& scratch) {
    RigidScratch& rigids = scratch.rigids;
    rigids.hand_force.resize(model.rigids.size());
    rigids.hand_torque.resize(model.rigids.size());
    if (!model.has_couplings()) return;
    Floating& floating = rigids.floating;
    floating.of_node.assign(model.nodes(), -1);
    floating.w = model.contact_inverse_mass();
    for (const RigidBody& rigid : model.rigids) {
        if (rigid.floating < 0) continue;
        FloatingBody body;
        body.first_node = at(rigid.first_node);
        body.local = rigid.local;
        body.centre = rigid.centre;
        body.radius = rigid.half_thickness;
        body.stopped_by = rigid.stopped_by;
        for (const Vec3& p : rigid.local) body.reach = std::max(body.reach, distance(p, rigid.centre));
        std::fill_n(floating.of_node.begin() + rigid.first_node, rigid.local.size(), rigid.floating);
        floating.bodies.push_back(body);
    }
    rigids.pulls.resize(floating.bodies.size());
}

void aim_couplings(StepContext& c) {
    RigidScratch& rigids = c.scratch.rigids;
    for (std::size_t i = 0; i < c.model.rigids.size() && !rigids.floating.bodies.empty(); ++i) {
        const RigidBody& rigid = c.model.rigids[i];
        if (rigid.floating < 0) continue;
        const RigidState& start = c.state.rigids[i];
        FloatingBody& body = rigids.floating.bodies[at(rigid.floating)];
        Pull& pull = rigids.pulls[at(rigid.floating)];
        pull = find_pull(c, i);
        body.local = rigid.local;
        body.stopped_by = rigid.stopped_by;
        body.turned = make_pose(start.turn, {});
        body.origin = centre_of(rigid, start);
        fly(rigid.coupling, c.h, start.velocity, pull, body);
        spin(rigid, c.h, start, pull, body);
        place(body);
        follow(body, start, rigids.now[i]);
    }
}

void limit_couplings(StepContext& c, double most) {
    RigidScratch& rigids = c.scratch.rigids;
    for (std::size_t i = 0; i < c.model.rigids.size() && !rigids.floating.bodies.empty(); ++i) {
        const RigidBody& rigid = c.model.rigids[i];
        if (rigid.floating < 0) continue;
        FloatingBody& body = rigids.floating.bodies[at(rigid.floating)];
        const double way = norm(body.shift) + norm(body.rotation) * rigid.radius;
        if (way <= most || !std::isfinite(way)) continue;
        body.shift *= most / way;
        body.rotation *= most / way;
        place(body);
        place_nodes(body, c.scratch.p);
        follow(body, c.state.rigids[i], rigids.now[i]);
        c.scratch.shortfalls.limited[at(rigid.body)] = 1;
    }
}

void follow_contact(StepContext& c) {
    RigidScratch& rigids = c.scratch.rigids;
    for (std::size_t i = 0; i < c.model.rigids.size() && !rigids.floating.bodies.empty(); ++i) {
        if (c.model.rigids[i].floating < 0) continue;
        follow(rigids.floating.bodies[at(c.model.rigids[i].floating)], c.state.rigids[i], rigids.now[i]);
    }
}

void take_pulls(StepContext& c) {
    RigidScratch& rigids = c.scratch.rigids;
    for (std::size_t i = 0; i < c.model.rigids.size() && !rigids.floating.bodies.empty(); ++i) {
        const RigidBody& rigid = c.model.rigids[i];
        if (rigid.floating < 0) continue;
        const FloatingBody& body = rigids.floating.bodies[at(rigid.floating)];
        const Pull& pull = rigids.pulls[at(rigid.floating)];
        const Coupling& own = rigid.coupling;
        take_velocities(rigid, body, c.h, rigids.now[i]);
        rigids.hand_force[i] +=
            pull.limited ? pull.force
                         : (pull.away - body.shift) * own.stiffness + (pull.velocity - body.shift / c.h) * own.damping;
        rigids.hand_torque[i] +=
            (pull.turned - body.rotation) * own.turn_stiffness + (pull.spin - body.rotation / c.h) * own.turn_damping;
    }
}

void hold_coupling(std::size_t i, double kept, StepContext& c) {
    const RigidBody& rigid = c.model.rigids[i];
    RigidState& now = c.scratch.rigids.now[i];
    FloatingBody& body = c.scratch.rigids.floating.bodies[at(rigid.floating)];
    body.shift *= kept;
    body.rotation *= kept;
    place(body);
    follow(body, c.state.rigids[i], now);
    take_velocities(rigid, body, c.h, now);
}

}  // namespace plica
