#pragma once
#include <array>
#include <cstdint>

#include "core/random.hpp"
#include "geometry/vec3.hpp"

// Moving pairs that continuous collision tests are asked about, drawn at random, and a slow answer that is certain.
namespace plica::experiments {

enum class QueryKind : std::uint8_t {
    generic,   // corners and ways at random
    sliding,   // all within 1e-7 of one plane
    coplanar,  // all in one plane
    parallel,  // edges, or a face and the way to it, that stay parallel and meet everywhere at once
    tiny       // ways of a thousandth of the edges, from a start that is as near
};
inline constexpr std::array<QueryKind, 5> query_kinds{QueryKind::generic, QueryKind::sliding, QueryKind::coplanar,
                                                      QueryKind::parallel, QueryKind::tiny};
inline constexpr std::array<const char*, 5> query_names{"generic", "sliding, nearly coplanar", "coplanar", "parallel",
                                                        "tiny motion"};
inline const char* query_name(QueryKind kind) {
    return query_names[static_cast<std::size_t>(kind)];
}

// Edges of about 1: nodes 0 1 and 2 3; or a point and a triangle: node 0 and nodes 1 2 3. From x to p.
struct MovingPair {
    Vec3 x[4], p[4];
    bool edges;
};

double distance_of(const MovingPair& pair, const Vec3 (&at)[4]);

// Starts further apart than keep + 1e-5, in any direction of space.
MovingPair draw_pair(Random& random, QueryKind kind, bool edges, double keep);

// Whether the pair comes as near as `limit` on its way: the way is halved until the speeds decide. Wrong only where the
// least distance is within 1e-9 above the limit.
bool comes_within(const MovingPair& pair, double limit);

}  // namespace plica::experiments
