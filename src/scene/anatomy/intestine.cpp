#include "scene/anatomy/intestine.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "scene/anatomy/clearance.hpp"
#include "scene/anatomy/limits.hpp"

namespace plica {
namespace {

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

// Number of gut nodes from one end (0: first, 1: last) in the root zone; none: the overlap goes on into the folds.
std::optional<int> root_zone(const IntestineGeometry& g, const IntestineParameters& p, const GutClearance& clearance,
                             std::size_t end) {
    const int nodes = g.gut_nodes, segments = nodes - 1;
    int count = 0;
    while (count < g.lead_nodes[end]) {
        const Vec3& x = g.nodes[index(end == 0 ? count : segments - count)];
        const double r = g.radius[end == 0 ? 0 : g.radius.size() - 1];
        const double beyond = std::max(0.0, std::abs(x.z) - p.root_length / 2.0);
        if (elementary::hypot(elementary::hypot(x.x, x.y), beyond) >= 3.0 * (r + p.half_thickness)) break;
        ++count;
    }
    // Segments between two nodes of the zone are exempt, so the others begin at the zone's last node.
    const int inside = std::max(0, count - 1), middle = segments / 2;
    const int last =
        end == 0 ? clearance.last_overlap(inside, middle) : clearance.first_overlap(middle, segments - inside);
    if (last >= 0) count = end == 0 ? last + 2 : segments - last + 1;
    if (count > g.lead_nodes[end] + 1) return std::nullopt;
    return count;
}

bool find_root_zone(IntestineGeometry& g, const IntestineParameters& p, const GutClearance& clearance) {
    if (!p.mesentery) return true;
    if (!p.zero_width_ends) return !clearance.mesentery_overlaps(0, g.gut_nodes - 1);
    const std::optional<int> first = root_zone(g, p, clearance, 0), last = root_zone(g, p, clearance, 1);
    if (!first || !last || *first + *last >= g.gut_nodes) return false;
    for (int j = 0; j < *first; ++j) g.exempt.push_back(j);
    for (int j = g.gut_nodes - *last; j < g.gut_nodes; ++j) g.exempt.push_back(j);
    return true;
}

// Most passes that fit around the cylinder and for which the gut is long enough; 0: not even one.
int most_passes(const IntestineParameters& p, MeanderShape shape) {
    const double around = 2.0 * std::numbers::pi * p.cylinder_radius / (shape.turn_width + shape.slant);
    const double along = 2.0 * p.length / shape.pass_length + 2.0;
    const int step = p.zero_width_ends ? 2 : 1;  // an odd number enters at the bottom and leaves at the top
    const auto fits = [&](int steps) {
        shape.passes = 1 + steps * step;
        return leftover(shape, p.segments, p.length / p.segments) <= 1e-13 * p.length;
    };
    int most = (std::max(1, static_cast<int>(std::min(around, along))) - 1) / step;
    if (fits(most)) return 1 + most * step;
    if (!fits(0)) return 0;
    int least = 0;
    while (most - least > 1) {
        const int middle = (least + most) / 2;
        if (fits(middle))
            least = middle;
        else
            most = middle;
    }
    return 1 + least * step;
}

struct Attempt {
    std::optional<IntestineGeometry> geometry;
    enum class Reason { none, too_short, too_coarse, too_high, overlap } reason = Reason::none;
    double height = 0.0;  // m
};

Attempt attempt(const IntestineParameters& p, MeanderShape shape) {
    const std::optional<MeanderShape> fitted = fit_pass_length(shape, p.segments, p.length / p.segments);
    if (!fitted) return {std::nullopt, Attempt::Reason::too_coarse};
    const double height = MeanderCurve(*fitted).band_extent() + 2.0 * most_radius(p);
    if (p.max_height > 0.0 && height > p.max_height) return {std::nullopt, Attempt::Reason::too_high, height};
    IntestineGeometry geometry = assemble_intestine(p, *fitted);
    const GutClearance clearance(geometry, p.half_thickness);
    if (clearance.gut_overlaps() || !find_root_zone(geometry, p, clearance)) {
        return {std::nullopt, Attempt::Reason::overlap, height};
    }
    return {std::move(geometry), Attempt::Reason::none, height};
}

// The most passes make the lowest band. Where it overlaps, longer and fewer passes are tried.
Attempt construct_at_pitch(const IntestineParameters& p) {
    MeanderShape shape = meander_shape(p);
    shape.passes = most_passes(p, shape);
    if (shape.passes == 0) return {std::nullopt, Attempt::Reason::too_short};
    Attempt first = attempt(p, shape);
    const int step = p.zero_width_ends ? 2 : 1;
    for (int k = 0; k < 4 && !first.geometry && shape.passes > step; ++k) {
        if (first.reason == Attempt::Reason::too_high) break;
        shape.passes -= step;
        Attempt next = attempt(p, shape);
        if (next.geometry) return next;
    }
    return first;
}

// Segments much longer than the tube is wide cut the turns at a slant and come close to the next fold: such a chain,
// possible without mesentery only, gets wider folds.
Attempt construct(const IntestineParameters& p) {
    Attempt first = construct_at_pitch(p);
    const bool hopeless = first.reason == Attempt::Reason::too_short || first.reason == Attempt::Reason::too_high;
    if (first.geometry || p.mesentery || hopeless) return first;
    for (const double wider : {1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0}) {
        IntestineParameters candidate = p;
        candidate.pitch_ratio *= wider;
        if (!intestine_limits(candidate).empty()) break;
        Attempt next = construct_at_pitch(candidate);
        if (next.geometry) return next;
        if (next.reason == Attempt::Reason::too_high) break;  // wider folds are higher still
    }
    return first;
}

// Bisection for the value in [good, bad] nearest to bad at which `feasible` holds; none if not even at good.
template <class F>
std::optional<double> nearest_feasible(F feasible, double good, double bad) {
    if (!feasible(good)) return std::nullopt;
    for (int i = 0; i < 12; ++i) {
        const double middle = std::sqrt(good * bad);
        if (feasible(middle))
            good = middle;
        else
            bad = middle;
    }
    const double value = rounded(good, bad > good ? Rounding::down : Rounding::up);
    return feasible(value) ? value : good;
}

// The same gut with another tube radius at the wider end, and a fair number of segments for it.
IntestineParameters with_radius(IntestineParameters p, double radius) {
    const double factor = radius / most_radius(p);
    p.radius_start *= factor;
    p.radius_end *= factor;
    // Finer than the least: coarse chords cut the turns, which makes the passes longer and the band higher.
    const int finer = 4 * std::min(fewest_segments(p), most_segments);
    p.segments = std::min(std::max(std::min(p.segments, 1000), finer), most_segments);
    return p;
}

std::string explain_height(const IntestineParameters& p, double height) {
    const auto feasible = [&](double radius) {
        const IntestineParameters candidate = with_radius(p, radius);
        return intestine_limits(candidate).empty() && construct(candidate).geometry.has_value();
    };
    std::string text = "max_height is " + number(p.max_height) + " m: the folds of a gut of " + number(p.length) +
                       " m and radius " + number(most_radius(p)) + " m on a cylinder of radius " +
                       number(p.cylinder_radius) + " m need a height of " + number(rounded(height, Rounding::up)) +
                       " m";
    std::optional<double> radius;
    for (double start = 0.8; start > 0.05 && !radius; start *= 0.8) {
        if (feasible(start * most_radius(p))) {
            radius = nearest_feasible(feasible, start * most_radius(p), start / 0.8 * most_radius(p));
        }
    }
    if (!radius) return text;
    return text + "; a radius of " + number(*radius) + " m (with " + std::to_string(with_radius(p, *radius).segments) +
           " segments) would fit";
}

std::string explain_length(const IntestineParameters& p) {
    // A chord is never longer than its arc: the shortest curve's own length is enough.
    const double shortest = MeanderCurve(meander_shape(p)).length();
    return "length is " + number(p.length) + " m: too short for " +
           (p.zero_width_ends ? "the two leads from the root to the cylinder" : "a single pass") +
           "; nearest feasible value: " + number(rounded(shortest, Rounding::up)) + " m";
}

// Changes one value step by step until the parameters can be built, at most `tries` times.
template <class Change>
std::optional<IntestineParameters> change_until_feasible(IntestineParameters p, int tries, Change change) {
    for (int k = 0; k < tries; ++k) {
        change(p);
        if (!intestine_limits(p).empty()) continue;
        if (construct(p).geometry) return p;
    }
    return std::nullopt;
}

std::string explain_overlap(const IntestineParameters& p) {
    const std::string text = "the folds or their mesentery overlap with pitch_ratio " + number(p.pitch_ratio) +
                             " and " + std::to_string(p.segments) + " segments";
    // Fine chains take long to build, so they get fewer and larger steps.
    const int tries = std::clamp(40000 / p.segments, 4, 24);
    const double step = tries < 10 ? 1.5 : 1.1;
    if (!p.mesentery) {  // then the chain was too coarse for its folds
        const auto finer = change_until_feasible(
            p, 4, [&](IntestineParameters& c) { c.segments = static_cast<int>(std::ceil(1.25 * c.segments)); });
        if (finer) return text + "; nearest feasible segments: " + std::to_string(finer->segments);
    }
    const auto wider = change_until_feasible(
        p, tries, [&](IntestineParameters& c) { c.cylinder_radius = rounded(step * c.cylinder_radius, Rounding::up); });
    if (wider) return text + "; nearest feasible cylinder_radius: " + number(wider->cylinder_radius) + " m";
    return text + "; a larger cylinder_radius makes room";
}

// A cylinder that is too small for the tube's bends may have to be larger still for the folds: the value that is named
// must work.
void improve_suggestion(const IntestineParameters& p, std::string& problem) {
    const std::string words = "nearest feasible value: ";
    const std::size_t at = problem.find(words);
    if (problem.rfind("cylinder_radius is", 0) != 0 || at == std::string::npos) return;
    IntestineParameters first = p;
    first.cylinder_radius = std::stod(problem.substr(at + words.size()));
    if (intestine_limits(first).empty() && construct(first).geometry) return;
    const auto wider = change_until_feasible(
        first, 24, [](IntestineParameters& c) { c.cylinder_radius = rounded(1.1 * c.cylinder_radius, Rounding::up); });
    if (wider) problem = problem.substr(0, at) + words + number(wider->cylinder_radius) + " m";
}

std::vector<std::string> problems_of(const IntestineParameters& p, Attempt& result) {
    std::vector<std::string> problems = intestine_limits(p);
    if (problems.size() == 1) improve_suggestion(p, problems[0]);
    if (!problems.empty()) return problems;
    result = construct(p);
    if (result.geometry) return problems;
    if (result.reason == Attempt::Reason::too_short) return {explain_length(p)};
    if (result.reason == Attempt::Reason::too_high) return {explain_height(p, result.height)};
    return {explain_overlap(p)};
}

}  // namespace

IntestineGeometry build_intestine(const IntestineParameters& parameters) {
    Attempt result;
    const std::vector<std::string> problems = problems_of(parameters, result);
    if (problems.empty() && result.geometry) return std::move(*result.geometry);
    std::string text = "the intestine cannot be built";
    for (const std::string& problem : problems) text += "\n  " + problem;
    throw Error(text);
}

std::vector<std::string> check_intestine(const IntestineParameters& parameters) {
    Attempt result;
    return problems_of(parameters, result);
}

}  // namespace plica
