#include "bench/tled/solid_block.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/mesh/shapes.hpp"
#include "tissue/tled/limit.hpp"

namespace plica::bench {
namespace {

constexpr double edge = 0.1;  // m
constexpr std::size_t nodes_a_chunk = 2048;

// Sheared, squeezed by up to 5 % and wavy: every cell has another strain.
Vec3 bend(const Vec3& p) {
    const double z = p.z / edge;
    const double wave = std::sin(40.0 * p.x + 25.0 * p.y) * std::cos(30.0 * p.z);
    return p + Vec3{0.08 * z * z, 0.02 * z * wave, -0.05 * z + 0.02 * z * wave} * edge;
}

}  // namespace

SolidBlock make_solid_block(tled::ElementKind kind, int side, bool exact) {
    SolidBlock block;
    block.kind = kind;
    const bool hexahedra = kind == tled::ElementKind::h8;
    const Vec3 high{edge, edge, edge};
    block.mesh = hexahedra ? make_hexahedral_block({}, high, {side, side, side})
                           : make_tetrahedral_block({}, high, {side, side, side});
    // Liver: 3 kPa. Nodal pressure is for what is nearly incompressible.
    set_young(block.material, 3000.0, kind == tled::ElementKind::t4anp ? 0.49 : 0.45);
    tled::OrganSettings settings;
    settings.tetrahedra = hexahedra ? tled::ElementKind::t4 : kind;
    settings.exact = exact;
    block.organ = tled::build_organ(block.mesh, {block.material}, settings);
    for (const double mass : tled::lump_masses(block.mesh, block.organ.materials)) block.w.push_back(1.0 / mass);
    for (std::size_t n = 0; n < block.nodes(); ++n) {
        const Vec3& p = block.mesh.nodes[n];
        block.x.push_back(bend(p));
        if (p.z <= 0.0) block.w[n] = 0.0;
    }
    block.v.resize(block.nodes());
    block.h = 0.9 * tled::bound_step(block.organ).seconds;
    return block;
}

std::vector<Vec3> solid_forces(const SolidBlock& block, Isa isa) {
    ThreadPool pool;
    tled::Workspace work;
    tled::prepare(block.organ, work, isa);
    tled::compute_forces(block.organ, {block.mesh.nodes, block.x, {}, block.h}, pool, work);
    std::vector<Vec3> force(block.nodes());
    tled::sum_forces(block.organ, work, pool, force);
    return force;
}

double relative_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    if (a.size() != b.size() || a.empty()) return HUGE_VAL;
    double largest = 0.0, difference = 0.0;
    for (std::size_t n = 0; n < a.size(); ++n) {
        if (!is_finite(a[n]) || !is_finite(b[n])) return HUGE_VAL;
        largest = std::max(largest, norm(b[n]));
        difference = std::max(difference, distance(a[n], b[n]));
    }
    return difference / std::max(largest, 1e-300);
}

SolidRun::SolidRun(const SolidBlock& block, Isa isa, int threads) : m_block(block), m_pool(threads) {
    tled::prepare(block.organ, m_work, isa);
    m_p.resize(block.nodes());
    rewind();
}

void SolidRun::rewind() {
    m_x.assign(m_block.x.begin(), m_block.x.end());
    m_v.assign(m_block.v.begin(), m_block.v.end());
    m_last_h = m_block.h;
}

void SolidRun::step() {
    const SolidBlock& b = m_block;
    const tled::OrganStep step{b.mesh.nodes, m_x, m_v, b.w, b.gravity, 0.0, 0.0, b.h, m_last_h, false};
    tled::step_organ(b.organ, step, m_pool, m_state, m_work, m_p);
    const double rate = 1.0 / b.h;
    m_pool.for_chunks(static_cast<int>((m_x.size() + nodes_a_chunk - 1) / nodes_a_chunk), [&](int chunk) {
        const std::size_t begin = static_cast<std::size_t>(chunk) * nodes_a_chunk;
        const std::size_t end = std::min(m_x.size(), begin + nodes_a_chunk);
        for (std::size_t n = begin; n < end; ++n) m_v[n] = (m_p[n] - m_x[n]) * rate;
    });
    m_x.swap(m_p);
}

}  // namespace plica::bench
