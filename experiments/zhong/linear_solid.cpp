#include "experiments/zhong/linear_solid.hpp"

#include "core/index.hpp"
#include "experiments/zhong/spring_body.hpp"

namespace plica::experiments {
namespace {

double along(const Vec3& a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

// Three rows a node.
heat::SymmetricMatrix make_pattern_of(const std::vector<std::array<std::int32_t, 4>>& cells, std::size_t nodes) {
    std::vector<heat::Link> links;
    const auto add_block = [&](std::int32_t a, std::int32_t b) {
        for (std::int32_t i = 0; i < 3; ++i) {
            for (std::int32_t j = 0; j < 3; ++j) {
                if (3 * a + i != 3 * b + j) links.push_back({3 * a + i, 3 * b + j});
            }
        }
    };
    for (std::size_t n = 0; n < nodes; ++n) add_block(static_cast<std::int32_t>(n), static_cast<std::int32_t>(n));
    for (const auto& [a, b] : find_edges(cells, nodes)) add_block(a, b);
    return heat::make_pattern(3 * nodes, links);
}

}  // namespace

LinearSolid::LinearSolid(std::vector<Vec3> rest, const std::vector<std::array<std::int32_t, 4>>& cells,
                         std::vector<std::uint8_t> held, double young, double poisson)
    : m_rest(std::move(rest)), m_held(std::move(held)), m_full(make_pattern_of(cells, m_rest.size())) {
    const double shear = young / (2.0 * (1.0 + poisson));
    const double lame = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    for (const auto& cell : cells) add_cell(cell, lame, shear);
    m_free = m_full;
    for (std::size_t row = 0; row < m_free.rows(); ++row) {
        for (std::int32_t e = m_free.first[row]; e < m_free.first[row + 1]; ++e) {
            const std::size_t column = at(m_free.column[at(e)]);
            if (m_held[row / 3] != 0 || m_held[column / 3] != 0) m_free.value[at(e)] = row == column ? 1.0 : 0.0;
        }
    }
    m_right.resize(m_full.rows());
    m_known.resize(m_full.rows());
}

// K_ab = V (lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) I), g being the gradients of the shape functions.
void LinearSolid::add_cell(const std::array<std::int32_t, 4>& cell, double lame, double shear) {
    const Vec3 p = m_rest[at(cell[0])];
    const Vec3 d[3] = {m_rest[at(cell[1])] - p, m_rest[at(cell[2])] - p, m_rest[at(cell[3])] - p};
    const double six = dot(d[0], cross(d[1], d[2]));
    Vec3 g[4] = {{}, cross(d[1], d[2]) / six, cross(d[2], d[0]) / six, cross(d[0], d[1]) / six};
    g[0] = -(g[1] + g[2] + g[3]);
    for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = 0; b < 4; ++b) {
            const double together = shear * dot(g[a], g[b]);
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    const double k = lame * along(g[a], i) * along(g[b], j) + shear * along(g[b], i) * along(g[a], j) +
                                     (i == j ? together : 0.0);
                    add_at(m_full, 3 * cell[a] + i, 3 * cell[b] + j, six / 6.0 * k);
                }
            }
        }
    }
}

bool LinearSolid::factorize() {
    m_factor = heat::Factor(m_free);
    return m_factor.factorize(m_free);
}

bool LinearSolid::solve(const std::vector<Vec3>& load, std::vector<Vec3>& u) {
    for (std::size_t row = 0; row < m_known.size(); ++row)
        m_known[row] = m_held[row / 3] != 0 ? along(u[row / 3], static_cast<int>(row % 3)) : 0.0;
    multiply(m_full, m_known, m_right);
    for (std::size_t row = 0; row < m_known.size(); ++row) {
        const int axis = static_cast<int>(row % 3);
        m_right[row] = m_held[row / 3] != 0 ? m_known[row] : along(load[row / 3], axis) - m_right[row];
        m_known[row] = along(u[row / 3], axis);
    }
    if (m_factor.ready()) {
        m_known = m_right;
        m_factor.solve(m_known);
    } else if (heat::solve_by_gradients(m_free, m_right, 1e-6, 10000, m_scratch, m_known) < 0) {
        return false;
    }
    for (std::size_t n = 0; n < u.size(); ++n) u[n] = {m_known[3 * n], m_known[3 * n + 1], m_known[3 * n + 2]};
    return true;
}

}  // namespace plica::experiments
