#pragma once
#include <string_view>
#include <vector>

namespace plica::render {

// A line of a pen from one point to another, in units of the picture; y up.
struct Stroke {
    float x0, y0, x1, y1;
};

// A font of strokes, for the few words that stand in pictures: digits, point, comma, minus, and letters of the legends.
bool has_glyph(char c);
// capital: height of a capital letter. Characters without a glyph are as wide as a space.
double text_width(std::string_view text, double capital);
// From (x, y), the left end of the line that letters stand on.
void write_text(std::string_view text, double x, double y, double capital, std::vector<Stroke>& strokes);

}  // namespace plica::render
