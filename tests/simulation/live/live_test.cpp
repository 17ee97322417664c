#include "simulation/live/live.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <thread>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "simulation/live/hand.hpp"
#include "simulation/live/pace.hpp"
#include "simulation/live/triple_buffer.hpp"
#include "tests/engine/worlds.hpp"
#include "tests/io/recording/recordings.hpp"

// A scene on a thread of its own; run under the thread sanitizer as well.
namespace plica::testing {
namespace {

class LiveTest : public TempFolderTest {};

const std::vector<std::string> small{"gut.segments=40", "gut.length=1.6", "gut.radius=0.02"};
constexpr double fast = 50.0;  // simulated seconds a second: as fast as the machine can

SceneSource pile(std::vector<std::string> more = {}) {
    more.insert(more.begin(), small.begin(), small.end());
    return add_hand(find_scene("intestine-pile", more)).source;
}

std::size_t hand_of(const Live& live) {
    return live.model().tools.size() - 1;
}

// Looks until the condition holds; false after a time that no working program needs.
bool wait_for(Live& live, const std::function<bool(const Snapshot&)>& condition) {
    const double end = wall_seconds() + 60.0;
    while (wall_seconds() < end) {
        if (condition(live.look())) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

bool wait_for_step(Live& live, std::uint64_t step) {
    return wait_for(live, [&](const Snapshot& s) { return s.frame.step >= step; });
}

std::uint64_t hash_of(const std::vector<Vec3>& positions) {
    Hash hash;
    hash.add_all(std::span(positions));
    return hash.value();
}

// Hashes of the positions after each step, without a thread.
std::vector<std::uint64_t> plain_positions(const SceneSource& source, int steps) {
    const SceneDescription scene = read_scene(source);
    World world = make_world(scene);
    Script script(scene);
    std::vector<std::uint64_t> list{hash_of(world.frame().positions)};
    for (int i = 0; i < steps; ++i) {
        world.step(script.next(world));
        list.push_back(hash_of(world.frame().positions));
    }
    return list;
}

TEST(TripleBuffer, GivesWholeValuesInOrder) {
    struct Value {
        std::array<std::uint64_t, 64> words{};
    };
    TripleBuffer<Value> buffer;
    constexpr std::uint64_t last = 20000;
    std::thread writer([&] {
        for (std::uint64_t i = 1; i <= last; ++i) {
            buffer.back().words.fill(i);
            buffer.publish();
        }
    });
    std::uint64_t seen = 0;
    int torn = 0, back = 0;
    while (seen < last) {
        buffer.take();
        const Value& value = buffer.front();
        for (const std::uint64_t word : value.words) torn += word != value.words[0] ? 1 : 0;
        back += value.words[0] < seen ? 1 : 0;
        seen = value.words[0];
    }
    writer.join();
    EXPECT_EQ(torn, 0);
    EXPECT_EQ(back, 0);
    EXPECT_FALSE(buffer.take());
}

TEST(Pace, KeepsTimeWhenStepsAreQuick) {
    Pace pace(0.1);
    pace.restart(5.0);
    for (int i = 0; i < 30; ++i) pace.add_step(pace.due() + 0.01);
    EXPECT_NEAR(pace.due(), 8.0, 1e-9);
    EXPECT_NEAR(pace.ratio(), 1.0, 1e-9);
    pace.set_speed(0.5);
    for (int i = 0; i < 30; ++i) pace.add_step(pace.due() + 0.01);
    EXPECT_NEAR(pace.ratio(), 0.5, 1e-9);
}

// Steps of 0.1 s that take 0.25 s: 0.4 times real time, and never more than a tenth of a second to make up for.
TEST(Pace, SlowsDownWhenStepsAreSlow) {
    Pace pace(0.1);
    pace.restart(0.0);
    double now = 0.0;
    for (int i = 0; i < 100; ++i) {
        now = std::max(now, pace.due()) + 0.25;
        pace.add_step(now);
        EXPECT_GE(pace.due(), now - Pace::most_behind - 1e-9);
    }
    EXPECT_NEAR(pace.ratio(), 0.4, 1e-9);
    int at_once = 0;  // steps without a wait once the machine is fast again
    for (; pace.due() <= now; ++at_once) pace.add_step(now);
    EXPECT_LE(at_once, 2);
}

TEST(Live, FramesBelongToOneStepEach) {
    const SceneSource source = pile();
    const auto plain = plain_positions(source, 150);
    Live live(source);
    live.set_speed(fast);
    std::uint64_t last = 0;
    int frames = 0;
    while (last < 150) {
        const Snapshot& now = live.look();
        if (now.frame.step > 150) break;
        ASSERT_GE(now.frame.step, last);
        ASSERT_EQ(hash_of(now.frame.positions), plain[now.frame.step]) << now.frame.step;
        frames += now.frame.step > last ? 1 : 0;
        last = now.frame.step;
    }
    EXPECT_GT(frames, 10);
    EXPECT_NE(plain[100], plain[101]);  // or nothing would be seen
}

TEST(Live, PauseHoldsAndStepsAreSingle) {
    Live live(pile());
    live.set_speed(fast);
    ASSERT_TRUE(wait_for_step(live, 5));
    live.pause(true);
    ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return s.paused; }));
    const std::uint64_t held = live.look().frame.step;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(live.look().frame.step, held);
    EXPECT_EQ(live.look().pace, 0.0);
    live.step();
    live.step();
    ASSERT_TRUE(wait_for_step(live, held + 2));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(live.look().frame.step, held + 2);
    live.pause(false);
    EXPECT_TRUE(wait_for_step(live, held + 10));  // the control: without a pause it goes on
}

TEST(Live, ResetRestoresTheStart) {
    const SceneSource source = pile();
    Live live(source, {.seed = 1, .threads = 1, .paused = true});
    const std::uint64_t start = live.look().hash;
    const auto plain = plain_positions(source, 3);
    live.pause(false);
    live.set_speed(fast);
    live.hold(hand_of(live), 20, {0, 0, 0.5});
    ASSERT_TRUE(wait_for_step(live, 20));
    EXPECT_NE(live.look().hash, start);
    live.pause(true);
    live.reset();
    ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return s.frame.step == 0; }));
    EXPECT_EQ(live.look().hash, start);
    for (int i = 0; i < 3; ++i) live.step();  // the hand has let go, the script has begun anew
    ASSERT_TRUE(wait_for_step(live, 3));
    EXPECT_EQ(hash_of(live.look().frame.positions), plain[3]);
}

TEST(Live, TheHandPullsAndLetsGo) {
    Live live(pile());
    live.set_speed(fast);
    ASSERT_TRUE(wait_for_step(live, 60));
    const std::size_t hand = hand_of(live);
    const Vec3 from = live.look().frame.positions[20];
    live.hold(hand, 20, from);
    live.move(hand, from + Vec3{0, 0, 0.3});
    ASSERT_TRUE(wait_for(live, [&](const Snapshot& s) { return s.frame.positions[20].z > from.z + 0.02; }));
    const Snapshot& pulled = live.look();
    EXPECT_TRUE(pulled.frame.tools[hand].present);
    EXPECT_EQ(pulled.frame.tools[hand].node, 20);
    EXPECT_GT(norm(pulled.frame.tool_force[hand]), 0.1);
    EXPECT_LE(norm(pulled.frame.tool_force[hand]), live.model().tools[hand].max_force * 1.001);
    live.release(hand);
    ASSERT_TRUE(wait_for(live, [&](const Snapshot& s) { return !s.frame.tools[hand].present; }));
    EXPECT_TRUE(wait_for(live, [&](const Snapshot& s) { return norm(s.frame.tool_force[hand]) == 0.0; }));
}

TEST(Live, ContactsAreMarkedWhenAskedFor) {
    Live live(pile());
    live.set_speed(fast);
    ASSERT_TRUE(wait_for_step(live, 60));
    EXPECT_TRUE(live.look().frame.contacts.empty());
    live.mark_contacts(true);
    EXPECT_TRUE(wait_for(live, [](const Snapshot& s) { return !s.frame.contacts.empty(); }));
    live.mark_contacts(false);
    EXPECT_TRUE(wait_for(live, [](const Snapshot& s) { return s.frame.contacts.empty(); }));
}

// Everything a user can do while a recording runs.
void meddle(Live& live) {
    const std::size_t hand = hand_of(live);
    ASSERT_TRUE(wait_for_step(live, 10));
    live.tune({2.0, 3.0, 0.6, static_cast<std::int32_t>(DetectorKind::brute)});
    ASSERT_TRUE(wait_for_step(live, 20));
    const Vec3 from = live.look().frame.positions[10];
    live.hold(hand, 10, from);
    for (int i = 1; i <= 20; ++i) {
        live.move(hand, from + Vec3{0.0, 0.0, 0.01 * i});
        ASSERT_TRUE(wait_for_step(live, live.look().frame.step + 1));
    }
    live.set_gravity(Vec3{9.81, 0.0, 0.0});
    ASSERT_TRUE(wait_for_step(live, live.look().frame.step + 10));
    live.release(hand);
    live.pause(true);
    live.step();
    live.tune({});
    live.pause(false);
    live.set_gravity({});
    ASSERT_TRUE(wait_for_step(live, live.look().frame.step + 20));
}

// How many of the steps a plain world repeats from the inputs; -1: the header builds another world.
int replayed(const std::string& path, const std::function<void(Inputs&)>& change) {
    RecordingReader reader(path);
    EXPECT_EQ(reader.message(), "");
    const RecordingHeader& header = reader.header();
    Built built =
        build_scene(SceneSource{header.scene_name, "recording", header.scene_text, header.overrides}, header.seed);
    if (built.model.tools.size() != static_cast<std::size_t>(header.tools)) return -1;
    World world(std::move(built.model), std::move(built.state));
    RecordedStep step;
    int count = 0;
    while (reader.next(step)) {
        change(step.inputs);
        if (world.step(step.inputs).hash != step.hash) break;
        ++count;
    }
    return count;
}

TEST_F(LiveTest, WhatWasDoneByHandIsReplayed) {
    Live live(pile(), {.seed = 7, .threads = 1, .paused = false});
    live.set_speed(10.0);
    ASSERT_TRUE(wait_for_step(live, 5));
    live.pause(true);
    live.record(file());
    ASSERT_TRUE(wait_for(live, [&](const Snapshot& s) { return s.recording == file() && s.frame.step == 0; }));
    live.pause(false);
    meddle(live);
    live.stop_recording();
    ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return s.recording.empty(); }));
    EXPECT_EQ(live.look().message, "");
    const auto steps = static_cast<int>(RecordingReader(file()).step_count());
    EXPECT_GT(steps, 60);
    EXPECT_EQ(replayed(file(), [](Inputs&) {}), steps);
    EXPECT_LT(replayed(file(), [](Inputs& i) { i.tuning = {}; }), steps);
    EXPECT_LT(replayed(file(), [](Inputs& i) { i.gravity = {0, 0, -9.81}; }), steps);
    EXPECT_LT(replayed(file(), [](Inputs& i) { i.tools.back() = {}; }), steps);
}

TEST_F(LiveTest, TheEndAndAResetCloseARecording) {
    {
        Live live(pile());
        live.set_speed(fast);
        live.record(file("reset"));
        ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return !s.recording.empty() && s.frame.step >= 10; }));
        live.reset();
        ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return s.recording.empty(); }));
        live.record(file("end"));
        ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return !s.recording.empty() && s.frame.step >= 10; }));
        live.end();
        EXPECT_EQ(live.look().recording, "");
        EXPECT_EQ(live.look().hash, live.look().report.hash);
    }
    for (const char* name : {"reset", "end"}) {
        EXPECT_GE(replayed(file(name), [](Inputs&) {}), 10) << name;
        EXPECT_FALSE(RecordingReader(file(name)).truncated()) << name;
    }
}

TEST_F(LiveTest, ARecordingThatCannotBeWrittenIsTold) {
    Live live(pile());
    live.set_speed(fast);
    live.record(file("no/such/folder"));
    ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return !s.message.empty(); }));
    EXPECT_EQ(live.look().recording, "");
    EXPECT_TRUE(wait_for_step(live, 10));  // the scene goes on
}

// The real thing on a real clock, with bounds that a busy machine keeps.
TEST(Live, KeepsTimeWhereItCan) {
    Live live(pile(), {.seed = 1, .threads = 1, .paused = true});
    live.set_speed(0.25);
    const double began = wall_seconds();
    live.pause(false);
    ASSERT_TRUE(wait_for_step(live, 8));
    const double seconds = wall_seconds() - began;
    EXPECT_GT(seconds, 7.0 * live.model().dt / 0.25 - 0.05);  // never faster than it should be
    EXPECT_GT(live.look().pace, 0.0);
    EXPECT_LE(live.look().pace, 0.5);
}

// A scene that takes far longer than it lasts: the clock slows down, steps come one by one, commands are heard.
TEST(Live, SlowsTheClockInsteadOfFreezing) {
    Live live(pile({"solver.substeps=10000", "solver.adapt=false"}));
    live.set_speed(4.0);
    ASSERT_TRUE(wait_for_step(live, 5));
    const Snapshot& slow = live.look();
    EXPECT_GT(slow.pace, 0.0);
    EXPECT_LT(slow.pace, 2.0);
    live.pause(true);
    const std::uint64_t step = live.look().frame.step;
    ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return s.paused; }));
    EXPECT_LE(live.look().frame.step, step + 3);  // nothing had piled up
}

TEST(Live, ASceneThatLostValidityStops) {
    Live live(pile());
    live.set_speed(fast);
    live.set_gravity(Vec3{0, 0, -1e300});
    ASSERT_TRUE(wait_for(live, [](const Snapshot& s) { return s.lost; }));
    EXPECT_TRUE(live.look().paused);
    for (const Vec3& p : live.look().frame.positions) ASSERT_TRUE(is_finite(p));
    live.set_gravity({});
    live.reset();
    live.pause(false);
    EXPECT_TRUE(wait_for_step(live, 5));
    EXPECT_FALSE(live.look().lost);
}

}  // namespace
}  // namespace plica::testing
