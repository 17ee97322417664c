#pragma once
#include <cstdint>
#include <vector>

#include "collision/surface.hpp"

// Whose motion bounds that of a primitive.
namespace plica {

// Who stands for a primitive when it is asked how far it went: a tube for itself, a triangle for its corners and edges
// too.
struct Owners {
    std::vector<std::int32_t> node[3];  // per owner, padded to a multiple of eight; a tube has one twice
    std::vector<std::int32_t> of;       // per primitive
};

Owners list_owners(const Surface& surface);

}  // namespace plica
