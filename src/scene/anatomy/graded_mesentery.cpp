#include "scene/anatomy/graded_mesentery.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/elementary.hpp"
#include "core/index.hpp"
#include "scene/anatomy/limits.hpp"

namespace plica {
namespace {

constexpr double cell_over_radius = 1.4;  // finer than the tube is thick shows nothing
constexpr double least_share = 0.5;  // of the way to the row before: a row ends where it would come nearer the root
constexpr int most_graded_rows = 12;

// Rows of nodes from gut (0) to root (rows - 1), each with the columns that have one.
class GradedMesentery {
public:
    GradedMesentery(IntestineGeometry& geometry, const IntestineParameters& parameters)
        : m_g(geometry), m_p(parameters), m_columns(geometry.gut_nodes) {
        const double wanted = m_p.cell > 0.0 ? m_p.cell : cell_over_radius * most_radius(m_p);
        m_step = std::clamp(static_cast<int>(std::lround(wanted / m_g.chord)), 1, std::max(1, m_p.segments / 8));
        m_length = typical_ruling();
        const double cells = m_length / (m_step * m_g.chord);
        m_bands = std::clamp(static_cast<int>(std::lround(elementary::log(cells + 1.0) / std::numbers::ln2)), 1,
                             most_graded_rows);
    }

    void add() {
        m_g.rows = m_bands + 1;
        m_g.bands = 3;
        m_g.carrier = m_step;
        m_g.period = std::max(2, m_step << (m_bands - 1));
        m_g.grid.assign(at(m_g.rows * m_columns), -1);
        for (int j = 0; j < m_columns; ++j) m_g.grid[at(j)] = j;
        m_g.share.assign(at(m_columns), 0.0);
        std::vector<std::int32_t> before = row_nodes(0, m_step);
        for (int r = 1; r <= m_bands; ++r) {
            const bool root = r == m_bands;
            add_row(r, root);
            const std::vector<std::int32_t> row = row_nodes(r, 1);
            join(before, row);
            before = row;
        }
    }

private:
    // m, the median over the gut
    [[nodiscard]] double typical_ruling() const {
        std::vector<double> lengths;
        for (int j = 0; j < m_columns; ++j) lengths.push_back(ruling(j));
        std::nth_element(lengths.begin(), lengths.begin() + m_columns / 2, lengths.end());
        return lengths[at(m_columns / 2)];
    }
    [[nodiscard]] double ruling(int j) const { return distance(m_g.nodes[at(j)], m_g.ruling_end[at(j)]); }
    // m from the gut: 1, 3, 7 ... cells
    [[nodiscard]] double depth(int r) const { return m_length * ((1 << r) - 1) / ((1 << m_bands) - 1); }
    [[nodiscard]] bool is_merged(int j) const { return m_p.zero_width_ends && (j == 0 || j == m_columns - 1); }

    // A row follows the shorter rulings of the leads at its own distance from the gut, as long as there is room between
    // it and the root. Where a lead runs along its own rulings there is no membrane to speak of.
    [[nodiscard]] bool has_room(int r, int j) const {
        if (ruling(j) - depth(r) < least_share * (depth(r) - depth(r - 1))) return false;
        const int last = m_columns - 1;
        const bool first_lead = j < m_g.lead_nodes[0], last_lead = last - j < m_g.lead_nodes[1];
        const int begin = last_lead ? last - m_g.lead_nodes[1] : 0;
        const int end = last_lead ? last : m_g.lead_nodes[0];
        for (int i = begin; (first_lead || last_lead) && i <= end; ++i) {
            if (distance(row_place(r, j), m_g.nodes[at(i)]) < least_share * depth(r)) return false;
        }
        return true;
    }
    [[nodiscard]] double row_share(int r, int j) const { return depth(r) / std::min(m_length, ruling(j)); }
    [[nodiscard]] Vec3 row_place(int r, int j) const {
        const Vec3 &x = m_g.nodes[at(j)], &q = m_g.ruling_end[at(j)];
        return r == m_bands ? q : x + (q - x) * row_share(r, j);
    }

    void add_row(int r, bool root) {
        const int step = root ? 4 * m_g.period : m_step << r;
        for (int j = 0; j < m_columns; ++j) {
            std::int32_t& place = m_g.grid[at(r * m_columns + j)];
            if (is_merged(j)) place = j;
            const bool end = j == 0 || j == m_columns - 1;
            if (is_merged(j) || (j % step != 0 && !end)) continue;
            if (!root && !has_room(r, j)) continue;
            place = static_cast<std::int32_t>(m_g.nodes.size());
            m_g.share.push_back(root ? 1.0 : row_share(r, j));
            m_g.nodes.push_back(row_place(r, j));
            m_g.column.push_back(j);
            m_g.pinned.push_back(root ? 1 : 0);
            if (!root) ++m_g.free_nodes;
        }
    }

    // Every `step`-th node of a row that has one, and the last.
    [[nodiscard]] std::vector<std::int32_t> row_nodes(int r, int step) const {
        std::vector<std::int32_t> nodes;
        for (int j = 0; j < m_columns; ++j) {
            const std::int32_t n = m_g.grid[at(r * m_columns + j)];
            if (n >= 0 && (j % step == 0 || j == m_columns - 1)) nodes.push_back(n);
        }
        return nodes;
    }

    [[nodiscard]] int twice_middle(const std::vector<std::int32_t>& row, std::size_t i) const {
        return m_g.column[at(row[i])] + m_g.column[at(row[i + 1])];
    }

    // Triangles between two rows: the edge whose middle comes first gets the next one. Where both rows end in one node
    // the lower edge comes first, or last: no triangle is to have all its nodes on the upper row.
    void join(const std::vector<std::int32_t>& upper, const std::vector<std::int32_t>& lower) {
        std::size_t i = 0, j = 0;
        const auto upper_is_next = [&] {
            if (j + 1 == lower.size() || i + 1 == upper.size()) return i + 1 < upper.size();
            if (lower[j] == upper.front()) return false;
            if (lower[j + 1] == upper.back()) return true;
            return twice_middle(upper, i) <= twice_middle(lower, j);
        };
        while (i + 1 < upper.size() || j + 1 < lower.size()) {
            if (upper_is_next()) {
                add_triangle(upper[i], upper[i + 1], lower[j]);
                ++i;
            } else {
                add_triangle(upper[i], lower[j + 1], lower[j]);
                ++j;
            }
        }
    }
    void add_triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
        if (a != b && b != c && c != a) m_g.triangles.push_back({a, b, c});
    }

    IntestineGeometry& m_g;
    const IntestineParameters& m_p;
    int m_columns, m_step = 1, m_bands = 1;
    double m_length = 0.0;  // m, of a ruling
};

}  // namespace

double length_on_rulings(const IntestineGeometry& g, std::int32_t a, std::int32_t b) {
    const double straight = distance(g.nodes[at(a)], g.nodes[at(b)]);
    if (g.share[at(a)] == 1.0 || g.share[at(b)] == 1.0) return straight;  // down a ruling and along the root
    if (g.column[at(a)] > g.column[at(b)]) std::swap(a, b);
    const int columns = g.column[at(b)] - g.column[at(a)];
    double length = 0.0;
    Vec3 before = g.nodes[at(a)];
    for (int k = 1; k <= columns; ++k) {
        const double part = static_cast<double>(k) / columns;
        const double share = g.share[at(a)] + (g.share[at(b)] - g.share[at(a)]) * part;
        const Vec3 &x = g.nodes[at(g.column[at(a)] + k)], &q = g.ruling_end[at(g.column[at(a)] + k)];
        const Vec3 next = x + (q - x) * share;
        length += distance(before, next);
        before = next;
    }
    return std::max(straight, length);
}

void add_graded_mesentery(IntestineGeometry& geometry, const IntestineParameters& parameters) {
    GradedMesentery(geometry, parameters).add();
}

}  // namespace plica
