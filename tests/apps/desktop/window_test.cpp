#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tests/apps/desktop/displays.hpp"
#include "tests/apps/npy.hpp"

// plica view, by mouse and keyboard, on a display of its own.
namespace plica::testing {
namespace {

// A straight tube on a plane: it rests, and its middle is in the middle of the picture.
const char* const tube_scene = R"(plica = 1
[environment]
plane = { point = [0, 0, 0] }
[[body]]
name = "tube"
anatomy = "rope"
length = 0.5
radius = 0.02
segments = 20
from = [-0.25, 0, 0.0201]
)";

const std::string calm_bar = "\x5A\xC8\x6E", red_bar = "\xE6\x28\x1E";  // as draw_force() has them

class WindowTest : public Command {
protected:
    void SetUp() override {
        Command::SetUp();
        setenv("LSAN_OPTIONS",
               "suppressions=" PLICA_SOURCE_DIR "/tests/apps/desktop/window_leaks.txt:print_suppressions=0", 1);
        m_before = fs::current_path();
        fs::current_path(m_folder);  // where pictures and recordings go
        spill("tube.toml", tube_scene);
        m_display.emplace();
    }
    void TearDown() override {
        m_display.reset();
        fs::current_path(m_before);
        Command::TearDown();
    }

    // Opens the window and waits until it runs; the mouse is where nothing is, and the panel with its numbers is
    // hidden.
    static std::unique_ptr<Process> open(Texts more = {}) {
        Texts arguments{"view", "tube.toml", "--size", "800x600", "--low", "--json", "--seconds", "200"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        auto process = std::make_unique<Process>(arguments);
        EXPECT_TRUE(wait_for_title("real time")) << title();
        xdotool("mousemove 700 560");
        type("h");
        return process;
    }
    static Json close(Process& process) {
        type("q");
        const Outcome outcome = process.finish();
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return parse_object(outcome);
    }

    fs::path m_before;
    std::optional<Display> m_display;
};

TEST_F(WindowTest, ADragPullsAndShowsTheForce) {
    const auto window = open();
    type("space");
    const std::string before = look_at_screen();
    rest(0.5);
    EXPECT_EQ(differing_pixels(before, look_at_screen()), 0);  // nothing changes by itself while paused
    xdotool("mousemove 400 300");
    EXPECT_GT(differing_pixels(before, look_at_screen()), 20);  // what the mouse is over lights up
    type("space");
    xdotool("mousedown 1");
    xdotool("mousemove 400 296", 1.5);
    const std::string gentle = look_at_screen();
    EXPECT_GT(pixels_of(gentle, calm_bar), 20);
    EXPECT_EQ(pixels_of(gentle, red_bar), 0);
    for (const char* place : {"mousemove 410 250", "mousemove 420 150", "mousemove 430 50"}) xdotool(place);
    const std::string pulled = look_at_screen();
    EXPECT_GT(pixels_of(pulled, red_bar) + pixels_of(pulled, calm_bar), 100);
    EXPECT_GT(differing_pixels(before, pulled), 2000);
    xdotool("mouseup 1");
    EXPECT_EQ(pixels_of(look_at_screen(), red_bar) + pixels_of(look_at_screen(), calm_bar), 0);
    const Json report = close(*window);
    EXPECT_TRUE(report.at("hand").at("used"));
    EXPECT_GT(report.at("hand").at("largest_force"), 0.3);
    EXPECT_LE(report.at("hand").at("largest_force"), 3.0001);
    EXPECT_GT(report.at("frames"), 10);
}

TEST_F(WindowTest, WithoutADragNothingIsPulled) {
    const auto window = open();
    const std::string before = look_at_screen();
    xdotool("mousemove 700 500 mousedown 1");  // beside the tube
    xdotool("mousemove 600 450");
    xdotool("mouseup 1");
    EXPECT_GT(differing_pixels(before, look_at_screen()), 2000);  // the camera went round
    const Json report = close(*window);
    EXPECT_FALSE(report.at("hand").at("used"));
    EXPECT_EQ(report.at("hand").at("largest_force"), 0.0);
    EXPECT_EQ(report.at("resets"), 0);
    EXPECT_FALSE(report.at("paused"));
    EXPECT_FALSE(report.at("help"));
    EXPECT_FALSE(report.at("wireframe"));
}

TEST_F(WindowTest, KeysPauseStepAndReset) {
    const auto window = open();
    type("space");
    type("r");
    for (int i = 0; i < 3; ++i) type("period");
    EXPECT_TRUE(wait_for_title("paused", 5.0)) << title();
    const std::string plain = look_at_screen();
    type("question");
    const std::string helped = look_at_screen();
    EXPECT_GT(differing_pixels(plain, helped), 5000);
    type("question");
    EXPECT_EQ(differing_pixels(plain, look_at_screen()), 0);
    type("w");
    EXPECT_GT(differing_pixels(plain, look_at_screen()), 500);
    type("p");
    const Json report = close(*window);
    EXPECT_EQ(report.at("step"), 3);
    EXPECT_EQ(report.at("resets"), 1);
    EXPECT_TRUE(report.at("paused"));
    EXPECT_TRUE(report.at("wireframe"));
    EXPECT_EQ(report.at("pictures"), 1);
    EXPECT_EQ(output_of("identify -format '%m %wx%h' plica-tube-1.png"), "PNG 800x600");
}

TEST_F(WindowTest, TheWindowCanBeResized) {
    const auto window = open();
    xdotool("search --name Plica windowsize 640 480", 1.5);
    const std::string small = look_at_screen();
    int outside = 0;  // pixels right of it that show something
    for (std::size_t y = 0; y < Display::height; ++y) {
        for (std::size_t x = 640; x < Display::width; ++x) {
            outside += small.compare(3 * (y * Display::width + x), 3, std::string(3, '\0')) != 0 ? 1 : 0;
        }
    }
    EXPECT_EQ(outside, 0);
    const Json report = close(*window);
    EXPECT_EQ(report.at("width"), 640);
    EXPECT_EQ(report.at("height"), 480);
}

TEST_F(WindowTest, WhatIsRecordedReplays) {
    const auto window = open();
    type("R");
    xdotool("mousemove 400 300");
    xdotool("mousedown 1");
    xdotool("mousemove 430 200");
    xdotool("mouseup 1");
    type("R");
    const Json report = close(*window);
    EXPECT_EQ(report.at("recordings"), 1);
    EXPECT_TRUE(report.at("hand").at("used"));
    const Json replay = run_json({"replay", "plica-tube-1.plica"});
    EXPECT_TRUE(replay.at("matches"));
    EXPECT_GT(replay.at("verified"), 20);
    // The control: the same steps without the hand are others.
    run_json(
        {"run", "tube.toml", "--steps", std::to_string(replay.at("verified").get<int>()), "--record", "plain.plica"});
    EXPECT_NE(run_json({"replay", "plain.plica"}).at("hash"), replay.at("hash"));
}

// A body of heat tissue is pressed by the mouse: it yields and warms, and 30 s after it was let go it is as before.
TEST_F(WindowTest, APressOnHeatTissueFormsADimpleThatGoes) {
    spill("heat.toml", R"(plica = 1
[solver]
dt = 0.05
substeps = 1
[environment]
gravity = [0, 0, 0]
[[body]]
name = "organ"
tissue = "heat"
fixed = [ { box = [[-2, -2, -2], [2, 2, -0.8]] } ]
)");
    const Texts arguments{"view",  "heat.toml",        "--size",   "800x600",     "--low",     "--json",
                          "--set", "hand.max_force=8", "--colour", "temperature", "--seconds", "200"};
    Process window(arguments);
    EXPECT_TRUE(wait_for_title("real time")) << title();
    type("h");
    type("R");
    xdotool("mousemove 400 260");
    xdotool("mousedown 1");
    for (const char* place : {"mousemove 400 290", "mousemove 400 320", "mousemove 400 360"}) xdotool(place);
    rest(2.0);
    xdotool("mouseup 1");
    for (int i = 0; i < 3; ++i) type("equal");  // eight times as fast
    rest(6.0);
    type("R");
    const Json report = close(window);
    EXPECT_TRUE(report.at("hand").at("used"));
    run_json({"export", "plica-heat-1.plica", "--to", "npy", "-o", "frames"});
    const Npy places = load_npy("frames/positions.npy"), warmth = load_npy("frames/temperatures.npy");
    const Npy tools = load_npy("frames/tools.npy");
    const std::size_t frames = places.shape[0], nodes = places.shape[1];
    const auto moved = [&](std::size_t frame) {
        double most = 0.0;
        for (std::size_t i = 0; i < 3 * nodes; ++i) {
            most = std::max(most, std::abs(places.values[frame * 3 * nodes + i] - places.values[i]));
        }
        return most;
    };
    const auto warmest = [&](std::size_t frame) {
        const auto row = warmth.values.begin() + static_cast<std::ptrdiff_t>(frame * nodes);
        return *std::max_element(row, row + static_cast<std::ptrdiff_t>(nodes));
    };
    std::size_t released = 0;  // the last frame with a force
    for (std::size_t f = 0; f + 1 < frames; ++f) {
        if (tools.values[f * 6] != 0.0) released = f + 1;
    }
    ASSERT_GT(frames, released + 600) << "30 s after the release";
    printf("moved by %.3f m, %.3g J/m2; 30 s later %.2g m, %.2g J/m2\n", moved(released), warmest(released),
           moved(released + 600), warmest(released + 600));
    EXPECT_GT(moved(released), 0.1);
    EXPECT_GT(warmest(released), 0.1);
    EXPECT_LT(moved(released + 600), 0.005 * moved(released));
    EXPECT_GT(moved(released + 5), 0.05 * moved(released));  // not at once
    EXPECT_TRUE(run_json({"replay", "plica-heat-1.plica"}).at("matches"));
}

TEST_F(WindowTest, ASlowSceneSlowsTheClockNotTheWindow) {
    // A thousandth of a second in 4000 substeps: far from real time on any machine.
    const auto window = open({"--set", "solver.dt=0.001", "--set", "solver.substeps=4000"});
    rest(3.0);
    const std::string now = title();
    EXPECT_TRUE(contains(now, "0.")) << now;
    const Json report = close(*window);
    EXPECT_LT(report.at("pace"), 0.8);
    EXPECT_GT(report.at("pace"), 0.0);
    EXPECT_GT(report.at("frames"), 10);
    EXPECT_FALSE(report.at("lost"));
}

TEST_F(WindowTest, AnInterruptClosesItInOrder) {
    const auto window = open();
    window->send(SIGINT);
    const Outcome outcome = window->finish();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_GT(parse_object(outcome).at("frames"), 0);
}

TEST_F(WindowTest, WithoutADisplayItSaysWhatToDo) {
    m_display.reset();
    const auto check = [](const Outcome& outcome) {
        EXPECT_EQ(outcome.status, 4) << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(contains(outcome.err, "set DISPLAY, or draw into a file: plica render SCENE -o film.mp4"))
            << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    };
    check(run({"view", "tube.toml"}));
    setenv("DISPLAY", ":4711", 1);
    check(run({"view", "tube.toml"}));
    unsetenv("DISPLAY");
    EXPECT_EQ(run({"view", "no-such-scene"}).status, 2);  // the scene comes first
    EXPECT_EQ(run({"view", "tube.toml", "--size", "800"}).status, 2);
    EXPECT_EQ(run({"view", "tube.toml", "--fps", "50"}).status, 2);
}

}  // namespace
}  // namespace plica::testing
