#include "tissue/heat/step.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/symmetric.hpp"
#include "tissue/heat/forces.hpp"
#include "tissue/heat/paper.hpp"

namespace plica::heat {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

bool is_held(const Membrane& membrane, const MembraneStep& step, std::size_t n) {
    return step.w[n] == 0.0 || membrane.fixed[n] != 0;
}

// Whether the factor at hand is that of this step.
bool is_factored(const Membrane& membrane, const MembraneStep& step, double majorant, const Workspace& work) {
    if (step.h != work.motion_h || majorant != work.majorant) return false;
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        if (is_held(membrane, step, n) != (work.held[n] != 0)) return false;
    }
    return true;
}

void find_held(const Membrane& membrane, const MembraneStep& step, Workspace& work) {
    for (std::size_t n = 0; n < membrane.size(); ++n) work.held[n] = is_held(membrane, step, n) ? 1 : 0;
    for (std::size_t p = 0; p < membrane.pieces.size(); ++p) {
        const auto nodes = nodes_of(membrane, membrane.pieces[p]);
        work.own[p] = std::none_of(nodes.begin(), nodes.end(), [&](std::int32_t n) { return work.held[at(n)] != 0; });
    }
}

// Over kappa / L0^2, in the place of 2: a quarter of the stiffness (1 + 3 lambda^-4) / 4 of the shortest edge suffices.
// By powers of four, so that the matrix seldom changes; up to 0.56 it does not.
double majorant_of(double least_stretch) {
    const double stretch = max(least_stretch, least_edge);
    const double square = stretch * stretch;
    const double needed = (1.0 + 3.0 / (square * square)) / 16.0;
    double majorant = 2.0;
    while (majorant < needed) majorant *= 4.0;
    return majorant;
}

// N s/m, between the ends of an edge: h times a majorant of its stiffness, and its damping.
double link_of(const Membrane& membrane, const MembraneEdge& edge, double h, double majorant) {
    return majorant * h * edge.energy * edge.inverse_square + membrane.settings.edge_damping;
}

// A_x = diag(m / h) + h (B diag(2 kappa / L0^2) B^T + diag(omega)), rows and columns of held nodes being the
// identity's. It stands before the change of the velocity, not before the velocity: a leapfrog whose masses are such
// that it is stable at any step, and that takes no energy. Drag is not in it: it takes from the velocity that was
// there, so that a contact's force, which rows know as displacement / (w h^2), is what the tissue answers with where
// all is at rest.
bool factor_motion(const Membrane& membrane, const MembraneStep& step, double majorant, Workspace& work) {
    find_held(membrane, step, work);
    std::vector<double>& value = work.motion_matrix.value;
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        const double own = membrane.mass[n] / step.h + step.h * membrane.anchor[n];
        value[at(work.diagonal[n])] = work.held[n] != 0 ? 1.0 : own;
    }
    for (std::size_t e = 0; e < membrane.edges.size(); ++e) {
        const MembraneEdge& edge = membrane.edges[e];
        const double link = link_of(membrane, edge, step.h, majorant);
        const bool free_a = work.held[at(edge.a)] == 0, free_b = work.held[at(edge.b)] == 0;
        if (free_a) value[at(work.diagonal[at(edge.a)])] += link;
        if (free_b) value[at(work.diagonal[at(edge.b)])] += link;
        value[at(work.upper[e])] = value[at(work.lower[e])] = free_a && free_b ? -link : 0.0;
    }
    const bool done = work.motion.factorize(work.motion_matrix);
    work.motion_h = done ? step.h : 0.0;
    work.majorant = majorant;
    return done;
}

// A piece as a rigid body.
struct Rigid {
    Vec3 centre;             // m, of mass
    Vec3 momentum, angular;  // N s, N m s, about it
    Symmetric inertia;       // kg m^2
};

void add_inertia(const Vec3& r, double m, Symmetric& inertia) {
    inertia.xx += m * (r.y * r.y + r.z * r.z);
    inertia.yy += m * (r.x * r.x + r.z * r.z);
    inertia.zz += m * (r.x * r.x + r.y * r.y);
    inertia.xy -= m * r.x * r.y;
    inertia.xz -= m * r.x * r.z;
    inertia.yz -= m * r.y * r.z;
}

Vec3 outer_force(const Membrane& membrane, const MembraneStep& step, std::size_t n) {
    const Vec3 weight = step.gravity * membrane.mass[n];
    return step.load.empty() ? weight : weight + step.load[n];
}

double kept_of(const Membrane& membrane, const MembraneStep& step) {
    // Drag is a density's rate, the same at every node.
    return std::exp(-(membrane.damping[0] + step.drag) * step.h);
}

// Of the end of the step: what forces from outside make of it, those inside having no sum.
Rigid find_rigid(const Membrane& membrane, const Piece& piece, const MembraneStep& step, double kept) {
    Rigid body{};
    for (const std::int32_t n : nodes_of(membrane, piece)) body.centre += step.x[at(n)] * membrane.mass[at(n)];
    body.centre = body.centre / piece.mass;
    for (const std::int32_t n : nodes_of(membrane, piece)) {
        const Vec3 r = step.x[at(n)] - body.centre;
        const double m = membrane.mass[at(n)];
        const Vec3 push = step.v[at(n)] * (m * kept) + outer_force(membrane, step, at(n)) * step.h;
        body.momentum += push;
        body.angular += cross(r, push);
        add_inertia(r, m, body.inertia);
    }
    return body;
}

// Adds the rigid velocity with which momentum and angular momentum are what they must be.
void restore_momentum(const Membrane& membrane, const Piece& piece, const MembraneStep& step, const Rigid& body,
                      std::span<Vec3> v) {
    Vec3 momentum = body.momentum, angular = body.angular;
    for (const std::int32_t n : nodes_of(membrane, piece)) {
        const Vec3 had = v[at(n)] * membrane.mass[at(n)];
        momentum -= had;
        angular -= cross(step.x[at(n)] - body.centre, had);
    }
    const Vec3 velocity = momentum / piece.mass, spin = invert(body.inertia) * angular;
    for (const std::int32_t n : nodes_of(membrane, piece))
        v[at(n)] += velocity + cross(spin, step.x[at(n)] - body.centre);
}

// f into work.force; returns what damping along edges takes, W. Then the motion's factor is that of this step.
double load_motion(const Membrane& membrane, const MembraneStep& step, Workspace& work) {
    std::fill(work.force.begin(), work.force.end(), Vec3{});
    for (std::size_t p = 0; p < membrane.pieces.size(); ++p)
        work.frames[p] = find_frame(membrane, membrane.pieces[p], step.x);
    const double power = add_forces(membrane, step.x, step.v, work, work.force);
    const double majorant = majorant_of(work.reached.least_stretch);
    if (!is_factored(membrane, step, majorant, work)) factor_motion(membrane, step, majorant, work);
    return power;
}

// A_x (v' - v) = f, into work.force; returns what damping took, J.
double solve_motion(const Membrane& membrane, const MembraneStep& step, Workspace& work) {
    const double kept = kept_of(membrane, step);
    double damped = step.h * load_motion(membrane, step, work);
    const std::span<Vec3> v = work.force;
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        const Vec3 drag = step.v[n] * ((1.0 - kept) * membrane.mass[n] / step.h);
        v[n] = work.held[n] != 0 ? Vec3{} : v[n] + outer_force(membrane, step, n) - drag;
    }
    work.motion.solve(v);
    for (std::size_t n = 0; n < membrane.size(); ++n) v[n] += step.v[n];
    for (std::size_t p = 0; p < membrane.pieces.size(); ++p) {
        const Piece& piece = membrane.pieces[p];
        if (work.own[p] != 0) restore_momentum(membrane, piece, step, find_rigid(membrane, piece, step, kept), v);
    }
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        if (work.held[n] == 0) damped += 0.5 * (1.0 - kept) * membrane.mass[n] * dot(step.v[n], step.v[n] + v[n]);
    }
    return damped;
}

bool give_up(const MembraneStep& step, Workspace& work, std::span<Vec3> p) {
    std::copy(step.x.begin(), step.x.end(), p.begin());
    work.reached.lost = true;
    return false;
}

}  // namespace

bool step_membrane(const Membrane& membrane, const MembraneStep& step, MembraneState& state, Workspace& work,
                   std::span<Vec3> p) {
    const bool complete = membrane.settings.mode == Mode::complete;
    const double drag = complete ? solve_motion(membrane, step, work) : step_paper(membrane, step, work);
    if (complete && work.motion_h == 0.0) return give_up(step, work, p);
    Vec3 sum;  // of zeros, unless something is not finite
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        p[n] = is_held(membrane, step, n) ? step.x[n] : step.x[n] + work.force[n] * step.h;
        sum += p[n] * 0.0;
    }
    if (!(sum == Vec3{})) return give_up(step, work, p);
    state.numbers.drag_work += drag;
    state.numbers.gravity = step.gravity;
    return true;
}

}  // namespace plica::heat
