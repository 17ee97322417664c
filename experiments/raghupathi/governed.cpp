#include "experiments/raghupathi/governed.hpp"

#include <algorithm>
#include <cmath>

#include "core/clock.hpp"

namespace plica::experiments {
namespace {

constexpr int paper_sides = 16, most_n = 5;
constexpr double start_eps = 0.15;
constexpr double window = 0.5;                      // s
constexpr double fastest = 900.0, slowest = 460.0;  // frames/s, Raghupathi 2004, fig. 12

}  // namespace

Load::Load(render::Drawing drawing, Frame frame, int width, int height)
    : m_screen(width, height),
      m_renderer(std::move(drawing)),
      m_frame(std::move(frame)),
      m_camera(choose_camera(m_renderer.drawing(), m_frame.positions)) {}

double Load::draw(const render::Style& style) {
    const double began = wall_seconds();
    m_renderer.draw(m_frame, m_camera, style, m_screen.width(), m_screen.height(), m_screen.framebuffer());
    m_screen.finish();
    return wall_seconds() - began;
}

double Load::measure(const render::Style& style, int frames) {
    draw(style);
    std::vector<double> times;
    for (int i = 0; i < frames; ++i) times.push_back(draw(style));
    std::nth_element(times.begin(), times.begin() + frames / 2, times.end());
    return times[static_cast<std::size_t>(frames / 2)];
}

render::Style style_of_level(int level) {
    render::Style style;
    style.detail = render::detail_levels()[static_cast<std::size_t>(level)];
    return style;
}

render::Style style_of_paper(double eps, int n) {
    render::Style style;
    style.sampling = render::Sampling::adaptive;
    style.eps = eps;
    style.detail = {.sides = paper_sides,
                    .rings = 2 << std::clamp(n, 0, most_n),
                    .smooth = false,
                    .fine = false,
                    .occlusion = false,
                    .shadows = false};
    return style;
}

double Run::rate_between(double from, double to) const {
    double sum = 0.0, count = 0.0;
    for (const GovernedFrame& f : frames) {
        if (f.time > to || f.time <= from) continue;
        sum += f.seconds;
        count += 1.0;
    }
    return sum > 0.0 ? count / sum : 0.0;
}

double Run::settled(double target, double least, double most) const {
    double since = -1.0;
    for (const GovernedFrame& f : frames) {
        const double share = rate_between(f.time - window, f.time) / target;
        if (share < least || share > most) {
            since = -1.0;
        } else if (since < 0.0) {
            since = f.time;
        }
    }
    return since;
}

int Run::changes_after(double time) const {
    int changes = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        changes += frames[i].time > time && frames[i].level != frames[i - 1].level ? 1 : 0;
    }
    return changes;
}

Run run_ours(Load& load, const std::string& name, double target, int start, double seconds) {
    Run run{name, {}};
    render::Governor governor(target, static_cast<int>(render::detail_levels().size()), start);
    const double began = wall_seconds();
    double now = 0.0;
    while (now < seconds) {
        const int level = governor.level();
        const double took = load.draw(style_of_level(level));
        now = wall_seconds() - began;
        governor.next(took);
        run.frames.push_back({now, took, static_cast<double>(level)});
    }
    return run;
}

Run run_paper(Load& load, const std::string& name, double target, double rho, double seconds) {
    Run run{name, {}};
    render::PaperLaw law(target, start_eps, rho, {});
    const double began = wall_seconds();
    double now = 0.0;
    while (now < seconds) {
        const int n = law.resolution();
        const double eps = law.eps();
        const double took = load.draw(style_of_paper(eps, n));
        now = wall_seconds() - began;
        law.next(took);
        run.frames.push_back({now, took, static_cast<double>(n), eps});
    }
    return run;
}

Run simulate_ours(double target, bool from_fine, double seconds) {
    const int finest = static_cast<int>(render::detail_levels().size()) - 1;
    Run run{"", {}};
    render::Governor governor(target, finest + 1, from_fine ? finest : 0);
    for (double now = 0.0; now < seconds;) {
        const int level = governor.level();
        const double took = std::pow(fastest / slowest, static_cast<double>(level) / finest) / fastest;
        now += took;
        governor.next(took);
        run.frames.push_back({now, took, static_cast<double>(level)});
    }
    return run;
}

Run simulate_paper(double share_of_eps, double target, bool from_fine, double seconds) {
    Run run{"", {}};
    render::PaperLaw law(target, from_fine ? 0.0 : 0.3, from_fine ? 5.5 : 0.5, {});
    for (double now = 0.0; now < seconds;) {
        const int n = law.resolution();
        const double by_n = std::clamp(n / 5.0, 0.0, 1.0), by_eps = std::clamp(1.0 - law.eps() / 0.3, 0.0, 1.0);
        const double fine = share_of_eps * by_eps + (1.0 - share_of_eps) * by_n;
        const double took = 1.0 / fastest + fine * (1.0 / slowest - 1.0 / fastest), eps = law.eps();
        now += took;
        law.next(took);
        run.frames.push_back({now, took, static_cast<double>(n), eps});
    }
    return run;
}

}  // namespace plica::experiments
