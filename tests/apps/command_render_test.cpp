#include <gtest/gtest.h>

#include "tests/apps/commands.hpp"
#include "tests/render/png.hpp"

namespace plica::testing {
namespace {

const Texts small{"--size", "96x64"};

Texts with(Texts first, const Texts& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

TEST_F(Command, ASceneIsDrawn) {
    const Json json = run_json(with({"render", "intestine-pile", "--at", "0.2", "-o", path("a.png")}, small));
    EXPECT_EQ(keys(json), (std::set<std::string>{"output", "frames", "width", "height", "time", "wall_s"}));
    EXPECT_EQ(json["frames"], 1);
    EXPECT_NEAR(json["time"].get<double>(), 0.2, 1e-9);
    const render::Picture picture = read_png(path("a.png"));
    EXPECT_EQ(picture.width, 96);
    EXPECT_EQ(picture.height, 64);
    // Another time is another picture; the same command is the same picture.
    run_json(with({"render", "intestine-pile", "--at", "1", "-o", path("b.png")}, small));
    run_json(with({"render", "intestine-pile", "--at", "0.2", "-o", path("c.png")}, small));
    EXPECT_GT(compare(picture, read_png(path("b.png"))).mean, 3.0);
    EXPECT_EQ(compare(picture, read_png(path("c.png"))).mean, 0.0);
}

TEST_F(Command, ARecordingLooksLikeItsScene) {
    const std::string file = record({"intestine-pile", "--seconds", "0.5"});
    run_json(with({"render", file, "--at", "0.4", "-o", path("a.png")}, small));
    run_json(with({"render", "intestine-pile", "--at", "0.4", "-o", path("b.png")}, small));
    EXPECT_LT(compare(read_png(path("a.png")), read_png(path("b.png"))).mean, 0.5);
    const Outcome late = run(with({"render", file, "--at", "0.6", "-o", path("c.png")}, small));
    EXPECT_EQ(late.status, 2);
    EXPECT_TRUE(contains(late.err, "ends at 0.500 s")) << late.err;
    EXPECT_FALSE(fs::exists(path("c.png")));
}

TEST_F(Command, AFilmHasTheFramesAskedFor) {
    const Json json = run_json(with({"render", "intestine-pile", "--seconds", "0.5", "-o", path("a.mp4")}, small));
    EXPECT_EQ(json["frames"], 15);
    const std::string bytes = slurp(path("a.mp4"));
    ASSERT_GT(bytes.size(), 1000U);
    EXPECT_EQ(bytes.substr(4, 4), "ftyp");
    const std::string file = record({"chain", "--steps", "6"});
    EXPECT_EQ(run_json(with({"render", file, "-o", path("b.mp4")}, small))["frames"], 6);
    EXPECT_EQ(files(), (Texts{"a.mp4", "a.plica", "b.mp4"}));
}

TEST_F(Command, WithoutFfmpegAFilmIsAFolderOfPictures) {
    const std::string before = getenv("PATH");
    setenv("PATH", m_folder.c_str(), 1);
    const Outcome outcome = run(with({"render", "chain", "--seconds", "0.1", "-o", path("a.mp4")}, small));
    setenv("PATH", before.c_str(), 1);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "ffmpeg is missing")) << outcome.err;
    EXPECT_EQ(files(), (Texts{"a-frames/frame_00000.png", "a-frames/frame_00001.png", "a-frames/frame_00002.png"}));
    EXPECT_EQ(read_png(path("a-frames/frame_00000.png")).width, 96);
}

TEST_F(Command, ColoursCanBeChosen) {
    run_json(with({"render", "intestine", "-o", path("a.png")}, small));
    run_json(with({"render", "intestine", "--colour", "tissue", "-o", path("b.png")}, small));
    run_json(with({"render", "intestine", "--colour", "curvature", "-o", path("c.png")}, small));
    const render::Picture picture = read_png(path("a.png"));
    EXPECT_EQ(compare(picture, read_png(path("b.png"))).mean, 0.0);
    EXPECT_GT(compare(picture, read_png(path("c.png"))).mean, 1.0);
    const Outcome wrong = run({"render", "intestine", "--colour", "red", "-o", path("d.png")});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_TRUE(contains(wrong.err, "curvature")) << wrong.err;
}

// A ball of steel pressed into a block.
TEST_F(Command, ContactsAreMarkedWhenAskedFor) {
    const std::string scene = write("press.toml", R"(plica = 1
[environment]
gravity = [0, 0, 0]
[[body]]
name = "block"
tissue = "tled"
shape = "block"
size = [0.1, 0.1, 0.05]
cells = [4, 4, 2]
fixed = [{ side = "-z" }]
material = { young = 3000, poisson = 0.45, density = 1000 }
[[tool]]
name = "ball"
kind = "rigid"
shape = "ball"
radius = 0.02
fineness = 1
path = [{ t = 0, at = [0, 0, 0.048] }, { t = 0.2, to = [0, 0, 0.04] }]
)");
    const auto yellow = [&](const Texts& more) {
        run_json(with({"render", scene, "-o", path("a.png"), "--size", "240x160"}, more));
        const render::Picture picture = read_png(path("a.png"));
        int count = 0;
        for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
            count += picture.rgb[i] > 180 && picture.rgb[i + 1] > 140 && picture.rgb[i + 2] < 90 ? 1 : 0;
        }
        return count;
    };
    EXPECT_GT(yellow({"--at", "0.2", "--contacts"}), 3);
    EXPECT_EQ(yellow({"--at", "0.2"}), 0) << "the control";
    EXPECT_EQ(yellow({"--contacts"}), 0) << "before they touch";
    const std::string file = record({"chain", "--steps", "3"});
    const Outcome outcome = run({"render", file, "--contacts", "-o", path("b.png")});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(contains(outcome.err, "--contacts beside a recording")) << outcome.err;
}

TEST_F(Command, WhatCannotBeDrawnIsSaidInOneLine) {
    struct Mistake {
        Texts arguments;
        int status;
        std::string says;
    };
    const std::vector<Mistake> mistakes{
        {{"render", "chain", "-o", path("a.gif")}, 2, "expected .png or .mp4"},
        {{"render", "chain", "-o", path("a.png"), "--size", "96"}, 2, "WIDTHxHEIGHT"},
        {{"render", "chain", "-o", path("a.png"), "--size", "96x64x3"}, 2, "WIDTHxHEIGHT"},
        {{"render", "chain", "-o", path("a.png"), "--colour", "stress"}, 2, "solid organ"},
        {{"render", "chain", "-o", path("a.mp4"), "--colour", "stretch"}, 2, "solid organ"},
        {{"render", "chian", "-o", path("a.png")}, 2, "chain"},
        {{"render", "chain", "-o", path("nowhere/a.png"), "--size", "96x64"}, 4, "nowhere"},
        {{"render", "chain", "-o", path("nowhere/a.mp4"), "--size", "96x64"}, 4, "nowhere"},
    };
    for (const Mistake& mistake : mistakes) {
        const Outcome outcome = run(mistake.arguments);
        EXPECT_EQ(outcome.status, mistake.status) << quoted(mistake.arguments) << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, mistake.says)) << outcome.err;
    }
    EXPECT_EQ(files(), Texts{});
}

TEST_F(Command, TheDemoLeavesAFilmAPictureAndTheSummary) {
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    const Json json = run_json({"demo", "--seconds", "0.1", "-o", path("out")});
    EXPECT_EQ(json["scene"], "intestine");
    EXPECT_EQ(json["steps"], 3);
    EXPECT_EQ(json["hash"], hash_of({"run", "intestine", "--steps", "3"})) << "drawing changes nothing";
    EXPECT_EQ(files(), (Texts{"out/demo.mp4", "out/demo.png"}));
    EXPECT_EQ(read_png(path("out/demo.png")).width, 1280);
}

}  // namespace
}  // namespace plica::testing
