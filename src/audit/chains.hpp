#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"

namespace plica::audit {

// Sets chain and columns of a surface of which only nodes and radii are known: primitives that share nodes are one
// chain. columns: each node's place along its chain, -1 where that is not known; a chain keeps its columns where all
// its nodes have one. The nodes must exist.
void set_chains(Surface& surface, std::span<const std::int32_t> columns);

// After set_chains(). Per triangle, what its chain is: one that has capsules, or triangles alone, which are a closed
// surface where each of its edges belongs to an even number of them.
enum class ChainKind : std::uint8_t { mixed, open, closed };
std::vector<ChainKind> find_chain_kinds(const Surface& surface);

}  // namespace plica::audit
