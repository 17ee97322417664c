#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/vec3.hpp"
#include "scene/anatomy/meander.hpp"

namespace plica {

// Gut on a cylinder with a mesentery that hangs from a root on the cylinder's axis (Raghupathi 2004, sec. 3.1).
// All lengths in metres.
struct IntestineParameters {
    double length = 0.0;                          // of the centre line
    double radius_start = 0.0, radius_end = 0.0;  // of the tube at the jejunal and ileal end, linear in between
    double cylinder_radius = 0.0, root_length = 0.0;
    double half_thickness = 0.0;  // of the mesentery
    double pitch_ratio = 1.05;    // fold pitch / (2 r_max), at least
    double max_height = 0.0;      // of the gut band with its 2r; 0: as high as it needs to be
    int segments = 0;
    int rows = 4;       // of masses: gut, inner ..., root; 0: a graded mesentery
    double cell = 0.0;  // m, edge of a graded mesentery's triangles along the gut; 0: by the gut's radius
    bool mesentery = true;
    bool zero_width_ends = false;  // the surgeons' correction (Raghupathi 2004, sec. 7)
};

// "paper": the sizes and ends as printed; "corrected": with zero-width ends; "human": measured sizes.
IntestineParameters intestine_preset(std::string_view name);

struct IntestineGeometry {
    std::vector<Vec3> nodes;  // gut nodes 0..segments, then the mesentery's inner rows, then the root row
    int gut_nodes = 0, free_nodes = 0;
    std::vector<std::uint8_t> pinned;  // per node
    std::vector<std::int32_t> column;  // per node: position along the gut, 0..segments
    // rows x (segments + 1): the node at (row, column); -1: a graded mesentery has none there. Merged end columns name
    // the gut's end node in every row. Empty without mesentery.
    std::vector<std::int32_t> grid;
    std::vector<double> share;     // per node of a graded mesentery: of its ruling, 0 at the gut
    std::vector<Vec3> ruling_end;  // per column: where its straight line from the gut meets the root
    std::vector<std::array<std::int32_t, 3>> triangles;  // mesentery; diagonals from (k, j) to (k + 1, j + 1)
    std::vector<double> radius;                          // per gut segment
    // Gut nodes of the root zone, ascending. A segment is in the zone when both its nodes are: it is not tested
    // against the gut's own mesentery, which converges around the leads by construction.
    std::vector<std::int32_t> exempt;
    double band_height = 0.0;  // extent of the passes and turns along the axis + 2 r_max; leads left out
    double chord = 0.0;        // length / segments
    MeanderShape shape;        // of the centre line
    int rows = 0;              // 0 without mesentery
    int bands = 0;             // of each ruling, where the checks look at quads
    int carrier = 1;           // gut nodes from one that contact sees to the next
    int period = 1;            // columns after which a graded mesentery repeats itself; 1: a node in all of them
    // Gut nodes on the straight part of the first (last) lead, and on the lead with its fillet; 0 without leads.
    std::array<int, 2> lead_straight_nodes{}, lead_nodes{};
};

// m, from node a to node b on the surface that all rulings form: longer than straight where the gut's folds are finer
// than a graded mesentery's nodes.
double length_on_rulings(const IntestineGeometry& geometry, std::int32_t a, std::int32_t b);

// Throws Error with the text of check_intestine when the parameters cannot be built.
IntestineGeometry build_intestine(const IntestineParameters& parameters);

// All problems, each with its reason and the nearest feasible value; empty when the parameters can be built.
std::vector<std::string> check_intestine(const IntestineParameters& parameters);

// The construction without its checks, for tests and tools that look at what the checks refuse.

// Turn width, slant and shortest pass for these parameters; one pass.
MeanderShape meander_shape(const IntestineParameters& parameters);
// Nodes, mesh and radii on a fitted centre line; no root zone, nothing checked.
IntestineGeometry assemble_intestine(const IntestineParameters& parameters, const MeanderShape& shape);

}  // namespace plica
