#include "scene/build_mesentery.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "scene/anatomy/limits.hpp"

namespace plica {
namespace {

// Springs of gut and mesentery together: along the rows, along the rulings, and one diagonal a quad. A spring of the
// mesentery stands for the strip of membrane around it, k = E t width / length.
class SheetBuilder {
public:
    SheetBuilder(Model& model, const IntestineGeometry& g, std::int32_t first, const BodyDescription& body, int gut)
        : m_model(model), m_g(g), m_first(first), m_body(body), m_gut(gut), m_columns(g.gut_nodes) {}

    void add() {
        mass_spring::Sheet sheet{};
        sheet.first = static_cast<std::int32_t>(m_model.of<Springs>().springs.size());
        sheet.columns = m_columns;
        sheet.slots = m_g.rows - 1;
        sheet.viscosity = m_body.viscosity;
        sheet.first_node = m_first;
        sheet.bending = bending_per_node(m_body, m_body.intestine.length / m_body.intestine.segments);
        sheet.bending_body = m_gut;
        sheet.period = m_g.period;
        sheet.carrier = m_g.carrier;
        if (m_g.period > 1) {
            add_graded(sheet);
        } else {
            add_grid(sheet);
        }
        sheet.count = static_cast<std::int32_t>(m_model.of<Springs>().springs.size()) - sheet.first;
        m_model.of<Springs>().sheets.push_back(std::move(sheet));
    }

private:
    void add_grid(mass_spring::Sheet& sheet) {
        for (int j = 0; j < m_columns; ++j) {
            for (int r = 0; r + 1 < m_g.rows; ++r) sheet.node.push_back(slot(r, j) >= 0 ? node(r, j) : -1);
            for (int r = 0; r < m_g.rows; ++r) {
                connect(r, j, r, j + 1);
                connect(r, j, r + 1, j);
                connect(r, j, r + 1, j + 1);
            }
        }
    }

    // The edges of triangles, each for the membrane that it borders: k = E t (sum of areas) / l^2 (Van Gelder 1998).
    void add_graded(mass_spring::Sheet& sheet) {
        for (int j = 0; j < m_columns; ++j) {
            for (int r = 0; r + 1 < m_g.rows; ++r) {
                const std::int32_t n = local(r, j);
                const bool own = n >= 0 && m_g.pinned[at(n)] == 0 && (r == 0 || n >= m_columns);
                sheet.node.push_back(own ? m_first + n : -1);
            }
        }
        std::map<std::array<std::int32_t, 2>, double> areas;
        for (int j = 0; j + 1 < m_columns; ++j) areas[{j, j + 1}] = 0.0;
        for (const auto& t : m_g.triangles) {
            const double area = area_of(t);
            for (std::size_t k = 0; k < 3; ++k) {
                const auto [lo, hi] = std::minmax(t[k], t[(k + 1) % 3]);
                if (hi >= m_columns) areas[{lo, hi}] += area;  // along the gut, the gut itself holds
            }
        }
        for (const auto& [ends, area] : areas) connect_edge(ends[0], ends[1], area);
    }

    // m^2, of a triangle's membrane, the folds in it spread out (Heron); at least what it shows.
    [[nodiscard]] double area_of(const std::array<std::int32_t, 3>& t) const {
        const Vec3 &p = m_g.nodes[at(t[0])], &q = m_g.nodes[at(t[1])], &r = m_g.nodes[at(t[2])];
        const double a = length_on_rulings(m_g, t[0], t[1]), b = length_on_rulings(m_g, t[1], t[2]);
        const double c = length_on_rulings(m_g, t[2], t[0]), half = 0.5 * (a + b + c);
        const double squared = half * (half - a) * (half - b) * (half - c);
        return std::max(0.5 * norm(cross(q - p, r - p)), std::sqrt(std::max(0.0, squared)));
    }

    void connect_edge(std::int32_t a, std::int32_t b, double area) {
        const bool held_a = m_g.pinned[at(a)] != 0, held_b = m_g.pinned[at(b)] != 0;
        if (held_a && held_b) return;
        const bool gut = b < m_columns;
        const double rest = gut ? distance(m_g.nodes[at(a)], m_g.nodes[at(b)]) : length_on_rulings(m_g, a, b);
        const double slack = rest - distance(m_g.nodes[at(a)], m_g.nodes[at(b)]);
        const double h = m_body.intestine.length / m_body.intestine.segments;
        const double strip = std::max(area / rest, 0.1 * h);  // some are on the rim of triangles that are nearly flat
        const double stiffness = gut ? m_body.axial_stiffness / h : m_body.mesentery_stiffness * strip / rest;
        const auto slot = [](bool held) { return static_cast<std::int16_t>(held ? -1 : 0); };
        m_model.of<Springs>().springs.push_back({m_first + a, m_first + b, rest, stiffness,
                                                 gut ? 1.0 : m_body.mesentery_compression, gut ? m_gut : m_gut + 1,
                                                 slot(held_a), slot(held_b), m_g.column[at(a)], false, slack});
    }

    std::int32_t local(int r, int j) const { return m_g.grid[at(r * m_columns + j)]; }
    std::int32_t node(int r, int j) const { return m_first + local(r, j); }
    std::int16_t slot(int r, int j) const {
        return static_cast<std::int16_t>(m_g.pinned[at(local(r, j))] != 0 ? -1 : r);
    }
    Vec3 where(int r, int j) const { return m_model.rest[at(node(r, j))]; }

    // Width of the strip around a node: half the distance between its neighbours across the spring's direction.
    double strip(int r, int j, bool along_row) const {
        if (along_row) return 0.5 * distance(where(std::max(0, r - 1), j), where(std::min(m_g.rows - 1, r + 1), j));
        return 0.5 * distance(where(r, std::max(0, j - 1)), where(r, std::min(m_columns - 1, j + 1)));
    }

    void connect(int r0, int j0, int r1, int j1) {
        if (r1 >= m_g.rows || j1 >= m_columns) return;
        if (slot(r0, j0) < 0 && slot(r1, j1) < 0) return;
        const double rest = distance(where(r0, j0), where(r1, j1));
        const bool gut = r0 == 0 && r1 == 0;
        const double h = m_body.intestine.length / m_body.intestine.segments;
        if (!gut && rest < 0.1 * h) return;  // where a lead runs along its own rulings, nodes nearly coincide
        const bool diagonal = r0 != r1 && j0 != j1;
        const bool along_row = r0 == r1;
        const double width = 0.5 * (strip(r0, j0, along_row) + strip(r1, j1, along_row));
        const double share = diagonal ? 0.25 : 1.0;  // diagonals are there for shear, which a membrane resists less
        const double stiffness =
            gut ? m_body.axial_stiffness / h : share * m_body.mesentery_stiffness * std::max(width, 0.1 * h) / rest;
        m_model.of<Springs>().springs.push_back({node(r0, j0), node(r1, j1), rest, stiffness,
                                                 gut ? 1.0 : m_body.mesentery_compression, gut ? m_gut : m_gut + 1,
                                                 slot(r0, j0), slot(r1, j1), j0, j1 != j0});
    }

    Model& m_model;
    const IntestineGeometry& m_g;
    std::int32_t m_first;
    const BodyDescription& m_body;
    int m_gut;
    int m_columns;
};

// Of a column of the gut, as its tube counts them.
std::int32_t contact_column(const IntestineGeometry& g, std::int32_t column) {
    return (column + g.carrier - 1) / g.carrier;
}

// The mesh edges of the mesentery as capsules; those along the gut are the gut's own segments.
void add_edges(Model& model, double half_thickness, const IntestineGeometry& g, std::int32_t first, int index,
               int chain) {
    std::vector<std::array<std::int32_t, 2>> edges;
    for (const auto& t : g.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax(t[k], t[(k + 1) % 3]);
            if (b >= g.gut_nodes) edges.push_back({a, b});
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (auto [a, b] : edges) {
        if (g.column[at(a)] > g.column[at(b)]) std::swap(a, b);
        const std::int32_t column = contact_column(g, g.column[at(a)]);
        model.surface.capsules.push_back({first + a, first + b, half_thickness, index, chain, column, 0, false,
                                          contact_column(g, g.column[at(b)]) - column, true});
    }
}

// Columns of the gut that a triangle hangs on: it is one tissue with them. A graded mesentery's triangles that begin
// beyond the tube hang on none: they touch all of the gut.
std::array<std::int32_t, 2> columns_of(const IntestineGeometry& g, const std::array<std::int32_t, 3>& t, double tube) {
    std::array<std::int32_t, 2> columns{1 << 29, -(1 << 29)};
    for (const std::int32_t n : t) {
        const std::int32_t column = g.column[at(n)];
        if (g.period > 1 && distance(g.nodes[at(n)], g.nodes[at(column)]) > 1.2 * tube) continue;
        const std::int32_t of_tube = contact_column(g, column);
        columns = {std::min(columns[0], of_tube), std::max(columns[1], of_tube)};
    }
    return columns;
}

}  // namespace

void add_mesentery(Model& model, const BodyDescription& body, const IntestineGeometry& g, std::int32_t first, int chain,
                   Mass& mass) {
    const int index = static_cast<int>(model.bodies.size());
    const auto count = static_cast<std::int32_t>(g.nodes.size()) - g.gut_nodes;
    model.bodies.push_back({body.mesentery_name, TissueKind::mass_spring, first + g.gut_nodes, count, {}});
    for (std::size_t i = at(g.gut_nodes); i < g.nodes.size(); ++i) {
        model.column[at(first) + i] = contact_column(g, g.column[i]);
    }
    const bool touches_itself = body.mesentery_self_contact && !body.mesentery_edges;
    for (std::size_t i = at(g.gut_nodes); i < g.nodes.size(); ++i) {
        model.contact_radius[at(first) + i] = body.intestine.half_thickness;
    }
    for (const auto& t : g.triangles) {
        const Vec3 ab = g.nodes[at(t[1])] - g.nodes[at(t[0])];
        const Vec3 ac = g.nodes[at(t[2])] - g.nodes[at(t[0])];
        const double third = body.mesentery_density * 0.5 * norm(cross(ab, ac)) / 3.0;
        for (const std::int32_t n : t) mass.add(n, third);
        const auto [lo, hi] = columns_of(g, t, most_radius(body.intestine) + body.intestine.half_thickness);
        (body.mesentery_edges ? model.surface.spanned : model.surface.triangles)
            .push_back({first + t[0], first + t[1], first + t[2], body.intestine.half_thickness, index, chain, lo, hi,
                        touches_itself});
    }
    if (body.mesentery_edges) add_edges(model, body.intestine.half_thickness, g, first, index, chain);
    // Where the leads run along their own rulings the membrane has no area; its nodes still weigh something.
    double total = 0.0;
    for (std::size_t i = at(g.gut_nodes); i < g.nodes.size(); ++i) total += mass.kg[i];
    for (std::size_t i = at(g.gut_nodes); i < g.nodes.size(); ++i)
        mass.kg[i] = std::max(mass.kg[i], 0.2 * total / count);
    SheetBuilder(model, g, first, body, index - 1).add();
}

}  // namespace plica
