#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/world.hpp"
#include "plica/types.hpp"
#include "simulation/open_scene.hpp"

namespace plica {

// What never changes about a simulation; its forks share it, with the model.
struct Scenario {
    OpenScene opened;
    std::uint64_t seed = 1;
    std::vector<BodyInfo> bodies{};
    State start{};                    // as the world has it before its first step
    std::vector<std::byte> memory{};  // the same with what the search for pairs knows then
    std::uint64_t start_hash = 0;     // of the state
    std::uint64_t fingerprint = 0;    // of scene and model: what is saved from another one is refused
};

// Of the scene's text, and of what the files that it names became.
std::uint64_t compute_fingerprint(const SceneSource& source, const Model& model);

std::shared_ptr<const Scenario> make_scenario(OpenScene opened, std::uint64_t seed, const World& world);

}  // namespace plica
