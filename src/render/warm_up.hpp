#pragma once
#include "render/renderer.hpp"

namespace plica::render {

// Draws a small frame with what each level of detail adds: shaders are compiled now, and no frame of which the time is
// taken has to wait for one.
void warm_up(Renderer& renderer, const Frame& frame, const Camera& camera, Style style, unsigned framebuffer = 0);

}  // namespace plica::render
