#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace plica::render {

// Red, green, blue, one byte each, rows from the top.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

// Replaces what is at the path only when all of it is written. Throws Error with Status::environment.
void write_png(const std::string& path, const Picture& picture);

// Half the size: each pixel the mean of four.
Picture halve(const Picture& picture);

}  // namespace plica::render
