#include "experiments/raghupathi/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/world.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"

namespace plica::experiments {
namespace {

constexpr double stir_radius = 0.08;     // m
constexpr double segment_length = 0.04;  // m, of growing piles
constexpr double tube_radius = 0.02;

// The hand that goes round in a circle.
class Stirrer {
public:
    Stirrer(const World& world, const Recording& recording)
        : m_node(find_node(world.model(), world.model().bodies[0].name, 0.5)), m_speed(recording.stir) {
        const Vec3 start = world.state().x[static_cast<std::size_t>(m_node)];
        m_centre = {0.0, 0.0, start.z};
        if (recording.on_spot) m_centre = {start.x - stir_radius, start.y, start.z};
        m_angle = std::atan2(start.y - m_centre.y, start.x - m_centre.x);
    }
    void move(double dt, ToolInput& hand) {
        m_angle += m_speed / stir_radius * dt;
        hand = {m_centre + stir_radius * Vec3{std::cos(m_angle), std::sin(m_angle), 0.0}, m_node, 1};
    }

private:
    std::int32_t m_node;
    double m_speed;
    Vec3 m_centre;
    double m_angle = 0.0;
};

void add_hand(double force, SceneDescription& scene) {
    ToolDescription hand;
    hand.tool.name = "hand";
    hand.tool.max_force = force;
    scene.tools = {hand};
}

double farthest(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    double most = 0.0;
    for (std::size_t i = 0; i < from.size(); ++i) most = std::max(most, distance(from[i], to[i]));
    return most;
}

void keep_trail(const World& world, int substeps, Motion& motion) {
    const std::size_t nodes = world.model().nodes();
    motion.substep = world.model().dt / substeps;
    for (int k = 1; k <= substeps; ++k) {
        const auto part = world.trail().subspan(static_cast<std::size_t>(k) * nodes, nodes);
        motion.trail.emplace_back(part.begin(), part.end());
    }
}

// Points on a path at equal distances from one to the next, as far as they are asked for.
std::vector<Vec3> walk(const std::vector<Vec3>& path, double step, std::size_t count) {
    std::vector<Vec3> points{path.front()};
    std::size_t i = 1;
    Vec3 from = path.front();
    while (points.size() < count && i < path.size()) {
        const double now = distance(path[i], points.back());
        if (now < step) {
            from = path[i++];
            continue;
        }
        const double before = distance(from, points.back());
        const Vec3 next = from + (path[i] - from) * ((step - before) / (now - before));
        points.push_back(next);
        from = next;
    }
    return points;
}

// Passes to and fro over a square of this side, layer on layer, each across the one below.
std::vector<Vec3> layered_path(double side, double pitch, double rise, double from_z, double length) {
    std::vector<Vec3> path;
    const int passes = std::max(2, static_cast<int>(side / pitch));
    const double fine = 0.1 * pitch;
    const double half = 0.5 * side;
    bool backwards = false;  // along the passes' own direction, so that a layer starts where the last one ended
    bool mirrored = false;
    for (int layer = 0; static_cast<double>(layer) * side * passes < 1.3 * length; ++layer) {
        const double z = from_z + layer * rise;
        const auto add = [&](double along, double across) {
            if (mirrored) across = -across;
            path.push_back(layer % 2 == 0 ? Vec3{along, across, z} : Vec3{across, along, z});
        };
        for (int k = 0; k < passes; ++k) {
            const double across = -half + (k + 0.5) * side / passes;
            const double sign = backwards ? -1.0 : 1.0;
            for (double a = -half; a <= half; a += fine) add(sign * a, across);
            backwards = !backwards;
        }
        // The end of this layer is the start of the next, whose directions are exchanged.
        const bool ended_low = !backwards;  // at along = -half
        const bool ended_across_low = mirrored;
        mirrored = !ended_low;
        backwards = !ended_across_low;
    }
    return path;
}

}  // namespace

SceneDescription pile_scene(int segments, bool on_plane) {
    SceneDescription scene = read_scene(find_scene("intestine-pile", {fmt::format("gut.segments={}", segments)}));
    if (on_plane) {
        scene.walls = {Wall{}};
        scene.bodies[0].rope.from.z = 0.03;
    }
    return scene;
}

GrowingPile growing_pile(int segments) {
    GrowingPile pile;
    pile.scene = pile_scene(segments);
    RopeParameters& rope = pile.scene.bodies[0].rope;
    rope.length = segment_length * segments;
    const double bowl = 0.15 * std::cbrt(segments / 100.0);
    pile.scene.walls[0].center = {0, 0, bowl};
    pile.scene.walls[0].radii = {bowl, bowl, bowl};
    rope.coil_radius = bowl - 0.04;  // only to be built: `start` takes its place
    rope.from.z = bowl;
    const double side = 1.2 * bowl;
    pile.start = walk(layered_path(side, 0.07, 0.046, 0.55 * bowl, rope.length), segment_length,
                      static_cast<std::size_t>(segments) + 1);
    return pile;
}

Motion record(SceneDescription scene, const Recording& recording, const std::vector<Vec3>& start,
              const std::function<void(double)>& tick) {
    if (recording.stir > 0.0) add_hand(recording.force, scene);
    Built built = build_scene(scene, 1);
    if (!start.empty()) built.state.x = start;
    World world(std::move(built.model), std::move(built.state));
    Script script(scene);
    const int before = static_cast<int>(std::lround(recording.before / world.model().dt));
    const int steps = before + recording.frames;
    Motion motion;
    std::optional<Stirrer> stirrer;
    for (int i = 0; i < steps; ++i) {
        Inputs inputs = script.next(world);
        if (i >= before && recording.stir > 0.0) {
            if (!stirrer) stirrer.emplace(world, recording);
            stirrer->move(world.model().dt, inputs.tools[0]);
        }
        const bool trail = i >= steps - recording.trail_frames;
        world.keep_trail(trail);
        const std::vector<Vec3> last = world.state().x;
        const StepReport report = world.step(inputs);
        if (trail) keep_trail(world, report.substeps, motion);
        if (i >= before) {
            motion.frames.push_back(world.state().x);
            motion.travel += farthest(last, world.state().x) / (tube_radius * recording.frames);
        }
        tick(static_cast<double>(i + 1) / steps);
    }
    motion.surface = world.model().surface;
    motion.neighbours = find_neighbours(motion.surface);
    motion.enabled.assign(motion.surface.capsules.size(), 1);
    return motion;
}

}  // namespace plica::experiments
