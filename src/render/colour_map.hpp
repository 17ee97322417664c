#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace plica::render {

using Rgb = std::array<double, 3>;  // as on a display (sRGB), 0 .. 1

// CIE lightness L* of a colour, 0 .. 100.
double lightness(const Rgb& colour);

// Colours for numbers: dark blue, teal, yellow. Equal steps are equally far apart in CIE L*a*b*, and lightness only
// rises, so that it can be read without telling red from green, and in grey.
class ColourMap {
public:
    static constexpr int size = 256;
    ColourMap();
    [[nodiscard]] Rgb at(double share) const;                // 0 .. 1; what is outside has the colour of the end
    [[nodiscard]] std::vector<std::uint8_t> texels() const;  // red, green, blue, 255: from 0 to 1

private:
    std::array<Rgb, size> m_table;
};

}  // namespace plica::render
