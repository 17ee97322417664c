#include "bench/render/render_load.hpp"

#include "core/clock.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"

namespace plica::bench {

RenderLoad::RenderLoad(const std::string& scene, int frames, int width, int height) : m_screen(width, height) {
    const SceneSource source = find_scene(scene);
    const SceneDescription description = read_scene(source);
    Built built = build_scene(source, 1);
    World world(std::move(built.model), std::move(built.state));
    Script script(description);
    m_renderer = std::make_unique<render::Renderer>(render::make_drawing(world.model()));
    m_camera = choose_camera(m_renderer->drawing(), world.frame().positions);
    for (int i = 0; i < 30; ++i) world.step(script.next(world));  // it hangs in the air at first
    for (int i = 0; i < frames; ++i) {
        world.step(script.next(world));
        m_frames.push_back(world.frame());
    }
}

double RenderLoad::draw(const render::Style& style) {
    const Frame& frame = m_frames[m_next++ % m_frames.size()];
    const double began = wall_seconds();
    m_report = m_renderer->draw(frame, m_camera, style, m_screen.width(), m_screen.height(), m_screen.framebuffer());
    m_screen.finish();
    return wall_seconds() - began;
}

OtherLoad::OtherLoad() {
    const unsigned count = std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < count; ++i) {
        m_threads.emplace_back([this] {
            double x = 1.0;
            while (!m_stop.load(std::memory_order_relaxed)) {
                for (int k = 0; k < 1000; ++k) x = x * 1.0000001 + 1e-9;
                if (x > 1e9) x = 1.0;
            }
        });
    }
}

OtherLoad::~OtherLoad() {
    m_stop = true;
    for (std::thread& thread : m_threads) thread.join();
}

}  // namespace plica::bench
