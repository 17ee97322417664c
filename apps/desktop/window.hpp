#pragma once
#include <memory>
#include <string>
#include <vector>

#include "apps/desktop/touch.hpp"
#include "render/picture.hpp"

namespace plica::desktop {

// Is there a display to open a window on?
bool has_display();

// A window with an OpenGL 3.3 context, which is current from its making on, and panels over its picture. Throws Error
// with Status::environment when there is no display to open it on.
class Window {
public:
    Window(const std::string& title, int width, int height);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    Window(Window&&) = delete;
    Window& operator=(Window&&) = delete;

    [[nodiscard]] bool is_open() const;
    [[nodiscard]] int width() const;  // pixels
    [[nodiscard]] int height() const;
    void set_title(const std::string& title);

    // Takes what happened; waits for it until `due`, s on the wall clock.
    void wait_until(double due);
    // What was typed since the last call, but for what went to a panel.
    std::vector<char32_t> take_typed();
    [[nodiscard]] Pointer pointer() const;

    // Panels are made between begin_panels() and draw_panels().
    void begin_panels();
    void draw_panels();
    // Returns when the picture is done, not when it is seen; show() makes it seen.
    void finish();
    void show();
    void read(render::Picture& picture);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace plica::desktop
