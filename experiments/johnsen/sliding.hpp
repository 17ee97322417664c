#pragma once
#include <vector>

#include "engine/world.hpp"

// A ball slides over a liver at constant speed, without friction: how evenly does the force on it turn? Spec B12.
namespace plica::experiments {

enum class SlidingBall : std::uint8_t {
    probe,    // a ball on a spring, over a liver that is rigid: the force is as long as the spring wants it and has the
              // direction of the row's normal
    pressed,  // the same over a soft liver
    mesh      // a rigid ball of 1280 triangles whose way is given, over a soft liver
};

const char* name_of(NormalKind normals);
const char* name_of(SlidingBall ball);

struct SlidingOptions {
    NormalKind normals = NormalKind::rounded;
    SlidingBall ball = SlidingBall::pressed;
    int level = 3;         // 20 4^level triangles
    double seconds = 3.0;  // of sliding
    double radius = 0.01;  // m
    Isa isa = best_isa();
};

struct SlidingStep {
    double along;  // m, of the ball's way
    Vec3 force;    // N, on the ball, mean of the step, unfiltered
    Vec3 normal;   // of the liver's formula below the ball's path
};

struct Slide {
    bool valid = true;
    double turn = 0.0;     // rad: by which the direction of the force changes from step to step, root mean square
    double largest = 0.0;  // rad
    double least = 0.0;    // rad: the rms of a force across the formula's surface
    double ripple = 0.0;   // of the change that is not the formula's, rms
    double off = 0.0;      // rad: angle between the force and that normal, rms
    double force = 0.0;    // N, mean
    double lightest = 0.0, strongest = 0.0;  // N
    double sweeps = 0.0;                     // a substep, mean
    std::int64_t held = 0;                   // nodes, by certify
    std::vector<SlidingStep> steps;
};
Slide slide_ball(const SlidingOptions& options);

}  // namespace plica::experiments
