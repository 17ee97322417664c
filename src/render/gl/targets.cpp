#include "render/gl/targets.hpp"

#include <epoxy/gl.h>

#include <algorithm>

#include "core/error.hpp"

namespace plica::render::gl {
namespace {

constexpr int row_texels = 1024;

void filter(GLenum kind, int smaller, int larger, int wrap) {
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, smaller);
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, larger);
    glTexParameteri(kind, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(kind, GL_TEXTURE_WRAP_T, wrap);
}

const void* offset_of(std::size_t bytes) {
    return reinterpret_cast<const void*>(bytes);
}

}  // namespace

Target::Target(int w, int h, bool with_colour, bool with_depth, bool compare_depth) : width(w), height(h) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    if (with_colour) {
        glBindTexture(GL_TEXTURE_2D, colour.id());
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        filter(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR, GL_CLAMP_TO_EDGE);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour.id(), 0);
    } else {
        const GLenum none = GL_NONE;
        glDrawBuffers(1, &none);
        glReadBuffer(GL_NONE);
    }
    if (with_depth) {
        glBindTexture(GL_TEXTURE_2D, depth.id());
        glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, w, h, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
        const int kind = compare_depth ? GL_LINEAR : GL_NEAREST;
        filter(GL_TEXTURE_2D, kind, kind, GL_CLAMP_TO_EDGE);
        if (compare_depth) glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth.id(), 0);
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        throw Error(
            "the graphics driver has no picture of " + std::to_string(w) + " x " + std::to_string(h) + " pixels",
            Status::environment);
    }
}

void Target::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glViewport(0, 0, width, height);
}

Mesh::Mesh(const Shape& shape)
    : m_triangles(static_cast<int>(shape.triangles.size())), m_lines(static_cast<int>(shape.lines.size())) {
    glBindVertexArray(m_array.id());
    glBindBuffer(GL_ARRAY_BUFFER, m_corners.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(shape.corners.size() * sizeof(float)), shape.corners.data(),
                 GL_STATIC_DRAW);
    const int stride = shape.floats * static_cast<int>(sizeof(float));
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, std::min(shape.floats, 3), GL_FLOAT, GL_FALSE, stride, nullptr);
    if (shape.floats == 6) {
        glEnableVertexAttribArray(1);
        glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, offset_of(3 * sizeof(float)));
    }
    std::vector<std::uint32_t> indices = shape.triangles;
    indices.insert(indices.end(), shape.lines.begin(), shape.lines.end());
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m_indices.id());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)),
                 indices.data(), GL_STATIC_DRAW);
}

void Mesh::add_instanced(const Stream& stream, unsigned first, int count, int stride, int offset) {
    glBindVertexArray(m_array.id());
    glBindBuffer(GL_ARRAY_BUFFER, stream.id());
    for (int i = 0; i < count; ++i) {
        const unsigned place = first + static_cast<unsigned>(i);
        glEnableVertexAttribArray(place);
        glVertexAttribPointer(place, 4, GL_FLOAT, GL_FALSE, stride,
                              offset_of(static_cast<std::size_t>(offset + 16 * i)));
        glVertexAttribDivisor(place, 1);
    }
}

void Mesh::add_instanced_int(const Stream& stream, unsigned place) {
    glBindVertexArray(m_array.id());
    glBindBuffer(GL_ARRAY_BUFFER, stream.id());
    glEnableVertexAttribArray(place);
    glVertexAttribIPointer(place, 1, GL_INT, 4, nullptr);
    glVertexAttribDivisor(place, 1);
}

std::size_t Mesh::draw(bool lines, std::size_t instances) const {
    glBindVertexArray(m_array.id());
    const GLenum kind = lines ? GL_LINES : GL_TRIANGLES;
    const int count = lines ? m_lines : m_triangles;
    const void* start = offset_of(lines ? static_cast<std::size_t>(m_triangles) * sizeof(std::uint32_t) : 0);
    if (instances == 0) {
        glDrawElements(kind, count, GL_UNSIGNED_INT, start);
    } else {
        glDrawElementsInstanced(kind, count, GL_UNSIGNED_INT, start, static_cast<GLsizei>(instances));
    }
    return static_cast<std::size_t>(m_triangles) / 3 * std::max<std::size_t>(instances, 1);
}

Object make_noise_texture(const NoiseField& field) {
    Object texture(Kind::texture);
    glBindTexture(GL_TEXTURE_3D, texture.id());
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, field.size, field.size, field.size, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 field.texels.data());
    filter(GL_TEXTURE_3D, GL_LINEAR, GL_LINEAR, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_REPEAT);
    return texture;
}

Object make_repeating_texture(int width, int height, const std::uint8_t* rgba) {
    Object texture(Kind::texture);
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glGenerateMipmap(GL_TEXTURE_2D);
    filter(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

Object make_triangle_texture(const std::vector<std::array<std::int32_t, 3>>& triangles) {
    const std::size_t rows = (triangles.size() + 511) / 512;
    std::vector<std::int32_t> texels(4 * 512 * rows);
    for (std::size_t t = 0; t < triangles.size(); ++t) std::copy_n(triangles[t].data(), 3, texels.data() + 4 * t);
    Object texture(Kind::texture);
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32I, 512, static_cast<int>(rows), 0, GL_RGBA_INTEGER, GL_INT, texels.data());
    filter(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
    return texture;
}

Object make_node_texture(std::size_t texels) {
    Object texture(Kind::texture);
    const auto rows = static_cast<int>((texels + row_texels - 1) / row_texels);
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, row_texels, rows, 0, GL_RGBA, GL_FLOAT, nullptr);
    filter(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST, GL_CLAMP_TO_EDGE);
    return texture;
}

std::size_t fill_node_texture(const Object& texture, const float* data, std::size_t texels) {
    glBindTexture(GL_TEXTURE_2D, texture.id());
    const int whole = static_cast<int>(texels / row_texels), rest = static_cast<int>(texels % row_texels);
    if (whole > 0) glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, row_texels, whole, GL_RGBA, GL_FLOAT, data);
    if (rest > 0) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, whole, rest, 1, GL_RGBA, GL_FLOAT,
                        data + 4 * static_cast<std::size_t>(whole) * row_texels);
    }
    return 16 * texels;
}

void bind_texture(int unit, unsigned kind, const Object& texture) {
    glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
    glBindTexture(kind, texture.id());
}

}  // namespace plica::render::gl
