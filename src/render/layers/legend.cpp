#include <epoxy/gl.h>

#include "render/layers/pass.hpp"

namespace plica::render {

LegendLayer::LegendLayer() : m_tile(Shape{4, {}, {0, 1, 2, 1, 3, 2}, {}}) {
    m_tile.add_instanced(m_stream, 0, 2, sizeof(LegendMark), 0);
}

void LegendLayer::draw(const LegendText& text, const gl::Object& colour_map, int width, int height,
                       DrawReport& report) {
    lay_out_legend(text, width, height, m_marks);
    report.bytes += m_stream.fill(m_marks.data(), m_marks.size() * sizeof(LegendMark));
    glViewport(0, 0, width, height);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl::bind_texture(free_unit, GL_TEXTURE_2D, colour_map);
    m_program.use();
    m_program.set("colour_map", free_unit);
    m_program.set("pixel", 1.0F / static_cast<float>(width), 1.0F / static_cast<float>(height));
    report.triangles += m_tile.draw(false, m_marks.size());
    ++report.draw_calls;
    glDisable(GL_BLEND);
}

}  // namespace plica::render
