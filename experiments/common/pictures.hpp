#pragma once
#include <string>
#include <vector>

#include "experiments/common/experiment.hpp"
#include "render/offscreen.hpp"
#include "render/renderer.hpp"

// Pictures of experiments, drawn without a window.
namespace plica::experiments {

// Whether there is an OpenGL to draw with; where there is none, experiments do without pictures.
bool has_graphics();
inline constexpr const char* no_graphics = "There is no OpenGL here, so there are no pictures.";

// Draws what one scene shows. Holds the thread's one context as long as it lives.
class Studio {
public:
    Studio(render::Drawing drawing, int width, int height);

    // Four samples a pixel; the style's own smoothing is not used.
    render::Picture draw(const Frame& frame, const render::Camera& camera, render::Style style);
    [[nodiscard]] const render::Drawing& drawing() const { return m_renderer.drawing(); }

private:
    render::Offscreen m_screen;
    render::Renderer m_renderer;
};

// For pictures that are looked at closely.
render::Style fine_style();

// The whole of the tissue from the surgeon's side, nearer (share < 1) or from further away.
render::Camera frame_tissue(const render::Drawing& drawing, const Frame& frame, double share = 1.0);

// From left to right with a white line between; all of one height.
render::Picture side_by_side(const std::vector<render::Picture>& pictures);
// From top to bottom; all of one width.
render::Picture one_below_another(const std::vector<render::Picture>& pictures);

// FOLDER/NAME.png, listed in the result.
void add_picture(const ExperimentOptions& options, const std::string& name, const render::Picture& picture,
                 Result& result);

}  // namespace plica::experiments
