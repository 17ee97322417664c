#include "render/stroke_font.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace plica::render {
namespace {

// Lines of a glyph, apart by |: points of two digits, x and y. Letters stand on y = 2, small ones reach 7, capitals 9,
// tails 0. A line that begins with ~ is a smooth curve through its points, with o a closed one.
struct Glyph {
    char character;
    int width;
    std::string_view lines;
};

constexpr auto glyphs = std::to_array<Glyph>({{'0', 4, "o19 39 48 43 32 12 03 08"},
                                              {'1', 3, "07 29 22"},
                                              {'2', 4, "~08 19 39 48 46 02|02 42"},
                                              {'3', 4, "~08 19 39 48 47 36 26|~26 36 45 43 32 12 03"},
                                              {'4', 4, "39 04 44|39 32"},
                                              {'5', 4, "49 19 06|~06 17 37 46 43 32 12 03"},
                                              {'6', 4, "~39 17 04|o16 36 45 43 32 12 03 05"},
                                              {'7', 4, "09 49 12"},
                                              {'8', 4, "o19 39 48 47 36 16 07 08|o16 36 45 43 32 12 03 05"},
                                              {'9', 4, "o19 39 48 46 35 15 06 08|~47 34 12"},
                                              {'.', 0, "02 02"},
                                              {',', 1, "12 01"},
                                              {'-', 3, "05 35"},
                                              {'/', 4, "01 49"},
                                              {'J', 4, "49 44|~44 43 32 12 03"},
                                              {'M', 6, "02 09 34 69 62"},
                                              {'P', 4, "02 09 29|~29 39 48 46 35 25|25 05"},
                                              {'a', 4, "~06 17 37 46 42|~45 15 04 03 12 32 43"},
                                              {'c', 4, "~46 37 17 06 03 12 32 43"},
                                              {'d', 4, "49 42|o17 37 46 43 32 12 03 06"},
                                              {'e', 4, "05 45|~45 46 37 17 06 03 12 32 43"},
                                              {'g', 4, "o17 37 46 43 32 12 03 06|47 42|~43 41 30 10 01"},
                                              {'h', 4, "09 02|~05 17 37 46 42"},
                                              {'i', 0, "07 02|09 09"},
                                              {'k', 3, "09 02|37 04|15 32"},
                                              {'l', 0, "09 02"},
                                              {'m', 6, "07 02|~05 17 27 36 32|~35 47 57 66 62"},
                                              {'n', 4, "07 02|~05 17 37 46 42"},
                                              {'o', 4, "o27 45 44 22 04 05"},
                                              {'p', 4, "07 00|o17 37 46 43 32 12 03 06"},
                                              {'r', 3, "07 02|~04 16 37"},
                                              {'s', 4, "~46 37 17 06 15 34 43 32 12 03"},
                                              {'t', 3, "19 13|~13 22 32|07 37"},
                                              {'u', 4, "~07 03 12 32 44|47 42"},
                                              {'v', 4, "07 22 47"},
                                              {'x', 4, "07 42|02 47"},
                                              {'y', 4, "07 22|47 00"},
                                              {'b', 4, "09 02|o17 37 46 43 32 12 03 06"},
                                              {'f', 3, "~39 28 17 12|07 37"},
                                              {'j', 2, "~27 21 10 00|29 29"},
                                              {'q', 4, "47 40|o17 37 46 43 32 12 03 06"},
                                              {'w', 6, "07 12 37 52 67"},
                                              {'z', 4, "07 47 02 42"},
                                              {'_', 4, "02 42"},
                                              {' ', 2, ""}});

constexpr double base_line = 2.0, capital_height = 7.0, gap = 1.9;  // in units of a glyph
constexpr int curve_pieces = 6;                                     // of a curve between two of its points

// A capital that there is none of is a small letter, anything else a space.
const Glyph& find_glyph(char c) {
    const auto* found = std::find_if(glyphs.begin(), glyphs.end(), [&](const Glyph& g) { return g.character == c; });
    if (found != glyphs.end()) return *found;
    return c >= 'A' && c <= 'Z' ? find_glyph(static_cast<char>(c - 'A' + 'a')) : glyphs.back();
}

struct StrokePoint {
    double x, y;
};

// A place on a cardinal spline.
StrokePoint between(const StrokePoint& a, const StrokePoint& b, const StrokePoint& c, const StrokePoint& d, double u) {
    const auto mix = [u](double p, double q, double r, double s) {
        const double from = 0.5 * (r - p), to = 0.5 * (s - q);
        return q + u * (from + u * (3.0 * (r - q) - 2.0 * from - to + u * (from + to - 2.0 * (r - q))));
    };
    return {mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y)};
}

std::vector<StrokePoint> read_line(std::string_view line) {
    const char kind = line[0];
    if (kind == '~' || kind == 'o') line.remove_prefix(1);
    std::vector<StrokePoint> points;
    for (std::size_t i = 0; i + 1 < line.size(); i += 3) {
        points.push_back({static_cast<double>(line[i] - '0'), line[i + 1] - '0' - base_line});
    }
    if (kind != '~' && kind != 'o') return points;
    const bool closed = kind == 'o';
    const auto count = static_cast<int>(points.size());
    const auto at = [&](int i) {
        return points[static_cast<std::size_t>(closed ? (i + count) % count : std::clamp(i, 0, count - 1))];
    };
    std::vector<StrokePoint> curve{points.front()};
    for (int i = 0; i < (closed ? count : count - 1); ++i) {
        for (int k = 1; k <= curve_pieces; ++k) {
            curve.push_back(between(at(i - 1), at(i), at(i + 1), at(i + 2), static_cast<double>(k) / curve_pieces));
        }
    }
    return curve;
}

}  // namespace

bool has_glyph(char c) {
    return find_glyph(c).character == c;
}

double text_width(std::string_view text, double capital) {
    double units = text.empty() ? 0.0 : -gap;
    for (const char c : text) units += find_glyph(c).width + gap;
    return units * capital / capital_height;
}

void write_text(std::string_view text, double x, double y, double capital, std::vector<Stroke>& strokes) {
    const double unit = capital / capital_height;
    for (const char c : text) {
        const Glyph& glyph = find_glyph(c);
        std::string_view rest = glyph.lines;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('|'), rest.size());
            const std::vector<StrokePoint> points = read_line(rest.substr(0, end));
            for (std::size_t i = 0; i + 1 < points.size(); ++i) {
                strokes.push_back(
                    {static_cast<float>(x + unit * points[i].x), static_cast<float>(y + unit * points[i].y),
                     static_cast<float>(x + unit * points[i + 1].x), static_cast<float>(y + unit * points[i + 1].y)});
            }
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        x += unit * (glyph.width + gap);
    }
}

}  // namespace plica::render
