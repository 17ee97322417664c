#include "tissue/heat/motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/index.hpp"
#include "tissue/heat/forces.hpp"

namespace plica::heat {
namespace {

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

constexpr double least_majorant = 2.0;

// Over kappa / L0^2, in the place of 2: a quarter of the stiffness (1 + 3 lambda^-4) / 4 of the shortest edge suffices.
// By powers of four, so that the matrix seldom changes; up to 0.56 it does not.
double majorant_of(double least_stretch) {
    const double stretch = max(least_stretch, least_edge);
    const double square = stretch * stretch;
    const double needed = (1.0 + 3.0 / (square * square)) / 16.0;
    double majorant = least_majorant;
    while (majorant < needed) majorant *= 4.0;
    return majorant;
}

// N s/m, between the ends of an edge: h times a majorant of its stiffness, and its damping.
double link_of(const Membrane& membrane, const MembraneEdge& edge, double h, double majorant) {
    return majorant * h * edge.energy * edge.inverse_square + membrane.settings.edge_damping;
}

bool factor(const Membrane& membrane, const MembraneStep& step, double majorant, Workspace& work) {
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

double bulk_of(const Membrane& membrane, const Piece& piece, double h) {
    return piece.closed ? h * membrane.settings.bulk / std::abs(piece.volume) : 0.0;
}

double dot_in(const Membrane& membrane, const Piece& piece, std::span<const Vec3> a, std::span<const Vec3> b) {
    double sum = 0.0;
    for (const std::int32_t n : nodes_of(membrane, piece)) sum += dot(a[at(n)], b[at(n)]);
    return sum;
}

}  // namespace

bool factor_motion(const Membrane& membrane, const MembraneStep& step, double least_stretch, Workspace& work) {
    const double majorant = majorant_of(least_stretch);
    return is_factored(membrane, step, majorant, work) || factor(membrane, step, majorant, work);
}

// (A + a g g^T)^-1 f = y - z a (g . y) / (1 + a g . z), where y = A^-1 f and z = A^-1 g.
void solve_motion(const Membrane& membrane, Workspace& work, std::span<Vec3> f) {
    work.motion.solve(f);
    const auto closed = [](const Piece& piece) { return piece.closed; };
    if (membrane.settings.bulk == 0.0 || std::none_of(membrane.pieces.begin(), membrane.pieces.end(), closed)) return;
    for (std::size_t n = 0; n < membrane.size(); ++n) work.yielding[n] = work.held[n] != 0 ? Vec3{} : work.gradient[n];
    work.motion.solve(work.yielding);
    for (const Piece& piece : membrane.pieces) {
        const double a = bulk_of(membrane, piece, work.motion_h);
        if (a == 0.0) continue;
        const double gy = dot_in(membrane, piece, work.gradient, f);
        const double gz = dot_in(membrane, piece, work.gradient, work.yielding);
        for (const std::int32_t n : nodes_of(membrane, piece))
            f[at(n)] -= work.yielding[at(n)] * (a * gy / (1.0 + a * gz));
    }
}

double find_resistance(const Membrane& membrane, const Workspace& work, std::span<const Vec3> u,
                       std::span<const Vec3> w) {
    double power = 0.0;
    for (std::size_t n = 0; n < membrane.size(); ++n) power += work.motion_h * membrane.anchor[n] * dot(u[n], w[n]);
    for (const MembraneEdge& edge : membrane.edges) {
        const double link = link_of(membrane, edge, work.motion_h, work.majorant);
        power += link * dot(u[at(edge.b)] - u[at(edge.a)], w[at(edge.b)] - w[at(edge.a)]);
    }
    for (const Piece& piece : membrane.pieces) {
        const double gu = dot_in(membrane, piece, work.gradient, u), gw = dot_in(membrane, piece, work.gradient, w);
        power += bulk_of(membrane, piece, work.motion_h) * gu * gw;
    }
    return power;
}

// The least sqrt(m / k), k being all that resists a node in the matrix but its mass.
double find_contact_step(const Membrane& membrane) {
    std::vector<double> stiffness = membrane.anchor;
    for (const MembraneEdge& edge : membrane.edges) {
        const double link = least_majorant * edge.energy * edge.inverse_square;
        stiffness[at(edge.a)] += link;
        stiffness[at(edge.b)] += link;
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < membrane.size(); ++n) least = std::min(least, membrane.mass[n] / stiffness[n]);
    return std::sqrt(least);
}

}  // namespace plica::heat
