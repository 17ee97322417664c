#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/shapes.hpp"
#include "geometry/wall.hpp"
#include "render/organ_look.hpp"

namespace plica::render {

// What there is to draw, in terms of nodes: it does not change while a scene runs. Positions come with each frame.

// A chain of nodes with a round section.
struct Tube {
    std::vector<std::int32_t> nodes;
    std::vector<double> radius;  // m, per node
};

// A thin surface.
struct Sheet {
    std::vector<std::int32_t> nodes;                     // of the world
    std::vector<std::array<std::int32_t, 3>> triangles;  // of places in `nodes`
    std::vector<std::array<float, 2>> place;             // m, per node: along the organ it hangs on, from its root
    double root_length = 0.0;                            // m
    double width = 0.0;                                  // m, from root to organ
    double half_thickness = 0.0;                         // m
};

// A solid or rigid body, the boundary of a volume, counterclockwise seen from outside; or a surface with its own
// tissue.
struct Organ {
    std::string name;                                    // of its body
    std::vector<std::int32_t> nodes;                     // of the world, those on the boundary
    std::vector<std::array<std::int32_t, 3>> triangles;  // of places in `nodes`
    std::vector<Vec3> rest;                              // m, per node: what colours and creases stick to
    Look look = Look::liver;  // what it is: a tissue, bone (rigid, stands) or steel (rigid, a tool moves it)
    std::int32_t tool = -1;   // that moves it
    bool open = false;        // has a rim, so that its other side may be seen
};

struct DrawnTool {
    std::string name;
    ToolKind kind = ToolKind::grab;
    double radius = 0.0;     // m, sphere
    double max_force = 0.0;  // N
    std::int32_t node = -1;  // the sphere's own
};

struct Drawing {
    std::vector<Tube> tubes;
    std::vector<Sheet> sheets;
    std::vector<Organ> organs;
    std::vector<Wall> walls;
    std::vector<DrawnTool> tools;
    std::size_t nodes = 0;
};

Drawing make_drawing(const Shapes& shapes);

}  // namespace plica::render
