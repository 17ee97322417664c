#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/apps/commands.hpp"
#include "tests/apps/trajectories.hpp"

namespace plica::testing {
namespace {

// Trajectories that are not what they must be.

class CommandAuditInput : public Command {
protected:
    void SetUp() override {
        Command::SetUp();
        reset();
    }
    // A trajectory that passes.
    void reset() const {
        fs::remove_all(path("own"));
        write_trajectory(path("own"), crossed_tubes({0.1, 0.05, 0.03}), crossed_scene);
    }
    [[nodiscard]] std::string file(const std::string& name) const { return path("own") + "/" + name; }
    // One line that names the file and all of `parts`.
    void expect_refused(const std::string& name, const Texts& parts, int status = 2) const {
        for (const Texts& arguments : {Texts{"audit", path("own")}, Texts{"audit", path("own"), "--json"}}) {
            const Outcome outcome = run(arguments);
            EXPECT_EQ(outcome.status, status) << outcome.err;
            EXPECT_EQ(outcome.out, "");
            EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
            EXPECT_EQ(outcome.err.rfind(file(name), 0), 0U) << outcome.err << "does not begin with " << name;
            for (const std::string& part : parts)
                EXPECT_TRUE(contains(outcome.err, part)) << outcome.err << "lacks " << part;
            for (const char* noise : {"exception", "terminate", "std::", "Sanitizer"})
                EXPECT_FALSE(contains(outcome.err, noise)) << outcome.err;
        }
    }
    void expect_scene_refused(const std::string& scene, const Texts& parts) const {
        SCOPED_TRACE(scene.substr(0, 200));
        spill(file("scene.json"), scene);
        expect_refused("scene.json", parts);
    }
    // The first body with this content besides its name.
    void expect_body_refused(const std::string& content, const Texts& parts) const {
        std::string scene(R"({"bodies": [{"name": "a", )");
        expect_scene_refused(scene.append(content).append("}]}"), parts);
    }
    void write_rows(const std::string& name, const std::vector<std::size_t>& trailing, std::size_t rows) const {
        NpyWriter writer(file(name), trailing);
        std::size_t size = 1;
        for (const std::size_t extent : trailing) size *= extent;
        for (std::size_t i = 0; i < rows; ++i) writer.append(std::vector<double>(size, static_cast<double>(i)));
        writer.close();
    }
    void expect_array_refused(const std::string& name, const std::vector<std::size_t>& trailing, std::size_t rows,
                              const Texts& parts) const {
        reset();
        write_rows(name, trailing, rows);
        expect_refused(name, parts);
    }
    // The coordinate's value in the file.
    void put(const std::string& name, std::size_t index, double value) const {
        std::string bytes = slurp(file(name));
        const std::size_t start = 10 + static_cast<unsigned char>(bytes[8]);
        std::memcpy(bytes.data() + start + 8 * index, &value, 8);
        spill(file(name), bytes);
    }
};

TEST_F(CommandAuditInput, TheTrajectoryItselfPasses) {
    EXPECT_EQ(run_json({"audit", path("own")})["audit"], "passed");
}

TEST_F(CommandAuditInput, MissingFiles) {
    for (const char* name : {"positions.npy", "times.npy", "scene.json"}) {
        reset();
        fs::remove(file(name));
        expect_refused(name, {"no such file"});
        fs::create_directory(file(name));
        expect_refused(name, {"expected a file"});
    }
    const Outcome none = run({"audit", path("nowhere")});
    EXPECT_EQ(none.status, 2);
    EXPECT_TRUE(contains(none.err, path("nowhere"))) << none.err;
    const Outcome recording = run({"audit", record({"chain", "--steps", "3"})});
    EXPECT_EQ(recording.status, 2);
    EXPECT_TRUE(contains(recording.err, "plica export")) << recording.err;
    EXPECT_EQ(run({"audit"}).status, 2);
}

TEST_F(CommandAuditInput, FilesThatCannotBeRead) {
    for (const char* name : {"positions.npy", "times.npy", "scene.json"}) {
        reset();
        fs::remove(file(name));
        fs::create_symlink("/proc/self/mem", file(name));  // opens, but its start cannot be read
        expect_refused(name, {"cannot be read"}, 4);
    }
}

TEST_F(CommandAuditInput, WrongShapes) {
    expect_array_refused("positions.npy", {4}, 3, {"(3, 4)", "(frames, nodes, 3)"});
    expect_array_refused("positions.npy", {4, 2}, 3, {"(3, 4, 2)"});
    expect_array_refused("positions.npy", {0, 3}, 3, {"(3, 0, 3)"});
    expect_array_refused("positions.npy", {4, 3}, 0, {"(0, 4, 3)"});
    expect_array_refused("rest.npy", {3}, 2, {"(2, 3)", "a place for each node"});
    expect_array_refused("times.npy", {}, 2, {"(2,)", "(3,)"});
    expect_array_refused("times.npy", {1}, 3, {"(3, 1)", "(3,)"});
}

TEST_F(CommandAuditInput, WrongTypes) {
    for (const char* name : {"positions.npy", "times.npy"}) {
        reset();
        std::string bytes = slurp(file(name));
        bytes.replace(bytes.find("<f8"), 3, "<i8");
        spill(file(name), bytes);
        expect_refused(name, {"<i8", "float64", "float32"});
        spill(file(name), "x,y,z\n1,2,3\n");
        expect_refused(name, {"numpy.save"});
    }
}

TEST_F(CommandAuditInput, CutArrays) {
    for (const char* name : {"positions.npy", "times.npy"}) {
        reset();
        const std::string bytes = slurp(file(name));
        for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t{30}, std::size_t{0}}) {
            spill(file(name), bytes.substr(0, size));
            expect_refused(name, {});
        }
        spill(file(name), bytes.substr(0, bytes.size() - 8));
        expect_refused(name, {"cut"});
    }
}

TEST_F(CommandAuditInput, PositionsThatAreNone) {
    put("positions.npy", 12 + 7, std::nan(""));  // frame 1, node 2, y
    expect_refused("positions.npy", {"frame 1", "0.1 s", "node 2, y", "nan"});
    reset();
    put("positions.npy", 0, std::numeric_limits<double>::infinity());
    expect_refused("positions.npy", {"frame 0", "node 0, x", "inf"});
    reset();
    put("positions.npy", 35, -1e300);
    expect_refused("positions.npy", {"frame 2", "node 3, z", "-1e+300"});
    reset();
    write_rows("rest.npy", {3}, 4);
    EXPECT_EQ(run_json({"audit", path("own")})["audit"], "passed");
    put("rest.npy", 4, std::nan(""));
    expect_refused("rest.npy", {"node 1, y", "nan"});
}

TEST_F(CommandAuditInput, TimesThatDoNotRise) {
    put("times.npy", 1, std::nan(""));
    expect_refused("times.npy", {"frame 1", "nan"});
    put("times.npy", 1, 0.2);
    expect_refused("times.npy", {"frame 2", "rising"});
    put("times.npy", 1, -0.1);
    expect_refused("times.npy", {"frame 1", "rising"});
}

TEST_F(CommandAuditInput, TextThatIsNoJson) {
    expect_scene_refused("", {":1:", "end of input"});
    expect_scene_refused("{\n\"bodies\": [\n}", {":3:", "not JSON"});
    expect_scene_refused("{\"bodies\": [{\"name\": \"a\",\n\"segments\": [[0, 1, NaN]]}]}", {":2:"});
    expect_scene_refused(R"({"bodies": [{"name": "a", "segments": [[0, 1, 1e999]]}]})", {"1e999"});
    expect_scene_refused(std::string(100000, '['), {"not JSON"});
    expect_scene_refused(std::string("{\"bodies\": \"\xff\xfe\"}"), {"not JSON"});
}

TEST_F(CommandAuditInput, ScenesThatAreNone) {
    for (const char* scene : {"[]", "3", "null", "{}", R"({"bodies": {}})"}) expect_scene_refused(scene, {"bodies"});
    expect_scene_refused(R"({"bodies": []})", {"segments"});
    expect_scene_refused(R"({"bodies": [3]})", {"bodies[0]", "found 3"});
    expect_scene_refused(R"({"bodies": [{"segments": [[0, 1, 0.01]]}]})", {"bodies[0]", "name"});
    expect_scene_refused(R"({"units": "mm", "bodies": []})", {"units", "mm", "SI"});
    expect_scene_refused(R"({"bodies": [{"name": "a"}, {"name": "b", "triangles": [[0, 1, 2, 0.01]]}]})", {"spheres"});
    expect_body_refused(R"("segmets": [[0, 1, 0.01]])", {"segmets", "segments"});
}

TEST_F(CommandAuditInput, PartsThatAreNone) {
    expect_body_refused(R"("segments": 3)", {"bodies[0].segments", "a list"});
    expect_body_refused(R"("segments": [[0, 1, 0.01], [0, 1]])", {"bodies[0].segments[1]", "[node, node, radius]"});
    expect_body_refused(R"("segments": [[0, 4, 0.01]])", {"segments[0]", "found 4", "0 to 3"});
    expect_body_refused(R"("segments": [[-1, 1, 0.01]])", {"found -1", "0 to 3"});
    expect_body_refused(R"("segments": [[0, 1.5, 0.01]])", {"found 1.5"});
    expect_body_refused(R"("segments": [[0, "1", 0.01]])", {"found \"1\""});
    expect_body_refused(R"("segments": [[0, 99999999999999999999, 0.01]])", {"0 to 3"});
    expect_body_refused(R"("segments": [[0, 1, -0.01]])", {"-0.01", "not negative"});
    expect_body_refused(R"("segments": [[0, 1, 1e308]])", {"found 1", "metres"});
    expect_body_refused(R"("segments": [[0, 1, null]])", {"null", "radius"});
    expect_body_refused(R"("segments": [[1, 1, 0.01]])", {"different nodes"});
    expect_body_refused(R"("triangles": [[0, 1, 0.01]])", {"triangles[0]", "half thickness"});
    expect_body_refused(R"("triangles": [[0, 1, 0, 0.01]])", {"different nodes"});
    expect_body_refused(R"("triangles": [[0, 1, 7, 0.01]])", {"found 7"});
    expect_body_refused(R"("spheres": [[4, 0.01]])", {"spheres[0]", "found 4"});
    expect_body_refused(R"("exempt": [4])", {"exempt", "found 4"});
    expect_body_refused(R"("exempt": 4)", {"exempt", "a list"});
}

TEST_F(CommandAuditInput, ColumnsThatAreNone) {
    const auto refused = [this](const std::string& more, const Texts& parts) {
        std::string content(R"("segments": [[0, 1, 0.01], [1, 2, 0.01]], )");
        expect_body_refused(content.append(more), parts);
    };
    refused(R"("nodes": [0, 5])", {"nodes", "[0,5]"});
    refused(R"("nodes": [2, 1])", {"nodes"});
    refused(R"("nodes": 4)", {"nodes"});
    refused(R"("columns": [0, 1, 2])", {"nodes"});
    refused(R"("nodes": [0, 3], "columns": [0, 1])", {"2 values", "3"});
    refused(R"("nodes": [0, 3], "columns": [0, 1, 1e10])", {"columns[2]"});
    refused(R"("nodes": [0, 3], "columns": [0, 1, 3])", {"segments[1]", "columns 1 and 3"});
    refused(R"("triangles": [[0, 1, 2, 0.01]], "triangle_columns": [])", {"0 values", "expected 1"});
    refused(R"("triangles": [[0, 1, 2, 0.01]], "triangle_columns": [[2, 1]])", {"triangle_columns[0]", "[2,1]"});
    refused(R"("triangles": [[0, 1, 2, 0.01]], "triangle_columns": [3])", {"triangle_columns[0]", "found 3"});
}

// A verdict about nothing is none.
TEST_F(CommandAuditInput, NothingToExamine) {
    expect_body_refused(R"("segments": [[0, 1, 0.01]])", {"no two parts"});
    expect_body_refused(R"("segments": [[0, 1, 10], [1, 2, 10], [2, 3, 10]])", {"metres"});
}

TEST_F(CommandAuditInput, AChainWithoutLength) {
    Frames frames(2, std::vector<Vec3>(4));
    write_trajectory(path("own"), frames, crossed_scene);
    expect_refused("scene.json", {"length"});
}

// What other programs add is their own.
TEST_F(CommandAuditInput, UnknownKeysAndManyBodiesAreFine) {
    std::string scene(R"({"engine": "another", "bodies": [{"name": "ground", "color": [1, 0, 0]})");
    for (int i = 0; i < 20000; ++i) scene += R"(, {"name": "filler"})";
    scene += R"(, {"name": "low", "segments": [[0, 1, 0.01]]}, {"name": "high", "spheres": [[2, 0.01]], "mass": 3}]})";
    spill(file("scene.json"), scene);
    EXPECT_EQ(run_json({"audit", path("own")})["bodies"], 20003);
}

TEST_F(CommandAuditInput, AnAnswerThatCannotBeWrittenIsNoSuccess) {
    EXPECT_EQ(run({"audit", path("own")}, {"/dev/full", RLIM_INFINITY}).status, 4);
}

}  // namespace
}  // namespace plica::testing
