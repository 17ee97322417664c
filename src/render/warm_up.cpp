#include "render/warm_up.hpp"

#include "render/governor.hpp"

namespace plica::render {

void warm_up(Renderer& renderer, const Frame& frame, const Camera& camera, Style style, unsigned framebuffer) {
    constexpr int pixels = 64;
    for (const Detail& level : detail_levels()) {
        style.detail = level;
        style.detail.sides = detail_levels().front().sides;
        style.detail.rings = detail_levels().front().rings;
        renderer.draw(frame, camera, style, pixels, pixels, framebuffer);
    }
}

}  // namespace plica::render
