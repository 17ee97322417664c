#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/vec3.hpp"

// Meshes as files and generators give them: topology and places, no physics.
namespace plica {

// Nodes by name, as mesh files carry them (Gmsh physical groups, Abaqus node sets).
struct NodeSet {
    std::string name;
    std::vector<std::int32_t> nodes;  // ascending, without repetition
};

// A volume. Tetrahedra are positive, (x1 - x0) . ((x2 - x0) x (x3 - x0)) > 0; hexahedra have the corners
// (-,-,-) (+,-,-) (+,+,-) (-,+,-) (-,-,+) (+,-,+) (+,+,+) (-,+,+) of a right-handed cube, in this order.
struct VolumeMesh {
    std::vector<Vec3> nodes;  // m
    std::vector<std::array<std::int32_t, 4>> tetrahedra;
    std::vector<std::array<std::int32_t, 8>> hexahedra;
    std::vector<std::int32_t> region;  // per cell, tetrahedra first: index into region_names; empty: all are 0
    std::vector<std::string> region_names;
    std::vector<NodeSet> node_sets;

    [[nodiscard]] std::size_t cells() const { return tetrahedra.size() + hexahedra.size(); }
};

// A number for each node, as mesh files carry them (properties of PLY vertices, VTK point data).
struct NodeValues {
    std::string name;
    std::vector<double> numbers;  // per node; as the file has them, whatever the mesh's scale
};

// A surface; of a closed one the triangles are counterclockwise seen from outside.
struct SurfaceMesh {
    std::vector<Vec3> nodes;  // m
    std::vector<std::array<std::int32_t, 3>> triangles;
    std::vector<NodeValues> values{};
};

}  // namespace plica
