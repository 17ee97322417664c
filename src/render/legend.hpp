#pragma once
#include <vector>

#include "render/field_scale.hpp"

namespace plica::render {

enum class MarkKind { stroke, box, bar };

// What the graphics processor reads of a mark; pixels from the lower left corner.
struct LegendMark {
    float ends[4];  // x and y of a stroke's two ends or of a box's lower left and upper right corner
    float radius;   // of the pen, or of the corners
    float kind;     // MarkKind
    float grey, opacity;
};

// A bar of colours with title and ticks on a dark ground, at the right of a picture of width x height pixels; letters
// are a fiftieth of its height, smaller where they would take too much of its width.
void lay_out_legend(const LegendText& text, int width, int height, std::vector<LegendMark>& marks);

}  // namespace plica::render
