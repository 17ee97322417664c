#pragma once
#include <cstddef>
#include <cstdint>

namespace plica {

// Node, cell and primitive numbers are 32-bit and signed (-1: none), subscripts are not.
[[gnu::always_inline]] constexpr std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

}  // namespace plica
