#pragma once
#include <array>

#include "tissue/heat/settings.hpp"

// Figure 3 of Zhong 2005 with the damping that is printed under it.
namespace plica::experiments {

inline constexpr double printed_damping = 10.0;  // N s/m per node
inline constexpr double usual_damping = 2.0;     // what the standard settings come to

struct DampingTrial {
    double damping = printed_damping;  // N s/m per node
    double force = -10.0;              // N
    heat::Motion motion = heat::Motion::implicit;
    double step = 0.01;             // s
    double soon = 0.0, late = 0.0;  // m, depth after 15 s and after 60 s
    int nodes = 0;                  // that moved by more than 0.05 m by then
    std::array<double, 3> left{};   // m, most, 20, 40 and 80 s after release
};
// Mass 1 kg per node; `scale` of all times.
DampingTrial run_damping(double damping, double force, heat::Motion motion, double scale);

}  // namespace plica::experiments
