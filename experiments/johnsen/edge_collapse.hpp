#pragma once
#include "geometry/mesh/mesh.hpp"

namespace plica::experiments {

// The closed surface with at most so many triangles: the edge whose end costs least is drawn together, again and again
// (quadric error metric, Garland and Heckbert 1997). Edges stay whose end would turn a triangle over or pinch the
// surface; so there may be more triangles than asked for. Equal meshes, equal bits.
SurfaceMesh coarsen(const SurfaceMesh& fine, std::size_t triangles);

}  // namespace plica::experiments
