#pragma once
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"

// Contact forces by explicit gap correction: Johnsen 2012, eq. 9 and 13, with the 1/dt^2 that f_s lost in print, masses
// and gamma for both edges: what is through a surface is pushed out of it within one step, half by the slave and half
// by the master, whatever they weigh. Responses of a pass are found for the same places and added; roles change from
// pass to pass; nothing is taken back, nothing is remembered of the last substep, and there is no friction. The
// equations do not keep momentum: for reproduction.
//
// Normals are those of our rows, across the facet or from edge to edge, and surfaces are as thick as ours. Tubes,
// probes and mesenteries get the same formula without roles; walls and holds are ours.
namespace plica {

struct ContactWorld;
struct ContactScratch;

// Work arrays of the response.
struct JohnsenScratch {
    std::vector<Vec3> shift;               // m, per node: the pass's responses
    std::vector<double> gap;               // m, per row: batch, lane
    std::vector<std::int32_t> nearest;     // per node: row of its nearest projection as a slave; -1: none
    double moved = 0.0, last_moved = 0.0;  // largest gap closed in this pass and the one before, in contact radii
};

// Drops what the pairs remember.
void begin_johnsen(ContactWorld& world, ContactScratch& scratch);
// One pass of Algorithm 1, counted from 0.
void sweep_johnsen(ContactWorld& world, ContactScratch& scratch, int pass);

}  // namespace plica
