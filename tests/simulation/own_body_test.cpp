#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <plica/plica.hpp>
#include <stdexcept>

#include "tests/engine/tissues/swinging.hpp"
#include "tests/support/temp_folder.hpp"

// Bodies of a program's own tissue: in scenes of their own, held by scripts, and when their functions go wrong.
namespace plica::testing {
namespace {

Scene scene_of(std::shared_ptr<const Tissue> tissue) {
    Scene scene;
    scene.set("environment.gravity", "[0, 0, 0]");
    scene.add_tissue("thing", std::move(tissue));
    return scene;
}

std::string what_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::vector<std::byte> bytes_of(const Simulation& simulation) {
    const SavedState saved = simulation.save();
    return {saved.bytes().begin(), saved.bytes().end()};
}

TEST(OwnBody, IsASceneByItself) {
    Simulation simulation = Simulation::build(scene_of(std::make_shared<Swinging>()));
    ASSERT_EQ(simulation.bodies().size(), 1U);
    EXPECT_EQ(simulation.bodies()[0].tissue, "own");
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(simulation.step().valid);
    EXPECT_TRUE(has(what_of([] { Simulation::build(Scene()); }), "no body")) << "the control";
}

const Scene::Keys pulling{
    {"path", "[ { t = 0, at = \"thing\", near = [0, 0, 0.2] }, { t = 0.5, move = [0, 0, 0.1] } ]"}};

TEST(OwnBody, AScriptTakesHoldOfIt) {
    Scene scene = scene_of(std::make_shared<Swinging>());
    scene.add_tool("hand", "grab", pulling);
    Simulation simulation = Simulation::build(scene);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(simulation.step().valid);
    EXPECT_EQ(simulation.tool_info(0).node, 3U) << "the node at the top";
    EXPECT_GT(simulation.position(3)[2], 0.11);
    Simulation control = Simulation::build(scene_of(std::make_shared<Swinging>()));
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(control.step().valid);
    EXPECT_NEAR(control.position(3)[2], 0.1, 1e-9) << "the control: nobody pulls";
}

TEST(OwnBody, MistakesInNamesAreTold) {
    Scene scene = scene_of(std::make_shared<Swinging>());
    scene.add_tool("hand", "grab", {{"path", "[ { t = 0, at = \"think\", near = [0, 0, 0] } ]"}});
    const std::string unknown = what_of([&] { Simulation::build(scene); });
    EXPECT_TRUE(has(unknown, "no body is called \"think\"") && has(unknown, "thing")) << unknown;
    Scene twice = scene_of(std::make_shared<Swinging>());
    twice.add_tissue("thing", std::make_shared<Swinging>());
    EXPECT_TRUE(has(what_of([&] { Simulation::build(twice); }), "used twice"));
    Scene same = scene_of(std::make_shared<Swinging>());
    same.add_tool("thing", "grab", pulling);
    EXPECT_TRUE(has(what_of([&] { Simulation::build(same); }), "used twice")) << "a tool of this name";
    Scene nameless;
    nameless.add_tissue("", std::make_shared<Swinging>());
    EXPECT_NE(what_of([&] { Simulation::build(nameless); }), "");
}

TEST(OwnBody, BodiesShareTheNameOfAField) {
    Scene scene = scene_of(std::make_shared<Swinging>());
    scene.add_tissue("other", std::make_shared<Beside>());
    const Simulation simulation = Simulation::build(scene);
    ASSERT_EQ(simulation.fields().size(), 1U);
    EXPECT_EQ(simulation.fields()[0].unit, "m");
    const auto height = simulation.field("height");
    ASSERT_EQ(height.size(), 8U);
    for (const std::size_t top : {3U, 7U}) EXPECT_FLOAT_EQ(height[top], 0.1F);
    EXPECT_THROW((void)simulation.field("depth"), Error) << "the control";
}

// Goes wrong at a time, in one of its functions.
class Faulty : public Swinging {
public:
    enum class Where { nowhere, stable_step, begin_step, add_forces, publish, start };
    enum class How { throws, throws_a_number, not_a_number };
    Faulty(Where where, How how, double when = 0.09) : m_where(where), m_how(how), m_when(when) {}

    void start(std::span<double> state) const override {
        Swinging::start(state);
        fail(Where::start, m_when, state);
    }
    [[nodiscard]] double stable_step(const TissueView& view, std::span<const double> state) const override {
        fail(Where::stable_step, view.time, {});
        return Swinging::stable_step(view, state);
    }
    void begin_step(const TissueView& view, std::span<double> state) const override {
        Swinging::begin_step(view, state);
        fail(Where::begin_step, view.time, state);
    }
    void add_forces(const TissueView& view, std::span<double> state, std::span<double> forces) const override {
        fail(Where::add_forces, view.time, state);
        Swinging::add_forces(view, state, forces);
    }
    void publish(const TissueView& view, std::span<const double> state, std::span<float> out) const override {
        fail(Where::publish, view.time, {});
        Swinging::publish(view, state, out);
    }

private:
    void fail(Where where, double time, std::span<double> state) const {
        if (where != m_where || time < m_when) return;
        if (m_how == How::throws) throw std::runtime_error("no more gas");
        if (m_how == How::throws_a_number) throw 7;
        if (!state.empty()) state[0] = std::nan("");
    }
    Where m_where;
    How m_how;
    double m_when;  // s
};
using Where = Faulty::Where;
using How = Faulty::How;

TEST(OwnBody, AStateThatIsNoNumberIsFlaggedAndTakenBack) {
    for (const Where where : {Where::begin_step, Where::add_forces}) {
        Simulation simulation = Simulation::build(scene_of(std::make_shared<Faulty>(where, How::not_a_number)));
        StepInfo info = simulation.step();
        std::uint64_t before = 0;
        for (int i = 0; i < 10 && info.valid; ++i) {
            before = info.hash;
            info = simulation.step();
        }
        ASSERT_EQ(info.flags.size(), 1U);
        EXPECT_EQ(simulation.name_of(info.flags[0]), "non_finite:thing");
        EXPECT_EQ(info.hash, before) << "the state of before";
        EXPECT_NO_THROW(simulation.restore(simulation.save()));
    }
    const std::string start =
        what_of([] { Simulation::build(scene_of(std::make_shared<Faulty>(Where::start, How::not_a_number))); });
    EXPECT_TRUE(has(start, "thing") && has(start, "no number")) << start;
    Simulation control = Simulation::build(scene_of(std::make_shared<Faulty>(Where::nowhere, How::not_a_number)));
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(control.step().valid) << "the control";
}

// A thing that a script pulls, from the moment on in which it goes wrong.
Simulation pulled(Where where, How how = How::throws) {
    Scene scene = scene_of(std::make_shared<Faulty>(where, how));
    scene.add_tool("hand", "grab",
                   {{"path", "[ { t = 0.09, at = \"thing\", near = [0, 0, 0.2] }, { t = 0.5, move = [0, 0, 0.1] } ]"}});
    return Simulation::build(scene);
}

TEST(OwnBody, WhatItsFunctionsThrowNamesItAndChangesNothing) {
    for (const Where where : {Where::stable_step, Where::begin_step, Where::add_forces, Where::publish}) {
        Simulation simulation = pulled(where);
        std::vector<std::byte> before;
        std::vector<double> places;
        double time = 0.0;
        const std::string told = what_of([&] {
            for (int i = 0; i < 20; ++i) {
                before = bytes_of(simulation);
                places.assign(simulation.positions().begin(), simulation.positions().end());
                time = simulation.time();
                simulation.step();
            }
        });
        EXPECT_TRUE(has(told, "thing") && has(told, "no more gas")) << told;
        EXPECT_EQ(bytes_of(simulation), before) << static_cast<int>(where);
        EXPECT_EQ(simulation.time(), time);
        EXPECT_TRUE(std::equal(places.begin(), places.end(), simulation.positions().begin()));
        EXPECT_NO_THROW(simulation.restore(simulation.save()));
        EXPECT_NE(what_of([&] { simulation.step(); }), "") << "again";
        EXPECT_EQ(bytes_of(simulation), before);
    }
    Simulation odd = pulled(Where::add_forces, How::throws_a_number);
    const std::string told = what_of([&] {
        for (int i = 0; i < 20; ++i) odd.step();
    });
    EXPECT_TRUE(has(told, "thing")) << told;
    Simulation control = pulled(Where::nowhere);
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(control.step().valid) << "the control";
}

TEST(OwnBody, WhatItsStartThrowsNamesItToo) {
    const std::string told =
        what_of([] { Simulation::build(scene_of(std::make_shared<Faulty>(Where::start, How::throws))); });
    EXPECT_TRUE(has(told, "thing") && has(told, "no more gas")) << told;
}

class OwnBodyRecording : public TempFolderTest {};

// A step that was not taken is none of the recording's.
TEST_F(OwnBodyRecording, KnowsNothingOfAStepThatThrew) {
    Simulation simulation = pulled(Where::add_forces);
    simulation.record(file());
    std::size_t steps = 0;
    what_of([&] {
        for (;; ++steps) simulation.step();
    });
    EXPECT_GT(steps, 1U);
    simulation.stop_recording();
    Simulation other = pulled(Where::nowhere);
    const ReplayInfo replayed = other.replay(file());
    EXPECT_EQ(replayed.steps, steps);
    EXPECT_TRUE(replayed.matches());
}

}  // namespace
}  // namespace plica::testing
