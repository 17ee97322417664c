#include "render/colour_map.hpp"

#include <algorithm>
#include <cmath>

namespace plica::render {
namespace {

struct Lab {
    double l, a, b;
};

// Lightness rises evenly from the first to the last; only hue and chroma need anchors. All are colours of sRGB.
constexpr double darkest = 20.0, lightest = 92.0;
constexpr std::array<std::array<double, 2>, 6> anchors{
    {{18, -42}, {2, -37}, {-14, -22}, {-28, 4}, {-30, 36}, {-8, 62}}};
constexpr double knee = 6.0 / 29.0;               // of CIE's cube root
constexpr Rgb white{0.95047, 1.0, 1.08883};       // D65
constexpr Rgb luminance{0.2126, 0.7152, 0.0722};  // of sRGB

// A spline through the anchors.
double follow(std::size_t part, double t) {
    constexpr int last = static_cast<int>(anchors.size()) - 1;
    const int i = std::min(static_cast<int>(t * last), last - 1);
    const double u = t * last - i;
    const auto p = [&](int k) { return anchors[static_cast<std::size_t>(std::clamp(i + k, 0, last))][part]; };
    const double slope = 0.5 * (p(1) - p(-1)), next = 0.5 * (p(2) - p(0)), step = p(1) - p(0);
    return p(0) + u * (slope + u * (3.0 * step - 2.0 * slope - next + u * (slope + next - 2.0 * step)));
}

Lab lab_at(double t) {
    return {darkest + (lightest - darkest) * t, follow(0, t), follow(1, t)};
}

double uncube(double t) {
    return t > knee ? t * t * t : 3.0 * knee * knee * (t - 4.0 / 29.0);
}

double to_display(double linear) {
    const double c = std::clamp(linear, 0.0, 1.0);
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
}

double to_linear(double display) {
    return display <= 0.04045 ? display / 12.92 : std::pow((display + 0.055) / 1.055, 2.4);
}

Rgb to_rgb(const Lab& lab) {
    const double y = (lab.l + 16.0) / 116.0;
    const double cx = white[0] * uncube(y + lab.a / 500.0), cy = uncube(y), cz = white[2] * uncube(y - lab.b / 200.0);
    return {to_display(3.2406 * cx - 1.5372 * cy - 0.4986 * cz), to_display(-0.9689 * cx + 1.8758 * cy + 0.0415 * cz),
            to_display(0.0557 * cx - 0.2040 * cy + 1.0570 * cz)};
}

}  // namespace

double lightness(const Rgb& colour) {
    double y = 0.0;
    for (std::size_t c = 0; c < 3; ++c) y += luminance[c] * to_linear(colour[c]);
    return y > knee * knee * knee ? 116.0 * std::cbrt(y) - 16.0 : y / (knee * knee * knee) * 8.0;
}

// Along the curve by its length: steps of the spline itself are not equally long.
ColourMap::ColourMap() : m_table{} {
    constexpr int pieces = 2000;
    std::array<double, pieces + 1> length{};
    Lab before = lab_at(0.0);
    for (std::size_t i = 1; i <= pieces; ++i) {
        const Lab now = lab_at(static_cast<double>(i) / pieces);
        length[i] = length[i - 1] + std::hypot(now.l - before.l, now.a - before.a, now.b - before.b);
        before = now;
    }
    std::size_t i = 0;
    for (std::size_t k = 0; k < m_table.size(); ++k) {
        const double wanted = length.back() * static_cast<double>(k) / (size - 1);
        while (i + 1 < pieces && length[i + 1] < wanted) ++i;
        const double part = (wanted - length[i]) / (length[i + 1] - length[i]);
        m_table[k] = to_rgb(lab_at(std::min(1.0, (static_cast<double>(i) + part) / pieces)));
    }
}

Rgb ColourMap::at(double share) const {
    const double x = std::clamp(share, 0.0, 1.0) * (size - 1);
    const auto i = std::min(static_cast<std::size_t>(x), m_table.size() - 2);
    const double u = x - static_cast<double>(i);
    Rgb colour{};
    for (std::size_t c = 0; c < 3; ++c) colour[c] = (1.0 - u) * m_table[i][c] + u * m_table[i + 1][c];
    return colour;
}

std::vector<std::uint8_t> ColourMap::texels() const {
    std::vector<std::uint8_t> bytes;
    for (const Rgb& colour : m_table) {
        for (const double c : colour) bytes.push_back(static_cast<std::uint8_t>(std::lround(255.0 * c)));
        bytes.push_back(255);
    }
    return bytes;
}

}  // namespace plica::render
