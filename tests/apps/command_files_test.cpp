#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/apps/carried.hpp"

// Files that can be trusted: what a recording carries, and what is left when something goes wrong.
namespace plica::testing {
namespace {

TEST_F(Carried, ARecordingNeedsNoMeshOnTheDisk) {
    const std::string file = record_cube();
    const Json before = run_json({"replay", file});
    EXPECT_EQ(before["verified"], 6);
    write_cube(path("models/cube"), 0.2);  // the mesh changed
    EXPECT_EQ(run_json({"replay", file})["verified"], 6);
    spill(path("models/cube.ele"), "1 4 0\n0 0 1 3 7\n");  // it has fewer nodes
    EXPECT_EQ(run_json({"replay", file})["hash"], before["hash"]);
    fs::remove_all(path("models"));
    EXPECT_EQ(run_json({"replay", file})["verified"], 6);
    EXPECT_EQ(run({"export", file, "--to", "vtk", "-o", path("vtk")}).status, 0);
    EXPECT_TRUE(fs::exists(path("vtk/solid_cube_000006.vtk")));
}

// The control: without its files the same recording cannot be run again, and says so in a line.
TEST_F(Carried, WithoutItsFilesARecordingCannotBeRun) {
    const std::string file = record_cube();
    const std::string bare = path("bare.plica");
    copy_recording(file, bare, [](RecordingHeader& header) {
        EXPECT_EQ(header.files.size(), 2U);
        header.files.clear();
    });
    const Outcome outcome = run({"replay", bare});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(contains(outcome.err, "cube")) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
}

TEST_F(Carried, DamagedRecordingsEndNoCommandBadly) {
    expect_orderly_ends([&](const std::string& bad) {
        return std::vector<Texts>{{"replay", bad}, {"export", bad, "--to", "obj", "-o", path("obj")}};
    });
}

TEST_F(Command, TwoRunsWithOneRecording) {
    const std::string file = path("a.plica");
    Process first({"run", "chain", "--seconds", "100000", "--audit", "off", "--record", file});
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!fs::exists(file) && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const Outcome second = run({"run", "chain", "--steps", "3", "--record", file});
    EXPECT_EQ(second.status, 2);
    EXPECT_EQ(second.err, file + ": another run is writing it; expected a file of its own for each\n");
    EXPECT_EQ(second.out, "");
    first.send(SIGINT);
    EXPECT_EQ(first.finish().status, 0);
    EXPECT_EQ(run({"replay", file}).status, 0);
    EXPECT_EQ(record({"chain", "--steps", "3"}), file) << "the control: free again";
}

TEST_F(Command, RecordingsGoWhereNothingIsLost) {
    const std::string scene = pulled_rope();
    const std::string text = slurp(scene);
    for (const auto& [target, told] : {std::pair<std::string, const char*>{"", "--record"},
                                       {scene, "is no recording"},
                                       {m_folder.string(), "folder"}}) {
        const Outcome outcome = run({"run", scene, "--steps", "2", "--record", target});
        EXPECT_EQ(outcome.status, 2) << target << outcome.err;
        EXPECT_TRUE(contains(outcome.err, told)) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
    EXPECT_EQ(slurp(scene), text);
    EXPECT_EQ(files(), Texts{"pulled.toml"});
    EXPECT_EQ(run({"run", scene, "--steps", "2", "--record", path("new.plica")}).status, 0) << "the control";
}

TEST_F(Command, ScenesThatAreNoTextAreRefusedAtOnce) {
    const auto refused = [&](const std::string& scene, int status, const char* told) {
        const auto began = std::chrono::steady_clock::now();
        const Outcome outcome = run({"check", scene});
        EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20)) << scene;
        EXPECT_EQ(outcome.status, status) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, told)) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, scene)) << outcome.err;
    };
    const std::string huge = write("huge.toml", "plica = 1\n");
    fs::resize_file(huge, 3ULL << 30);
    refused(huge, 2, "expected a scene of at most 256 MB");
    mkfifo(path("fifo.toml").c_str(), 0600);
    refused(path("fifo.toml"), 2, "expected a file");
    refused("/dev/zero", 2, "expected a file");
    refused(m_folder.string(), 2, "is a folder");
    fs::create_symlink("loop.toml", path("loop.toml"));
    refused(path("loop.toml"), 4, "cannot be read");
    refused(path("none.toml"), 2, "no such scene file");
}

TEST_F(Command, AnExportLeavesNothingOfTheOneBefore) {
    const std::string longer = record({"chain", "--steps", "9"}, "long.plica");
    const std::string shorter = record({"chain", "--steps", "3"}, "short.plica");
    const std::string out = path("out");
    ASSERT_EQ(run({"export", longer, "--to", "obj", "-o", out}).status, 0);
    spill(out + "/notes.txt", "mine");
    spill(out + "/frame_final.obj", "mine too");
    EXPECT_TRUE(fs::exists(out + "/frame_000009.obj"));
    ASSERT_EQ(run({"export", shorter, "--to", "obj", "-o", out}).status, 0);
    EXPECT_TRUE(fs::exists(out + "/frame_000003.obj"));
    EXPECT_FALSE(fs::exists(out + "/frame_000004.obj"));
    EXPECT_FALSE(fs::exists(out + "/frame_000009.obj"));
    EXPECT_EQ(slurp(out + "/notes.txt"), "mine");
    EXPECT_EQ(slurp(out + "/frame_final.obj"), "mine too");
}

TEST_F(Command, BodiesOfLikeNamesHaveFilesOfTheirOwn) {
    std::string text = "plica = 1\n[environment]\ngravity = [0, 0, 0]\n";
    for (const auto& [name, x] : {std::pair{"a/b", "0"}, {"a_b", "1"}, {"a%2Fb", "2"}}) {
        text += std::string("[[body]]\nname = \"") + name + "\"\ntissue = \"tled\"\nshape = \"block\"\n" +
                "cells = [1, 1, 1]\ncenter = [" + x + ", 0, 0]\n";
    }
    const std::string file = record({write("a.toml", text), "--steps", "1"});
    ASSERT_EQ(run({"export", file, "--to", "vtk", "-o", path("out")}).status, 0);
    Texts solids;
    for (const std::string& name : files()) {
        if (contains(name, "solid_") && contains(name, "_000001")) solids.push_back(name);
    }
    EXPECT_EQ(solids,
              (Texts{"out/solid_a%252Fb_000001.vtk", "out/solid_a%2Fb_000001.vtk", "out/solid_a_b_000001.vtk"}));
}

TEST_F(Command, ASolidsPeakStretchIsItsLargest) {
    const Json json = run_json({"run", "block-stretch", "--seconds", "0.5", "--audit", "off"});
    const Json& body = json["bodies"].at(0);
    EXPECT_GT(body["peak_stretch"].get<double>(), 0.001);
    EXPECT_GE(body["peak_stretch"].get<double>(), body["max_stretch"].get<double>());
}

TEST_F(Command, ErrorsOfMeshesAndPlacesNameBodyFileAndLine) {
    const std::string scene = write("a.toml",
                                    "plica = 1\n\n[[body]]\nname = \"spleen\"\ntissue = \"tled\"\n"
                                    "mesh = \"none.stl\"\n");
    const Outcome mesh = run({"check", scene});
    EXPECT_EQ(mesh.status, 2);
    EXPECT_TRUE(contains(mesh.err, scene + ":6: spleen: ")) << mesh.err;
    EXPECT_TRUE(contains(mesh.err, "none.stl: there is no such file")) << mesh.err;
    const std::string place = write("b.toml",
                                    "plica = 1\n[[body]]\nname = \"spleen\"\ntissue = \"tled\"\nshape = \"block\"\n"
                                    "fixed = [\n  { side = \"-x\" },\n"
                                    "  { ball = { center = [9, 9, 9], radius = 0.01 } },\n]\n");
    const Outcome held = run({"check", place});
    EXPECT_EQ(held.status, 2);
    EXPECT_TRUE(contains(held.err, place + ":8: spleen: a place that holds no node")) << held.err;
}

}  // namespace
}  // namespace plica::testing
