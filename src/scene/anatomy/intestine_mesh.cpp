#include <algorithm>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "scene/anatomy/graded_mesentery.hpp"
#include "scene/anatomy/intestine.hpp"
#include "scene/anatomy/limits.hpp"

namespace plica {
namespace {

std::size_t as_index(int i) {
    return static_cast<std::size_t>(i);
}

// Merged end columns have one node only, the gut's.
bool merged(const IntestineParameters& p, int column) {
    return p.zero_width_ends && (column == 0 || column == p.segments);
}

void add_node(IntestineGeometry& g, const Vec3& position, int column, bool pinned) {
    g.nodes.push_back(position);
    g.column.push_back(column);
    g.pinned.push_back(pinned ? 1 : 0);
    if (!pinned) ++g.free_nodes;
}

void add_rulings(IntestineGeometry& g, const IntestineParameters& p) {
    for (int j = 0; j <= p.segments; ++j) {
        const Vec3 q{0.0, 0.0, p.root_length * (static_cast<double>(j) / p.segments - 0.5)};
        g.ruling_end.push_back(merged(p, j) ? g.nodes[as_index(j)] : q);
    }
}

// Row k of column j is x_j + (q_j - x_j) k / (rows - 1) with the root's q_j = -H/2 + H j / N on the axis.
void add_rows(IntestineGeometry& g, const IntestineParameters& p) {
    g.rows = p.rows;
    g.bands = p.rows - 1;
    for (int j = 0; j <= p.segments; ++j) g.grid.push_back(j);
    for (int k = 1; k < p.rows; ++k) {
        for (int j = 0; j <= p.segments; ++j) {
            g.grid.push_back(merged(p, j) ? j : static_cast<std::int32_t>(g.nodes.size()));
            if (merged(p, j)) continue;
            const Vec3 x = g.nodes[as_index(j)], q = g.ruling_end[as_index(j)];
            const bool root = k == p.rows - 1;
            add_node(g, root ? q : x + (q - x) * (static_cast<double>(k) / (p.rows - 1)), j, root);
        }
    }
}

void add_triangles(IntestineGeometry& g, const IntestineParameters& p) {
    const auto at = [&](int k, int j) { return g.grid[as_index(k * (p.segments + 1) + j)]; };
    for (int k = 0; k + 1 < p.rows; ++k) {
        for (int j = 0; j < p.segments; ++j) {
            const std::int32_t a = at(k, j), b = at(k, j + 1), c = at(k + 1, j + 1), d = at(k + 1, j);
            if (b != c) g.triangles.push_back({a, b, c});
            if (a != d) g.triangles.push_back({a, c, d});
        }
    }
}

void count_lead_nodes(IntestineGeometry& g, const MeanderCurve& curve, const std::vector<double>& arc) {
    if (!g.shape.leads) return;
    for (const double s : arc) {
        const std::array<double, 2> from_end{s, curve.length() - s};
        for (std::size_t end = 0; end < 2; ++end) {
            if (from_end[end] <= curve.lead_straight()) ++g.lead_straight_nodes[end];
            if (from_end[end] <= curve.lead_length()) ++g.lead_nodes[end];
        }
    }
}

}  // namespace

IntestineParameters intestine_preset(std::string_view name) {
    IntestineParameters p;
    p.cylinder_radius = 0.15;
    if (name == "paper" || name == "corrected") {
        p.length = 4.0;
        p.radius_start = p.radius_end = 0.02;
        p.root_length = 0.10;
        p.half_thickness = 0.005;
        p.segments = 99;
        p.zero_width_ends = name == "corrected";
        return p;
    }
    if (name != "human") {
        throw Error("unknown intestine preset '" + std::string(name) + "': known are paper, corrected, human");
    }
    p.length = 5.06;
    p.radius_start = 0.01225;
    p.radius_end = 0.0095;
    p.root_length = 0.15;
    p.half_thickness = 0.002;
    p.segments = 300;
    p.rows = 0;
    p.zero_width_ends = true;
    return p;
}

MeanderShape meander_shape(const IntestineParameters& p) {
    const double r = most_radius(p);
    MeanderShape shape;
    shape.cylinder_radius = p.cylinder_radius;
    shape.root_length = p.root_length;
    // The pitch counts as a chord: neighbouring passes are straight lines this far apart.
    shape.turn_width = 2.0 * p.cylinder_radius * elementary::asin(std::min(1.0, r * p.pitch_ratio / p.cylinder_radius));
    shape.slant = 0.025 * r;
    shape.pass_length = std::max(shape.turn_width, p.mesentery ? 0.0 : 0.75 * p.length / p.segments);
    shape.leads = p.zero_width_ends;
    return shape;
}

IntestineGeometry assemble_intestine(const IntestineParameters& p, const MeanderShape& shape) {
    IntestineGeometry g;
    g.shape = shape;
    g.chord = p.length / p.segments;
    const MeanderCurve curve(shape);
    g.band_height = curve.band_extent() + 2.0 * most_radius(p);
    const std::vector<double> arc = march_to_end(curve, p.segments, g.chord);
    count_lead_nodes(g, curve, arc);
    std::size_t hint = 0;
    for (int j = 0; j <= p.segments; ++j) {
        Vec3 x = curve.point(arc[as_index(j)], hint);
        if (merged(p, j)) x = {0.0, 0.0, (j == 0 ? -0.5 : 0.5) * p.root_length};  // exactly the root's end
        add_node(g, x, j, merged(p, j));
        if (j == p.segments) break;
        g.radius.push_back(p.radius_start + (p.radius_end - p.radius_start) * (j + 0.5) / p.segments);
    }
    g.gut_nodes = p.segments + 1;
    if (!p.mesentery) return g;
    add_rulings(g, p);
    if (p.rows == 0) {
        add_graded_mesentery(g, p);
        return g;
    }
    add_rows(g, p);
    add_triangles(g, p);
    return g;
}

}  // namespace plica
