#include "scene/anatomy/limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "core/elementary.hpp"

namespace plica {
namespace {

constexpr double smallest_size = 1e-6, largest_size = 1e3;  // m
constexpr double least_pitch_ratio = 1.05, most_pitch_ratio = 10.0;
constexpr int most_rows = 32;

void check_size(std::vector<std::string>& problems, const char* name, double value) {
    if (value >= smallest_size && value <= largest_size) return;
    const double nearest = value > largest_size ? largest_size : smallest_size;
    problems.push_back(std::string(name) + " is " + number(value) + " m: it must be a finite size from " +
                       number(smallest_size) + " to " + number(largest_size) +
                       " m; nearest feasible value: " + number(nearest));
}

void check_whole(std::vector<std::string>& problems, const char* name, int value, int least, int most) {
    if (value >= least && value <= most) return;
    problems.push_back(std::string(name) + " is " + std::to_string(value) + ": it must be from " +
                       std::to_string(least) + " to " + std::to_string(most) +
                       "; nearest feasible value: " + std::to_string(std::clamp(value, least, most)));
}

std::vector<std::string> single_values(const IntestineParameters& p) {
    std::vector<std::string> problems;
    check_size(problems, "length", p.length);
    check_size(problems, "radius", p.radius_start);
    check_size(problems, "radius_end", p.radius_end);
    check_size(problems, "cylinder_radius", p.cylinder_radius);
    check_size(problems, "root_length", p.root_length);
    if (p.mesentery) check_size(problems, "mesentery_thickness", 2.0 * p.half_thickness);
    if (!(p.pitch_ratio >= least_pitch_ratio && p.pitch_ratio <= most_pitch_ratio)) {
        const double nearest = p.pitch_ratio > most_pitch_ratio ? most_pitch_ratio : least_pitch_ratio;
        problems.push_back("pitch_ratio is " + number(p.pitch_ratio) + ": neighbouring folds need a pitch from " +
                           number(least_pitch_ratio) + " to " + number(most_pitch_ratio) +
                           " tube diameters; nearest feasible value: " + number(nearest));
    }
    if (p.max_height != 0.0) check_size(problems, "max_height", p.max_height);
    check_whole(problems, "segments", p.segments, 1, most_segments);
    if (p.mesentery && p.rows != 0) check_whole(problems, "rows", p.rows, 2, most_rows);
    return problems;
}

// Longest segment over the tube's radius. With mesentery 1.02 * 2 r: longer ones cut the turns so much that tube and
// mesentery meet. Without it a chain may be coarser but must still see that there are turns.
double longest_segment(const IntestineParameters& p) {
    return (p.mesentery ? 1.02 * 2.0 : 8.0) * least_radius(p);
}

void check_segment_length(std::vector<std::string>& problems, const IntestineParameters& p) {
    const int fewest = fewest_segments(p);
    if (p.segments >= fewest) return;
    std::string text = "segments is " + std::to_string(p.segments) + ": a segment of " + number(p.length / p.segments) +
                       " m is longer than " + number(longest_segment(p)) +
                       " m and cannot follow the folds of a tube of radius " + number(least_radius(p)) + " m; ";
    if (fewest <= most_segments) {
        text += "nearest feasible value: " + std::to_string(fewest);
    } else {
        text += "even " + std::to_string(most_segments) + " are too few; nearest feasible length: " +
                number(rounded(longest_segment(p) * most_segments, Rounding::down)) + " m";
    }
    problems.push_back(text);
}

// sqrt(1/f^2 + 1/R^2) <= 1/r with f = pitch_ratio r, the curvature of a U-turn's crest on the cylinder; and room for
// the mesentery to converge before it reaches the axis.
void check_cylinder(std::vector<std::string>& problems, const IntestineParameters& p) {
    const double r = most_radius(p);
    double least = r / std::sqrt(1.0 - 1.0 / (p.pitch_ratio * p.pitch_ratio));
    std::string reason = "the turns would bend tighter than the tube's radius";
    least = std::max(least, 2.5 * p.pitch_ratio * r);
    if (p.mesentery && 3.0 * (r + p.half_thickness) > least) {
        least = 3.0 * (r + p.half_thickness);
        reason = "tube and mesentery would meet near the axis";
    }
    if (p.cylinder_radius >= least) return;
    problems.push_back("cylinder_radius is " + number(p.cylinder_radius) + " m: " + reason +
                       "; nearest feasible value: " + number(rounded(least, Rounding::up)) + " m");
}

void check_thickness(std::vector<std::string>& problems, const IntestineParameters& p) {
    const double most = 0.9 * least_radius(p);
    if (!p.mesentery || p.half_thickness <= most) return;
    problems.push_back("mesentery_thickness is " + number(2.0 * p.half_thickness) +
                       " m: between two folds there is no room for so thick a mesentery; nearest feasible value: " +
                       number(rounded(2.0 * most, Rounding::down)) + " m");
}

void check_root(std::vector<std::string>& problems, const IntestineParameters& p) {
    const double least = 2.0 * most_radius(p);
    if (!p.zero_width_ends || p.root_length >= least) return;
    problems.push_back("root_length is " + number(p.root_length) +
                       " m: both ends of the gut start from the root's ends and would overlap; nearest feasible "
                       "value: " +
                       number(rounded(least, Rounding::up)) + " m");
}

}  // namespace

double rounded(double value, Rounding rounding) {
    if (!std::isfinite(value) || value == 0.0) return value;
    const double decade = std::floor(elementary::log(std::abs(value)) / std::numbers::ln10 + 1e-12);
    const double unit = elementary::pow(10.0, decade - 3.0);  // four digits
    const double scaled = value / unit;
    if (rounding == Rounding::up) return std::ceil(scaled - 1e-9) * unit;
    if (rounding == Rounding::down) return std::floor(scaled + 1e-9) * unit;
    return std::round(scaled) * unit;
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

int fewest_segments(const IntestineParameters& p) {
    const double count = std::ceil(p.length / longest_segment(p) * (1.0 - 1e-12));
    return static_cast<int>(std::clamp(count, 1.0, 1e9));
}

std::vector<std::string> intestine_limits(const IntestineParameters& p) {
    std::vector<std::string> problems = single_values(p);
    if (!problems.empty()) return problems;
    check_segment_length(problems, p);
    check_cylinder(problems, p);
    check_thickness(problems, p);
    check_root(problems, p);
    return problems;
}

}  // namespace plica
