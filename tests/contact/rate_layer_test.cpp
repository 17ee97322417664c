#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/contact/contacts.hpp"

// contact.rate_layer: surfaces of solids are slowed down before they touch, and never held together.
namespace plica::testing {
namespace {

constexpr double layer = 1e-4, thickness = 1e-3;  // m

// A corner above a facet that is held, in steps of one second.
class Approach {
public:
    // `gap`: m, at the start; `speed`: m/s, downward.
    Approach(double gap, double speed, double of_layer) {
        m_bench.add_node({0.2, 0.3, thickness + gap}, 1.0);
        for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) m_bench.add_node(at, 0.0);
        Capsule corner{0, 0, 0.5 * thickness, 0, -1, 0, 0, false};
        corner.sheet = true;
        m_bench.surface.capsules.push_back(corner);
        m_bench.surface.triangles.push_back({1, 2, 3, 0.5 * thickness, 1, -1, -1, -1, true, true});
        m_bench.surface.features.corners = 1;
        m_bench.list.pairs.resize(1);
        m_bench.list.pairs[0].b = 1;
        m_bench.p = m_bench.x;
        m_bench.v[0] = {0, 0, -speed};
        m_bench.settings.rate_layer = of_layer;
        m_bench.settings.friction = 0.0;
    }
    void step() {
        Bench& b = m_bench;
        b.p[0] = b.x[0] + b.v[0];
        ContactWorld world{b.surface, {}, m_radius, b.w, b.settings, 1.0, b.x, b.p, b.list, {}, {}};
        if (!m_begun) forget_pairs(world, b.scratch);
        m_begun = true;
        warm_start(world, b.scratch);
        for (int k = 0; k < b.settings.sweeps; ++k) sweep(world, b.scratch);
        b.v[0] = b.p[0] - b.x[0];
        push_out(world, b.scratch);
        finish(world, b.scratch);
        extend_paths(world, b.scratch);
        b.x = b.p;
    }
    [[nodiscard]] double gap() const { return m_bench.x[0].z - thickness; }
    [[nodiscard]] double speed() const { return -m_bench.v[0].z; }

private:
    Bench m_bench;
    std::vector<double> m_radius = std::vector<double>(4, -1.0);
    bool m_begun = false;
};

// Spec E10: where a node stops when so many steps at its first speed make the layer's width.
TEST(RateLayer, StopsANodeWithinIt) {
    const std::pair<int, double> expected[] = {{5, 0.568}, {50, 0.820}, {500, 0.939}};
    for (const auto& [steps, share] : expected) {
        Approach one(3.0 * layer, layer / steps, layer), off(3.0 * layer, layer / steps, 0.0);
        double fastest_stop = 0.0;  // share of the speed that goes in one step
        for (int k = 0; k < 100 * steps; ++k) {
            const double before = one.speed();
            one.step();
            off.step();
            if (k < steps) {
                EXPECT_NEAR(one.speed(), layer / steps, 1e-9 * layer) << "outside of the layer";
            }
            if (before > 0.0) fastest_stop = std::max(fastest_stop, 1.0 - one.speed() / before);
        }
        printf("%d steps: stops at %.4f\n", steps, one.gap() / layer);
        EXPECT_NEAR(one.gap() / layer, share, 0.1 * share) << steps;
        EXPECT_GE(one.speed(), 0.0) << "it is not thrown back";
        EXPECT_LT(one.speed(), 0.01 * layer / steps);
        EXPECT_LT(fastest_stop, 0.6);
        EXPECT_NEAR(off.gap(), 0.0, 1e-12) << "the control touches";
    }
}

TEST(RateLayer, LeavesWhatParts) {
    Approach one(0.1 * layer, -layer / 20, layer);
    for (int k = 0; k < 40; ++k) {
        one.step();
        ASSERT_NEAR(one.speed(), -layer / 20, 1e-9 * layer);
    }
}

TEST(RateLayer, LeavesWhatPassesItInOneStepToContact) {
    Approach one(1.5 * layer, 3.0 * layer, layer);
    one.step();
    EXPECT_NEAR(one.gap(), 0.0, 1e-12);
}

// Two blocks on top of each other, stiff enough to be like two masses, that meet at `speed`.
SceneDescription two_blocks(double dt, double gap, double speed, double of_layer) {
    SceneDescription scene;
    scene.dt = dt;
    scene.substeps = 1;
    scene.exact = true;
    scene.gravity = {};
    scene.contact.friction = 0.0;
    scene.contact.rate_layer = of_layer;
    for (const bool upper : {false, true}) {
        BodyDescription body;
        body.name = upper ? "upper" : "lower";
        body.tissue = TissueKind::tled;
        body.organ.shape = "block";
        body.organ.size = upper ? Vec3{0.04, 0.04, 0.05} : Vec3{0.05, 0.05, 0.05};
        body.organ.cells = {1, 1, 1};
        body.organ.thickness = thickness;
        tled::set_young(body.organ.material, 1e6, 0.3);
        body.organ.center = upper ? Vec3{0, 0, 0.05 + thickness + gap} : Vec3{};
        body.velocity = {0, 0, upper ? -0.5 * speed : 0.5 * speed};
        scene.bodies.push_back(body);
    }
    return scene;
}

// Least of all pairs of the two.
double gap_of(const World& world) {
    const Surface& surface = world.model().surface;
    const auto capsules = static_cast<std::int32_t>(surface.capsules.size());
    double least = 1.0;
    Pair pair;
    for (pair.a = 0; pair.a < capsules; ++pair.a) {
        for (pair.b = pair.a + 1; pair.b < primitive_count(surface); ++pair.b) {
            const bool edge = pair.b < capsules;
            const std::size_t a = at(pair.a), b = at(edge ? pair.b : pair.b - capsules);
            if (surface.capsules[a].body == (edge ? surface.capsules[b].body : surface.triangles[b].body)) continue;
            if (!(edge ? capsules_can_touch(surface, a, b) : can_touch(surface, a, b))) continue;
            least = std::min(least, measure(surface, pair, world.state().x, {}).gap);
        }
    }
    return least;
}

struct Passage {
    double nearest = 1.0;   // m
    double momentum = 0.0;  // change over the first
    double energy = 0.0;    // kinetic, over the first
};
Passage let_meet(double steps, double of_layer, double speed_sign = 1.0) {
    const double dt = 2e-4;
    const SceneDescription scene =
        two_blocks(dt, speed_sign > 0.0 ? 1.3 * layer : 0.05 * layer, speed_sign * layer / (steps * dt), of_layer);
    World world = make_world(scene);
    const double before = kinetic_energy(world);
    const Vec3 carried = momentum(world);
    Passage passage;
    for (int k = 0; k < static_cast<int>(4.0 * steps); ++k) {
        const StepReport report = world.step(quiet_inputs(scene));
        EXPECT_TRUE(report.is_valid());
        EXPECT_EQ(report.held, 0);
        EXPECT_EQ(report.substeps, 1);
        passage.nearest = std::min(passage.nearest, gap_of(world));
        passage.momentum = std::max(passage.momentum, norm(momentum(world) - carried) / norm(carried));
    }
    passage.energy = kinetic_energy(world) / before;
    return passage;
}

// Where the layer takes longer to cross than sound takes through a block they are like two masses; in five steps their
// backs are still coming when their faces have stopped.
TEST(RateLayer, KeepsTwoBlocksFromTouching) {
    struct Case {
        double steps, share, tolerance;
    };
    for (const Case& c : {Case{5, 0.4, 0.2}, Case{50, 0.820, 0.082}, Case{500, 0.939, 0.0939}}) {
        const Passage on = let_meet(c.steps, layer), off = let_meet(c.steps, 0.0);
        printf("%g steps: nearest %.4f of the layer, without it %.1e m\n", c.steps, on.nearest / layer, off.nearest);
        EXPECT_NEAR(on.nearest / layer, c.share, c.tolerance);
        EXPECT_LT(on.momentum, 1e-8);  // of speeds down to 1 mm/s
        EXPECT_LT(on.energy, 1.0);
        EXPECT_NEAR(off.nearest, 0.0, 1e-9) << "the control touches";
    }
}

TEST(RateLayer, DoesNotGlueTwoBlocks) {
    const Passage apart = let_meet(50, layer, -1.0);
    EXPECT_NEAR(apart.energy, 1.0, 1e-9);
}

}  // namespace
}  // namespace plica::testing
