#pragma once
#include <span>

#include "render/detail.hpp"

namespace plica::render {

// Levels of detail, the cheapest first.
std::span<const Detail> detail_levels();

// Holds a frame rate by choosing among levels of growing cost.
class Governor {
public:
    Governor(double frames_per_second, int levels, int start);

    // seconds: what the last frame took until the graphics processor had finished. Returns the level for the next.
    int next(double seconds);

    [[nodiscard]] int level() const;
};

}  // namespace plica::render
