#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "engine/frame.hpp"
#include "render/camera.hpp"
#include "render/colour_by.hpp"
#include "render/detail.hpp"
#include "render/drawing.hpp"

namespace plica::render {

// How the axis of a tube is cut into cells.
enum class Sampling : std::uint8_t {
    turning,   // none turns beyond detail.largest_turn
    adaptive,  // Raghupathi 2004, sec. 5.1, with threshold eps
    even       // even_cells a segment: the usual sweep, with one ring a cell
};

struct Style {
    Detail detail;
    Sampling sampling = Sampling::turning;
    double eps = 0.15;
    int even_cells = 3;
    ColourBy colour = ColourBy::tissue;
    double field_max = 0.0;  // end of the scale of stress, Pa, or stretch; 0: chosen from what is there
    bool wireframe = false;
    bool contacts = false;  // marks where bodies press on each other
    bool sheets = true;
    bool surroundings = true;
    std::int32_t highlight = -1;  // a node to be lit up; -1: none
};

// What drawing a frame took.
struct DrawReport {
    double prepare_seconds = 0.0;  // processor time: spline, cells, frames, normals, upload
    std::size_t bytes = 0;         // sent
    std::size_t cells = 0, triangles = 0;
    int draw_calls = 0;
};

// Draws published frames with OpenGL 3.3 or OpenGL ES 3.0, whichever context is current when it is made and used.
class Renderer {
public:
    explicit Renderer(Drawing drawing);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;
    Renderer(Renderer&&) = delete;
    Renderer& operator=(Renderer&&) = delete;

    [[nodiscard]] const Drawing& drawing() const;
    // Into a framebuffer of the context (0: the window's) of width x height pixels. Does not wait for the graphics
    // processor.
    DrawReport draw(const Frame& frame, const Camera& camera, const Style& style, int width, int height,
                    unsigned framebuffer = 0);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace plica::render
