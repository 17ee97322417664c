#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "render/drawing.hpp"
#include "render/field_scale.hpp"

namespace plica::render {

// What the graphics processor reads of a vertex: two texels.
struct OrganVertex {
    float position[3];
    float share;  // place of the field's value in its range, 0 .. 1; -1: not known
    float normal[3];
    float bend;  // 1 where the surface may be curved over its normals, 0 on creases: both sides have one edge
};

// An organ's boundary with smooth normals. Where it is creased at rest (geometry/smooth_normals.hpp), a node has one
// vertex for each side: a block keeps its edges, a liver is smooth, and neither changes while it is deformed.
class OrganSurface {
public:
    explicit OrganSurface(const Organ& organ);
    // Positions and normals, each the mean of the facets' around it weighted by their angles there. Allocates nothing.
    void update(const Organ& organ, std::span<const Vec3> positions);
    // Values per node of the world; an empty field is known nowhere.
    void set_field(const Organ& organ, std::span<const float> field, const FieldRange& range);

    std::vector<OrganVertex> vertices;
    std::vector<std::int32_t> nodes;                     // per vertex: place in organ.nodes
    std::vector<std::array<std::int32_t, 3>> triangles;  // of vertices

private:
    std::vector<Vec3> m_normal;
};

}  // namespace plica::render
