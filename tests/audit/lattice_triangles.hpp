#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"

// Triangles on a lattice of integers, and another way to tell whether two of them meet: by all directions that can
// separate them.
namespace plica::testing {

__extension__ using Wide = __int128;  // products of four coordinates: these may be of up to 26 bits
using Lattice = std::array<Wide, 3>;
using LatticeTriangle = std::array<Lattice, 3>;

inline Lattice difference(const Lattice& p, const Lattice& q) {
    return {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}
inline Lattice product(const Lattice& p, const Lattice& q) {
    return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
inline Wide inner(const Lattice& p, const Lattice& q) {
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
inline Vec3 to_vec(const Lattice& p) {
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}
inline Lattice to_lattice(const Vec3& p) {
    return {std::llround(p.x), std::llround(p.y), std::llround(p.z)};
}

inline bool separates(const Lattice& direction, const LatticeTriangle& p, const LatticeTriangle& q) {
    const auto [p_lo, p_hi] = std::minmax({inner(direction, p[0]), inner(direction, p[1]), inner(direction, p[2])});
    const auto [q_lo, q_hi] = std::minmax({inner(direction, q[0]), inner(direction, q[1]), inner(direction, q[2])});
    return p_hi < q_lo || q_hi < p_lo;
}

// Two triangles that do not meet have nearest points: of two corners, a corner and a side, two sides or a corner and a
// face, and the line between these points separates them. Corners may coincide.
inline bool lattice_meet(const LatticeTriangle& p, const LatticeTriangle& q) {
    const auto edge = [](const LatticeTriangle& t, std::size_t i) { return difference(t[(i + 1) % 3], t[i]); };
    std::vector<Lattice> directions{product(edge(p, 0), edge(p, 1)), product(edge(q, 0), edge(q, 1))};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            const Lattice apart = difference(p[i], q[j]);
            directions.push_back(apart);
            directions.push_back(product(edge(p, i), edge(q, j)));
            for (std::size_t k = 0; k < 3; ++k)
                for (const Lattice& side : {edge(p, k), edge(q, k)})
                    directions.push_back(product(product(side, apart), side));
        }
    }
    return std::none_of(directions.begin(), directions.end(), [&](const Lattice& d) { return separates(d, p, q); });
}

// With one corner in common, the first: the sides across from it.
inline bool lattice_meet_beyond_corner(const LatticeTriangle& p, const LatticeTriangle& q) {
    return lattice_meet({p[1], p[2], p[2]}, q) || lattice_meet(p, {q[1], q[2], q[2]});
}

// With two corners in common, the first two: in one plane, and on one side.
inline bool lattice_folded(const LatticeTriangle& p, const LatticeTriangle& q) {
    const Lattice edge = difference(p[1], p[0]);
    const Lattice n = product(edge, difference(p[2], p[0])), m = product(edge, difference(q[2], p[0]));
    return product(n, m) == Lattice{} && inner(n, m) > 0;
}

}  // namespace plica::testing
