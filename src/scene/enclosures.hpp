#pragma once
#include <optional>
#include <span>

#include "engine/model.hpp"

namespace plica {

struct Enclosed {
    std::int32_t inner = -1, outer = -1;  // bodies
    std::int32_t node = -1;               // of the inner one
};

// The first body, or part of one that hangs together, in another one's closed surface, as built: in a solid, a rigid
// shape or a closed surface with heat; a rigid mesh from a file may be a vessel. None of them may cross a surface: then
// one node tells. A surface with a cavity encloses what is between its shells, not what is in the cavity. `there`: per
// plain capsule, does it count?
std::optional<Enclosed> find_enclosed(const Model& model, std::span<const std::uint8_t> there);

}  // namespace plica
