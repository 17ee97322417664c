#pragma once
#include <cstdint>

#include "geometry/mesh/mesh.hpp"

// The body on which models of tissue are compared: the superquadric of half size 1 m, as a surface and filled with
// tetrahedra, its bottom held, a push spread over a patch of its top.
namespace plica::experiments {

// One of the two meshes. The patch is a Gaussian of 0.2 m around the top, by the nodes' areas.
struct ComparePart {
    std::vector<Vec3> nodes;                             // m, at rest
    std::vector<std::array<std::int32_t, 3>> triangles;  // of the surface
    std::vector<std::uint8_t> held;                      // per node
    std::vector<double> share;                           // of the push, per node; their sum is 1
};

struct CompareBody {
    ComparePart surface;  // nodes on the surface alone
    ComparePart solid;    // about as many there, and those inside
    std::vector<std::array<std::int32_t, 4>> cells;
    std::size_t skin_nodes = 0;  // of the solid, on its surface
};
CompareBody make_compare_body(int surface_nodes);

// m: how far the push went down, the mean over the patch by its shares. The push's work over the push.
double find_depth(const ComparePart& part, const std::vector<Vec3>& x);

// m^3, inside the triangles.
double find_volume(const ComparePart& part, const std::vector<Vec3>& x);

// kg: the same for every model, spread over what it has.
inline constexpr double compare_mass = 40.0;

}  // namespace plica::experiments
