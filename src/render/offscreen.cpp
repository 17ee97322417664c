#include "render/offscreen.hpp"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <optional>

#include "core/error.hpp"
#include "render/gl/objects.hpp"

namespace plica::render {
namespace {

[[noreturn]] void fail(const char* what) {
    throw Error(
        std::string("no OpenGL to draw with: ") + what + " (a software driver is in the package libgl1-mesa-dri)",
        Status::environment);
}

EGLDisplay open_display() {
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
        EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) == EGL_TRUE) return display;
    }
    EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) != EGL_TRUE) fail("no EGL display");
    return display;
}

EGLContext make_context(EGLDisplay display, GraphicsApi api) {
    const bool es = api == GraphicsApi::es;
    if (eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) != EGL_TRUE) return EGL_NO_CONTEXT;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(display, wanted, &config, 1, &count) != EGL_TRUE || count == 0) config = EGL_NO_CONFIG_KHR;
    const EGLint desktop[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLint embedded[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
    return eglCreateContext(display, config, EGL_NO_CONTEXT, es ? embedded : desktop);
}

}  // namespace

struct Offscreen::Parts {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    int width = 0, height = 0;
    std::optional<gl::Object> framebuffer, colour;

    ~Parts() {
        framebuffer.reset();
        colour.reset();
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
        if (display != EGL_NO_DISPLAY) eglTerminate(display);
        eglReleaseThread();
    }
};

Offscreen::Offscreen(int width, int height, GraphicsApi api) : m_parts(std::make_unique<Parts>()) {
    m_parts->display = open_display();
    m_parts->context = make_context(m_parts->display, api);
    if (m_parts->context == EGL_NO_CONTEXT && api == GraphicsApi::desktop) {
        m_parts->context = make_context(m_parts->display, GraphicsApi::es);
    }
    if (m_parts->context == EGL_NO_CONTEXT) fail("neither OpenGL 3.3 nor OpenGL ES 3.0");
    if (eglMakeCurrent(m_parts->display, EGL_NO_SURFACE, EGL_NO_SURFACE, m_parts->context) != EGL_TRUE) {
        fail("the context cannot be used without a surface");
    }
    m_parts->width = width;
    m_parts->height = height;
    m_parts->colour.emplace(gl::Kind::texture);
    m_parts->framebuffer.emplace(gl::Kind::framebuffer);
    glBindTexture(GL_TEXTURE_2D, m_parts->colour->id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindFramebuffer(GL_FRAMEBUFFER, m_parts->framebuffer->id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m_parts->colour->id(), 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) fail("no picture of that size");
}

Offscreen::~Offscreen() = default;

unsigned Offscreen::framebuffer() const {
    return m_parts->framebuffer->id();
}
int Offscreen::width() const {
    return m_parts->width;
}
int Offscreen::height() const {
    return m_parts->height;
}
void Offscreen::finish() {
    glFinish();
}

void Offscreen::read(Picture& picture) {
    glBindFramebuffer(GL_FRAMEBUFFER, m_parts->framebuffer->id());
    read_framebuffer(m_parts->width, m_parts->height, picture);
}

void read_framebuffer(int width, int height, Picture& picture) {
    const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
    std::vector<std::uint8_t> rgba(4 * w * h);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    picture.width = width;
    picture.height = height;
    picture.rgb.resize(3 * w * h);
    for (std::size_t y = 0; y < h; ++y) {
        const std::uint8_t* from = rgba.data() + 4 * w * (h - 1 - y);
        std::uint8_t* to = picture.rgb.data() + 3 * w * y;
        for (std::size_t x = 0; x < w; ++x) {
            for (std::size_t c = 0; c < 3; ++c) to[3 * x + c] = from[4 * x + c];
        }
    }
}

}  // namespace plica::render
