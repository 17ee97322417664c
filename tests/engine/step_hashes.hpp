#pragma once
#include <vector>

#include "tests/engine/worlds.hpp"

namespace plica::testing {

// The hash of the state after each of the scene's first steps.
inline std::vector<std::uint64_t> hashes(const SceneDescription& scene, int threads, int steps, Isa isa = best_isa()) {
    Built built = build_scene(scene, 3);
    World world(std::move(built.model), std::move(built.state), threads, isa);
    Script script(scene);
    std::vector<std::uint64_t> list;
    for (int i = 0; i < steps; ++i) list.push_back(world.step(script.next(world)).hash);
    return list;
}

}  // namespace plica::testing
