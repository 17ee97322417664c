#include "apps/plica/painter.hpp"

#include <cmath>

namespace plica::app {

Painter::Painter(const Shapes& shapes, const Frame& first, int width, int height, int samples)
    : m_scale(samples > 1 ? 2 : 1),
      m_screen(m_scale * width, m_scale * height),
      m_renderer(render::make_drawing(shapes)),
      m_camera(choose_camera(m_renderer.drawing(), first.positions)) {
    m_style.detail = {.largest_turn = 0.35, .sides = 24, .rings = 4};
    if (m_scale > 1) m_style.detail = {.largest_turn = 0.26, .sides = 32, .rings = 6, .smooth = false};
}

void Painter::colour_by(render::ColourBy colour, double field_max) {
    m_style.colour = colour;
    m_style.field_max = field_max;
    if (render::field_for(colour) == FieldKind::none) return;
    // Room for the legend, at the right.
    m_camera.distance *= 1.1;
    const double height = 2.0 * m_camera.distance * std::tan(0.5 * m_camera.field);  // m, at the target
    m_camera.target += m_camera.right() * (0.08 * height * m_screen.width() / m_screen.height());
}

const render::Picture& Painter::paint(const Frame& frame) {
    m_renderer.draw(frame, m_camera, m_style, m_screen.width(), m_screen.height(), m_screen.framebuffer());
    m_screen.read(m_large);
    if (m_scale == 1) return m_large;
    m_picture = halve(m_large);
    return m_picture;
}

}  // namespace plica::app
