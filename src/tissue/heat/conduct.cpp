#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "core/index.hpp"
#include "tissue/heat/forces.hpp"
#include "tissue/heat/step.hpp"

// The heat of a membrane: what touches it warms it, warmth spreads over the rest surface and goes with time.
namespace plica::heat {
namespace {

bool all_finite(std::span<const Vec3> a) {
    // A sum of finite numbers is finite unless it overflows, and nothing here comes near that.
    Vec3 sum;
    for (const Vec3& p : a) sum += p * 0.0;
    return sum == Vec3{};
}

// A_T = (alpha / dt + alpha / tau) diag(A) + W; rows and columns of cold nodes are the identity's.
bool factor_heat(const Membrane& membrane, double dt, Workspace& work) {
    const Settings& s = membrane.settings;
    const SymmetricMatrix& w = membrane.conduction.stiffness;
    std::copy(w.value.begin(), w.value.end(), work.heat_matrix.value.begin());
    const double rate = s.capacity / dt + s.capacity / s.relaxation;
    for (std::size_t i = 0; i < membrane.size(); ++i) {
        for (std::int32_t k = w.first[i]; k < w.first[i + 1]; ++k) {
            if (membrane.cold[i] != 0 || membrane.cold[at(w.column[at(k)])] != 0) work.heat_matrix.value[at(k)] = 0.0;
        }
        double& own = work.heat_matrix.value[at(work.diagonal[i])];
        own = membrane.cold[i] != 0 ? 1.0 : own + rate * membrane.conduction.area[i];
    }
    const bool done = work.heat.factorize(work.heat_matrix);
    work.heat_dt = done ? dt : 0.0;
    return done;
}

// Area-weighted, not of unit length.
void find_normals(const Membrane& membrane, std::span<const Vec3> x, std::span<Vec3> normal) {
    std::fill(normal.begin(), normal.end(), Vec3{});
    for (const auto& [i, j, k] : membrane.triangles) {
        const Vec3 n = cross(x[at(j)] - x[at(i)], x[at(k)] - x[at(i)]);
        normal[at(i)] += n;
        normal[at(j)] += n;
        normal[at(k)] += n;
    }
}

// J: what a force on a node gives, moved being where the node is, seen from its rest shape.
double heat_of(const Settings& s, const Vec3& force, const Vec3& moved, const Vec3& normal) {
    const double sign = s.paper_sign && dot(force, normal) > 0.0 ? -1.0 : 1.0;
    if (s.source == Source::work) return sign * std::abs(dot(force, moved));
    const double poisson = 1.0 - s.punch_poisson * s.punch_poisson;
    return sign * squared_norm(force) * poisson / (4.0 * s.punch_young * s.punch_radius);
}

// Right side (alpha / dt) A T + Q / tau into work.warmth; returns sum of Q, J.
double load_heat(const Membrane& membrane, double dt, std::span<const Vec3> x, const MembraneState& state,
                 Workspace& work) {
    const Settings& s = membrane.settings;
    if (s.paper_sign) find_normals(membrane, x, work.normal);
    double given = 0.0;
    for (const Piece& piece : membrane.pieces) {
        const Pose frame = find_frame(membrane, piece, x);
        for (const std::int32_t n : nodes_of(membrane, piece)) {
            const auto i = at(n);
            double& right = work.warmth[i];
            right = 0.0;
            if (membrane.cold[i] != 0) continue;
            right = s.capacity / dt * membrane.conduction.area[i] * state.temperature[i];
            if (state.touch[i] == Vec3{}) continue;
            const Vec3 moved = x[i] - rest_place(membrane, piece, frame, n);
            const double q = heat_of(s, state.touch[i], moved, s.paper_sign ? work.normal[i] : Vec3{});
            right += q / s.relaxation;
            given += q;
        }
    }
    return given;
}

// J/s, out of the surface: into the sink, and into cold nodes.
double find_loss(const Membrane& membrane, std::span<const double> temperature) {
    const Settings& s = membrane.settings;
    const SymmetricMatrix& w = membrane.conduction.stiffness;
    double loss = 0.0;
    for (std::size_t i = 0; i < membrane.size(); ++i) {
        loss += s.capacity / s.relaxation * membrane.conduction.area[i] * temperature[i];
        if (membrane.cold[i] == 0) continue;
        for (std::int32_t k = w.first[i]; k < w.first[i + 1]; ++k)
            loss -= w.value[at(k)] * temperature[at(w.column[at(k)])];
    }
    return loss;
}

// ln(b / a) / 2 of squares that differ little.
double half_log(double a, double b) {
    const double z = (b - a) / (b + a);
    if (std::abs(z) > 0.01) return 0.5 * elementary::log(b / a);
    const double s = z * z;
    return z * (1.0 + s * (1.0 / 3.0 + s * (1.0 / 5.0)));
}

// What touch and weight did since heat was last conducted.
void add_outer_work(const Membrane& membrane, std::span<const Vec3> x, const MembraneState& state,
                    MembraneState::Numbers& numbers) {
    for (std::size_t i = 0; i < membrane.size(); ++i) {
        const Vec3 moved = x[i] - state.before[i];
        numbers.external_work += dot(state.touch[i], moved);
        numbers.weight_work += membrane.mass[i] * dot(numbers.gravity, moved);
    }
}

// And what the tensions took up: tau_e (ln L - ln L_before), tau_e being the mean of those at both ends of the step.
void add_active_work(const Membrane& membrane, std::span<const Vec3> x, const MembraneState& state,
                     const Workspace& work, MembraneState::Numbers& numbers) {
    for (std::size_t e = 0; e < membrane.edges.size(); ++e) {
        const double both = work.tension[e] + work.last_tension[e];
        if (both == 0.0) continue;
        const MembraneEdge& edge = membrane.edges[e];
        const double was = squared_norm(state.before[at(edge.b)] - state.before[at(edge.a)]);
        const double is = squared_norm(x[at(edge.b)] - x[at(edge.a)]);
        if (was > 0.0 && is > 0.0) numbers.active_work += 0.5 * both / edge.inverse_square * half_log(was, is);
    }
}

void note_warmth(std::span<const double> temperature, Reached& reached) {
    reached.least_warmth = reached.most_warmth = temperature[0];
    for (const double t : temperature) {
        reached.least_warmth = min(reached.least_warmth, t);
        reached.most_warmth = max(reached.most_warmth, t);
    }
}

bool refuse(Workspace& work, bool touch) {
    (touch ? work.reached.touch_ignored : work.reached.lost) = true;
    return false;
}

}  // namespace

void prepare(const Membrane& membrane, double dt, Workspace& work, MembraneState& state) {
    const std::size_t nodes = membrane.size(), edges = membrane.edges.size();
    state.temperature.resize(nodes, 0.0);
    state.touch.resize(nodes);
    if (state.before.empty()) state.before = membrane.rest;
    work.heat_matrix = work.motion_matrix = membrane.conduction.stiffness;
    const SymmetricMatrix& m = work.motion_matrix;
    const auto entry = [&](std::int32_t row, std::int32_t column) {
        const auto begin = m.column.begin() + m.first[at(row)], end = m.column.begin() + m.first[at(row) + 1];
        return static_cast<std::int32_t>(std::lower_bound(begin, end, column) - m.column.begin());
    };
    work.diagonal.clear();
    work.upper.clear();
    work.lower.clear();
    for (std::int32_t i = 0; i < membrane.nodes; ++i) work.diagonal.push_back(entry(i, i));
    for (const MembraneEdge& e : membrane.edges) {
        work.upper.push_back(entry(e.a, e.b));
        work.lower.push_back(entry(e.b, e.a));
    }
    work.heat = Factor(work.heat_matrix);
    work.motion = Factor(work.motion_matrix);
    work.held.assign(nodes, 0);
    work.motion_h = 0.0;
    work.tension.assign(edges, 0.0);
    work.last_tension.assign(edges, 0.0);
    work.warmth.assign(nodes, 0.0);
    work.force.assign(nodes, Vec3{});
    work.normal.assign(nodes, Vec3{});
    work.gradient.assign(nodes, Vec3{});
    work.yielding.assign(nodes, Vec3{});
    work.wobble.assign(nodes, Vec3{});
    work.rigid.assign(membrane.pieces.size(), Rigid{});
    work.frames.assign(membrane.pieces.size(), Pose{});
    work.own.assign(membrane.pieces.size(), 0);
    work.reached = {};
    find_tensions(membrane, state.temperature, work.tension);
    if (!factor_heat(membrane, dt, work)) work.reached.lost = true;
}

bool conduct(const Membrane& membrane, double dt, std::span<const Vec3> x, MembraneState& state, Workspace& work) {
    work.reached = {};
    if (!all_finite(state.touch)) return refuse(work, true);
    if (!all_finite(x) || (dt != work.heat_dt && !factor_heat(membrane, dt, work))) return refuse(work, false);
    MembraneState::Numbers numbers = state.numbers;
    add_outer_work(membrane, x, state, numbers);
    numbers.heat_given += dt / membrane.settings.relaxation * load_heat(membrane, dt, x, state, work);
    work.heat.solve(work.warmth);
    numbers.heat_lost += dt * find_loss(membrane, work.warmth);
    if (!std::isfinite(numbers.heat_lost) || !std::isfinite(numbers.external_work)) return refuse(work, false);
    find_tensions(membrane, state.temperature, work.last_tension);
    work.reached.tension = find_tensions(membrane, work.warmth, work.tension);
    add_active_work(membrane, x, state, work, numbers);
    std::copy(work.warmth.begin(), work.warmth.end(), state.temperature.begin());
    std::copy(x.begin(), x.end(), state.before.begin());
    state.numbers = numbers;
    note_warmth(state.temperature, work.reached);
    return true;
}

}  // namespace plica::heat
