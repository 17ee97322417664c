#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/vec3.hpp"

// What acts on a body from outside, besides gravity and contact. Nodes are the body's own.
namespace plica {

enum class RampShape : std::uint8_t {
    smooth,  // 10 r^3 - 15 r^4 + 6 r^5: begins and ends without a jerk
    linear,
    step
};

// How much of a load acts: none before `begin`, all of it from `end` on.
struct Ramp {
    RampShape shape = RampShape::smooth;
    double begin = 0.0, end = 0.0;  // s

    [[nodiscard]] double at(double t) const;
};

enum class LoadKind : std::uint8_t {
    pressure,       // value.x Pa on triangles, against their outward normal as they are now
    traction,       // value Pa on triangles, over their area at rest
    true_traction,  // value Pa on triangles, over their area as it is now
    force,          // value N, shared equally by the nodes
    acceleration,   // value m/s^2 of the nodes, each by its mass
};

struct Load {
    LoadKind kind = LoadKind::force;
    Vec3 value;
    Ramp ramp;
    std::vector<std::int32_t> nodes;
    std::vector<std::array<std::int32_t, 3>> triangles{};
    std::vector<double> masses{};  // kg, acceleration only: of the nodes
};

// Whether a load acts on nodes; the others do on triangles.
constexpr bool acts_on_nodes(LoadKind kind) {
    return kind == LoadKind::force || kind == LoadKind::acceleration;
}

// Nodes that go where they are told, along some axes or all.
struct Motion {
    std::vector<std::int32_t> nodes;
    std::array<bool, 3> axes{true, true, true};
    Vec3 displacement;  // m, from the rest shape; 0: fixed
    Ramp ramp;
};

// Adds what the loads exert at time t, N.
void add_loads(std::span<const Load> loads, double t, std::span<const Vec3> rest, std::span<const Vec3> x,
               std::span<Vec3> force);

// Puts the nodes where the motions want them at time t.
// Places of moved nodes; motions of one node add up.
void apply_motions(std::span<const Motion> motions, double t, std::span<const Vec3> rest, std::span<Vec3> p);

}  // namespace plica
