#include "experiments/tled/specimen.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tissue/tled/fields.hpp"
#include "tissue/tled/limit.hpp"

namespace plica::experiments {
namespace {

double along(const Vec3& a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

}  // namespace

Specimen::Specimen(VolumeMesh mesh, std::vector<tled::Material> materials, const tled::OrganSettings& settings, Isa isa,
                   int threads)
    : m_pool(std::make_unique<ThreadPool>(threads)) {
    organ = tled::build_organ(mesh, materials, settings, &order);
    mass = tled::lump_masses(mesh, materials);
    surface = find_boundary(mesh);
    rest = x = mesh.nodes;
    v.resize(rest.size());
    m_next.resize(rest.size());
    m_force.resize(rest.size());
    for (const double m : mass) w.push_back(m > 0.0 ? 1.0 / m : 0.0);
    tled::prepare(organ, work, isa);
    state.history.single.resize(settings.exact ? 0 : organ.history);
    state.history.exact.resize(settings.exact ? organ.history : 0);
}

std::vector<std::int32_t> Specimen::side(int axis, bool high) const {
    const double sign = high ? 1.0 : -1.0;
    double furthest = -HUGE_VAL;
    for (const Vec3& r : rest) furthest = std::max(furthest, sign * along(r, axis));
    std::vector<std::int32_t> nodes;
    for (std::size_t n = 0; n < rest.size(); ++n) {
        if (sign * along(rest[n], axis) > furthest - 1e-9) nodes.push_back(static_cast<std::int32_t>(n));
    }
    return nodes;
}

std::vector<std::array<std::int32_t, 3>> Specimen::triangles_on(const std::vector<std::int32_t>& nodes) const {
    std::vector<std::uint8_t> chosen(rest.size(), 0);
    for (const std::int32_t n : nodes) chosen[at(n)] = 1;
    std::vector<std::array<std::int32_t, 3>> found;
    for (const auto& each : surface) {
        if (chosen[at(each[0])] + chosen[at(each[1])] + chosen[at(each[2])] == 3) found.push_back(each);
    }
    return found;
}

void Specimen::hold(const std::vector<std::int32_t>& nodes, std::array<bool, 3> axes, const Vec3& by) {
    Motion motion;
    motion.nodes = nodes;
    motion.axes = axes;
    motion.displacement = by;
    organ.held.resize(rest.size(), 0);
    for (const std::int32_t n : nodes) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (axes[k]) organ.held[at(n)] = static_cast<std::uint8_t>(organ.held[at(n)] | (1U << k));
        }
        if (organ.held[at(n)] == 7) w[at(n)] = 0.0;
    }
    organ.motions.push_back(motion);
    apply_motions(organ.motions, t, rest, x);
}

bool Specimen::is_held(std::size_t node, int axis) const {
    return w[node] == 0.0 || (!organ.held.empty() && ((static_cast<unsigned>(organ.held[node]) >> axis) & 1U) != 0);
}

void Specimen::step(double h, const Vec3& gravity, bool measure) {
    const tled::OrganStep step{rest, x, v, w, gravity, 0.0, t, h, last_h, measure};
    tled::step_organ(organ, step, *m_pool, state, work, m_next);
    for (std::size_t n = 0; n < x.size(); ++n) v[n] = (m_next[n] - x[n]) / h;
    x.swap(m_next);
    t += h;
    last_h = h;
}

const std::vector<Vec3>& Specimen::find_forces() {
    tled::compute_forces(organ, {rest, x, state.history, 0.0}, *m_pool, work);
    tled::sum_forces(organ, work, *m_pool, m_force);
    return m_force;
}

const std::vector<Vec3>& Specimen::wait(double h) {
    tled::compute_forces(organ, {rest, x, state.history, h}, *m_pool, work);
    std::swap(state.history, work.next);
    tled::sum_forces(organ, work, *m_pool, m_force);
    return m_force;
}

double Specimen::share_left(const std::vector<Vec3>& force) const {
    double left = 0.0, reaction = 0.0;
    for (std::size_t n = 0; n < force.size(); ++n) {
        for (int k = 0; k < 3; ++k) {
            const double f = along(force[n], k);
            (is_held(n, k) ? reaction : left) += f * f;
        }
    }
    return reaction > 0.0 ? std::sqrt(left / reaction) : std::sqrt(left);
}

double Specimen::settle(double h, double damping, double tolerance, int most) {
    organ.damping = damping;
    double left = share_left(find_forces());
    for (int i = 0; i < most && left > tolerance; ++i) {
        step(h);
        left = share_left(work.force);
    }
    return left;
}

double Specimen::find_limit(double tolerance) {
    return tled::estimate_step(organ, {rest, x, w, state.history, 200, tolerance}, *m_pool, work, state.mode);
}

double Specimen::kinetic() const {
    return kinetic(v);
}

double Specimen::kinetic(std::span<const Vec3> velocity) const {
    double sum = 0.0;
    for (std::size_t n = 0; n < mass.size(); ++n) sum += 0.5 * mass[n] * squared_norm(velocity[n]);
    return sum;
}

double Specimen::elastic() const {
    return tled::compute_energy(organ, rest, x);
}

Vec3 Specimen::momentum() const {
    Vec3 sum;
    for (std::size_t n = 0; n < mass.size(); ++n) sum += v[n] * mass[n];
    return sum;
}

Vec3 Specimen::angular_momentum() const {
    Vec3 sum;
    for (std::size_t n = 0; n < mass.size(); ++n) sum += cross(x[n], v[n]) * mass[n];
    return sum;
}

VolumeMesh make_specimen_block(tled::ElementKind kind, const Vec3& size, const std::array<int, 3>& cells) {
    return kind == tled::ElementKind::h8 ? make_hexahedral_block({}, size, cells)
                                         : make_tetrahedral_block({}, size, cells);
}

tled::Material make_neo_hookean(double young, double poisson, double density) {
    tled::Material material;
    tled::set_young(material, young, poisson);
    material.density = density;
    return material;
}

}  // namespace plica::experiments
