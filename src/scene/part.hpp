#pragma once
#include <cstddef>
#include <span>

namespace plica {

// What an organ or a membrane owns of values per node of the world.
template <class Body, class T>
auto part(const Body& body, T& values) {
    return std::span(values).subspan(static_cast<std::size_t>(body.first_node), static_cast<std::size_t>(body.nodes));
}

}  // namespace plica
