#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "collision/surface.hpp"
#include "core/error.hpp"

namespace plica {

// A surface that names a node which the frame does not have would give a file that other programs crash on.
inline void check_surface_nodes(const std::string& path, const Surface& surface, std::size_t nodes) {
    const auto check = [&](std::initializer_list<std::int32_t> used) {
        for (const std::int32_t node : used) {
            if (node >= 0 && static_cast<std::size_t>(node) < nodes) continue;
            throw Error(path + ": the surface names node " + std::to_string(node) + " of " + std::to_string(nodes));
        }
    };
    for (const Capsule& c : surface.capsules) check({c.a, c.b});
    for (const Triangle& t : surface.triangles) check({t.a, t.b, t.c});
}

}  // namespace plica
