#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "tests/engine/tissues/swinging.hpp"
#include "tests/engine/worlds.hpp"

// A step that is given up has not happened.
namespace plica::testing {
namespace {

// Asks for the end of the step in its middle.
class Impatient : public Swinging {
public:
    Impatient(double when, std::atomic<bool>& stop) : m_when(when), m_stop(stop) {}
    [[nodiscard]] TissueShape shape() const override {
        TissueShape shape = Swinging::shape();
        for (std::size_t i = 0; i < shape.nodes.size(); i += 3) shape.nodes[i] += 2.0;
        return shape;
    }
    void add_forces(const TissueView& view, std::span<double> state, std::span<double> forces) const override {
        Swinging::add_forces(view, state, forces);
        ++calls;
        if (view.time >= m_when) m_stop = true;
    }
    mutable int calls = 0;

private:
    double m_when;  // s
    std::atomic<bool>& m_stop;
};

constexpr int substeps = 1000;

SceneDescription falling_pile(std::shared_ptr<const Tissue> tissue) {
    SceneDescription scene = read_scene(find_scene("intestine-pile"));
    scene.substeps = substeps;
    scene.walls.clear();  // the other body stands outside
    BodyDescription body;
    body.name = "thing";
    body.tissue = TissueKind::own;
    body.own = std::move(tissue);
    scene.bodies.push_back(body);
    return scene;
}

TEST(GiveUp, TheStepHasNotHappened) {
    std::atomic<bool> stop{false};
    const double dt = 1.0 / 30.0;
    const auto tissue = std::make_shared<Impatient>(2.5 * dt, stop);
    const SceneDescription scene = falling_pile(tissue);
    World world = make_world(scene);
    world.stop_on(&stop);
    const Inputs inputs = quiet_inputs(scene);
    EXPECT_FALSE(world.step(inputs).interrupted);
    const StepReport before = world.step(inputs);
    EXPECT_FALSE(before.interrupted);
    const std::vector<Vec3> shown = world.frame().positions;
    tissue->calls = 0;
    const StepReport report = world.step(inputs);
    EXPECT_TRUE(report.interrupted);
    EXPECT_TRUE(report.is_valid());
    EXPECT_GT(tissue->calls, substeps / 2 - 2);
    EXPECT_LT(tissue->calls, substeps / 2 + 2) << "heard in the same substep";
    EXPECT_EQ(report.hash, before.hash);
    EXPECT_EQ(compute_hash(world.state()), before.hash);
    EXPECT_EQ(world.state().step, 2U);
    EXPECT_EQ(world.frame().step, 2U);
    for (std::size_t n = 0; n < shown.size(); ++n) EXPECT_EQ(norm(world.frame().positions[n] - shown[n]), 0.0) << n;
}

TEST(GiveUp, ItGoesOnAsIfNothingHadBeen) {
    std::atomic<bool> stop{false}, ignored{false};
    const double dt = 1.0 / 30.0;
    const SceneDescription scene = falling_pile(std::make_shared<Impatient>(1.5 * dt, stop));
    World interrupted = make_world(scene);
    interrupted.stop_on(&stop);
    World whole = make_world(falling_pile(std::make_shared<Impatient>(1.5 * dt, ignored)));
    const Inputs inputs = quiet_inputs(scene);
    interrupted.step(inputs);
    EXPECT_TRUE(interrupted.step(inputs).interrupted);
    EXPECT_TRUE(interrupted.step(inputs).interrupted) << "as long as nobody takes it back";
    interrupted.stop_on(nullptr);
    whole.step(inputs);
    for (int i = 0; i < 5; ++i) {
        const StepReport report = whole.step(inputs);
        EXPECT_FALSE(report.interrupted) << "the control";
        EXPECT_EQ(interrupted.step(inputs).hash, report.hash) << i;
    }
}

}  // namespace
}  // namespace plica::testing
