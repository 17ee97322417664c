#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "io/recording/recording.hpp"
#include "tests/apps/commands.hpp"
#include "tests/apps/npy.hpp"

namespace plica::testing {
namespace {

// Places that cannot be written.

// Status 4, the file's name on standard error and nothing else anywhere.
void expect_unwritable(const Texts& arguments, const std::string& name, const Settings& settings = {}) {
    SCOPED_TRACE(quoted(arguments));
    const Outcome outcome = run(arguments, settings);
    EXPECT_EQ(outcome.status, 4) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, name)) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
}

TEST_F(Command, RecordingsThatCannotBeWritten) {
    for (const std::string& place : {path("missing/x.plica"), std::string("/dev/full")}) {
        expect_unwritable({"run", "chain", "--steps", "40", "--json", "--record", place}, place);
    }
    EXPECT_EQ(run({"run", "chain", "--steps", "40", "--json", "--record", path("")}).status, 2)
        << "a folder is wrong use";
    expect_unwritable({"run", "chain", "--steps", "3", "--record", path("missing/x"), "--dump", path("dump")},
                      path("missing/x"));
    EXPECT_EQ(files(), Texts{});
}

TEST_F(Command, DumpsThatCannotBeWritten) {
    const std::string file = write("file", "");
    for (const std::string& place : {file, file + "/below", std::string("/dev/full"), std::string("/dev/full/x")}) {
        expect_unwritable({"run", "chain", "--steps", "3", "--json", "--dump", place}, place);
    }
    EXPECT_EQ(files(), Texts{"file"});
}

// Whoever gets the dump's name wrong must not lose the recording of yesterday.
TEST_F(Command, AnUnwritableDumpLeavesTheRecordingAlone) {
    const std::string file = record({"chain", "--steps", "5"});
    const std::string before = slurp(file);
    expect_unwritable({"run", "chain", "--steps", "3", "--record", file, "--dump", "/dev/full"}, "/dev/full");
    EXPECT_TRUE(slurp(file) == before) << "the recording was replaced";
    expect_unwritable({"run", "chain", "--steps", "3", "--record", path("b.plica"), "--dump", "/dev/full"},
                      "/dev/full");
    EXPECT_FALSE(fs::exists(path("b.plica")));
}

TEST_F(Command, AFullDiskKeepsWhatWasRecorded) {
    const rlim_t size = fs::file_size(record({"intestine-pile", "--seconds", "4", "--audit", "off"}, "whole.plica"));
    const std::string file = path("a.plica");
    const Texts arguments{"run", "intestine-pile", "--seconds", "4", "--audit", "off", "--record", file};
    expect_unwritable(arguments, file, {"", size * 3 / 4});
    ASSERT_TRUE(fs::exists(file));
    const Outcome outcome = run({"replay", file, "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const Json json = parse_object(outcome);
    EXPECT_GT(json["verified"].get<int>(), 0);
    EXPECT_LT(json["verified"].get<int>(), 120);
    EXPECT_EQ(json["truncated"], true);
}

TEST_F(Command, AFullDiskLeavesNoHalfDump) {
    expect_unwritable({"run", "chain", "--steps", "100", "--dump", path("dump")}, path("dump/positions.npy"),
                      {"", 40000});
    for (const std::string& name : files()) EXPECT_EQ(name, "dump/scene.json");
    const std::string file = record({"chain", "--steps", "100"});
    expect_unwritable({"export", file, "--to", "npy", "-o", path("out")}, path("out/positions.npy"), {"", 40000});
    for (const std::string& name : files()) {
        EXPECT_FALSE(contains(name, ".npy") || contains(name, ".partial")) << name;
    }
}

TEST_F(Command, AFullDiskLeavesTheDumpBeforeWhole) {
    const std::string dump = path("dump");
    ASSERT_EQ(run({"run", "chain", "--steps", "5", "--dump", dump}).status, 0);
    const std::array<const char*, 4> names{"positions.npy", "times.npy", "tools.npy", "scene.json"};
    std::vector<std::string> before;
    for (const char* name : names) before.push_back(slurp(dump + "/" + name));
    expect_unwritable({"run", "intestine-pile", "--steps", "40", "--dump", dump}, dump, {"", 40000});
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_TRUE(slurp(dump + "/" + names[i]) == before[i]) << names[i];
}

TEST_F(Command, ExportsThatCannotBeWritten) {
    const std::string recording = record({"chain", "--steps", "3"});
    const std::string file = write("file", "");
    for (const char* format : {"npy", "vtk", "obj"}) {
        expect_unwritable({"export", recording, "--to", format, "-o", file}, file);
        expect_unwritable({"export", recording, "--to", format, "-o", file + "/below"}, file);
    }
    EXPECT_EQ(files(), (Texts{"a.plica", "file"}));
}

TEST_F(Command, AnAnswerThatCannotBeWrittenIsNoSuccess) {
    const std::string recording = record({"chain", "--steps", "3"});
    for (const Texts& arguments :
         {Texts{"run", "chain", "--steps", "2", "--json"}, Texts{"run", "chain", "--steps", "2"}, Texts{"scenes"},
          Texts{"check", "chain"}, Texts{"replay", recording, "--json"}}) {
        const Outcome outcome = run(arguments, {"/dev/full", RLIM_INFINITY});
        EXPECT_EQ(outcome.status, 4) << quoted(arguments);
    }
}

// Dumps and exports.

void expect_consistent_scene(const Json& scene, std::size_t nodes) {
    EXPECT_TRUE(scene.contains("bodies"));
    std::size_t next = 0;
    for (const Json& body : scene["bodies"]) {
        for (const char* key : {"name", "tissue", "nodes", "segments", "triangles", "tetrahedra", "exempt"}) {
            EXPECT_TRUE(body.contains(key)) << key;
        }
        const auto first = body["nodes"][0].get<std::size_t>();
        const auto last = body["nodes"][1].get<std::size_t>();
        EXPECT_EQ(first, next);
        EXPECT_LT(first, last);
        next = last;
        for (const Json& segment : body["segments"]) {
            ASSERT_EQ(segment.size(), 3U);
            EXPECT_LT(segment[0].get<std::size_t>(), nodes);
            EXPECT_LT(segment[1].get<std::size_t>(), nodes);
            EXPECT_GT(segment[2].get<double>(), 0.0);
        }
        for (const Json& triangle : body["triangles"]) {
            ASSERT_EQ(triangle.size(), 4U);
            for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(triangle[i].get<std::size_t>(), nodes);
            EXPECT_GT(triangle[3].get<double>(), 0.0);
        }
        for (const Json& node : body["exempt"]) {
            EXPECT_GE(node.get<std::size_t>(), first);
            EXPECT_LT(node.get<std::size_t>(), last);
        }
    }
    EXPECT_EQ(next, nodes);
}

TEST_F(Command, DumpAndExportAgree) {
    const std::string recording = path("a.plica");
    const Json summary =
        run_json({"run", pulled_rope(), "--steps", "15", "--record", recording, "--dump", path("dump")});
    const Json exported = run_json({"export", recording, "--to", "npy", "-o", path("npy")});
    EXPECT_EQ(exported, (Json{{"recording", recording}, {"format", "npy"}, {"folder", path("npy")}, {"frames", 16}}));
    const auto nodes = summary["nodes"].get<std::size_t>();
    const Npy exact = load_npy(path("dump/positions.npy"));
    const Npy rounded = load_npy(path("npy/positions.npy"));
    EXPECT_EQ(exact.shape, (Shape{16, nodes, 3}));
    EXPECT_EQ(rounded.shape, exact.shape);
    ASSERT_EQ(rounded.values.size(), exact.values.size());
    for (std::size_t i = 0; i < exact.values.size(); ++i) {
        ASSERT_EQ(rounded.values[i], static_cast<double>(static_cast<float>(exact.values[i]))) << i;
    }
    const Npy times = load_npy(path("dump/times.npy"));
    EXPECT_EQ(times.shape, Shape{16});
    for (std::size_t i = 0; i < times.values.size(); ++i)
        EXPECT_NEAR(times.values[i], static_cast<double>(i) / 30.0, 1e-12);
    EXPECT_EQ(load_npy(path("npy/times.npy")).values, times.values);
    const Npy tools = load_npy(path("dump/tools.npy"));
    EXPECT_EQ(tools.shape, (Shape{15, 1, 6}));
    EXPECT_EQ(load_npy(path("npy/tools.npy")).shape, tools.shape);
    EXPECT_EQ(load_npy(path("npy/tools.npy")).values, tools.values);
    const Json scene = Json::parse(slurp(path("dump/scene.json")));
    EXPECT_EQ(scene, Json::parse(slurp(path("npy/scene.json"))));
    expect_consistent_scene(scene, nodes);
    EXPECT_EQ(scene["bodies"].size(), 1U);
    EXPECT_EQ(scene["bodies"][0]["name"], "gut");
    EXPECT_EQ(scene["bodies"][0]["segments"].size(), summary["primitives"].get<std::size_t>());
    EXPECT_EQ(scene["tools"], (Json{"hand"}));
}

// The files hold what their names say: the first frame is the rope as built, a held node stays, forces are the tool's.
TEST_F(Command, AGrabsForceShowsInTheDump) {
    const Json summary = run_json({"run", pulled_rope(), "--steps", "15", "--dump", path("dump")});
    const Npy x = load_npy(path("dump/positions.npy"));
    ASSERT_EQ(x.shape, (Shape{16, 26, 3}));
    for (std::size_t n = 0; n < 26; ++n) EXPECT_NEAR(x.values[3 * n], static_cast<double>(n) / 25.0, 1e-12);
    for (std::size_t frame = 0; frame < 16; ++frame) EXPECT_EQ(x.values[78 * frame], 0.0);
    const Npy tools = load_npy(path("dump/tools.npy"));
    ASSERT_EQ(tools.shape, (Shape{15, 1, 6}));
    double peak = 0.0;
    for (std::size_t step = 0; step < 15; ++step) {
        const double* f = &tools.values[6 * step];
        const double force = std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        EXPECT_TRUE(step >= 3 || force == 0.0) << step;  // it takes hold at 0.1 s
        EXPECT_LE(force, 2.0 + 1e-6);
        peak = std::max(peak, force);
    }
    EXPECT_GT(peak, 0.1);
    EXPECT_NEAR(peak, summary["tools"][0]["peak_force"].get<double>(), 1e-12);
}

TEST_F(Command, ADumpOfTheIntestineDescribesItsMesentery) {
    const Json summary = run_json(
        {"run", "intestine", "--steps", "2", "--dump", path("dump"), "--set", "gut.mesentery_self_contact=false"});
    const auto nodes = summary["nodes"].get<std::size_t>();
    EXPECT_EQ(load_npy(path("dump/positions.npy")).shape, (Shape{3, nodes, 3}));
    const Json scene = Json::parse(slurp(path("dump/scene.json")));
    expect_consistent_scene(scene, nodes);
    ASSERT_EQ(scene["bodies"].size(), 2U);
    EXPECT_EQ(scene["bodies"][0]["segments"].size(), 300U);
    EXPECT_GT(scene["bodies"][1]["triangles"].size(), 0U);
    EXPECT_EQ(scene["bodies"][0]["segments"].size() + scene["bodies"][1]["triangles"].size(),
              summary["primitives"].get<std::size_t>());
    EXPECT_GT(scene["bodies"][0]["exempt"].size(), 0U);
    EXPECT_GT(summary["exempt_share"].get<double>(), 0.0);
    EXPECT_LT(summary["exempt_share"].get<double>(), 0.2);
}

// Touched by its edges or not, a mesentery is its triangles to whoever looks at it.
TEST_F(Command, ADumpListsTrianglesInEitherForm) {
    run_json({"run", "intestine", "--steps", "1", "--dump", path("triangles"), "--set", "gut.rows=4"});
    const Json edges =
        run_json({"run", "intestine", "--steps", "1", "--dump", path("edges"), "--set", "gut.mesentery_contact=edges"});
    EXPECT_TRUE(slurp(path("triangles/scene.json")) == slurp(path("edges/scene.json")));
    EXPECT_EQ(edges["primitives"], 300 + 2691);
}

TEST_F(Command, ADumpWithoutToolsIsWhole) {
    EXPECT_EQ(run({"run", "chain", "--steps", "4", "--dump", path("new/folder/dump")}).status, 0);
    EXPECT_EQ(load_npy(path("new/folder/dump/tools.npy")).shape, (Shape{4, 0, 6}));
    EXPECT_EQ(files().size(), 5U);
}

TEST_F(Command, ExportToVtkAndObj) {
    const std::string recording = record({pulled_rope(), "--steps", "15"});
    EXPECT_EQ(run_json({"export", recording, "--to", "vtk", "-o", path("vtk")})["frames"], 16);
    EXPECT_EQ(run_json({"export", recording, "--to", "obj", "-o", path("obj")})["frames"], 16);
    for (const std::string format : {"vtk", "obj"}) {
        std::size_t count = 0;
        for (const auto& entry : fs::directory_iterator(path(format))) {
            EXPECT_EQ(entry.path().extension(), "." + format);
            ++count;
        }
        EXPECT_EQ(count, 16U);
        EXPECT_TRUE(fs::exists(path(format + "/frame_000000." + format)));
        EXPECT_TRUE(fs::exists(path(format + "/frame_000015." + format)));
    }
    const std::string vtk = slurp(path("vtk/frame_000003.vtk"));
    EXPECT_EQ(vtk.rfind("# vtk DataFile", 0), 0U);
    EXPECT_TRUE(contains(vtk, "POINTS 26 double"));
    EXPECT_TRUE(contains(vtk, "LINES 25 75"));
    int points = 0;
    int lines = 0;
    for (const std::string& line : lines_of(slurp(path("obj/frame_000003.obj")))) {
        points += line.rfind("v ", 0) == 0 ? 1 : 0;
        lines += line.rfind("l ", 0) == 0 ? 1 : 0;
    }
    EXPECT_EQ(points, 26);
    EXPECT_EQ(lines, 25);
}

TEST_F(Command, ExportOfACutRecordingGivesWhatIsThere) {
    const std::string file = record({"intestine-pile", "--seconds", "2", "--audit", "off"});
    const std::string bytes = slurp(file);
    spill(file, bytes.substr(0, bytes.size() - 100));
    const std::uint64_t steps = RecordingReader(file).step_count();
    ASSERT_GT(steps, 0U);
    ASSERT_LT(steps, 60U);
    const Outcome outcome = run({"export", file, "--to", "npy", "-o", path("out"), "--json"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(contains(outcome.err, file)) << outcome.err;
    EXPECT_EQ(parse_object(outcome)["frames"], steps + 1);
    EXPECT_EQ(load_npy(path("out/positions.npy")).shape.at(0), steps + 1);
    EXPECT_EQ(load_npy(path("out/tools.npy")).shape.at(0), steps);
}

}  // namespace
}  // namespace plica::testing
