#include <gtest/gtest.h>

#include "tests/scenarios/full_scenes.hpp"

// Spec B13: a liver on two bars at 5 g. It sags between them, they close, and it touches itself.
namespace plica::testing {
namespace {

constexpr double rest_from = 1.4, rest_until = 2.0;  // s; the scene goes on for another second

// Vertical, of all that is rigid.
double support_of(const Frame& frame) {
    double sum = 0.0;
    for (const Vec3& force : frame.rigid_force) sum -= force.z;
    return sum;
}

double weight_of(const FullScene& scene) {
    double mass = 0.0;
    for (const double inverse : scene.world.model().inverse_mass) mass += inverse > 0.0 ? 1.0 / inverse : 0.0;
    return mass * norm(scene.description.gravity);
}

// Pairs within the liver that carry load.
double count_self_contacts(const World& world) {
    const Surface& surface = world.model().surface;
    const auto tissue = [&](std::int32_t primitive) {
        const auto p = static_cast<std::size_t>(primitive);
        const std::size_t capsules = surface.capsules.size();
        return (p < capsules ? surface.capsules[p].body : surface.triangles[p - capsules].body) == 0;
    };
    double pairs = 0.0;
    for (const Pair& pair : world.state().candidates.pairs) {
        if (pair.push != 0.0 && tissue(pair.a) && tissue(pair.b)) pairs += 1.0;
    }
    return pairs;
}

TEST(LiverBars, FoldsTouchesItselfAndComesToRest) {
    FullScene scene("liver-bars");
    const double weight = weight_of(scene);
    double self = 0.0, support = 0.0, energy = 0.0, steps = 0.0;
    double most_energy = 0.0, least_energy = 1e9;
    while (scene.world.frame().time < rest_until - 1e-9) {
        ASSERT_TRUE(scene.step()) << scene.world.frame().time;
        if (scene.world.frame().time < rest_from) continue;
        steps += 1.0;
        self += count_self_contacts(scene.world);
        support += support_of(scene.world.frame());
        energy = scene.elastic_energy();
        most_energy = std::max(most_energy, energy);
        least_energy = std::min(least_energy, energy);
        EXPECT_NEAR(support_of(scene.world.frame()), weight, 0.02 * weight) << scene.world.frame().time;
    }
    EXPECT_EQ(scene.intersections, 0);
    EXPECT_GE(scene.looks * audit::substeps_per_look, scene.substeps);
    EXPECT_EQ(scene.held, 0);
    EXPECT_GT(scene.least_ratio, 0.05);
    EXPECT_GE(self / steps, 50.0);
    EXPECT_NEAR(support / steps, weight, 0.005 * weight);
    // At rest: what moves has a ten thousandth of the elastic energy, and that changes no more.
    EXPECT_LT(kinetic_energy(scene.world), 1e-4 * energy);
    EXPECT_LT(most_energy - least_energy, 0.01 * most_energy);
    printf("self %g support/weight %g least J %g elastic %g J (+- %g) kinetic %g J looks %d substeps %d\n",
           self / steps, support / steps / weight, scene.least_ratio, energy, most_energy - least_energy,
           kinetic_energy(scene.world), scene.looks, scene.substeps);
}

TEST(LiverBars, WithoutContactTheAuditFindsIntersections) {
    FullScene scene("liver-bars", {"contact.enabled=false", "liver.cell=0.012"});
    while (scene.world.frame().time < 0.1) ASSERT_TRUE(scene.step());
    EXPECT_GT(scene.intersections, 10);
}

// What folds passes through itself where only its contact with itself is off.
TEST(LiverBars, WithoutSelfContactTheAuditFindsIntersections) {
    FullScene scene("liver-bars", {"liver.self_contact=false", "liver.cell=0.01"});
    while (scene.world.frame().time < 1.6 && scene.intersections == 0) ASSERT_TRUE(scene.step());
    EXPECT_GT(scene.intersections, 0);
    EXPECT_EQ(scene.bodies, (audit::BodyPair{0, 0}));
}

}  // namespace
}  // namespace plica::testing
