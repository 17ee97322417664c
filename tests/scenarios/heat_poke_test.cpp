#include <gtest/gtest.h>

#include <algorithm>

#include "audit/solids.hpp"
#include "tests/engine/worlds.hpp"

// The scene heat-poke: a loop of gut comes to rest on a membrane of heat tissue, and a probe presses beside it.
namespace plica::testing {
namespace {

SceneDescription poke(bool with_gut, std::vector<std::string> overrides = {}) {
    SceneDescription scene = read_scene(find_scene("heat-poke", std::move(overrides)));
    if (!with_gut) scene.bodies.pop_back();
    return scene;
}

struct Dimple {
    double depth = 0.0;    // m, below the shape before, deepest
    int nodes = 0;         // deeper than a tenth of that
    double warmest = 0.0;  // J/m^2
};

Dimple measure_dimple(const World& world, const std::vector<Vec3>& before) {
    Dimple dimple;
    const std::size_t nodes = world.model().of<HeatSurfaces>()[0].size();
    for (std::size_t n = 0; n < nodes; ++n) dimple.depth = std::max(dimple.depth, before[n].z - world.state().x[n].z);
    for (std::size_t n = 0; n < nodes; ++n) {
        dimple.nodes += before[n].z - world.state().x[n].z > 0.1 * dimple.depth ? 1 : 0;
    }
    const std::vector<double>& warmth = world.state().of<HeatSurfaces>()[0].temperature;
    dimple.warmest = *std::max_element(warmth.begin(), warmth.end());
    return dimple;
}

void run_until(World& world, Script& script, double t) {
    while (world.frame().time < t - 1e-6) ASSERT_TRUE(world.step(script.next(world)).is_valid());
}

TEST(HeatPoke, TheDimpleFormsSpreadsAndGoes) {
    const SceneDescription scene = poke(false);
    World world = make_world(scene);
    Script script(scene);
    run_until(world, script, 2.0);  // it hangs by its own weight
    const std::vector<Vec3> before = world.state().x;
    run_until(world, script, 2.6);
    const Dimple first = measure_dimple(world, before);
    run_until(world, script, 4.0);
    const Dimple pressed = measure_dimple(world, before);
    run_until(world, script, 37.0);  // 30 s after the probe has gone
    const Dimple gone = measure_dimple(world, before);
    printf(
        "at 2.6 s %.4f m over %d nodes, at 4 s %.4f m over %d nodes and %.3g J/m2, 30 s after release %.2g m, %.2g "
        "J/m2\n",
        first.depth, first.nodes, pressed.depth, pressed.nodes, pressed.warmest, gone.depth, gone.warmest);
    EXPECT_GT(pressed.depth, 0.01);
    EXPECT_GT(pressed.warmest, 0.1);
    EXPECT_GT(pressed.nodes, first.nodes);
    EXPECT_LT(gone.depth, 0.005 * pressed.depth);
    EXPECT_LT(gone.warmest, 1e-6 * pressed.warmest);
}

struct Rest {
    double support = 0.0, weight = 0.0;  // N
    std::int64_t held = 0;
    std::size_t crossings = 0;  // of triangles, most in a frame
};

Rest let_rest(const SceneDescription& scene) {
    World world = make_world(scene);
    Script script(scene);
    audit::Solids solids(world.model().surface);
    Rest rest;
    while (world.frame().time < 12.0) {
        rest.held += world.step(script.next(world)).held;
        rest.crossings = std::max(rest.crossings, solids.find(world.state().x.data()).size());
    }
    const Body& gut = world.model().bodies[1];
    for (std::int32_t n = gut.first_node; n < gut.first_node + gut.nodes; ++n) {
        rest.weight += 9.81 * mass(world, static_cast<std::size_t>(n));
    }
    for (const Vec3& touch : world.state().of<HeatSurfaces>()[0].touch) rest.support -= touch.z;
    printf("support %.5f N of %.5f N, held %lld, crossings %zu\n", rest.support, rest.weight,
           static_cast<long long>(rest.held), rest.crossings);
    return rest;
}

TEST(HeatPoke, TheLoopIsCarriedAndNothingCrosses) {
    const Rest rest = let_rest(poke(true));
    EXPECT_NEAR(rest.support, rest.weight, 0.02 * rest.weight);
    EXPECT_EQ(rest.held, 0);
    EXPECT_EQ(rest.crossings, 0U);
    const Rest apart = let_rest(poke(true, {"contact.enabled=false"}));  // the control: nobody carries it
    EXPECT_EQ(apart.support, 0.0);
}

}  // namespace
}  // namespace plica::testing
