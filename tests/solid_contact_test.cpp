#include <gtest/gtest.h>

#include "organ_worlds.hpp"
#include "scene/organs.hpp"
#include "tissue/tled/fields.hpp"

// Solids that touch each other: spec B's tests of the response.
namespace plica::testing {
namespace {

BodyDescription make_block(const std::string& name, int cells, const Vec3& center, double density) {
    BodyDescription body;
    body.name = name;
    body.tissue = "tled";
    body.organ.shape = "block";
    body.organ.size = {0.05, 0.05, 0.05};
    body.organ.cells = {cells, cells, cells};
    body.organ.material = app::make_neo_hookean(3000.0, 0.3);
    body.organ.material.density = density;
    body.organ.center = center;
    return body;
}

struct Motion {
    Vec3 momentum, angular;
    double energy = 0.0;
};
Motion measure_motion(World& world) {
    Motion m;
    const Model& model = world.model();
    for (std::size_t n = 0; n < model.nodes(); ++n) {
        if (model.inverse_mass[n] == 0.0) continue;
        const double mass = 1.0 / model.inverse_mass[n];
        const Vec3 v = world.state().v[n];
        m.momentum += v * mass;
        m.angular += cross(world.state().x[n], v) * mass;
        m.energy += 0.5 * mass * squared_norm(v);
    }
    for (std::size_t i = 0; i < model.organs.size(); ++i) {
        const tled::Organ& organ = model.organs[i];
        const auto part = [&](auto& values) {
            return std::span(values).subspan(static_cast<std::size_t>(organ.first_node),
                                             static_cast<std::size_t>(organ.nodes));
        };
        m.energy += tled::compute_energy(organ, part(model.rest), part(world.state().x));
    }
    return m;
}

class TwoBlocks : public ::testing::TestWithParam<double> {};

// B1, B2
TEST_P(TwoBlocks, ExchangeMomentumAndLoseNone) {
    SceneDescription scene;
    scene.dt = 0.002;
    scene.substeps = 1;
    scene.exact = true;
    scene.gravity = {};
    scene.contact.friction = 0.0;
    scene.bodies.push_back(make_block("one", 3, {}, 1000.0));
    scene.bodies.push_back(make_block("two", 4, {0.012, 0.007, 0.062}, 1000.0 * GetParam()));
    scene.bodies[0].organ.turn = {0.1, 0.2, 0.0};
    scene.bodies[0].velocity = {0, 0, 0.3};
    World world = make_world(scene);
    const Motion before = measure_motion(world);
    const double carried = norm(before.momentum);
    double worst_momentum = 0.0, worst_angular = 0.0, most_energy = 0.0, least_energy = 1e9;
    double contacts = 0.0;
    int sweeps = 0, substeps = 0;
    for (int k = 0; k < 200; ++k) {
        const StepReport report = world.step(Inputs{});
        ASSERT_TRUE(report.is_valid());
        EXPECT_EQ(report.held, 0);
        contacts = std::max(contacts, report.contacts);
        sweeps += report.sweeps;
        substeps += report.substeps;
        const Motion now = measure_motion(world);
        worst_momentum = std::max(worst_momentum, norm(now.momentum - before.momentum) / carried);
        worst_angular = std::max(worst_angular, norm(now.angular - before.angular) / (carried * 0.05));
        most_energy = std::max(most_energy, now.energy / before.energy);
        least_energy = std::min(least_energy, now.energy / before.energy);
    }
    printf("momentum %g angular %g energy %g..%g contacts %g sweeps %g substeps %d\n", worst_momentum, worst_angular,
           least_energy, most_energy, contacts, double(sweeps) / substeps, substeps);
    EXPECT_LT(worst_momentum, 1e-12);
    EXPECT_LT(worst_angular, 1e-3);
    EXPECT_GT(contacts, 3.0);
    EXPECT_LT(most_energy, 1.001);
    EXPECT_GT(least_energy, 0.85);
}

INSTANTIATE_TEST_SUITE_P(Densities, TwoBlocks, ::testing::Values(1.0, 4.0));

}  // namespace
}  // namespace plica::testing
