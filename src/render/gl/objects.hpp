#pragma once
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "geometry/vec3.hpp"
#include "render/matrix.hpp"

// What the renderer needs of OpenGL, owned: names are freed with their owners. Context: OpenGL 3.3 or OpenGL ES 3.0.
namespace plica::render::gl {

enum class Kind { buffer, texture, framebuffer, vertex_array };

// A name of an OpenGL object.
class Object {
public:
    explicit Object(Kind kind);
    ~Object();
    Object(Object&& other) noexcept : m_kind(other.m_kind), m_id(std::exchange(other.m_id, 0)) {}
    Object& operator=(Object&& other) noexcept {
        std::swap(m_kind, other.m_kind);
        std::swap(m_id, other.m_id);
        return *this;
    }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    [[nodiscard]] unsigned id() const { return m_id; }

private:
    Kind m_kind;
    unsigned m_id = 0;
};

// A vertex and a fragment shader, from the texts of src/render/shaders; `before` is put in front of the fragment
// shader.
class Program {
public:
    Program(const std::string& vertex, const std::string& fragment, const std::string& before = "");
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    Program(Program&&) = delete;
    Program& operator=(Program&&) = delete;

    void use() const;
    // Of the program in use; a name that the shaders do not use is passed over.
    void set(const char* name, int value);
    void set(const char* name, float value);
    void set(const char* name, float x, float y);
    void set(const char* name, const Vec3& value);
    void set(const char* name, const Vec3& value, double w);
    void set(const char* name, const Matrix& value);

private:
    int find(const char* name);
    unsigned m_id = 0;
    std::vector<std::pair<const char*, int>> m_known;
};

// A material under the shared light, in as many variants as are asked for: what is switched off is not compiled in, as
// software drivers compute both sides of every branch.
class LitProgram {
public:
    LitProgram(std::string vertex, std::string fragment)
        : m_vertex(std::move(vertex)), m_fragment(std::move(fragment)) {}
    Program& variant(bool fine, bool shadows);

private:
    std::string m_vertex, m_fragment;
    std::array<std::unique_ptr<Program>, 4> m_variants;
};

// A buffer that grows and is filled anew every frame.
class Stream {
public:
    Stream() : m_buffer(Kind::buffer) {}
    // Returns the bytes sent.
    std::size_t fill(const void* data, std::size_t bytes);
    [[nodiscard]] unsigned id() const { return m_buffer.id(); }

private:
    Object m_buffer;
    std::size_t m_size = 0;
};

const char* shader_text(const std::string& name);
bool is_es();

}  // namespace plica::render::gl
