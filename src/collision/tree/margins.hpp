#pragma once
#include <numbers>

// Margins and tolerances of the bounding volume hierarchy.
namespace plica {

// rad. Two cones cannot meet while no two of their directions are this far apart. By the lemma it is pi; what is left
// up to there is for normals that neighbours know only to within normal_tolerance, on both sides, and for the way of a
// turning rigid triangle, which is straight (2.5 mrad).
inline constexpr double cone_limit = 0.93 * std::numbers::pi;
inline constexpr double normal_tolerance = 0.1;
// rad: how far normals turn before a refit, or rigid bodies before a new search.
inline constexpr double turn_margin = 0.1;
// rad: a patch whose normals turn before its corners leave their margins is granted more, up to this.
inline constexpr double most_turn_margin = 0.6;
// rad: a leaf's cone is this much wider than its fan, so that small turns leave it as it is.
inline constexpr double cone_margin = 0.1;
// m: more than rounding ever moves a point.
inline constexpr double rounding = 1e-12;
// m: nothing moves this far in a step; such a step is not worth remembering.
inline constexpr double absurd = 1e6;

}  // namespace plica
