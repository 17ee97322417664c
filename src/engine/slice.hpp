#pragma once
#include <cstddef>
#include <span>

namespace plica {

// What a body with `first_node` and `nodes` owns of values per node of the world.
template <class Body, class T>
auto slice(const Body& body, T& values) {
    return std::span(values).subspan(static_cast<std::size_t>(body.first_node), static_cast<std::size_t>(body.nodes));
}

}  // namespace plica
