#include "tissue/heat/rigid.hpp"

#include "core/index.hpp"
#include "tissue/heat/forces.hpp"
#include "tissue/heat/step.hpp"

namespace plica::heat {
namespace {

void add_inertia(const Vec3& r, double m, Symmetric& inertia) {
    inertia.xx += m * (r.y * r.y + r.z * r.z);
    inertia.yy += m * (r.x * r.x + r.z * r.z);
    inertia.zz += m * (r.x * r.x + r.y * r.y);
    inertia.xy -= m * r.x * r.y;
    inertia.xz -= m * r.x * r.z;
    inertia.yz -= m * r.y * r.z;
}

}  // namespace

Vec3 outer_force(const Membrane& membrane, const MembraneStep& step, std::size_t node) {
    const Vec3 weight = step.gravity * membrane.mass[node];
    return step.load.empty() ? weight : weight + step.load[node];
}

Rigid find_rigid(const Membrane& membrane, const Piece& piece, const MembraneStep& step) {
    Rigid body{};
    for (const std::int32_t n : nodes_of(membrane, piece)) body.centre += step.x[at(n)] * membrane.mass[at(n)];
    body.centre = body.centre / piece.mass;
    for (const std::int32_t n : nodes_of(membrane, piece)) {
        const Vec3 r = step.x[at(n)] - body.centre;
        const double m = membrane.mass[at(n)];
        const Vec3 impulse = outer_force(membrane, step, at(n)) * step.h;
        body.momentum += step.v[at(n)] * m;
        body.angular += cross(r, step.v[at(n)]) * m;
        body.push += impulse;
        body.twist += cross(r, impulse);
        add_inertia(r, m, body.inertia);
    }
    body.velocity = body.momentum / piece.mass;
    body.spin = invert(body.inertia) * body.angular;
    return body;
}

void restore_momentum(const Membrane& membrane, const Piece& piece, const MembraneStep& step, const Rigid& body,
                      double kept, std::span<Vec3> v) {
    Vec3 momentum = body.momentum * kept + body.push, angular = body.angular * kept + body.twist;
    for (const std::int32_t n : nodes_of(membrane, piece)) {
        const Vec3 had = v[at(n)] * membrane.mass[at(n)];
        momentum -= had;
        angular -= cross(step.x[at(n)] - body.centre, had);
    }
    const Vec3 velocity = momentum / piece.mass, spin = invert(body.inertia) * angular;
    for (const std::int32_t n : nodes_of(membrane, piece))
        v[at(n)] += velocity + cross(spin, step.x[at(n)] - body.centre);
}

}  // namespace plica::heat
