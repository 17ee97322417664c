#pragma once
#include "bench/self_collision/rope_case.hpp"
#include "geometry/wall.hpp"

// The bowl is given to every program as what it is, a hemisphere with a wall on its rim: both peers take contacts that
// a program computes for them, which is exact and far cheaper for them than a bowl of triangles or boxes. The free
// space is convex, so a capsule is closest to the wall at one of its ends.
namespace plica::bench {

inline Wall make_bowl(const RopeCase& rope, double units = 1.0) {
    Wall bowl;
    bowl.kind = WallKind::bowl;
    bowl.center = rope.bowl_center * units;
    bowl.radii = {rope.bowl_radius * units, rope.bowl_radius * units, rope.bowl_radius * units};
    return bowl;
}

}  // namespace plica::bench
