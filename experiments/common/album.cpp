#include "experiments/common/album.hpp"

#include <cmath>
#include <numbers>

#include "experiments/common/numbers.hpp"
#include "render/pick.hpp"

namespace plica::experiments {
namespace {

constexpr std::size_t most_quick = 2;  // pictures: each has shaders of its own to compile
constexpr double best_angle =
    0.75;  // cosine between view and the triangle's normal: it is seen, and what sticks out too

// How well a camera shows a tube that goes through a triangle: nothing is in front of the place.
double rate(const render::Camera& camera, const render::Drawing& drawing, const Frame& frame, const Piercing& p) {
    const auto hit = pick(drawing, frame.positions, {camera.eye(), camera.forward()});
    const double hidden = hit ? std::max(0.0, camera.distance - hit->distance) / camera.distance : 0.0;
    return -4.0 * hidden - std::abs(std::abs(dot(camera.forward(), p.normal)) - best_angle);
}

render::Camera find_close_up(const render::Drawing& drawing, const Frame& frame, const Piercing& p) {
    render::Camera best;
    double most = -1e9;
    for (int i = 0; i < 24; ++i) {
        for (const double elevation : {0.25, 0.6, 1.0}) {
            render::Camera camera;
            camera.target = p.place;
            camera.distance = 0.35;
            camera.azimuth = 2.0 * std::numbers::pi * i / 24.0;
            camera.elevation = elevation;
            const double rated = rate(camera, drawing, frame, p);
            if (rated <= most) continue;
            most = rated;
            best = camera;
        }
    }
    return best;
}

}  // namespace

Album::Album(const ExperimentOptions& options, Result& result)
    : m_options(options),
      m_result(result),
      m_width(options.quick ? 80 : 800),
      m_height(options.quick ? 60 : 600),
      m_draws(has_graphics()) {
    if (!m_draws) result.notes.emplace_back(no_graphics);
}

bool Album::may_draw() const {
    return m_draws && (!m_options.quick || m_result.plots.size() < most_quick);
}

void Album::take(const Stage& stage, const std::string& name, const Side& side) {
    const Frame& frame = stage.world().frame();
    m_shots.push_back({name, frame.time, stage.found()});
    if (!may_draw()) return;
    Studio studio(render::make_drawing(stage.world().model()), m_width, m_height);
    render::Camera camera = frame_tissue(studio.drawing(), frame, side.share);
    camera.azimuth = side.azimuth;
    camera.elevation = side.elevation;
    add_picture(m_options, name, studio.draw(frame, camera, fine_style()), m_result);
}

void Album::take_pierced(const Stage& stage, const std::string& name) {
    const StageFindings& found = stage.found();
    if (!may_draw() || found.most_pierced == 0) return;
    Studio studio(render::make_drawing(stage.world().model()), m_width, m_height);
    render::Style style = fine_style();
    style.highlight = found.deepest.node;
    const render::Camera camera = find_close_up(studio.drawing(), found.deepest_frame, found.deepest);
    add_picture(m_options, name, studio.draw(found.deepest_frame, camera, style), m_result);
}

Table Album::table() const {
    Table table{"snapshots",
                {"picture", "time s", "worst depth / r", "pass-throughs", "pierced pairs x frames", "speed cm/s"},
                {}};
    for (const Shot& shot : m_shots) {
        const StageFindings& f = shot.found;
        table.rows.push_back({shot.name, number(shot.time), number(f.worst, 3), count(f.pass_throughs),
                              count(f.pierced_frames), number(100.0 * f.speed, 2)});
    }
    return table;
}

}  // namespace plica::experiments
