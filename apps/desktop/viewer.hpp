#pragma once
#include <string>

#include "apps/desktop/frame_times.hpp"
#include "apps/desktop/panel.hpp"
#include "apps/desktop/view.hpp"
#include "apps/desktop/window.hpp"
#include "render/governor.hpp"
#include "simulation/live/hand.hpp"

namespace plica::desktop {

// The window, the scene that runs behind it, and what the user has set.
class Viewer {
public:
    Viewer(const ViewOptions& options, const OpenScene& scene);

    // Draws until the window is closed.
    ViewReport run();

private:
    void draw_frame(const Snapshot& now);
    const Frame& with_field(const Frame& frame);
    void take_keys();
    void take_touch(const Snapshot& now);
    void act(Action action);
    void toggle_recording();
    void send_settings();
    void write_picture();
    void update_title(const Snapshot& now, double wall);
    [[nodiscard]] bool is_over(double began) const;
    [[nodiscard]] ViewReport report(const Snapshot& last) const;
    [[nodiscard]] std::string free_file(const std::string& ending) const;

    const ViewOptions& m_options;
    std::string m_name;
    Window m_window;
    Live m_live;
    std::size_t m_hand;
    render::Renderer m_renderer;
    render::Camera m_camera;
    render::Governor m_governor;
    Touch m_touch;
    Settings m_settings, m_sent;
    Frame m_coloured;  // the last one with a field
    StepTimes m_step_times;
    FrameTimes m_frame_times;
    std::string m_title, m_news;
    double m_title_time = 0.0;  // s, on the wall clock
    double m_frame_rate = 0.0;
    bool m_picture_wanted = false, m_quit = false, m_recording = false, m_lost = false;
    bool m_hand_used = false;
    double m_largest_force = 0.0;
    int m_resets = 0, m_pictures = 0, m_recordings = 0;
};

}  // namespace plica::desktop
