#include "scene/anatomy/rope.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "scene/anatomy/clearance.hpp"
#include "scene/anatomy/limits.hpp"

namespace plica {
namespace {

constexpr double shortest_rope = 1e-6, longest_rope = 1e3;  // m

void check_size(std::vector<std::string>& problems, const char* name, double value, double least) {
    if (value >= least && value <= longest_rope) return;
    const double nearest = value > longest_rope ? longest_rope : least;
    problems.push_back(std::string(name) + " is " + number(value) + " m: it must be a finite size from " +
                       number(least) + " to " + number(longest_rope) +
                       " m; nearest feasible value: " + number(nearest));
}

double rise(const RopeParameters& p) {
    return p.coil_pitch / (2.0 * std::numbers::pi);
}  // m per rad

// Angle between neighbouring nodes: 4 a^2 sin^2(x/2) + (c x / 2 pi)^2 = chord^2, increasing for x in [0, pi].
double coil_angle(const RopeParameters& p) {
    const double chord = p.length / p.segments;
    double lo = 0.0, hi = std::numbers::pi;
    for (int i = 0; i < 200; ++i) {
        const double x = (lo + hi) / 2.0;
        if (elementary::hypot(2.0 * p.coil_radius * elementary::sin(x / 2.0), rise(p) * x) < chord)
            lo = x;
        else
            hi = x;
    }
    return (lo + hi) / 2.0;
}

Vec3 coil_point(const RopeParameters& p, double angle) {
    return p.from +
           Vec3{p.coil_radius * elementary::cos(angle), p.coil_radius * elementary::sin(angle), rise(p) * angle};
}

// Smallest distance of segments that may touch. A helix is its own screw motion: the first segment stands for all.
double coil_clearance(const RopeParameters& p) {
    const double angle = coil_angle(p);
    const int beyond = excluded_columns(p.radius, p.length / p.segments) + 1;
    const int last = std::min(p.segments - 1, static_cast<int>(std::min(1e9, 8.0 * std::numbers::pi / angle)) + beyond);
    double least = std::numeric_limits<double>::infinity();
    const Vec3 a0 = coil_point(p, 0.0), a1 = coil_point(p, angle);
    for (int j = beyond; j <= last; ++j) {
        least =
            std::min(least, segment_segment_distance(a0, a1, coil_point(p, angle * j), coil_point(p, angle * (j + 1))));
    }
    return least;
}

std::string explain_turns(RopeParameters p) {
    std::string text = "coil_pitch is " + number(p.coil_pitch) + " m: the turns of a tube of radius " +
                       number(p.radius) + " m would overlap; ";
    double low = p.coil_pitch, high = std::max(p.coil_pitch, 2.0 * p.radius);
    for (p.coil_pitch = high; coil_clearance(p) < 2.0 * p.radius && high < longest_rope; p.coil_pitch = high)
        high *= 1.5;
    for (int i = 0; i < 40; ++i) {
        p.coil_pitch = (low + high) / 2.0;
        if (coil_clearance(p) < 2.0 * p.radius)
            low = p.coil_pitch;
        else
            high = p.coil_pitch;
    }
    return text + "nearest feasible value: " + number(rounded(high, Rounding::up)) + " m";
}

void check_coil(std::vector<std::string>& problems, const RopeParameters& p) {
    const double chord = p.length / p.segments;
    const double least = std::max(1.05 * p.radius, chord / 2.0);
    if (p.coil_radius < least) {
        problems.push_back("coil_radius is " + number(p.coil_radius) + " m: " +
                           (least > chord / 2.0 ? "the tube would bend tighter than its own radius"
                                                : "segments of " + number(chord) + " m are longer than its diameter") +
                           "; nearest feasible value: " + number(rounded(least, Rounding::up)) + " m");
        return;
    }
    if (coil_clearance(p) < 2.0 * p.radius) problems.push_back(explain_turns(p));
}

}  // namespace

std::vector<Vec3> coil_nodes(const RopeParameters& p) {
    const double angle = coil_angle(p);
    std::vector<Vec3> nodes;
    for (int j = 0; j <= p.segments; ++j) nodes.push_back(coil_point(p, angle * j));
    return nodes;
}

std::vector<std::string> check_rope(const RopeParameters& p) {
    std::vector<std::string> problems;
    check_size(problems, "length", p.length, shortest_rope);
    check_size(problems, "radius", p.radius, shortest_rope);
    if (p.segments < 1 || p.segments > most_segments) {
        problems.push_back("segments is " + std::to_string(p.segments) + ": it must be from 1 to " +
                           std::to_string(most_segments) +
                           "; nearest feasible value: " + std::to_string(std::clamp(p.segments, 1, most_segments)));
    }
    if (!is_finite(p.from) || norm(p.from) > longest_rope) {
        problems.push_back("from must be a finite point within " + number(longest_rope) +
                           " m of the origin; nearest feasible value: 0 0 0");
    }
    const bool coil = p.layout == "coil";
    if (!coil && p.layout != "line") problems.push_back("layout is '" + p.layout + "': it must be line or coil");
    if (!coil && !(is_finite(p.direction) && norm(p.direction) > 1e-100 && norm(p.direction) < 1e100)) {
        problems.push_back("direction has no direction: it must be a finite vector that is not zero, such as 1 0 0");
    }
    if (coil) {
        check_size(problems, "coil_radius", p.coil_radius, shortest_rope);
        check_size(problems, "coil_pitch", p.coil_pitch, 0.0);
    }
    if (coil && problems.empty()) check_coil(problems, p);
    return problems;
}

std::vector<Vec3> build_rope(const RopeParameters& p) {
    const std::vector<std::string> problems = check_rope(p);
    if (!problems.empty()) {
        std::string text = "the rope cannot be built";
        for (const std::string& problem : problems) text += "\n  " + problem;
        throw Error(text);
    }
    if (p.layout == "coil") return coil_nodes(p);
    std::vector<Vec3> nodes;
    const Vec3 along = normalized(p.direction);
    for (int j = 0; j <= p.segments; ++j) nodes.push_back(p.from + along * (p.length * j / p.segments));
    return nodes;
}

}  // namespace plica
