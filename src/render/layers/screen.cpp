#include <epoxy/gl.h>

#include <cmath>

#include "render/layers/pass.hpp"

namespace plica::render {

ScreenLayer::ScreenLayer() = default;

void ScreenLayer::cover(DrawReport& report) {
    glBindVertexArray(m_nothing.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    ++report.draw_calls;
}

void ScreenLayer::darken(const gl::Target& picture, const Camera& camera, double radius, DrawReport& report) {
    const int w = (picture.width + 1) / 2, h = (picture.height + 1) / 2;
    if (!m_half || m_half->width != w || m_half->height != h) {
        m_half = std::make_unique<gl::Target>(w, h, true, false, false);
    }
    const double tall = std::tan(0.5 * camera.field), wide = tall * picture.width / picture.height;
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    m_half->bind();
    gl::bind_texture(free_unit, GL_TEXTURE_2D, picture.depth);
    m_occlusion.use();
    m_occlusion.set("depth", free_unit);
    m_occlusion.set("lens", {wide, tall, camera.nearest()}, camera.farthest());
    m_occlusion.set("radius", static_cast<float>(radius));
    m_occlusion.set("texel", 1.0F / static_cast<float>(picture.width), 1.0F / static_cast<float>(picture.height));
    cover(report);

    picture.bind();
    gl::bind_texture(free_unit, GL_TEXTURE_2D, m_half->colour);
    m_darken.use();
    m_darken.set("occlusion", free_unit);
    m_darken.set("texel", 1.0F / static_cast<float>(w), 1.0F / static_cast<float>(h));
    glEnable(GL_BLEND);
    glBlendFunc(GL_DST_COLOR, GL_ZERO);
    cover(report);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

void ScreenLayer::finish(const gl::Target& picture, unsigned framebuffer, int width, int height, bool smooth,
                         DrawReport& report) {
    if (!smooth) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, picture.framebuffer.id());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
        glBlitFramebuffer(0, 0, picture.width, picture.height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                          picture.width == width ? GL_NEAREST : GL_LINEAR);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        return;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    gl::bind_texture(free_unit, GL_TEXTURE_2D, picture.colour);
    m_finish.use();
    m_finish.set("picture", free_unit);
    m_finish.set("texel", 1.0F / static_cast<float>(picture.width), 1.0F / static_cast<float>(picture.height));
    cover(report);
}

}  // namespace plica::render
