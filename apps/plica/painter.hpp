#pragma once
#include "render/offscreen.hpp"
#include "render/renderer.hpp"

namespace plica::app {

// Draws frames of one scene without a window, all from one point of view.
class Painter {
public:
    // first: the frame that the view is chosen for. samples a pixel: 1, or 4 for pictures that are looked at closely.
    Painter(const Shapes& shapes, const Frame& first, int width, int height, int samples);

    // field_max: end of the scale of a field; 0: chosen.
    void colour_by(render::ColourBy colour, double field_max);

    // Marks where bodies press on each other, of frames that have them.
    void show_contacts(bool show) { m_style.contacts = show; }

    const render::Picture& paint(const Frame& frame);

private:
    int m_scale;
    render::Offscreen m_screen;
    render::Renderer m_renderer;
    render::Camera m_camera;
    render::Style m_style;
    render::Picture m_large, m_picture;
};

}  // namespace plica::app
