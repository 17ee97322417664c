#include "render/gl/objects.hpp"

#include <epoxy/gl.h>

#include "core/error.hpp"

namespace plica::render::gl {
namespace {

std::string prelude() {
    if (!is_es()) return "#version 330 core\n";
    return "#version 300 es\n"
           "precision highp float;\nprecision highp int;\nprecision highp sampler2D;\nprecision highp isampler2D;\n"
           "precision highp sampler3D;\nprecision highp sampler2DShadow;\n";
}

[[noreturn]] void fail(const std::string& what, const std::string& log) {
    throw Error("the graphics driver refuses a shader (" + what + "): " + log, Status::environment);
}

unsigned compile(GLenum type, const std::string& name, const std::string& text) {
    const unsigned id = glCreateShader(type);
    const char* lines = text.c_str();
    glShaderSource(id, 1, &lines, nullptr);
    glCompileShader(id);
    int ok = 0;
    glGetShaderiv(id, GL_COMPILE_STATUS, &ok);
    if (ok == 0) {
        char log[2000] = "";
        glGetShaderInfoLog(id, sizeof log, nullptr, log);
        glDeleteShader(id);
        fail(name, log);
    }
    return id;
}

}  // namespace

bool is_es() {
    return !epoxy_is_desktop_gl();
}

Object::Object(Kind kind) : m_kind(kind) {
    switch (kind) {
        case Kind::buffer:
            glGenBuffers(1, &m_id);
            break;
        case Kind::texture:
            glGenTextures(1, &m_id);
            break;
        case Kind::framebuffer:
            glGenFramebuffers(1, &m_id);
            break;
        case Kind::vertex_array:
            glGenVertexArrays(1, &m_id);
            break;
    }
}

Object::~Object() {
    if (m_id == 0) return;
    switch (m_kind) {
        case Kind::buffer:
            glDeleteBuffers(1, &m_id);
            break;
        case Kind::texture:
            glDeleteTextures(1, &m_id);
            break;
        case Kind::framebuffer:
            glDeleteFramebuffers(1, &m_id);
            break;
        case Kind::vertex_array:
            glDeleteVertexArrays(1, &m_id);
            break;
    }
}

Program::Program(const std::string& vertex, const std::string& fragment, const std::string& before) {
    const unsigned v = compile(GL_VERTEX_SHADER, vertex, prelude() + shader_text(vertex));
    const unsigned f = compile(GL_FRAGMENT_SHADER, fragment, prelude() + before + shader_text(fragment));
    m_id = glCreateProgram();
    glAttachShader(m_id, v);
    glAttachShader(m_id, f);
    glLinkProgram(m_id);
    glDeleteShader(v);
    glDeleteShader(f);
    int ok = 0;
    glGetProgramiv(m_id, GL_LINK_STATUS, &ok);
    if (ok == 0) {
        char log[2000] = "";
        glGetProgramInfoLog(m_id, sizeof log, nullptr, log);
        glDeleteProgram(m_id);
        fail(vertex + ", " + fragment, log);
    }
}

Program::~Program() {
    glDeleteProgram(m_id);
}

void Program::use() const {
    glUseProgram(m_id);
}

int Program::find(const char* name) {
    for (const auto& [known, place] : m_known) {
        if (known == name) return place;  // the same literal
    }
    m_known.emplace_back(name, glGetUniformLocation(m_id, name));
    return m_known.back().second;
}

void Program::set(const char* name, int value) {
    glUniform1i(find(name), value);
}
void Program::set(const char* name, float value) {
    glUniform1f(find(name), value);
}
void Program::set(const char* name, float x, float y) {
    glUniform2f(find(name), x, y);
}
void Program::set(const char* name, const Vec3& value) {
    glUniform3f(find(name), static_cast<float>(value.x), static_cast<float>(value.y), static_cast<float>(value.z));
}
void Program::set(const char* name, const Vec3& value, double w) {
    glUniform4f(find(name), static_cast<float>(value.x), static_cast<float>(value.y), static_cast<float>(value.z),
                static_cast<float>(w));
}
void Program::set(const char* name, const Matrix& value) {
    glUniformMatrix4fv(find(name), 1, GL_FALSE, value.data());
}

Program& LitProgram::variant(bool fine, bool shadows) {
    std::unique_ptr<Program>& program = m_variants[(fine ? 1U : 0U) + (shadows ? 2U : 0U)];
    if (!program) {
        const std::string before = std::string(fine ? "#define FINE\n" : "") + (shadows ? "#define SHADOWS\n" : "");
        program = std::make_unique<Program>(m_vertex, m_fragment, before + shader_text("light.glsl"));
    }
    return *program;
}

std::size_t Stream::fill(const void* data, std::size_t bytes) {
    glBindBuffer(GL_ARRAY_BUFFER, m_buffer.id());
    if (bytes > m_size) m_size = bytes + bytes / 2;
    // Orphaned: the driver need not wait for the frame that still reads the old contents.
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(m_size), nullptr, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(bytes), data);
    return bytes;
}

}  // namespace plica::render::gl
