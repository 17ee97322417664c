#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/apps/carried.hpp"
#include "tests/render/png.hpp"

// Pictures and films of recordings, on full disks and interrupted.
namespace plica::testing {
namespace {

// What is drawn is in the recording: no mesh, and another one in its place, changes nothing.
TEST_F(Carried, ARecordingIsDrawnWithoutItsMesh) {
    const std::string file = record_cube();
    const Texts arguments{"render", file, "--at", "0.1", "--size", "96x64", "-o"};
    const auto draw = [&](const std::string& name) {
        Texts words = arguments;
        words.push_back(path(name));
        EXPECT_EQ(run(words).status, 0);
        return read_png(path(name));
    };
    const render::Picture before = draw("before.png");
    spill(path("models/cube.ele"), "1 4 0\n0 0 1 3 7\n");
    EXPECT_EQ(compare(before, draw("changed.png")).mean, 0.0);
    fs::remove_all(path("models"));
    EXPECT_EQ(compare(before, draw("gone.png")).mean, 0.0);
}

TEST_F(Carried, ATissueFromOutsideIsDrawnButNotRun) {
    const std::string file = record_cube();
    const std::string own = path("own.plica");
    copy_recording(file, own, [](RecordingHeader& header) {
        header.shapes.bodies[0].tissue = TissueKind::own;
        header.shapes.bodies[0].shape = "gas";
        header.scene_text = "what another program understands";
    });
    EXPECT_EQ(run({"render", own, "-o", path("own.png"), "--size", "64x48", "--at", "0.1"}).status, 0);
    EXPECT_EQ(run({"export", own, "--to", "npy", "-o", path("npy")}).status, 0);
    const Outcome outcome = run({"replay", own});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(contains(outcome.err, "\"cube\" is of a tissue that this program does not know, \"gas\""))
        << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
}

TEST_F(Carried, DamagedRecordingsAreDrawnOrRefused) {
    expect_orderly_ends([&](const std::string& bad) {
        return std::vector<Texts>{{"render", bad, "-o", path("b.png"), "--size", "32x32"}};
    });
}

TEST_F(Command, RenderWarnsOfACutRecording) {
    const std::string file = record({"chain", "--seconds", "3"});
    EXPECT_EQ(run({"render", file, "-o", path("a.png"), "--size", "32x32"}).err, "") << "the control";
    const std::string bytes = slurp(file);
    spill(file, bytes.substr(0, bytes.size() - 40));
    const Outcome outcome = run({"render", file, "-o", path("a.png"), "--size", "32x32"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "the recording")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "can be read")) << outcome.err;
}

TEST_F(Command, AnInterruptedPictureIsNoSuccess) {
    const std::string picture = path("a.png");
    Process process({"render", "intestine", "-o", picture, "--at", "5000", "--size", "64x48"});
    std::this_thread::sleep_for(std::chrono::seconds(3));
    process.send(SIGINT);
    const Outcome outcome = process.finish();
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "interrupted")) << outcome.err;
    EXPECT_EQ(files(), Texts{});
}

TEST_F(Command, AFilmOnAFullDiskIsNoSuccess) {
    if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg here";
    const std::string film = path("a.mp4");
    const Texts arguments{"render", "chain", "-o", film, "--seconds", "0.4", "--size", "320x240"};
    for (const rlim_t room : {0U, 60U, 1000U, 3000U}) {
        const Outcome outcome = run(arguments, {"", room});
        EXPECT_EQ(outcome.status, 4) << room << outcome.err << outcome.out;
        EXPECT_TRUE(contains(outcome.err, film)) << outcome.err;
        EXPECT_EQ(files(), Texts{}) << room;
    }
    EXPECT_EQ(run(arguments).status, 0) << "the control";
    EXPECT_EQ(files(), Texts{"a.mp4"});
}

TEST_F(Command, APictureOnAFullDiskIsNoSuccess) {
    const std::string picture = path("a.png");
    const Outcome outcome = run({"render", "chain", "-o", picture, "--size", "320x240"}, {"", 500});
    EXPECT_EQ(outcome.status, 4) << outcome.err;
    EXPECT_EQ(files(), Texts{});
}

// An interrupt ends the pictures; the encoder finishes the film.
TEST_F(Command, AnInterruptedFilmIsWhole) {
    if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg here";
    Process process({"render", "chain", "-o", path("a.mp4"), "--seconds", "100000", "--size", "64x48"});
    std::this_thread::sleep_for(std::chrono::seconds(4));
    process.send(SIGINT);
    const Outcome outcome = process.finish();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(files(), Texts{"a.mp4"});
    EXPECT_GT(fs::file_size(path("a.mp4")), 500U);
}

}  // namespace
}  // namespace plica::testing
