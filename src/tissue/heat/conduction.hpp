#pragma once
#include "geometry/mesh/mesh.hpp"
#include "tissue/heat/sparse.hpp"

// Conduction of heat on a triangulated surface (Zhong 2005, eq. 11 and 12, repaired: areas, signed weights, div(K grad
// T)).
namespace plica::heat {

// m^2/s times alpha. Equal: a scalar. Else a 2 x 2 tensor in the plane of the face, whose first principal axis is
// `direction` laid into that plane.
struct FaceConductivity {
    double along = 0.0, across = 0.0;
    Vec3 direction{};
};

struct SurfaceEdge {
    std::int32_t a, b;     // a < b
    std::int32_t face[2];  // ascending; face[1] = -1 at a rim
};

struct Conduction {
    SymmetricMatrix stiffness;       // W: signed cotangents with conductivity, rest mesh; zero row sums; alpha m^2/s
    std::vector<double> area;        // m^2 per node, mixed: Voronoi for acute faces, else 1/2, 1/4, 1/4
    std::vector<SurfaceEdge> edges;  // ascending (a, b)
    std::vector<double> weight;      // per edge, (cot a + cot b) / 2, signed, geometry alone
    int obtuse_edges = 0;            // with a negative weight: not Delaunay, the maximum principle may fail
    int backward_links = 0;          // edges whose conductance -W_ab is negative: the same with the conductivity in it
    double explicit_limit = 0.0;     // s for alpha = 1: the least area_i / W_ii; explicit steps up to it stay positive
};

// The mesh must be one that check_membrane returned. Throws Error, naming the face, for a conductivity that is not
// positive and for a direction that is perpendicular to its face.
Conduction build_conduction(const SurfaceMesh& mesh, std::span<const FaceConductivity> of_faces);

// Harmonic means of the corners, so that what conducts badly insulates. Throws Error, naming the node.
std::vector<FaceConductivity> conductivity_of_faces(const SurfaceMesh& mesh, std::span<const double> of_nodes);

// Of the face's corners, against the rounding of flat ones.
std::array<double, 3> compute_cotangents(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace plica::heat
