#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "geometry/mesh/mesh.hpp"
#include "tissue/load.hpp"
#include "tissue/tled/material.hpp"

// Solid organs by total Lagrangian explicit dynamics (Johnsen 2012, sec. 2; after Miller et al. 2007): nothing is ever
// assembled; each step computes every cell's forces from its displacements, against the rest shape.
namespace plica::tled {

enum class ElementKind : std::uint8_t {
    t4,     // tetrahedron, constant strain; locks when nearly incompressible
    t4anp,  // the same with pressure averaged at the nodes, as the derivative of an energy
    h8      // hexahedron, mean gradients and hourglass control
};
inline const char* element_name(ElementKind kind) {
    return kind == ElementKind::t4 ? "t4" : kind == ElementKind::t4anp ? "t4anp" : "h8";
}
inline constexpr int corners_of(ElementKind kind) {
    return kind == ElementKind::h8 ? 8 : 4;
}

// Cells are kept in batches of this many, number by number side by side.
inline constexpr int batch_lanes = 16;

// Numbers a cell has. Tetrahedron: gradients of the shape functions 1 to 3 (9, 1/m), volume (m^3). Hexahedron: mean
// gradients of all eight (24), sums of corners with the hourglass patterns' signs (4 x 3, m), volume, hourglass
// stiffness (N/m).
inline constexpr int numbers_of(ElementKind kind) {
    return kind == ElementKind::h8 ? 38 : 10;
}

// Signs of a hexahedron's corners in the four patterns that mean gradients do not see.
inline constexpr int hourglass_signs[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                              {1, -1, -1, 1, -1, 1, 1, -1},
                                              {1, -1, 1, -1, 1, -1, 1, -1},
                                              {-1, 1, -1, 1, 1, -1, 1, -1}};

// A compact piece of an organ: cells of one kind and one material with a numbering of their own for the nodes they
// touch (slots), small enough for the first cache. Pieces do not depend on the number of threads, nor does the order in
// which their shares of a node's force are added.
struct Block {
    ElementKind kind = ElementKind::t4;
    std::int32_t material = 0;
    std::int32_t first_cell = 0, cells = 0;  // in the organ's order of cells
    std::int32_t batches = 0;                // the last one is filled up with cells of no volume
    std::int32_t first_slot = 0, slots = 0;
    std::size_t first_index = 0;    // into Organ::index: batches x corners x lanes
    std::size_t first_number = 0;   // into CellData::number: batches x numbers
    std::size_t first_history = 0;  // into the history: batches x relaxations x 6 x lanes
};

// One number of each cell of a batch.
template <class S>
struct alignas(64) Line {
    S at[batch_lanes];
};

// What the kernels read, in the precision they work in.
template <class S>
struct CellData {
    std::vector<Line<S>> number;
    std::vector<S> slot_volume;  // m^3, per slot: the block's cells' quarter volumes; nodal pressure only
};

struct OrganSettings {
    ElementKind tetrahedra = ElementKind::t4;  // what the mesh's tetrahedra become
    bool exact = false;                        // double instead of float
    double hourglass = 0.4;                    // c_h, 0.3 to 0.5
};

struct Organ {
    std::int32_t first_node = 0, nodes = 0;  // of the world
    OrganSettings settings;
    std::vector<Material> materials;   // per region
    std::vector<Block> blocks;         // by kind, material, place
    std::vector<std::uint16_t> index;  // slots of the cells' corners
    CellData<float> single;
    CellData<double> exact;
    std::vector<std::int32_t> slot_node;   // organ's node of each slot
    std::vector<std::int32_t> first_slot;  // per node and one more: its slots in `slots`
    std::vector<std::int32_t> slots;       // ascending per node
    std::vector<std::int32_t> source;      // cell of the mesh (tetrahedra first), per cell
    std::size_t history = 0;               // numbers of history
    double least_altitude = 0.0;           // m, of all cells: 1 / |gradient|
    double shortest_step = 0.0;            // s, that it may ask for: a quarter of what its fastest cell needs at rest

    // What acts on it.
    double damping = 0.0;  // 1/s, force -damping m v
    bool relax = false;    // damping finds itself so that the organ comes to rest as fast as it can
    std::vector<Load> loads;
    std::vector<Motion> motions;
    std::vector<std::uint8_t> held;  // per node: bit k, a motion rules axis k; empty: none

    [[nodiscard]] std::size_t cells() const { return source.size(); }
};

// Orders the mesh's nodes by the blocks that will use them and cuts its cells into blocks; the mesh is reordered in
// place and must be sound (positive cells). node_order, if given, receives the old number of each node.
Organ build_organ(VolumeMesh& mesh, std::vector<Material> materials, const OrganSettings& settings,
                  std::vector<std::int32_t>* node_order = nullptr);

// Lumped masses, kg, per node of the organ.
std::vector<double> lump_masses(const VolumeMesh& mesh, std::span<const Material> materials);

// What a viscous organ remembers, in its precision; the other one is empty.
struct History {
    std::vector<float> single;
    std::vector<double> exact;
};

template <class S>
struct Buffers {
    std::vector<S> partial;      // forces of the slots, N, four numbers each
    std::vector<S> pressure;     // of the slots, Pa; nodal pressure only
    std::vector<S> least, most;  // J, per block
    std::vector<S> area;         // |cof F|^2, per block
};

// Work arrays of one organ, and what the last evaluation of its forces told.
struct Workspace {
    Isa isa = Isa::base;
    Buffers<float> single;
    Buffers<double> exact;
    History next;                       // after the last evaluation
    std::vector<Vec3> force, external;  // N, of the last step: internal, loads
    std::vector<Vec3> last_force;       // one step earlier, when relaxation looked at it last
    std::vector<Vec3> moved;            // of estimate_step(), as is
    std::vector<std::vector<float>> basis;
};

void prepare(const Organ& organ, Workspace& work, Isa isa = best_isa());

// A configuration of the organ's nodes, and what its cells remember.
struct Configuration {
    std::span<const Vec3> rest, x;  // m
    const History& history;
    double h;  // s, of the step that will turn the history into work.next
};

// Internal forces.
void compute_forces(const Organ& organ, const Configuration& now, ThreadPool& pool, Workspace& work);

// Calls body(begin, end) for pieces of the organ's nodes, on several threads.
template <class Body>
void for_node_chunks(const Organ& organ, ThreadPool& pool, Body&& body) {
    constexpr std::size_t size = 192;  // some microseconds
    pool.for_pieces(static_cast<std::size_t>(organ.nodes), size, [&](std::size_t begin, std::size_t end) {
        body(static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end));
    });
}

// Sum of the slots' forces at nodes [begin, end), or at all, N: the force that the tissue exerts on its nodes is minus
// this.
void sum_forces_at(const Organ& organ, const Workspace& work, std::int32_t begin, std::int32_t end,
                   std::span<Vec3> force);
void sum_forces(const Organ& organ, const Workspace& work, ThreadPool& pool, std::span<Vec3> force);

// What the last evaluation found: smallest and largest volume ratio J, and how far the areas of a cell grew, |cof F|:
// 1.7 at rest; a cell that is pressed to a tenth of its height and goes to the sides has 10, and waves through it take
// a tenth of the time.
struct Extremes {
    double least = 1.0, most = 1.0, area = 1.0;
    [[nodiscard]] Extremes with(const Extremes& other) const {
        return {std::min(least, other.least), std::max(most, other.most), std::max(area, other.area)};
    }
};
Extremes find_extremes(const Organ& organ, const Workspace& work);

// The organ's nodes of a cell, four or eight.
struct CellNodes {
    std::int32_t node[8];
    int count;
};
const Block& block_of(const Organ& organ, std::size_t cell);
CellNodes nodes_of(const Organ& organ, std::size_t cell);

}  // namespace plica::tled
