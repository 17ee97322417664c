#pragma once
#include <atomic>
#include <thread>
#include <vector>

#include "render/offscreen.hpp"
#include "render/renderer.hpp"

namespace plica::bench {

// Frames of a scene to be drawn again and again, so that every way of drawing gets the same load.
class RenderLoad {
public:
    RenderLoad(const std::string& scene, int frames, int width, int height);

    // Draws the next frame and waits until the graphics processor has finished; returns the wall seconds.
    double draw(const render::Style& style);
    [[nodiscard]] const render::DrawReport& report() const { return m_report; }
    void rewind() { m_next = 0; }

private:
    std::vector<Frame> m_frames;
    render::Offscreen m_screen;
    std::unique_ptr<render::Renderer> m_renderer;
    render::Camera m_camera;
    render::DrawReport m_report;
    std::size_t m_next = 0;
};

// Something else that wants the processor: as many threads as it has cores.
class OtherLoad {
public:
    OtherLoad();
    ~OtherLoad();
    OtherLoad(const OtherLoad&) = delete;
    OtherLoad& operator=(const OtherLoad&) = delete;
    OtherLoad(OtherLoad&&) = delete;
    OtherLoad& operator=(OtherLoad&&) = delete;

private:
    std::atomic<bool> m_stop{false};
    std::vector<std::thread> m_threads;
};

}  // namespace plica::bench
