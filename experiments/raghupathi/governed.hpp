#pragma once
#include <functional>
#include <string>
#include <vector>

#include "render/governor.hpp"
#include "render/offscreen.hpp"
#include "render/renderer.hpp"

// One frame drawn over and over while a law chooses how finely.
namespace plica::experiments {

class Load {
public:
    Load(render::Drawing drawing, Frame frame, int width, int height);

    // Wall time until the graphics processor has finished, s.
    double draw(const render::Style& style);
    // Median of several frames, after one that is not counted.
    double measure(const render::Style& style, int frames);

private:
    render::Offscreen m_screen;
    render::Renderer m_renderer;
    Frame m_frame;
    render::Camera m_camera;
};

// A level of ours, and what the paper's two parameters draw: 2^(n + 1) sections of 16 sides, nothing besides.
render::Style style_of_level(int level);
render::Style style_of_paper(double eps, int n);

struct GovernedFrame {
    double time, seconds;  // s, from the start; of the frame
    double level;          // ours: of the ladder; the paper's: n
    double eps = 0.0;      // the paper's
};

struct Run {
    std::string name;
    std::vector<GovernedFrame> frames;

    // Frames per second.
    [[nodiscard]] double rate_between(double from, double to) const;
    // s, from when on the rate of the last half second stays within these shares of the target; negative: it does not.
    [[nodiscard]] double settled(double target, double least, double most) const;
    [[nodiscard]] int changes_after(double time) const;
};

Run run_ours(Load& load, const std::string& name, double target, int start, double seconds);
// As printed, from eps 0.15. What cannot be drawn, n below 0 and beyond 5, is drawn with the nearest that can.
Run run_paper(Load& load, const std::string& name, double target, double rho, double seconds);

// The paper's law before a renderer of its own rates, 900 frames/s at n = 0 and eps = 0.3 down to 460 at n = 5 and
// eps = 0: what falls with n and what with eps (cells of the axis) by shares. Nothing is drawn.
Run simulate_paper(double share_of_eps, double target, bool from_fine, double seconds);
// Our levels before that renderer, each dearer than the one before by the same factor.
Run simulate_ours(double target, bool from_fine, double seconds);

}  // namespace plica::experiments
