#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "scene/anatomy/intestine.hpp"

namespace plica {

// A value as it appears in a message; up and down keep a suggested value on the feasible side when it is rounded.
enum class Rounding { nearest, up, down };
double rounded(double value, Rounding rounding);
std::string number(double value);

inline double least_radius(const IntestineParameters& p) {
    return std::min(p.radius_start, p.radius_end);
}
inline double most_radius(const IntestineParameters& p) {
    return std::max(p.radius_start, p.radius_end);
}

// Fewest segments with which the chain still follows its turns.
int fewest_segments(const IntestineParameters& parameters);

// What can be said about the parameters without building anything.
std::vector<std::string> intestine_limits(const IntestineParameters& parameters);

constexpr int most_segments = 10000;

}  // namespace plica
