#include "bench/detection/pile.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/world.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"

namespace plica::bench {
namespace {

constexpr const char* scene_name = "intestine-pile";
constexpr int scene_segments = 100;       // of the built-in scene, four metres
constexpr double segment_length = 0.04;   // m
constexpr double bowl = 0.15;             // m
constexpr double coil = 0.09, up = 0.12;  // m, radius and height of the wound-up rope
constexpr double share_of_radius = 0.1;   // margin of a node, as the simulator's own at rest

RopeCase describe(const SceneDescription& scene, const Model& model, const State& state, double seconds) {
    RopeCase rope;
    const BodyDescription& body = scene.bodies.front();
    rope.radius = body.rope.radius;
    rope.mass_per_length = body.mass_per_length;
    rope.gravity = scene.gravity;
    rope.drag = scene.drag;
    rope.friction = scene.contact.friction;
    rope.bowl_radius = scene.walls.front().radii.x;
    rope.bowl_center = scene.walls.front().center;
    rope.margin = share_of_radius * rope.radius;
    rope.seconds = seconds;
    rope.frames_per_second = static_cast<int>(std::lround(1.0 / model.dt));
    rope.nodes = state.x;
    rope.velocities = state.v;
    return rope;
}

// The frame that a window ends with: closer together at the start, where the rope falls.
int end_of(int window, int windows, int frames) {
    const double share = static_cast<double>(window + 1) / windows;
    return static_cast<int>(std::lround(share * share * frames));
}

}  // namespace

std::vector<std::string> pile_overrides(int segments, Growth growth) {
    std::vector<std::string> set{fmt::format("gut.segments={}", segments)};
    if (growth == Growth::length || segments == scene_segments) return set;
    const double s = std::cbrt(static_cast<double>(segments) / scene_segments);
    set.push_back(fmt::format("gut.length={:.6g}", segment_length * segments));
    set.push_back(fmt::format("gut.coil_radius={:.6f}", coil * s));
    set.push_back(fmt::format("gut.from=[0,0,{:.6f}]", up * s));
    set.push_back(fmt::format("environment.bowl.radius={:.6f}", bowl * s));
    set.push_back(fmt::format("environment.bowl.center=[0,0,{:.6f}]", bowl * s));
    return set;
}

namespace {
struct Start {
    SceneDescription scene;
    Built built;
    PileRun run;
};
Start start_pile(const std::vector<std::string>& overrides, double seconds) {
    const SceneSource source = find_scene(scene_name, overrides);
    Start start{read_scene(source), build_scene(source, 1), {}};
    start.run.rope = describe(start.scene, start.built.model, start.built.state, seconds);
    start.run.trajectory.nodes = start.run.rope.nodes.size();
    return start;
}
}  // namespace

PileRun run_pile(const std::vector<std::string>& overrides, double seconds,
                 const std::function<bool(int)>& after_frame) {
    auto [scene, built, run] = start_pile(overrides, seconds);
    run.trajectory.positions = run.rope.nodes;
    World world(std::move(built.model), std::move(built.state), 1);
    Script script(scene);
    for (int i = 1; i <= run.rope.frames(); ++i) {
        const StepReport report = world.step(script.next(world));
        run.valid = run.valid && report.is_valid();
        run.seconds.push_back(report.seconds);
        const std::vector<Vec3>& x = world.frame().positions;
        run.trajectory.positions.insert(run.trajectory.positions.end(), x.begin(), x.end());
        if (!run.valid || !after_frame(i)) break;
    }
    return run;
}

PileRun record_substeps(const std::vector<std::string>& overrides, double seconds, const Windows& windows,
                        const std::function<bool(int)>& after_frame) {
    auto [scene, built, run] = start_pile(overrides, seconds);
    const int last = run.rope.frames();
    const std::size_t wanted = static_cast<std::size_t>(windows.frames + 1) * run.trajectory.nodes;
    const int substeps = built.model.substeps;
    const int steps = (windows.frames + substeps - 1) / substeps;  // that a window takes at most
    World world(std::move(built.model), std::move(built.state), 1);
    world.keep_trail(true);
    Script script(scene);
    std::vector<Vec3> window;
    int taken = 0;
    for (int i = 1; i <= last && taken < windows.windows; ++i) {
        run.valid = world.step(script.next(world)).is_valid() && run.valid;
        if (!run.valid || !after_frame(i)) break;
        if (i <= end_of(taken, windows.windows, last) - steps) continue;
        const std::span<const Vec3> trail = world.trail();
        const std::size_t known = window.empty() ? 0 : run.trajectory.nodes;  // the start is the last one's end
        window.insert(window.end(), trail.begin() + static_cast<std::ptrdiff_t>(known), trail.end());
        if (window.size() < wanted) continue;
        run.trajectory.positions.insert(run.trajectory.positions.end(), window.begin(),
                                        window.begin() + static_cast<std::ptrdiff_t>(wanted));
        window.clear();
        ++taken;
    }
    run.rope.window = windows.frames;
    run.rope.frames_per_second *= substeps;
    return run;
}

}  // namespace plica::bench
