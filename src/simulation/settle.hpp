#pragma once
#include <cstdint>

#include "engine/world.hpp"
#include "simulation/open_scene.hpp"

// A scene that starts as it lies when all has come to rest (start = "settled").
namespace plica {

// s, simulated, after which a scene counts as settled whatever still moves; the speed (m/s, rms over the nodes of a
// body) below which none does, and for how long (s) that must have been so.
inline constexpr double longest_settling = 30.0, settled_speed = 0.002, settled_for = 0.25;

// Puts a world that was just built into the state in which its tissue lies still, tools as they were, the clock at 0.
// Computed once for a scene, a seed and a program, and kept in the user's cache; the bits are the same with and
// without, so a recording needs nothing of it. Throws Error where the scene loses validity on its way.
void settle(const OpenScene& opened, std::uint64_t seed, World& world);

}  // namespace plica
