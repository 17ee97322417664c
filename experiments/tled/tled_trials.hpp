#pragma once
#include "experiments/tled/specimen.hpp"

// Experiments on solid organs whose outcome is known from theory. Tests and `plica reproduce` share them.
namespace plica::experiments {

// A block drawn along x, its sides free.
struct Stretching {
    double force = 0.0;    // N
    double lateral = 1.0;  // stretch across
};
Stretching stretch_block(tled::ElementKind kind, const tled::Material& material, double stretch, bool exact);
// The same from the scalar equation, for a block of 0.1 m; neo-Hookean.
Stretching solve_stretching(const tled::Material& material, double stretch);

// Tip of a bar, 5 times as long as wide, held at one end, bent by a small load at the other, over that of Timoshenko's
// beam.
double find_tip_ratio(tled::ElementKind kind, double poisson, int across);

// A free block of 8 x 4 x 4 cells, nu = 0.49, let go when bent and stretched, steps of `share` of the longest stable.
struct Vibration {
    double deviation = 0.0;  // of the energy, largest, over the first
    double drift = 0.0;      // of its mean, from the first tenth of the time to the last
    double momentum = 0.0;   // of a thrown one: change of linear momentum over it, largest
    double angular = 0.0;    // the same of angular momentum
};
Vibration vibrate_block(tled::ElementKind kind, double share, double seconds, bool exact, bool thrown = false);

// Metres that a free block falls in 0.2 s under 1 m/s^2, in a world with this step. A first step that takes the start's
// velocity for that of half a step earlier, as `late` does, falls too far (that one outside of a world).
double fall_freely(double dt, bool exact);
double fall_freely_late(double dt);

// Stress of a stretched block over the instantaneous one after each of so many steps, in theory and as it is.
struct Fading {
    double time = 0.0, theory = 1.0, ours = 1.0;
};
std::vector<Fading> watch_stress_fade(tled::ElementKind kind, double h, int steps, bool exact);

}  // namespace plica::experiments
