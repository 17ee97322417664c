#pragma once
#include "experiments/zhong/heat_body.hpp"

// Trials of heat membranes that both tests and `plica reproduce zhong-*` run.
namespace plica::experiments {

// A load on one node, and where that led.
struct Dimple {
    double depth = 0.0;  // m, along the load
    int nodes = 0;       // that moved by more than 5 % of a half size of 1
    double least_stretch = 1.0, most_stretch = 1.0, volume = 1.0, tension = 0.0;
};
Dimple press(HeatBody& body, const Vec3& place, const Vec3& force, double seconds);

// Zhong 2005, figure 4: a square of 2 m whose rim is fixed; right of x = 0.25 its conductivity is 400 times lower.
// Pulled at its middle by 10 N.
HeatBody make_paper_plane(heat::Mode mode, double contrast_power);
bool conducts_badly(const Vec3& place);
struct PlaneTrial {
    double low = 0.0, normal = 0.0;  // m, mean rise at x = 0.4 and at x = -0.4
    double ratio = 0.0;
};
PlaneTrial measure_plane(const HeatBody& body);
PlaneTrial pull_plane(heat::Mode mode, double contrast_power, double seconds);

// Zhong 2005, figure 5: force at a constant rate (N/s) to 9.9 N on the superquadric's top; mass 1 kg and damping (N
// s/m) per node.
struct LoadCurve {
    std::vector<double> force, depth;  // N, m
    double exponent = 0.0;             // d ln depth / d ln force beyond 4 N
    bool rises = true;                 // monotonically
};
LoadCurve load_slowly(double damping, double rate, heat::Mode mode = heat::Mode::complete);
// A single free particle under the same force: drag and inertia alone.
double null_depth(double damping, double rate, double force);

// A force (N, up) on the superquadric's top for so long by these equations; mass 1 kg and damping 10 N s/m per node:
// where that stands, if it does.
struct Standing {
    double depth = 0.0;          // m, along the force
    double speed = 0.0;          // m/s, of the touched node in the last step
    double least_stretch = 1.0;  // ever
    int nodes = 0;               // that moved by more than 0.05 m
};
Standing press_and_hold(heat::Mode mode, double force, double seconds);
// It rests, and no edge is shorter than a tenth: an equilibrium, not a flight or a collapse.
inline constexpr double held_for = 60.0;                   // s
inline constexpr double at_rest = 1e-3, least_edge = 0.1;  // m/s, L/L0
inline const char* stands_when = "after 60 s the touched node moves by less than 1 mm/s and no edge is below a tenth";
inline bool stands(double speed, double least_stretch) {
    return speed < at_rest && least_stretch > least_edge;
}

// -10 N on the superquadric for 1.2 s by the paper's own equations; mass 1 kg and damping 10 N s/m per node.
struct PaperTrial {
    double place = 0.0;          // m, displacement of the touched node at the end
    double least_stretch = 1.0;  // ever
    double collapse = 0.0;       // s, when an edge first was shorter than a tenth; 0: never
};
PaperTrial run_paper(heat::Mode mode, double h);

// J: work of -3 (1 - cos) N in the sixth cycle; `sign` -1: work of the opposite force over the same motion.
double cycle(double period, double damping, double sign = 1.0);

// Of the nodes, m.
struct Extent {
    Vec3 low, high;
    [[nodiscard]] double half() const;  // of the largest
};
Extent extent_of(const SurfaceMesh& mesh);
// The node furthest up at rest.
std::size_t highest(const HeatBody& body);

// A liver held at its lowest third, pressed by a force (N; < 0: inwards) on the node furthest up. Lengths over its half
// size.
struct LiverTrial : Dimple {
    double left = 0.0;  // of the depth, 30 s after release
};
LiverTrial press_liver(int level, double force, double coupling);
// Depth under 1 N on a Gaussian patch of a fifth of the half size.
double press_liver_patch(int level);

}  // namespace plica::experiments
