#pragma once
#include "tests/collision/tree/tree_scenes.hpp"

// Scenes that wave, fall, drift and turn, and how well a tree follows them.
namespace plica::testing {

inline Vec3 draw_vector(Random& random, double size) {
    const double a = random.uniform(-size, size), b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

// Bodies that deform wave and drift; rigid ones turn and drift.
struct Motion {
    std::vector<Waves> waves{};
    std::vector<Vec3> speed{}, spin{};

    Motion(const TreeScene& scene, Random& random, double length, double size, double fast) {
        for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
            waves.emplace_back(random, length, size);
            speed.push_back(draw_vector(random, fast));
            spin.push_back(draw_vector(random, 1.0));
        }
    }
    void place(const TreeScene& scene, double time, std::vector<Vec3>& x, std::vector<Pose>& poses) const {
        poses.clear();
        for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
            poses.push_back(make_pose(spin[b] * time, speed[b] * time));
        }
        x.resize(scene.rest.size());
        for (std::size_t n = 0; n < x.size(); ++n) {
            const auto b = static_cast<std::size_t>(scene.body_of[n]);
            const Vec3& rest = scene.rest[n];
            x[n] = scene.bodies[b].rigid ? apply(poses[b], rest) : rest + waves[b].at(rest, time) + speed[b] * time;
        }
    }
};

struct Outcome {
    int wanted = 0, missing = 0;
    int disordered = 0;  // steps at which pairs were not ascending
};

// `keep`: after the first step as well.
inline Outcome follow(const TreeScene& scene, const Motion& motion, const TreeSettings& settings, int steps,
                      double step, bool keep) {
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, settings);
    std::vector<Vec3> x, p;
    std::vector<Pose> start, end;
    Outcome outcome;
    for (int i = 0; i < steps; ++i) {
        motion.place(scene, i * step, x, start);
        motion.place(scene, (i + 1) * step, p, end);
        if (i == 0 || keep) tree.update(x, p, start, end);
        const PairList wanted = find_all_pairs(scene.surface, x, p, settings.layer);
        outcome.wanted += static_cast<int>(wanted.size());
        outcome.missing += count_missing(wanted, tree.pairs());
        const auto not_less = [](const auto& a, const auto& b) { return !(a < b); };
        const auto wrong = std::adjacent_find(tree.pairs().begin(), tree.pairs().end(), not_less);
        outcome.disordered += wrong != tree.pairs().end() ? 1 : 0;
    }
    return outcome;
}

// A solid, a sheet and two rigid things, of different and uneven thickness, among tubes and triangles that are none of
// the tree's business.
inline TreeScene make_mixed_scene(Random& random) {
    TreeScene scene;
    scene.surface.capsules.push_back({0, 1, 0.002, 0, 0, 0, 1, false});
    scene.surface.triangles.push_back({0, 1, 2, 0.001, 0, 0, 0, 0});
    scene.add(make_icosphere(2, 0.05), {true, false}, 0.002, true);
    scene.add(make_sheet(10, 0.12), {false, false}, 0.001, true, {0, 0, -0.053});
    scene.add(make_icosphere(1, 0.03), {true, true}, 0.0, false, {0.02, 0.01, 0.079});
    scene.add(make_icosphere(1, 0.02), {true, true}, 0.0, false, {0.03, 0.05, 0.075});
    scene.finish();
    for (Triangle& t : scene.surface.triangles) t.half_thickness *= random.uniform(0.5, 2.0);
    for (Capsule& c : scene.surface.capsules) c.radius *= random.uniform(0.5, 2.0);
    return scene;
}

}  // namespace plica::testing
