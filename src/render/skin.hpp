#pragma once
#include <span>

#include "render/mesh.hpp"
#include "render/tube_cells.hpp"

namespace plica::render {

// The skin of a tube as the vertex shader computes it, on the processor: the reference for it. Raghupathi 2004, eq. 1
// and 12 to 14, with what these leave open: a vertex of the cylinder (cos angle, sin angle, z), z in [0, 1], goes to
//     v  = w M1 + (1 - w) M2
//     M1 = C0 + r0 (cos k0 + sin b0) + z L t0
//     M2 = C1 + r1 (cos k1 + sin b1) + (z - 1) L t1
// between two frames (C, r, t, k = normal, b = t x k), L the first one's half_length. Each end has its own radius, so
// that the skin is smooth where cells meet, for any radii and any L: w is flat at both ends.

//
// Where the axis bends more tightly than the tube is thick, rings across it would go through each other on the inner
// side. There the wall is pressed flat, as that of a real tube is, so that no ring reaches the line about which the
// axis turns: what is at a distance q from the axis towards that line, at 1 / bend, comes to be at flattened(q, bend).

double flattened(double q, double bend);
double flattened_slope(double q, double bend);  // d/dq

double skin_weight(double z);        // w, eq. 14
double skin_weight_slope(double z);  // dw/dz

struct SkinPoint {
    Vec3 position;  // m
    Vec3 normal;    // unit, of the skin itself: dv/dangle x dv/dz. Where that vanishes, away from the axis
};
SkinPoint compute_skin(const AxisFrame& from, const AxisFrame& to, double angle, double z);

// The whole skin: `sides` around and `rings` of faces along each cell. The ends of tubes stay open.
Mesh compute_skin_mesh(std::span<const AxisFrame> frames, int sides, int rings);

// The usual sweep: a ring across the axis at each frame, joined by straight faces.
Mesh compute_sweep_mesh(std::span<const AxisFrame> frames, int sides);

}  // namespace plica::render
