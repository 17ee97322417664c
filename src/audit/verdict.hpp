#pragma once
#include <cstdint>
#include <string>

#include "collision/surface.hpp"

// What the audits of a run and of a trajectory have in common, so that their numbers mean the same.
namespace plica::audit {

// The audit fails at a pass-through, when two triangles of closed bodies intersect, or when two bodies are deeper in
// each other than this share of half their radii' sum.
inline constexpr double deepest_allowed = 0.5;
inline constexpr double settled_seconds = 2.0;  // at the end

// Of the segments, those in the anatomy's root zone.
double compute_exempt_share(const Surface& surface);

// One line. intersections: the most at one look.
std::string describe_failure(std::int64_t pass_throughs, double worst, std::int64_t intersections);

}  // namespace plica::audit
