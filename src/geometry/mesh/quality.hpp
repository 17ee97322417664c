#pragma once
#include "geometry/mesh/mesh.hpp"

// Whether a mesh is good for simulating, and making it so where that changes no shape (docs/meshes.md).
namespace plica {

struct MeshReport {
    std::size_t nodes = 0, tetrahedra = 0, hexahedra = 0;  // after repair
    double volume = 0.0;                                   // m^3
    std::size_t inverted_repaired = 0;                     // cells whose corners were in mirrored order
    std::size_t duplicates_removed = 0;                    // cells with the same corners as an earlier one
    std::size_t unreferenced_removed = 0;                  // nodes of no cell
    std::size_t duplicate_positions = 0;                   // nodes where another one is; they are kept apart
    std::size_t slivers = 0;                               // cells of a quality below sliver_angle or sliver_ratio
    std::size_t worst_cell = 0;                            // after repair, tetrahedra first
    double worst_quality = 1.0;                            // of that cell, 1 is perfect
    double worst_angle = 0.0;                              // its smallest dihedral angle in degrees; 0 for a hexahedron
    double smallest_altitude = 0.0;                        // m
    std::size_t pieces = 0;                                // that share no node
    std::size_t regions = 0;
};

constexpr double sliver_angle = 5.0;  // degrees, smallest dihedral angle of a tetrahedron
constexpr double sliver_ratio = 0.1;  // smallest corner Jacobian of a hexahedron over the product of its edges

// Turns cells that are mirrored, removes cells that are there twice and nodes of no cell; sets and regions follow.
// Throws Error, naming the cell by its number in the file (from 0, tetrahedra first), for what cannot be repaired.
MeshReport repair_mesh(VolumeMesh& mesh, const std::string& name);

// The same numbers without changing anything; the mesh must be one that repair_mesh returned.
MeshReport measure_mesh(const VolumeMesh& mesh);

// Several lines for people.
std::string describe(const MeshReport& report);

struct SurfaceReport {
    std::size_t nodes = 0, triangles = 0;  // after repair
    bool closed = false;
    std::size_t open_edges = 0;            // of one triangle only
    std::size_t flipped = 0;               // triangles that were turned over
    std::size_t degenerate_removed = 0;    // triangles with a corner twice, or there twice
    std::size_t flat = 0;                  // triangles without area between three nodes; kept, the surface would tear
    std::size_t unreferenced_removed = 0;  // nodes of no triangle
    std::size_t pieces = 0;                // that share no edge
    double area = 0.0;                     // m^2
    double volume = 0.0;                   // m^3 within; 0 for an open one
};

// Removes degenerate triangles and unused nodes and turns triangles so that all of a closed piece are counterclockwise
// seen from outside; a closed piece within another is a hollow in it and turned the other way. Throws Error for an edge
// of three triangles and for a surface with one side.
SurfaceReport repair_surface(SurfaceMesh& mesh, const std::string& name);
SurfaceReport check_surface(const SurfaceMesh& mesh, const std::string& name);
std::string describe(const SurfaceReport& report);

}  // namespace plica
