#include "tissue/heat/forces.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "core/index.hpp"

namespace plica::heat {
namespace {

// With s = (L / L0)^2 all of an edge's forces are d = x_b - x_a times a number without a root:
// rest shape, U = kappa / 8 (lambda - 1 / lambda)^2: kappa / (4 L0^2) (1 - 1 / s^2); heat, tau ln(lambda): tau / (L0^2
// s). Stretching does not soften, and lambda^-3 outruns the heat's 1 / lambda, so that no edge collapses.

constexpr double tension_cap = 0.8;  // of kappa: up to 0.866 rest shape and frozen heat together are convex
constexpr double least_square = least_edge * least_edge;  // of s: what is shorter is reported, and pushes no harder

// tanh; where most edges are, by its series (1e-13).
double saturate(double t) {
    if (t > 0.02) return elementary::tanh(t);
    const double s = t * t;
    return t * (1.0 - s * (1.0 / 3.0 - s * (2.0 / 15.0)));
}

struct Squares {
    double least = 1.0, most = 1.0;
    void add(double s) {
        least = s < least ? s : least;
        most = s > most ? s : most;
    }
};

void note(const Squares& seen, Reached& reached) {
    reached.least_stretch = std::sqrt(seen.least);
    reached.most_stretch = std::sqrt(seen.most);
    reached.overstretched = reached.least_stretch < least_edge || reached.most_stretch > most_edge;
}

Squares add_edge_forces(const Membrane& membrane, std::span<const Vec3> x, std::span<const double> tension,
                        std::span<Vec3> force) {
    Squares seen;
    for (std::size_t e = 0; e < membrane.edges.size(); ++e) {
        const MembraneEdge& edge = membrane.edges[e];
        const Vec3 d = x[at(edge.b)] - x[at(edge.a)];
        const double s = squared_norm(d) * edge.inverse_square;
        seen.add(s);
        const double inverse = 1.0 / max(s, least_square);
        const double stiffness = 0.25 * edge.energy * edge.inverse_square;
        const Vec3 f = d * (stiffness * (1.0 - inverse * inverse) + tension[e] * inverse);
        force[at(edge.a)] += f;
        force[at(edge.b)] -= f;
    }
    return seen;
}

// W, that it takes.
double add_edge_damping(const Membrane& membrane, std::span<const Vec3> x, std::span<const Vec3> v,
                        std::span<Vec3> force) {
    const double damping = membrane.settings.edge_damping;
    double power = 0.0;
    for (const MembraneEdge& edge : membrane.edges) {
        const Vec3 d = x[at(edge.b)] - x[at(edge.a)];
        const double square = max(squared_norm(d), least_square / edge.inverse_square);
        const double parting = dot(v[at(edge.b)] - v[at(edge.a)], d);
        const Vec3 f = d * (damping * parting / square);
        power += damping * parting * parting / square;
        force[at(edge.a)] += f;
        force[at(edge.b)] -= f;
    }
    return power;
}

// -omega (x - c - R (x0 - c0)): without net force or torque, R and c being the best ones.
void add_anchors(const Membrane& membrane, const Piece& piece, const Pose& frame, std::span<const Vec3> x,
                 std::span<Vec3> force) {
    for (const std::int32_t n : nodes_of(membrane, piece))
        force[at(n)] += (rest_place(membrane, piece, frame, n) - x[at(n)]) * membrane.anchor[at(n)];
}

std::span<const std::array<std::int32_t, 3>> triangles_of(const Membrane& membrane, const Piece& piece) {
    return std::span(membrane.triangles).subspan(at(piece.first_triangle), at(piece.triangles));
}

// dV/dx_i = sum (x_j - c) x (x_k - c) / 6 over the triangles at i, any c.
void find_volume_gradient(const Membrane& membrane, const Piece& piece, std::span<const Vec3> x, std::span<Vec3> g) {
    const Vec3 about = x[at(nodes_of(membrane, piece)[0])];
    for (const std::int32_t n : nodes_of(membrane, piece)) g[at(n)] = {};
    for (const auto& [i, j, k] : triangles_of(membrane, piece)) {
        const Vec3 a = x[at(i)] - about, b = x[at(j)] - about, c = x[at(k)] - about;
        g[at(i)] += cross(b, c) * (1.0 / 6.0);
        g[at(j)] += cross(c, a) * (1.0 / 6.0);
        g[at(k)] += cross(a, b) * (1.0 / 6.0);
    }
}

// kappa_v (V0 - V) / V0 dV/dx. Beyond the double volume, and inside out, the pressure stays: it must not grow with the
// cube of a size.
void add_bulk(const Membrane& membrane, const Piece& piece, std::span<const Vec3> x, std::span<const Vec3> gradient,
              std::span<Vec3> force) {
    const double missing = (piece.volume - compute_volume(membrane, piece, x)) / std::abs(piece.volume);
    const double pressure = membrane.settings.bulk * max(-1.0, min(missing, 1.0));
    for (const std::int32_t n : nodes_of(membrane, piece)) force[at(n)] += gradient[at(n)] * pressure;
}

}  // namespace

double compute_volume(const Membrane& membrane, const Piece& piece, std::span<const Vec3> x) {
    const Vec3 about = x[at(nodes_of(membrane, piece)[0])];
    double six = 0.0;
    for (const auto& [i, j, k] : triangles_of(membrane, piece))
        six += dot(x[at(i)] - about, cross(x[at(j)] - about, x[at(k)] - about));
    return six / 6.0;
}

double find_tensions(const Membrane& membrane, std::span<const double> temperature, std::span<double> tension) {
    const bool capped = membrane.settings.mode == Mode::complete;
    double most = 0.0;
    for (std::size_t e = 0; e < membrane.edges.size(); ++e) {
        const MembraneEdge& edge = membrane.edges[e];
        // The bars are the paper's (eq. 17, 18): pulls are opposite at the two ends, so momentum stays.
        const double tau = edge.tension * std::abs(temperature[at(edge.b)] - temperature[at(edge.a)]);
        const double cap = tension_cap * edge.energy;
        const double kept = capped ? cap * saturate(tau / cap) : tau;
        most = max(most, kept / edge.energy);
        tension[e] = kept * edge.inverse_square;
    }
    return most;
}

double add_forces(const Membrane& membrane, std::span<const Vec3> x, std::span<const Vec3> v, Workspace& work,
                  std::span<Vec3> force) {
    note(add_edge_forces(membrane, x, work.tension, force), work.reached);
    const bool damped = membrane.settings.edge_damping > 0.0 && !v.empty();
    const double power = damped ? add_edge_damping(membrane, x, v, force) : 0.0;
    for (std::size_t p = 0; p < membrane.pieces.size(); ++p) {
        const Piece& piece = membrane.pieces[p];
        add_anchors(membrane, piece, work.frames[p], x, force);
        if (!piece.closed || membrane.settings.bulk == 0.0) continue;
        find_volume_gradient(membrane, piece, x, work.gradient);
        add_bulk(membrane, piece, x, work.gradient, force);
    }
    return power;
}

void add_paper_forces(const Membrane& membrane, std::span<const Vec3> x, Workspace& work, std::span<Vec3> force) {
    Squares seen;
    for (std::size_t e = 0; e < membrane.edges.size(); ++e) {
        const MembraneEdge& edge = membrane.edges[e];
        const Vec3 d = x[at(edge.b)] - x[at(edge.a)];
        const double s = squared_norm(d) * edge.inverse_square;
        seen.add(s);
        const Vec3 f = d * (work.tension[e] / max(s, least_square));
        force[at(edge.a)] += f;
        force[at(edge.b)] -= f;
    }
    note(seen, work.reached);
}

}  // namespace plica::heat
