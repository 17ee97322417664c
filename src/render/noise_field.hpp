#pragma once
#include <cstdint>
#include <vector>

namespace plica::render {

// Smooth noise in a cube that can be repeated: of each of size^3 places the gradient and the value, one byte each, 128
// for zero. Surfaces get their colour and their unevenness from it.
struct NoiseField {
    int size = 0;
    std::vector<std::uint8_t> texels;  // x, y, z of half the gradient per cell; the value
};

inline constexpr int noise_cells = 8;  // along an edge of the cube

NoiseField make_noise_field(int size);

}  // namespace plica::render
