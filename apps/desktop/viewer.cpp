#include "apps/desktop/viewer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "engine/tissues/field.hpp"
#include "render/warm_up.hpp"

namespace plica::desktop {
namespace {

int level_count() {
    return static_cast<int>(render::detail_levels().size());
}

std::size_t find_tool(const Model& model, const std::string& name) {
    std::size_t tool = 0;
    while (model.tools[tool].name != name) ++tool;
    return tool;
}

}  // namespace

Viewer::Viewer(const ViewOptions& options, const OpenScene& scene)
    : m_options(options),
      m_name(scene.source.name),
      m_window("Plica: " + m_name, options.width, options.height),
      m_live(scene, {options.seed, options.threads, false}),
      m_hand(find_tool(m_live.model(), scene.hand)),
      m_renderer(render::make_drawing(m_live.model())),
      m_camera(render::choose_camera(m_renderer.drawing(), m_live.look().frame.positions)),
      m_governor(options.fps, level_count(), options.low ? 0 : level_count() / 4) {
    m_settings.style.colour = options.colour;
}

ViewReport Viewer::run() {
    render::warm_up(m_renderer, m_live.look().frame, m_camera, m_settings.style);
    const double began = wall_seconds();
    double last = began;
    while (m_window.is_open() && !is_over(began)) {
        const double due = last + 1.0 / m_options.fps;
        m_window.wait_until(due);
        const double start = wall_seconds();
        m_frame_times.add(start - last);
        m_frame_rate += 0.1 * (1.0 / std::max(1e-4, start - last) - m_frame_rate);
        last = start;
        const Snapshot& now = m_live.look();
        draw_frame(now);
        m_window.finish();
        if (!m_options.low) m_governor.next(wall_seconds() - start);
        if (m_picture_wanted) write_picture();
        m_window.show();
        update_title(now, start);
    }
    m_live.end();
    return report(m_live.look());
}

void Viewer::draw_frame(const Snapshot& now) {
    if (now.lost && !m_lost) m_settings.paused = m_sent.paused = true;  // it stopped by itself
    m_lost = now.lost;
    if (!now.message.empty()) m_news = now.message;
    m_recording = !now.recording.empty();
    m_step_times.add(now);
    m_window.begin_panels();
    take_keys();
    take_touch(now);
    m_settings.style.detail = render::detail_levels()[static_cast<std::size_t>(m_governor.level())];
    m_settings.style.highlight = m_touch.node();
    m_renderer.draw(with_field(now.frame), m_camera, m_settings.style, m_window.width(), m_window.height());
    const PanelFacts facts{m_live.model(), m_step_times, m_frame_rate, m_governor.level(), level_count(), m_news};
    for (const Action action : draw_panel(facts, now, m_settings)) act(action);
    const bool steering = m_touch.is_pulling() && m_touch.tool() >= 0;
    const std::size_t tool = steering ? static_cast<std::size_t>(m_touch.tool()) : m_hand;
    const double force = norm(now.frame.tool_force[tool]);
    m_largest_force = std::max(m_largest_force, force);
    if (m_touch.is_pulling()) draw_force(force, steering ? 0.0 : m_live.model().tools[m_hand].max_force);
    send_settings();
    m_window.draw_panels();
}

// What colours need of the frame is computed here, once for each: the scene's thread has no time to lose.
const Frame& Viewer::with_field(const Frame& frame) {
    const FieldKind kind = render::field_for(m_settings.style.colour);
    if (kind == FieldKind::none || m_renderer.drawing().organs.empty()) return frame;
    const bool known = m_coloured.field_kind == kind && m_coloured.step == frame.step;
    std::vector<float> field = std::move(m_coloured.field);
    m_coloured = frame;
    if (known) {
        m_coloured.field = std::move(field);
        m_coloured.field_kind = kind;
    } else {
        fill_field(m_live.model(), kind, m_coloured);
    }
    return m_coloured;
}

void Viewer::take_keys() {
    for (const char32_t character : m_window.take_typed()) {
        if (const auto action = find_action(character)) act(*action);
    }
}

void Viewer::take_touch(const Snapshot& now) {
    const double aspect = static_cast<double>(m_window.width()) / m_window.height();
    const HandWish wish = m_touch.update(m_window.pointer(), aspect, m_renderer.drawing(), now.frame, m_camera);
    switch (wish.kind) {
        case HandWish::Kind::none:
            return;
        case HandWish::Kind::hold:
            m_hand_used = true;
            return m_live.hold(m_hand, wish.node, wish.where);
        case HandWish::Kind::move:
            return m_live.move(m_hand, wish.where);
        case HandWish::Kind::release:
            return m_live.release(m_hand);
        case HandWish::Kind::steer:
            m_hand_used = true;
            return m_live.steer(static_cast<std::size_t>(wish.tool), wish.where);
    }
}

void Viewer::act(Action action) {
    switch (action) {
        case Action::pause:
            m_settings.paused = !m_settings.paused;
            return;
        case Action::step:
            return m_live.step();
        case Action::reset:
            ++m_resets;
            m_touch.let_go();
            return m_live.reset();
        case Action::slower:
            m_settings.speed = slower_than(m_settings.speed);
            return;
        case Action::faster:
            m_settings.speed = faster_than(m_settings.speed);
            return;
        case Action::picture:
            m_picture_wanted = true;
            return;
        case Action::record:
            return toggle_recording();
        case Action::wireframe:
            m_settings.style.wireframe = !m_settings.style.wireframe;
            return;
        case Action::contacts:
            m_settings.style.contacts = !m_settings.style.contacts;
            return;
        case Action::sheets:
            m_settings.style.sheets = !m_settings.style.sheets;
            return;
        case Action::fit:
            m_camera = render::choose_camera(m_renderer.drawing(), m_live.look().frame.positions);
            return;
        case Action::panel:
            m_settings.panel = !m_settings.panel;
            return;
        case Action::help:
            m_settings.help = !m_settings.help;
            return;
        case Action::quit:
            m_quit = true;
            return;
    }
}

void Viewer::toggle_recording() {
    if (m_recording) {
        m_live.stop_recording();
        return;
    }
    const std::string file = free_file(".plica");
    m_touch.let_go();
    m_live.record(file);
    m_news = "plica replay " + file;
    ++m_recordings;
}

// Only what changed: each command wakes the scene's thread.
void Viewer::send_settings() {
    const Settings &now = m_settings, &sent = m_sent;
    if (now.paused != sent.paused) m_live.pause(now.paused);
    if (now.speed != sent.speed) m_live.set_speed(now.speed);
    if (!(now.tuning == sent.tuning)) m_live.tune(now.tuning);
    if (now.tilt_forward != sent.tilt_forward || now.tilt_sideways != sent.tilt_sideways) {
        m_live.set_gravity(tilted_gravity(now, m_live.scene().gravity));
    }
    if (now.style.contacts != sent.style.contacts) m_live.mark_contacts(now.style.contacts);
    m_sent = m_settings;
}

std::string Viewer::free_file(const std::string& ending) const {
    for (int i = 1;; ++i) {
        std::string file = fmt::format("plica-{}-{}{}", m_name, i, ending);
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored)) return file;
    }
}

void Viewer::write_picture() {
    m_picture_wanted = false;
    render::Picture picture;
    m_window.read(picture);
    const std::string file = free_file(".png");
    try {
        render::write_png(file, picture);
        m_news = "wrote " + file;
        ++m_pictures;
    } catch (const Error& error) {
        m_news = error.what();
    }
}

void Viewer::update_title(const Snapshot& now, double wall) {
    if (wall - m_title_time < 0.25) return;
    m_title_time = wall;
    std::string title = fmt::format("Plica: {} - {}", m_name, describe_pace(m_settings, now.pace));
    if (title == m_title) return;
    m_title = std::move(title);
    m_window.set_title(m_title);
}

bool Viewer::is_over(double began) const {
    if (m_quit || (m_options.end && m_options.end())) return true;
    return m_options.seconds > 0.0 && wall_seconds() - began >= m_options.seconds;
}

ViewReport Viewer::report(const Snapshot& last) const {
    ViewReport r;
    r.frames = m_frame_times.count();
    r.fps_p50 = m_frame_times.rate(0.5);
    r.fps_p99 = m_frame_times.rate(0.99);
    r.level = m_governor.level();
    r.simulated_s = last.frame.time;
    r.pace = last.pace;
    r.step = last.frame.step;
    r.hand_used = m_hand_used;
    r.largest_force = m_largest_force;
    r.paused = m_settings.paused;
    r.wireframe = m_settings.style.wireframe;
    r.contacts = m_settings.style.contacts;
    r.help = m_settings.help;
    r.resets = m_resets;
    r.pictures = m_pictures;
    r.recordings = m_recordings;
    r.width = m_window.width();
    r.height = m_window.height();
    r.lost = last.lost;
    r.hash = last.hash;
    return r;
}

ViewReport view(const ViewOptions& options) {
    const OpenScene scene = add_hand(options.source);
    return Viewer(options, scene).run();
}

}  // namespace plica::desktop
