#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "audit/separation.hpp"
#include "tests/engine/worlds.hpp"

// D1: in every step of a pile that is stirred, however fine and however fast, every detector and the candidate list
// find what a double loop over all segments finds.
namespace plica::testing {
namespace {

using Key = std::pair<std::int32_t, std::int32_t>;

SceneDescription stirred_pile(int segments, double speed) {
    SceneDescription scene =
        read_scene(find_scene("intestine-pile", {"gut.segments=" + std::to_string(segments), "gut.coil_pitch=0.043"}));
    ToolDescription probe;
    probe.tool.name = "probe";
    probe.path = {{0.2, WaypointKind::at, {}, "gut", 0.5},
                  {0.3, WaypointKind::move, {0.1 * speed, 0, 0}, "", 0.0},
                  {0.4, WaypointKind::move, {-0.2 * speed, 0, 0}, "", 0.0},
                  {0.5, WaypointKind::move, {0, 0.1 * speed, 0}, "", 0.0}};
    probe.repeat = 0.4;
    if (speed > 0.0) scene.tools.push_back(probe);
    return scene;
}

std::vector<Key> keys(const std::vector<Pair>& pairs, double furthest) {
    std::vector<Key> result;
    for (const Pair& p : pairs) {
        if (p.gap_at_build <= furthest) result.push_back({p.a, p.b});
    }
    return result;
}

// By the audit's distances, with the rule of neighbours written out.
std::vector<Key> by_double_loop(const Surface& s, const std::vector<Vec3>& x, double furthest) {
    std::vector<Key> result;
    const auto at = [&](std::int32_t n) { return x[static_cast<std::size_t>(n)]; };
    for (std::size_t i = 0; i < s.capsules.size(); ++i) {
        for (std::size_t j = i + 1; j < s.capsules.size(); ++j) {
            const Capsule &p = s.capsules[i], &q = s.capsules[j];
            if (std::abs(p.column - q.column) <= p.exclude) continue;
            const double d = audit::separation(audit::Edge{at(p.a), at(p.b)}, audit::Edge{at(q.a), at(q.b)});
            if (d - p.radius - q.radius <= furthest) {
                result.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
            }
        }
    }
    return result;
}

struct Detection {
    ThreadPool pool{1};
    DetectorScratch scratch;
    std::vector<Pair> found;
    CandidateList list;
    int rebuilds = 0;

    std::vector<Key> find(DetectorKind kind, const Surface& surface, const std::vector<Vec3>& x, double furthest) {
        const std::vector<std::uint8_t> enabled(surface.capsules.size(), 1);
        const std::vector<double> margin(x.size(), 0.5 * furthest);
        const auto detect = kind == DetectorKind::brute  ? find_pairs_brute
                            : kind == DetectorKind::grid ? find_pairs_grid
                                                         : find_pairs_bvh;
        detect({surface, enabled, x}, margin, pool, scratch, found);
        return keys(found, furthest);
    }
    // Pairs no further apart than `furthest` now, looked for among those of a list that was built some steps ago.
    std::vector<Key> find_in_list(const Surface& surface, const std::vector<Vec3>& x, double margin, double furthest) {
        if (!is_complete(list, x)) {
            list.margin.assign(x.size(), margin + 0.5 * furthest);
            rebuild(list, DetectorKind::grid, {surface, std::vector<std::uint8_t>(surface.capsules.size(), 1), x}, pool,
                    scratch);
            list.margin.assign(x.size(), margin);
            ++rebuilds;
        }
        std::vector<Key> result;
        for (const Pair& p : list.pairs) {
            if (measure(surface, p, x, {}).distance - contact_radii(surface, p) <= furthest)
                result.push_back({p.a, p.b});
        }
        return result;
    }
};

// Tubes at rest lie at a gap of zero but for rounding; a little more than that is the same for all who look.
constexpr double touching_gap = 0.02 * 0.04;

void expect_agreement(int segments, double speed, int steps) {
    SCOPED_TRACE(std::to_string(segments) + " segments, " + std::to_string(speed) + " m/s");
    const SceneDescription scene = stirred_pile(segments, speed);
    World world = make_world(scene);
    Script script(scene);
    Detection detection;
    const Surface& surface = world.model().surface;
    const double r = 0.02;
    std::size_t touching = 0, candidates = 0;
    double fastest = 0.0;
    for (int i = 0; i < steps; ++i) {
        world.step(script.next(world));
        for (const Vec3& v : world.state().v) fastest = std::max(fastest, norm(v));
        std::vector<Vec3> stretched = world.state().x;
        for (Vec3& x : stretched) x = {1.7 * x.x, x.y, 0.6 * x.z};  // segments are no longer of one length
        for (const std::vector<Vec3>& x : {world.state().x, stretched}) {
            for (const double furthest : {0.0, touching_gap, 0.5 * r}) {
                const std::vector<Key> brute = detection.find(DetectorKind::brute, surface, x, furthest);
                ASSERT_EQ(brute, detection.find(DetectorKind::grid, surface, x, furthest)) << "step " << i;
                ASSERT_EQ(brute, detection.find(DetectorKind::bvh, surface, x, furthest)) << "step " << i;
                if (segments <= 200 && furthest > 0.0) {
                    ASSERT_EQ(brute, by_double_loop(surface, x, furthest)) << "step " << i;
                }
                candidates += brute.size();
            }
        }
        const std::vector<Key> now = detection.find(DetectorKind::brute, surface, world.state().x, touching_gap);
        ASSERT_EQ(now, detection.find_in_list(surface, world.state().x, r, touching_gap)) << "step " << i;
        touching += now.size();
    }
    EXPECT_GT(candidates, static_cast<std::size_t>(steps));
    EXPECT_GT(touching, 0U);
    EXPECT_GE(detection.rebuilds, 1);
    EXPECT_LT(detection.rebuilds, steps) << "the list was never used twice";
    EXPECT_GT(fastest, speed > 0.0 ? 0.5 * speed : 0.1);
}

TEST(PileDetection, EveryDetectorInEveryStep) {
    for (const double speed : {0.0, 0.6, 2.0}) {
        for (const int segments : {50, 100, 200, 400}) expect_agreement(segments, speed, 40);
    }
    expect_agreement(800, 2.0, 25);
}

// A list that is trusted after its nodes left their margins misses contacts; so do margins that are too small.
TEST(PileDetection, TheComparisonCanFail) {
    const SceneDescription scene = stirred_pile(100, 2.0);
    World world = make_world(scene);
    Script script(scene);
    Detection detection;
    const Surface& surface = world.model().surface;
    int differs = 0, fewer = 0;
    for (int i = 0; i < 40; ++i) {
        world.step(script.next(world));
        const std::vector<Key> now = detection.find(DetectorKind::brute, surface, world.state().x, touching_gap);
        const std::vector<Key> trusted = detection.find_in_list(surface, world.state().x, 0.002, touching_gap);
        detection.list.margin.assign(world.state().x.size(), 1.0);
        differs += now == trusted ? 0 : 1;
        const std::vector<Key> wide = detection.find(DetectorKind::brute, surface, world.state().x, 0.01);
        fewer += wide == detection.find(DetectorKind::grid, surface, world.state().x, 0.009) ? 0 : 1;
    }
    EXPECT_GT(differs, 10);
    EXPECT_GT(fewer, 10);
}

}  // namespace
}  // namespace plica::testing
