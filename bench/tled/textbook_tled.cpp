#include "bench/tled/textbook_tled.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "tissue/tled/cell_numbers.hpp"

namespace plica::bench {
namespace {

// F = I + sum_a u_a (x) dN_a/dX
template <std::size_t corners>
void deformation(const float* u, const std::array<std::int32_t, corners>& node, const float (&gradient)[corners][3],
                 float (&f)[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) f[i][j] = i == j ? 1.0F : 0.0F;
    }
    for (std::size_t a = 0; a < corners; ++a) {
        const float* ua = u + 3 * node[a];
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) f[i][j] += ua[i] * gradient[a][j];
        }
    }
}

// cof F = J F^-T; returns J.
float cofactors(const float (&f)[3][3], float (&c)[3][3]) {
    c[0][0] = f[1][1] * f[2][2] - f[1][2] * f[2][1];
    c[0][1] = f[1][2] * f[2][0] - f[1][0] * f[2][2];
    c[0][2] = f[1][0] * f[2][1] - f[1][1] * f[2][0];
    c[1][0] = f[2][1] * f[0][2] - f[2][2] * f[0][1];
    c[1][1] = f[2][2] * f[0][0] - f[2][0] * f[0][2];
    c[1][2] = f[2][0] * f[0][1] - f[2][1] * f[0][0];
    c[2][0] = f[0][1] * f[1][2] - f[0][2] * f[1][1];
    c[2][1] = f[0][2] * f[1][0] - f[0][0] * f[1][2];
    c[2][2] = f[0][0] * f[1][1] - f[0][1] * f[1][0];
    return f[0][0] * c[0][0] + f[0][1] * c[0][1] + f[0][2] * c[0][2];
}

// First Piola stress times the volume: V [mu J^(-2/3) (F - I1/3 F^-T) + p J F^-T]. Straight from F: the way by
// C = F^T F, C^-1 and the second Piola stress gives the same with more operations, and is not faster. pow() is faster
// here than cbrt() and a division.
void stress(const float (&f)[3][3], const float (&cof)[3][3], float j, float shear, float pressure, float volume,
            float (&p)[3][3]) {
    const float isochoric = shear * std::pow(j, -2.0F / 3.0F);
    float i1 = 0.0F;
    for (const auto& row : f) i1 += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    const float along = volume * isochoric;
    const float across = volume * (pressure - isochoric * i1 / (3.0F * j));
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) p[i][k] = along * f[i][k] + across * cof[i][k];
    }
}

// f_a += V P dN_a/dX
template <std::size_t corners>
void scatter(const float (&p)[3][3], const std::array<std::int32_t, corners>& node, const float (&gradient)[corners][3],
             float* force) {
    for (std::size_t a = 0; a < corners; ++a) {
        float* fa = force + 3 * node[a];
        const float* g = gradient[a];
        for (int i = 0; i < 3; ++i) fa[i] += p[i][0] * g[0] + p[i][1] * g[1] + p[i][2] * g[2];
    }
}

constexpr float signs[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                               {1, -1, -1, 1, -1, 1, 1, -1},
                               {1, -1, 1, -1, 1, -1, 1, -1},
                               {-1, 1, -1, 1, 1, -1, 1, -1}};

}  // namespace

TextbookTled::TextbookTled(const VolumeMesh& mesh, const tled::Material& material, tled::ElementKind kind,
                           double hourglass)
    : m_kind(kind), m_shear(static_cast<float>(material.shear)), m_bulk(static_cast<float>(material.bulk)) {
    m_volume.assign(mesh.nodes.size(), 0.0F);
    for (const auto& node : mesh.tetrahedra) {
        const tled::CellNumbers numbers = tled::compute_cell_numbers(mesh.nodes, node, material, hourglass);
        Tetrahedron cell{node, {}, static_cast<float>(numbers.at[9])};
        for (std::size_t i = 0; i < 3; ++i) {
            double sum = 0.0;
            for (std::size_t a = 1; a < 4; ++a) {
                sum += numbers.at[3 * (a - 1) + i];
                cell.gradient[a][i] = static_cast<float>(numbers.at[3 * (a - 1) + i]);
            }
            cell.gradient[0][i] = static_cast<float>(-sum);
        }
        for (const std::int32_t n : node) m_volume[at(n)] += 0.25F * cell.volume;
        m_tetrahedra.push_back(cell);
    }
    for (const auto& node : mesh.hexahedra) {
        const tled::CellNumbers numbers = tled::compute_cell_numbers(mesh.nodes, node, material, hourglass);
        Hexahedron cell{node, {}, {}, static_cast<float>(numbers.at[36]), static_cast<float>(numbers.at[37])};
        for (std::size_t a = 0; a < 8; ++a) {
            for (std::size_t i = 0; i < 3; ++i) cell.gradient[a][i] = static_cast<float>(numbers.at[3 * a + i]);
            for (std::size_t k = 0; k < 4; ++k) {  // gamma = Gamma - G . X
                double gamma = static_cast<double>(signs[k][a]);
                for (std::size_t i = 0; i < 3; ++i) gamma -= numbers.at[3 * a + i] * numbers.at[24 + 3 * k + i];
                cell.hourglass[k][a] = static_cast<float>(gamma);
            }
        }
        m_hexahedra.push_back(cell);
    }
    m_force.resize(3 * mesh.nodes.size());
    m_now.resize(mesh.nodes.size());
    m_pressure.resize(mesh.nodes.size());
}

void TextbookTled::start(std::span<const Vec3> rest, std::span<const Vec3> x, std::span<const Vec3> v,
                         std::span<const double> w, const Vec3& gravity, double h) {
    m_u.resize(3 * x.size());
    m_last.resize(3 * x.size());
    m_next.resize(3 * x.size());
    m_w.resize(x.size());
    for (std::size_t n = 0; n < x.size(); ++n) {
        const Vec3 u = x[n] - rest[n], last = u - v[n] * h;
        const double now[3] = {u.x, u.y, u.z}, before[3] = {last.x, last.y, last.z};
        for (std::size_t i = 0; i < 3; ++i) {
            m_u[3 * n + i] = static_cast<float>(now[i]);
            m_last[3 * n + i] = static_cast<float>(before[i]);
        }
        m_w[n] = static_cast<float>(w[n]);
    }
    m_step2 = static_cast<float>(h * h);
    m_gravity = {static_cast<float>(gravity.x), static_cast<float>(gravity.y), static_cast<float>(gravity.z)};
}

void TextbookTled::step() {
    compute_forces();
    for (std::size_t n = 0; n < m_w.size(); ++n) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t k = 3 * n + i;
            const float change = m_u[k] - m_last[k] + m_step2 * (m_gravity[i] - m_w[n] * m_force[k]);
            m_next[k] = m_w[n] > 0.0F ? m_u[k] + change : m_u[k];
        }
    }
    m_last.swap(m_u);
    m_u.swap(m_next);
}

void TextbookTled::compute_forces() {
    std::fill(m_force.begin(), m_force.end(), 0.0F);
    if (m_kind == tled::ElementKind::t4anp) {
        find_pressures();
        add_nodal_tetrahedra();
    } else {
        add_tetrahedra();
    }
    add_hexahedra();
}

void TextbookTled::add_tetrahedra() {
    for (const Tetrahedron& cell : m_tetrahedra) {
        float f[3][3], cof[3][3], p[3][3];
        deformation(m_u.data(), cell.node, cell.gradient, f);
        const float j = cofactors(f, cof);
        stress(f, cof, j, m_shear, m_bulk * (j - 1.0F), cell.volume, p);
        scatter(p, cell.node, cell.gradient, m_force.data());
    }
}

// Volumes of the nodes first, and from them the pressures.
void TextbookTled::find_pressures() {
    std::fill(m_now.begin(), m_now.end(), 0.0F);
    for (const Tetrahedron& cell : m_tetrahedra) {
        float f[3][3], cof[3][3];
        deformation(m_u.data(), cell.node, cell.gradient, f);
        const float quarter = 0.25F * cell.volume * cofactors(f, cof);
        for (const std::int32_t n : cell.node) m_now[at(n)] += quarter;
    }
    for (std::size_t n = 0; n < m_now.size(); ++n) m_pressure[n] = m_bulk * (m_now[n] / m_volume[n] - 1.0F);
}

void TextbookTled::add_nodal_tetrahedra() {
    for (const Tetrahedron& cell : m_tetrahedra) {
        float f[3][3], cof[3][3], p[3][3];
        deformation(m_u.data(), cell.node, cell.gradient, f);
        const float j = cofactors(f, cof);
        float pressure = 0.0F;
        for (const std::int32_t n : cell.node) pressure += 0.25F * m_pressure[at(n)];
        stress(f, cof, j, m_shear, pressure, cell.volume, p);
        scatter(p, cell.node, cell.gradient, m_force.data());
    }
}

void TextbookTled::add_hexahedra() {
    for (const Hexahedron& cell : m_hexahedra) {
        float f[3][3], cof[3][3], p[3][3];
        deformation(m_u.data(), cell.node, cell.gradient, f);
        const float j = cofactors(f, cof);
        stress(f, cof, j, m_shear, m_bulk * (j - 1.0F), cell.volume, p);
        scatter(p, cell.node, cell.gradient, m_force.data());
        float mode[4][3] = {};
        for (std::size_t a = 0; a < 8; ++a) {
            const float* ua = m_u.data() + 3 * cell.node[a];
            for (int k = 0; k < 4; ++k) {
                for (int i = 0; i < 3; ++i) mode[k][i] += cell.hourglass[k][a] * ua[i];
            }
        }
        for (std::size_t a = 0; a < 8; ++a) {
            float* fa = m_force.data() + 3 * cell.node[a];
            for (int i = 0; i < 3; ++i) {
                float sum = 0.0F;
                for (int k = 0; k < 4; ++k) sum += cell.hourglass[k][a] * mode[k][i];
                fa[i] += cell.stiffness * sum;
            }
        }
    }
}

namespace {
std::vector<Vec3> to_vectors(const std::vector<float>& values) {
    std::vector<Vec3> all(values.size() / 3);
    for (std::size_t n = 0; n < all.size(); ++n) {
        all[n] = {static_cast<double>(values[3 * n]), static_cast<double>(values[3 * n + 1]),
                  static_cast<double>(values[3 * n + 2])};
    }
    return all;
}

}  // namespace

std::vector<Vec3> TextbookTled::forces() const {
    return to_vectors(m_force);
}
std::vector<Vec3> TextbookTled::displacements() const {
    return to_vectors(m_u);
}

}  // namespace plica::bench
