#include "tissue/tled/fields.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/index.hpp"
#include "tissue/tled/cell_numbers.hpp"

namespace plica::tled {
namespace {

// A cell in double: nodes, numbers, displacement gradient.
struct Cell {
    CellNodes nodes;
    CellNumbers numbers;
    Matrix<double> h{};
    double volume;

    Cell(const Organ& organ, std::size_t cell, std::span<const Vec3> rest, std::span<const Vec3> x)
        : nodes(nodes_of(organ, cell)),
          numbers(numbers_of_cell(organ, cell)),
          volume(numbers.at[nodes.count == 4 ? 9 : 36]) {
        const auto moved = [&](int k) { return x[at(nodes.node[k])] - rest[at(nodes.node[k])]; };
        const bool tetrahedral = nodes.count == 4;
        const int first = tetrahedral ? 1 : 0;
        for (int k = first; k < nodes.count; ++k) {
            const Vec3 u = tetrahedral ? moved(k) - moved(0) : moved(k);
            for (int j = 0; j < 3; ++j) {
                const double g = numbers.at[at(3 * (k - first) + j)];
                h.at[0][j] += u.x * g;
                h.at[1][j] += u.y * g;
                h.at[2][j] += u.z * g;
            }
        }
    }
};

double hourglass_energy(const Cell& cell, std::span<const Vec3> rest, std::span<const Vec3> x) {
    double energy = 0.0;
    for (int k = 0; k < 4; ++k) {
        const double* s = cell.numbers.at.data() + 24 + 3 * k;
        double q[3];
        for (int i = 0; i < 3; ++i) {
            q[i] = -(cell.h.at[i][0] * s[0] + cell.h.at[i][1] * s[1] + cell.h.at[i][2] * s[2]);
        }
        for (int c = 0; c < 8; ++c) {
            const Vec3 u = x[at(cell.nodes.node[c])] - rest[at(cell.nodes.node[c])];
            q[0] += hourglass_signs[k][c] * u.x;
            q[1] += hourglass_signs[k][c] * u.y;
            q[2] += hourglass_signs[k][c] * u.z;
        }
        energy += 0.5 * cell.numbers.at[37] * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    }
    return energy;
}

// Volume ratios of nodes, per material that meets there.
class NodalVolumes {
public:
    NodalVolumes(const Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x)
        : m_materials(organ.materials.size()), m_now(m_materials * at(organ.nodes)), m_rest(m_now.size()) {
        for (std::size_t c = 0; c < organ.cells(); ++c) {
            const Block& block = block_of(organ, c);
            if (block.kind != ElementKind::t4anp) continue;
            const Cell cell(organ, c, rest, x);
            const Matrix<double> f = add_identity(cell.h);
            const double j = tled::volume_ratio(f, cofactor(f));
            for (int k = 0; k < 4; ++k) {
                const std::size_t n = m_materials * at(cell.nodes.node[k]) + at(block.material);
                m_now[n] += 0.25 * cell.volume * j;
                m_rest[n] += 0.25 * cell.volume;
            }
        }
    }
    [[nodiscard]] double ratio(std::int32_t node, std::int32_t material) const {
        const std::size_t n = m_materials * at(node) + at(material);
        return m_rest[n] > 0.0 ? m_now[n] / m_rest[n] : 1.0;
    }
    [[nodiscard]] double energy(const Organ& organ) const {
        double energy = 0.0;
        for (std::size_t n = 0; n < m_now.size(); ++n) {
            if (!(m_rest[n] > 0.0)) continue;
            const double more = m_now[n] / m_rest[n] - 1.0;
            energy += 0.5 * m_rest[n] * organ.materials[n % m_materials].bulk * more * more;
        }
        return energy;
    }

private:
    std::size_t m_materials;
    std::vector<double> m_now, m_rest;
};

bool has_nodal_pressure(const Organ& organ) {
    return organ.settings.tetrahedra == ElementKind::t4anp;
}

// sqrt(3/2 s:s), s the deviator.
double von_mises_of(const Symmetric<double>& s) {
    const double a = s.xx - s.yy, b = s.yy - s.zz, c = s.zz - s.xx;
    return std::sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s.yz * s.yz + s.xz * s.xz + s.xy * s.xy));
}

// Sum of the relaxations' stresses of a cell.
Symmetric<double> history_of(const Organ& organ, const Block& block, std::size_t cell, const History& history) {
    const CellPlace place = place_of(block, static_cast<std::int32_t>(cell) - block.first_cell);
    const int terms = organ.materials[at(block.material)].relaxations;
    double sum[6] = {};
    for (int r = 0; r < terms; ++r) {
        for (int i = 0; i < 6; ++i) {
            const std::size_t n =
                block.first_history + at(((place.batch * terms + r) * 6 + i) * batch_lanes + place.lane);
            sum[i] += organ.settings.exact ? history.exact[n] : static_cast<double>(history.single[n]);
        }
    }
    return {sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]};
}

// sigma = P F^T / J.
Symmetric<double> cauchy(const Matrix<double>& p, const Strain<double>& s) {
    const auto entry = [&](int i, int j) {
        return (p.at[i][0] * s.f.at[j][0] + p.at[i][1] * s.f.at[j][1] + p.at[i][2] * s.f.at[j][2]) / s.j;
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(1, 2), entry(0, 2), entry(0, 1)};
}

Symmetric<double> green_lagrange(const Matrix<double>& h) {
    const auto entry = [&](int i, int j) {
        double e = h.at[i][j] + h.at[j][i];
        for (const auto& row : h.at) e += row[i] * row[j];
        return 0.5 * e;
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(1, 2), entry(0, 2), entry(0, 1)};
}

double largest_stretch(const Symmetric<double>& green) {
    const double s[6] = {green.xx, green.yy, green.zz, green.yz, green.xz, green.xy};
    return std::sqrt(std::max(0.0, 1.0 + 2.0 * largest_eigenvalue(s)));
}

}  // namespace

void visit_cell_fields(const Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x, const History* history,
                       const std::function<void(std::size_t, const CellField&)>& visit) {
    std::optional<NodalVolumes> volumes;
    if (has_nodal_pressure(organ)) volumes.emplace(organ, rest, x);
    for (std::size_t c = 0; c < organ.cells(); ++c) {
        const Block& block = block_of(organ, c);
        const Material& material = organ.materials[at(block.material)];
        const Constants<double> k(material, 0.0);
        const Cell cell(organ, c, rest, x);
        const Strain<double> s = strain_of(cell.h, 1.0);
        double pressure = own_pressure(k, s.j);
        if (block.kind == ElementKind::t4anp) {
            pressure = 0.0;
            for (int i = 0; i < 4; ++i) {
                pressure += 0.25 * k.bulk * (volumes->ratio(cell.nodes.node[i], block.material) - 1.0);
            }
        }
        Matrix<double> p = elastic_stress(k, cell.h, s, pressure);
        if (history != nullptr && material.relaxations > 0) {
            subtract_history(s.f, history_of(organ, block, c, *history), p);
        }
        CellField field;
        field.volume = cell.volume;
        field.volume_ratio = s.j;
        field.stress = cauchy(p, s);
        field.strain = green_lagrange(cell.h);
        field.von_mises = von_mises_of(field.stress);
        field.stretch = largest_stretch(field.strain);
        field.energy = cell.volume * energy_density(material, cell.h, false);
        if (block.kind == ElementKind::h8) field.energy += hourglass_energy(cell, rest, x);
        visit(c, field);
    }
}

void compute_cell_fields(const Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x,
                         const History* history, std::span<CellField> fields) {
    visit_cell_fields(organ, rest, x, history, [&](std::size_t c, const CellField& field) { fields[c] = field; });
}

double compute_volume_ratio(const Organ& organ, std::size_t cell, std::span<const Vec3> rest, std::span<const Vec3> x) {
    const Matrix<double> f = add_identity(Cell(organ, cell, rest, x).h);
    return volume_ratio(f, cofactor(f));
}

double compute_energy(const Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x) {
    double energy = 0.0;
    for (std::size_t c = 0; c < organ.cells(); ++c) {
        const Block& block = block_of(organ, c);
        const Cell cell(organ, c, rest, x);
        const bool averaged = block.kind == ElementKind::t4anp;
        energy += cell.volume * energy_density(organ.materials[at(block.material)], cell.h, averaged);
        if (block.kind == ElementKind::h8) energy += hourglass_energy(cell, rest, x);
    }
    return has_nodal_pressure(organ) ? energy + NodalVolumes(organ, rest, x).energy(organ) : energy;
}

double compute_present_volume(const Organ& organ, std::span<const Vec3> x) {
    double volume = 0.0;
    for (std::size_t c = 0; c < organ.cells(); ++c) {
        const CellNodes nodes = nodes_of(organ, c);
        volume += compute_volume(x, std::span(nodes.node, at(nodes.count)));
    }
    return volume;
}

void average_at_nodes(const Organ& organ, std::span<const CellField> fields, double CellField::* value,
                      std::span<double> at_node) {
    std::vector<double> weight(at_node.size(), 0.0);
    std::fill(at_node.begin(), at_node.end(), 0.0);
    for (std::size_t c = 0; c < organ.cells(); ++c) {
        const CellNodes nodes = nodes_of(organ, c);
        for (int k = 0; k < nodes.count; ++k) {
            at_node[at(nodes.node[k])] += fields[c].volume * fields[c].*value;
            weight[at(nodes.node[k])] += fields[c].volume;
        }
    }
    for (std::size_t n = 0; n < at_node.size(); ++n) at_node[n] = weight[n] > 0.0 ? at_node[n] / weight[n] : 0.0;
}

}  // namespace plica::tled
