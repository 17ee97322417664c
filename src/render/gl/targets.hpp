#pragma once
#include "render/gl/objects.hpp"
#include "render/noise_field.hpp"
#include "render/shapes.hpp"

namespace plica::render::gl {

// A picture to draw into that can be read by later passes; colour, depth or both.
struct Target {
    Target(int width, int height, bool with_colour, bool with_depth, bool compare_depth);

    int width, height;
    Object framebuffer{Kind::framebuffer};
    Object colour{Kind::texture};
    Object depth{Kind::texture};
    void bind() const;
};

// A shape on the graphics processor.
class Mesh {
public:
    explicit Mesh(const Shape& shape);

    // Adds attributes from a stream, one set an instance: `count` vec4s from `first` on, beginning `offset` bytes in.
    void add_instanced(const Stream& stream, unsigned first, int count, int stride, int offset);
    void add_instanced_int(const Stream& stream, unsigned place);
    // instances 0: once. Returns the triangles drawn.
    std::size_t draw(bool lines, std::size_t instances = 0) const;

private:
    Object m_array{Kind::vertex_array};
    Object m_corners{Kind::buffer}, m_indices{Kind::buffer};
    int m_triangles = 0, m_lines = 0;  // indices
};

Object make_noise_texture(const NoiseField& field);
// Repeats in both directions, with smaller copies for the distance.
Object make_repeating_texture(int width, int height, const std::uint8_t* rgba);
// Rows of 512 triangles, four numbers each.
Object make_triangle_texture(const std::vector<std::array<std::int32_t, 3>>& triangles);
// Rows of 1,024 texels; filled by fill_node_texture.
Object make_node_texture(std::size_t texels);
std::size_t fill_node_texture(const Object& texture, const float* data, std::size_t texels);
void bind_texture(int unit, unsigned kind, const Object& texture);

}  // namespace plica::render::gl
