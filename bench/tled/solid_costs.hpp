#pragma once
#include "bench/tled/solid_block.hpp"

// What one step of a solid organ takes at least, by its formulas and arrays.
namespace plica::bench {

// Floating-point operations of a cell: additions, multiplications, comparisons. A tetrahedron: displacement gradient
// 54, F 3, cofactors 27, J 5, J^(-1/3) 21, pressure 2, extremes of J 2, stress 26 + 27, forces 45 + 6, adding them 12.
// Nodal pressure: all of it up to J once more 89, a quarter of the volume 2, adding it 4, and 4 - 2 for the mean.
// A hexahedron: gradient 144, the same 113 from F to the stress, 4 hourglass modes of 60, forces 8 x 27, adding
// them 24. What is done per node (some 30 operations in double) is left out.
inline double operations_a_cell(tled::ElementKind kind) {
    constexpr double law = 3 + 27 + 5 + 21 + 2 + 2 + 26 + 27;
    constexpr double tetrahedron = 54 + law + 45 + 6 + 12;
    switch (kind) {
        case tled::ElementKind::t4:
            return tetrahedron;
        case tled::ElementKind::t4anp:
            return tetrahedron + 89 + 2 + 4 + 2;
        case tled::ElementKind::h8:
            break;
    }
    return 144 + law + 4 * 60 + 8 * 27 + 24;
}

// Bytes that a step reads and writes, per cell: every array once for each pass over it, as if no cache kept it from
// pass to pass, and every array's element once within a pass, as if the caches kept all that a pass needs again.
inline double bytes_a_cell(const SolidBlock& block) {
    const auto slots = static_cast<double>(block.organ.slot_node.size());
    const auto nodes = static_cast<double>(block.nodes());
    const double batch_numbers = static_cast<double>(block.organ.single.number.size() * sizeof(tled::Line<float>));
    const double indices = static_cast<double>(block.organ.index.size() * sizeof(std::uint16_t));
    constexpr double vector = sizeof(Vec3), partial = 4 * sizeof(float), number = sizeof(std::int32_t);
    // Cells: numbers, corners, slots' nodes; rest and present places; the slots' forces are written.
    const double staged = slots * number + nodes * 2 * vector;
    double bytes = batch_numbers + indices + staged + slots * partial;
    // Sums: slots of a node and their forces; the force is written.
    bytes += nodes * number + slots * (number + partial) + nodes * vector;
    // Node: force, inverse mass, x, v; p is written. Then v from p and x.
    bytes += nodes * (sizeof(double) + 4 * vector) + nodes * 3 * vector;
    if (block.kind == tled::ElementKind::t4anp) {
        // Volumes: cells once more, a float a slot written. Pressures: that float and the rest volume read, it written.
        bytes += batch_numbers + indices + staged + slots * sizeof(float);
        bytes += nodes * number + slots * (number + 3 * sizeof(float));
        bytes += slots * sizeof(float);  // and read with the cells
    }
    return bytes / static_cast<double>(block.cells());
}

}  // namespace plica::bench
