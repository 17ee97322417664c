#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "collision/surface.hpp"
#include "engine/tissue_kind.hpp"
#include "geometry/vec3.hpp"
#include "geometry/wall.hpp"

namespace plica {

// A contiguous range of nodes with a name.
struct Body {
    std::string name;
    TissueKind tissue = TissueKind::mass_spring;
    std::int32_t first_node = 0;
    std::int32_t nodes = 0;
    std::vector<std::int32_t> exempt{};  // nodes of the anatomy's root zone
    std::string shape{};                 // of a solid or rigid one: as the scene calls it; empty: from a file
    std::int32_t tool = -1;              // that moves it; -1: none
    bool open = false;                   // its surface has a rim, so that its other side may be seen
};

enum class ToolKind : std::uint8_t {
    grab,    // holds a node of a body by a spring of limited force
    sphere,  // a ball on such a spring, which touches what it meets
    rigid    // an instrument with a shape, which goes where its path says, or on a coupling to there
};

struct Tool {
    std::string name;
    ToolKind kind = ToolKind::grab;
    double stiffness = 2000.0;  // N/m
    double damping = 5.0;       // N s/m
    double max_force = 3.0;     // N
    double radius = 0.0;        // m, sphere
    double grip = 0.0;          // m, grab on a solid body: holds its nodes this close at rest to the one it takes
    std::int32_t node = -1;     // the sphere's own node
    std::int32_t capsule = -1;  // and its primitive
};

// What can be seen, touched and held: bodies over the world's nodes, their collision surfaces, walls and tools. Knows
// no tissue: this is all that a renderer, a recording or another program needs of a model.
struct Shapes {
    std::vector<std::int32_t> column;  // per node: place along its chain, -1: none
    std::vector<Vec3> rest;            // m, per node, as built
    std::vector<Body> bodies;          // sphere tools are bodies too, behind all others
    std::vector<Tool> tools;
    Surface surface;
    std::vector<Wall> walls;
    double dt = 1.0 / 30.0;  // s, one published frame

    [[nodiscard]] std::size_t nodes() const { return rest.size(); }
    // The body whose nodes begin there.
    [[nodiscard]] std::int32_t find_body(std::int32_t first_node) const {
        const auto found =
            std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.first_node == first_node; });
        return static_cast<std::int32_t>(found - bodies.begin());
    }
};

}  // namespace plica
