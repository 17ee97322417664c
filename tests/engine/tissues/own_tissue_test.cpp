#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "core/error.hpp"
#include "tests/engine/tissues/swinging.hpp"
#include "tests/engine/worlds.hpp"

namespace plica::testing {
namespace {

// The same with a mistake in its shape.
class Misshapen : public Swinging {
public:
    explicit Misshapen(int mistake) : m_mistake(mistake) {}
    [[nodiscard]] TissueShape shape() const override {
        TissueShape shape = Swinging::shape();
        if (m_mistake == 0) shape.nodes.pop_back();
        if (m_mistake == 1) shape.nodes[4] = std::nan("");
        if (m_mistake == 2) shape.masses[1] = -1.0;
        if (m_mistake == 3) shape.triangles[2][0] = 4;
        if (m_mistake == 4) shape.thickness = 0.0;
        return shape;
    }

private:
    int m_mistake;
};

SceneDescription scene_with(std::shared_ptr<const Tissue> tissue) {
    SceneDescription scene;
    BodyDescription body;
    body.name = "thing";
    body.tissue = TissueKind::own;
    body.own = std::move(tissue);
    scene.bodies.push_back(body);
    scene.gravity = {};
    return scene;
}

TEST(OwnTissue, SwingsAsItsSpringsSay) {
    const double omega = std::sqrt(100.0 / 0.25), half_period = std::numbers::pi / omega;
    const auto highest = [&](double stiffness) {
        SceneDescription scene = scene_with(std::make_shared<Swinging>(stiffness));
        scene.bodies[0].velocity = {0, 0, 0.2};
        scene.dt = half_period / 50.0;
        World world = make_world(scene);
        double most = 0.0;
        for (int i = 0; i < 50; ++i) {
            world.step(quiet_inputs(scene));
            most = std::max(most, world.state().x[0].z);
        }
        return most;
    };
    EXPECT_NEAR(highest(100.0), 0.2 / omega, 0.01 * 0.2 / omega);
    EXPECT_GT(highest(81.0), 1.05 * 0.2 / omega) << "the control: softer springs";
}

TEST(OwnTissue, FallsLikeEverythingElse) {
    SceneDescription scene = scene_with(std::make_shared<Swinging>(0.0));
    scene.gravity = {0, 0, -9.81};
    World world = make_world(scene);
    run_for(world, quiet_inputs(scene), 0.5);
    EXPECT_NEAR(world.state().x[0].z, -0.5 * 9.81 * 0.25, 2e-3);
    World held = make_world(scene_with(std::make_shared<Swinging>(1000.0)));
    run_for(held, quiet_inputs(scene), 0.5);
    EXPECT_GT(held.state().x[0].z, -0.01) << "the control: springs hold it";
}

TEST(OwnTissue, SubstepsAreAsShortAsItAsksFor) {
    auto tissue = std::make_shared<Swinging>();
    const SceneDescription loose = scene_with(tissue);
    World world = make_world(loose);
    EXPECT_EQ(world.step(quiet_inputs(loose)).substeps, loose.substeps);
    auto strict = std::make_shared<Swinging>();
    strict->longest = 1e-4;
    World careful = make_world(scene_with(strict));
    EXPECT_EQ(careful.step(quiet_inputs(loose)).substeps, static_cast<int>(std::ceil(loose.dt / 0.9e-4)));
    for (const double nothing : {-1.0, std::nan(""), 1e-12}) {
        auto mute = std::make_shared<Swinging>();
        mute->longest = nothing;
        mute->says_anything = true;
        World lost = make_world(scene_with(mute));
        EXPECT_TRUE(lost.step(quiet_inputs(loose)).has(FlagKind::unstable, 0)) << nothing;
        EXPECT_EQ(lost.state().step, 0U);
    }
}

TEST(OwnTissue, ItsStateIsHashedAndRestored) {
    const SceneDescription scene = scene_with(std::make_shared<Swinging>());
    World world = make_world(scene);
    EXPECT_EQ(world.state().of<OwnTissues>()[0][0], 5.0);
    run_for(world, quiet_inputs(scene), 3 * scene.dt);
    EXPECT_EQ(world.state().of<OwnTissues>()[0][0], 8.0);
    const State saved = world.state();
    State other = saved;
    other.of<OwnTissues>()[0][0] += 1.0;
    EXPECT_NE(compute_hash(other), compute_hash(saved));
    const std::uint64_t then = world.step(quiet_inputs(scene)).hash;
    world.restore(saved);
    EXPECT_EQ(world.step(quiet_inputs(scene)).hash, then);
    world.restore(other);
    EXPECT_NE(world.step(quiet_inputs(scene)).hash, then) << "the control: another state";
}

TEST(OwnTissue, PublishesItsField) {
    SceneDescription scene = scene_with(std::make_shared<Swinging>());
    scene.bodies[0].velocity = {0, 0, 0.1};
    World world = make_world(scene);
    world.step(quiet_inputs(scene));
    const Field* field = world.frame().find_field("height");
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->unit, "m");
    ASSERT_EQ(field->values.size(), 4U);
    EXPECT_FLOAT_EQ(field->values[3], static_cast<float>(world.state().x[3].z));
    EXPECT_NE(field->values[3], 0.1F);
    EXPECT_EQ(world.frame().find_field("depth"), nullptr);
}

TEST(OwnTissue, WrongShapesAreRefused) {
    for (int mistake = 0; mistake < 5; ++mistake) {
        try {
            make_world(scene_with(std::make_shared<Misshapen>(mistake)));
            ADD_FAILURE() << mistake;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("thing (swinging)"), std::string::npos) << error.what();
        }
    }
    EXPECT_NO_THROW(make_world(scene_with(std::make_shared<Misshapen>(-1)))) << "the control: no mistake";
}

}  // namespace
}  // namespace plica::testing
