#pragma once
#include <memory>

#include "render/picture.hpp"

namespace plica::render {

enum class GraphicsApi { desktop, es };

// An OpenGL context without a window, and a picture to draw into. Throws Error with Status::environment when there is
// no OpenGL to be had.
class Offscreen {
public:
    // Falls back to OpenGL ES where there is no other.
    Offscreen(int width, int height, GraphicsApi api = GraphicsApi::desktop);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;
    Offscreen(Offscreen&&) = delete;
    Offscreen& operator=(Offscreen&&) = delete;

    [[nodiscard]] unsigned framebuffer() const;
    [[nodiscard]] int width() const;
    [[nodiscard]] int height() const;
    // Waits until all is drawn.
    void finish();
    void read(Picture& picture);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

// The framebuffer that is bound, of whichever context.
void read_framebuffer(int width, int height, Picture& picture);

}  // namespace plica::render
