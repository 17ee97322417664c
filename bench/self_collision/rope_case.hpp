#pragma once
#include <string>
#include <vector>

#include "collision/surface.hpp"
#include "geometry/vec3.hpp"

// One rope dropped into one bowl: what every program that takes part is told, and nothing else.
namespace plica::bench {

struct RopeCase {
    double radius = 0.0;           // m
    double mass_per_length = 0.0;  // kg/m
    Vec3 gravity;                  // m/s^2
    double drag = 0.0;             // 1/s
    double friction = 0.0;
    double bowl_radius = 0.0;  // m
    Vec3 bowl_center;
    double margin = 0.0;  // m, of each node: detectors find pairs with a gap of at most two of them
    double seconds = 0.0;
    int frames_per_second = 30;
    int window = 0;                // detection: frames follow each other in windows of one more than this
    std::vector<Vec3> nodes;       // m, at the start
    std::vector<Vec3> velocities;  // m/s

    [[nodiscard]] int segments() const { return static_cast<int>(nodes.size()) - 1; }
    [[nodiscard]] int frames() const;  // after the start
};

// The rope as capsules of one chain, with the neighbours left out that cannot meet: ceil(pi r / h).
Surface rope_surface(const RopeCase& rope);

void write_case(const RopeCase& rope, const std::string& file);
RopeCase read_case(const std::string& file);  // throws Error naming the file

}  // namespace plica::bench
