#pragma once
#include <array>
#include <vector>

#include "engine/world.hpp"

// Experiments on solids that touch, whose outcome is known from theory. Tests and `plica reproduce` share them.
namespace plica::experiments {

// Two free blocks of 0.05 m, 3 and 4 cells an edge, the first thrown at the second, which is so many times as dense.
struct Meeting {
    bool valid = true;
    double momentum = 0.0;                                            // change over the first, largest
    double angular = 0.0;                                             // change over momentum x 0.05 m, largest
    double least_energy = 1.0, most_energy = 1.0, last_energy = 1.0;  // over the first
    double penetration = 0.0;                  // m, into each other's thickness, largest at the end of a frame
    double thickness = 0.0;                    // m, of the two surfaces together
    double contacts = 0.0;                     // pairs under load, most
    double passes = 0.0;                       // a substep, mean
    std::int64_t held = 0;                     // nodes, by certify
    double edge = 0.0;                         // m, mean, of the surfaces
    std::vector<std::array<double, 3>> track;  // s, momentum and energy over the first
};
Meeting meet_blocks(ResponseKind response, double density_ratio, int frames = 200,
                    NormalKind normals = NormalKind::rounded);

// A block of 6 x 6 cells on one of 4 x 4, 0.1 x 0.1 x 0.05 m each, side walls that slide, pressed together until each
// is 5 % shorter: in theory every stress and every strain is the same everywhere. Edges of the two lie above each
// other; rounded, they roll off when pressed: a stiffness of minus force over thickness, which blocks this coarse bear
// from about 2 mm on.
struct Patch {
    bool valid = true;
    double force = 0.0;                      // N, on the support, mean over the last 0.5 s
    double force_error = 0.0;                // over the theory's, signed
    double nodal_error = 0.0;                // of the applied displacement, largest
    double mean_error = 0.0;                 // the same, root of the mean square
    double speed = 0.0;                      // m/s, of the fastest node at the end
    double penetration = 0.0;                // m, into each other's thickness, at the ends of frames of the last 0.5 s
    double passes = 0.0, most_passes = 0.0;  // a substep, mean and of the worst frame
    std::int64_t held = 0;
    std::vector<std::array<Vec3, 2>> nodes;  // at the end: where it is, where it should be
};
Patch press_patch(ResponseKind response, double thickness = 0.006, double seconds = 3.0,
                  NormalKind normals = NormalKind::rounded);

// How deep the corners, edges and triangles of solids are in each other's thickness, m: of all pairs, by brute force.
double find_penetration(const World& world);
// Mean edge of the triangles that contact knows, m.
double mean_edge(const Model& model);

}  // namespace plica::experiments
