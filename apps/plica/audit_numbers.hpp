#pragma once
#include <cstdint>
#include <vector>

#include "collision/surface.hpp"

// What the audits of a run and of a trajectory have in common, so that their numbers mean the same.
namespace plica::app {

// The audit fails at a pass-through, when two triangles of closed bodies intersect, or when two bodies are deeper in
// each other than this share of half their radii' sum.
inline constexpr double deepest_allowed = 0.5;
inline constexpr double settled_seconds = 2.0;  // at the end

double percentile(std::vector<double> values, double share);  // 0 for none, as the next two
double largest(const std::vector<double>& values);
double mean(const std::vector<double>& values);

// Of the segments, those in the anatomy's root zone.
double compute_exempt_share(const Surface& surface);

// One line on standard error. intersections: the most at one look.
void print_audit_failure(std::int64_t pass_throughs, double worst, std::int64_t intersections);

}  // namespace plica::app
