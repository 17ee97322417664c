#include "experiments/common/pictures.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace plica::experiments {
namespace {

constexpr int gap = 4;  // pixels

}  // namespace

bool has_graphics() {
    try {
        const render::Offscreen screen(8, 8);
        return true;
    } catch (const Error&) {
        return false;
    }
}

Studio::Studio(render::Drawing drawing, int width, int height)
    : m_screen(2 * width, 2 * height), m_renderer(std::move(drawing)) {}

render::Picture Studio::draw(const Frame& frame, const render::Camera& camera, render::Style style) {
    style.detail.smooth = false;
    m_renderer.draw(frame, camera, style, m_screen.width(), m_screen.height(), m_screen.framebuffer());
    render::Picture large;
    m_screen.read(large);
    return halve(large);
}

render::Style fine_style() {
    render::Style style;
    style.detail = {.largest_turn = 0.26, .sides = 32, .rings = 6, .smooth = false};
    return style;
}

render::Camera frame_tissue(const render::Drawing& drawing, const Frame& frame, double share) {
    render::Camera camera = choose_camera(drawing, frame.positions);
    camera.distance *= share;
    return camera;
}

render::Picture side_by_side(const std::vector<render::Picture>& pictures) {
    render::Picture wide;
    for (const render::Picture& p : pictures) {
        wide.width += p.width + (wide.width > 0 ? gap : 0);
        wide.height = std::max(wide.height, p.height);
    }
    const std::size_t row = 3 * static_cast<std::size_t>(wide.width);
    wide.rgb.assign(row * static_cast<std::size_t>(wide.height), 255);
    std::size_t at = 0;
    for (const render::Picture& p : pictures) {
        const std::size_t bytes = 3 * static_cast<std::size_t>(p.width);
        for (std::size_t y = 0; y < static_cast<std::size_t>(p.height); ++y) {
            std::copy_n(p.rgb.data() + y * bytes, bytes, wide.rgb.data() + y * row + at);
        }
        at += bytes + 3 * gap;
    }
    return wide;
}

render::Picture one_below_another(const std::vector<render::Picture>& pictures) {
    render::Picture tall;
    for (const render::Picture& p : pictures) tall.width = std::max(tall.width, p.width);
    const std::size_t row = 3 * static_cast<std::size_t>(tall.width);
    for (const render::Picture& p : pictures) {
        if (tall.height > 0) {
            tall.height += gap;
            tall.rgb.insert(tall.rgb.end(), gap * row, 255);
        }
        const std::size_t bytes = 3 * static_cast<std::size_t>(p.width);
        for (std::size_t y = 0; y < static_cast<std::size_t>(p.height); ++y) {
            tall.rgb.insert(tall.rgb.end(), p.rgb.data() + y * bytes, p.rgb.data() + (y + 1) * bytes);
            tall.rgb.insert(tall.rgb.end(), row - bytes, 255);
        }
        tall.height += p.height;
    }
    return tall;
}

void add_picture(const ExperimentOptions& options, const std::string& name, const render::Picture& picture,
                 Result& result) {
    write_png(options.folder + "/" + name + ".png", picture);
    result.plots.push_back(name + ".png");
}

}  // namespace plica::experiments
