#include "contact/floating.hpp"

#include <algorithm>
#include <cmath>

#include "contact/respond.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

Vec3 place_of(const FloatingBody& body, std::int32_t node) {
    return apply(body.pose, body.local[at(node) - body.first_node]);
}

// What a row has of a body: where it touches it, and the weights of its nodes there.
struct Grip {
    Vec3 r{};  // m, from the centre of mass
    double weight = 0.0, squares = 0.0;
};
Grip find_grip(const Floating& floating, const RowBatch& batch, int lane, std::int32_t index) {
    const FloatingBody& body = floating.bodies[at(index)];
    Grip grip;
    for (int k = 0; k < nodes_in(batch.shape); ++k) {
        const std::int32_t node = batch.node[k][lane];
        if (floating.of_node[at(node)] != index) continue;
        const double weight = std::abs(batch.weight[k][lane]);
        grip.r += lever_of(body, at(node)) * weight;
        grip.weight += weight;
        grip.squares += weight * weight;
    }
    if (grip.weight > 0.0) grip.r = grip.r / grip.weight;
    return grip;
}

bool touches(const Floating& floating, const RowBatch& batch, int lane, std::int32_t index) {
    for (int k = 0; k < nodes_in(batch.shape); ++k) {
        if (floating.of_node[at(batch.node[k][lane])] == index) return true;
    }
    return false;
}

// Calls use(index, lane, rows of the batch that touch the body).
template <class Use>
void for_each_grip(const Floating& floating, const RowBatch& batch, const Use& use) {
    for (std::size_t b = 0; b < floating.bodies.size(); ++b) {
        const auto index = static_cast<std::int32_t>(b);
        int rows = 0;
        for (int lane = 0; lane < batch.count; ++lane) rows += touches(floating, batch, lane, index) ? 1 : 0;
        for (int lane = 0; rows > 0 && lane < batch.count; ++lane) {
            if (touches(floating, batch, lane, index)) use(index, lane, rows);
        }
    }
}

// impulse_of(lane, k): what the row gave to its node.
template <class ImpulseOf>
void move_all(Floating& floating, const RowBatch& batch, const ImpulseOf& impulse_of) {
    for (std::size_t b = 0; b < floating.bodies.size(); ++b) {
        FloatingBody& body = floating.bodies[b];
        Vec3 push{}, twist{};  // sums over the rows of the batch
        for (int lane = 0; lane < batch.count; ++lane) {
            for (int k = 0; k < nodes_in(batch.shape); ++k) {
                const std::int32_t node = batch.node[k][lane];
                if (floating.of_node[at(node)] != static_cast<std::int32_t>(b)) continue;
                const Vec3 impulse = impulse_of(lane, k);
                push += impulse;
                twist += cross(lever_of(body, at(node)), impulse);
            }
        }
        move_body(body, push, twist);
    }
}

}  // namespace

Vec3 lever_of(const FloatingBody& body, std::size_t node) {
    return turn(body.turned, body.local[node - body.first_node] - body.centre);
}

// The largest eigenvalue of the turning part is at most its trace.
double compliance_at(const FloatingBody& body, const Vec3& r) {
    return body.inverse_mass + squared_norm(r) * trace(body.inverse_inertia) - dot(r, body.inverse_inertia * r);
}

double compliance_along(const FloatingBody& body, const Vec3& r, const Vec3& direction) {
    const Vec3 turning = cross(r, direction);
    return body.inverse_mass + dot(turning, body.inverse_inertia * turning);
}

void move_body(FloatingBody& body, const Vec3& push, const Vec3& twist) {
    if (push == Vec3{} && twist == Vec3{}) return;
    body.shift += push * body.inverse_mass;
    body.rotation += body.inverse_inertia * twist;
    place(body);
}

void push_body(FloatingBody& body, const Vec3& r, const Vec3& impulse) {
    move_body(body, impulse, cross(r, impulse));
}

void place(FloatingBody& body) {
    const Pose pose = compose(make_pose(body.rotation, {}), body.turned);
    body.pose = pose;
    body.pose.shift = body.origin + body.shift - turn(pose, body.centre);
}

void place_nodes(const FloatingBody& body, std::span<Vec3> p) {
    for (std::size_t n = 0; n < body.local.size(); ++n) p[body.first_node + n] = apply(body.pose, body.local[n]);
}

void place_nodes(const Floating& floating, std::span<Vec3> p) {
    for (const FloatingBody& body : floating.bodies) place_nodes(body, p);
}

bool has_floating(const Floating* floating, const std::int32_t (&node)[5]) {
    return floating != nullptr &&
           std::any_of(std::begin(node), std::end(node), [&](std::int32_t n) { return floating->of_node[at(n)] >= 0; });
}

void lift_nodes(const ContactWorld& world, const RowBatch& batch) {
    Floating& floating = *world.floating;
    for_each_grip(floating, batch, [&](std::int32_t index, int lane, int rows) {
        const FloatingBody& body = floating.bodies[at(index)];
        const Grip grip = find_grip(floating, batch, lane, index);
        // Sum of weight^2 w is the compliance.
        const double w = rows * compliance_at(body, grip.r) * grip.weight * grip.weight / grip.squares;
        for (int k = 0; k < nodes_in(batch.shape); ++k) {
            const std::int32_t node = batch.node[k][lane];
            if (floating.of_node[at(node)] != index) continue;
            world.p[at(node)] = place_of(body, node);
            floating.w[at(node)] = w;
        }
    });
}

RowLoads loads_of(const RowBatch& batch) {
    RowLoads loads;
    for (int lane = 0; lane < batch.count; ++lane) {
        loads.push[lane] = batch.push[lane];
        loads.friction[lane] = {batch.friction[0][lane], batch.friction[1][lane], batch.friction[2][lane]};
    }
    return loads;
}

void move_bodies(const ContactWorld& world, const RowLoads& before, const RowBatch& batch) {
    const RowLoads now = loads_of(batch);
    move_all(*world.floating, batch, [&](int lane, int k) {
        const Vec3 normal{batch.normal[0][lane], batch.normal[1][lane], batch.normal[2][lane]};
        const Vec3 row = normal * (now.push[lane] - before.push[lane]) + (now.friction[lane] - before.friction[lane]);
        return row * batch.weight[k][lane];
    });
}

void set_compliance(const ContactWorld& world, RowBatch& batch) {
    const Floating& floating = *world.floating;
    for (int lane = 0; lane < batch.count; ++lane) {
        batch.compliance[lane] = 0.0;
        for (int k = 0; k < nodes_in(batch.shape); ++k) {
            const auto node = at(batch.node[k][lane]);
            const double weight = batch.weight[k][lane];
            if (floating.of_node[node] < 0) batch.compliance[lane] += weight * weight * floating.w[node];
        }
    }
    for_each_grip(floating, batch, [&](std::int32_t index, int lane, int rows) {
        const Grip grip = find_grip(floating, batch, lane, index);
        batch.compliance[lane] += rows * compliance_at(floating.bodies[at(index)], grip.r) * grip.weight * grip.weight;
    });
}

void follow_nodes(const ContactWorld& world, const RowBatch& batch) {
    Floating& floating = *world.floating;
    move_all(floating, batch, [&](int lane, int k) {
        const auto node = at(batch.node[k][lane]);
        const FloatingBody& body = floating.bodies[at(floating.of_node[node])];
        // A node that a row has twice counts once.
        for (int before = 0; before < k; ++before) {
            if (at(batch.node[before][lane]) == node) return Vec3{};
        }
        return (world.p[node] - place_of(body, batch.node[k][lane])) / floating.w[node];
    });
}

}  // namespace plica
