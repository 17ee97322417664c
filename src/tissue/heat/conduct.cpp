#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "core/index.hpp"
#include "tissue/heat/forces.hpp"
#include "tissue/heat/spread.hpp"
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

// The touched nodes that hang together with this one, into work.patch from `first` on.
void find_patch(const Membrane& membrane, std::int32_t node, const MembraneState& state, std::size_t first,
                Workspace& work) {
    const SymmetricMatrix& w = membrane.conduction.stiffness;
    work.patch[first] = node;
    work.patched[at(node)] = 1;
    work.patch_end = first + 1;
    for (std::size_t k = first; k < work.patch_end; ++k) {
        const std::size_t i = at(work.patch[k]);
        for (std::int32_t p = w.first[i]; p < w.first[i + 1]; ++p) {
            const std::int32_t j = w.column[at(p)];
            if (work.patched[at(j)] != 0 || state.touch[at(j)] == Vec3{}) continue;
            work.patched[at(j)] = 1;
            work.patch[work.patch_end++] = j;
        }
    }
}

// What each patch gives as one punch, J, into work.source: shared by the forces on its nodes, so that it does not
// depend on how many there are.
void find_punches(const Membrane& membrane, const MembraneState& state, Workspace& work) {
    const Settings& s = membrane.settings;
    const double poisson = 1.0 - s.punch_poisson * s.punch_poisson;
    std::fill(work.patched.begin(), work.patched.end(), std::uint8_t{0});
    work.patch_end = 0;
    for (std::int32_t n = 0; n < membrane.nodes; ++n) {
        if (work.patched[at(n)] != 0 || state.touch[at(n)] == Vec3{}) continue;
        const std::size_t first = work.patch_end;
        find_patch(membrane, n, state, first, work);
        const auto patch = std::span(work.patch).subspan(first, work.patch_end - first);
        Vec3 force;
        double sum = 0.0;
        for (const std::int32_t i : patch) {
            force += state.touch[at(i)];
            sum += norm(state.touch[at(i)]);
        }
        const double energy = squared_norm(force) * poisson / (4.0 * s.punch_young * s.punch_radius);
        for (const std::int32_t i : patch) work.source[at(i)] = energy * (norm(state.touch[at(i)]) / sum);
    }
}

// Q / tau into work.source; returns sum of Q, J.
double find_sources(const Membrane& membrane, std::span<const Vec3> x, const MembraneState& state, Workspace& work) {
    const Settings& s = membrane.settings;
    if (s.paper_sign) find_normals(membrane, x, work.normal);
    std::fill(work.source.begin(), work.source.end(), 0.0);
    if (s.source == Source::energy) find_punches(membrane, state, work);
    double given = 0.0;
    for (const Piece& piece : membrane.pieces) {
        const Pose frame = find_frame(membrane, piece, x);
        for (const std::int32_t n : nodes_of(membrane, piece)) {
            const auto i = at(n);
            double q = work.source[i];
            work.source[i] = 0.0;
            if (membrane.cold[i] != 0 || state.touch[i] == Vec3{}) continue;
            if (s.source == Source::work)
                q = std::abs(dot(state.touch[i], x[i] - rest_place(membrane, piece, frame, n)));
            if (s.paper_sign && dot(state.touch[i], work.normal[i]) > 0.0) q = -q;
            work.source[i] = q / s.relaxation;
            given += q;
        }
    }
    return given;
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
    if (state.temperature.empty() && !membrane.held_at.empty()) state.temperature = membrane.held_at;
    state.temperature.resize(nodes, 0.0);
    if (membrane.settings.motion == Motion::euler) state.ahead.resize(nodes);
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
    if (membrane.settings.spread == Spread::implicit) work.heat = Factor(work.heat_matrix);
    work.motion = Factor(work.motion_matrix);
    work.held.assign(nodes, 0);
    work.motion_h = 0.0;
    work.tension.assign(edges, 0.0);
    work.last_tension.assign(edges, 0.0);
    for (std::vector<double>* each : {&work.warmth, &work.flow, &work.source}) each->assign(nodes, 0.0);
    work.patch.assign(nodes, 0);
    work.patched.assign(nodes, 0);
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
    numbers.heat_given += dt / membrane.settings.relaxation * find_sources(membrane, x, state, work);
    numbers.heat_lost += spread_heat(membrane, dt, state.temperature, work);
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
