#pragma once
#include <memory>

#include "render/picture.hpp"

namespace plica::render {

// An OpenGL context without a window, and a picture to draw into. Throws Error with Status::environment when there is
// no OpenGL to be had.
class Offscreen {
public:
    Offscreen(int width, int height);
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

}  // namespace plica::render
