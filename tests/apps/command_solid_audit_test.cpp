#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/apps/commands.hpp"
#include "tests/apps/trajectories.hpp"

namespace plica::testing {
namespace {

// Solids that go through each other: the audit of runs and of trajectories. Contact is off, so nothing holds them.

// A block that stands, its top at 0.125 m, and a smaller one `gap` above it.
std::string two_blocks(double gap, double gravity) {
    return fmt::format(R"(plica = 1
contact = {{ enabled = false }}
solver = {{ substeps = 1 }}
environment = {{ gravity = [0, 0, {}] }}
[[body]]
name = "low"
tissue = "tled"
shape = "block"
cells = [3, 3, 3]
size = [0.125, 0.125, 0.125]
center = [0, 0, 0.0625]
fixed = [ {{ side = "-z" }} ]
[[body]]
name = "high"
tissue = "tled"
shape = "block"
cells = [2, 2, 2]
size = [0.0625, 0.0625, 0.0625]
center = [0.01, 0.005, {}]
)",
                       gravity, 0.15625 + gap);
}

class CommandSolidAudit : public Command {
protected:
    [[nodiscard]] Json run_blocks(double gap, double gravity, int status, const Texts& more = {}) const {
        Texts arguments{"run", write("blocks.toml", two_blocks(gap, gravity)), "--seconds", "0.3"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_json(arguments, status);
    }
};

TEST_F(CommandSolidAudit, ABlockFallsThroughAnother) {
    const Json json = run_blocks(0.01, -9.81, 1, {"--dump", path("dump")});
    EXPECT_EQ(keys(json["intersections"]), (std::set<std::string>{"max", "frames", "looks", "bodies"}));
    EXPECT_GT(json["intersections"]["max"].get<int>(), 10);
    EXPECT_GT(json["intersections"]["frames"].get<int>(), 1);
    EXPECT_LT(json["intersections"]["frames"].get<int>(), json["steps"].get<int>());
    EXPECT_GE(json["intersections"]["looks"].get<int>(), json["steps"].get<int>());
    EXPECT_EQ(json["intersections"]["bodies"], (Json{"low", "high"}));
    EXPECT_EQ(json["audit"], "failed");
    EXPECT_EQ(json["pass_throughs"], 0);  // of tubes and sheets
    EXPECT_EQ(json["penetration"]["worst"], 0.0);
    // Its dump, which has nothing but solids.
    const Json audit = run_json({"audit", path("dump")}, 1);
    EXPECT_GT(audit["intersections"]["max"].get<int>(), 10);
    EXPECT_LE(audit["intersections"]["max"], json["intersections"]["max"]);
    EXPECT_EQ(audit["intersections"]["looks"], audit["frames"]);
    ASSERT_EQ(audit["intersections"]["first"].size(), 8U);
    EXPECT_EQ(audit["intersections"]["first"][0]["a"]["body"], "low");
    EXPECT_EQ(audit["intersections"]["first"][0]["b"]["kind"], "triangle");
    EXPECT_TRUE(Json::parse(slurp(path("dump/scene.json")))["bodies"][1]["closed"].get<bool>());
}

TEST_F(CommandSolidAudit, WithoutAGapTheyTouch) {
    const Json touching = run_blocks(0.0, 0.0, 1, {"--dump", path("touching")});
    EXPECT_EQ(touching["intersections"]["frames"], touching["steps"]);
    EXPECT_EQ(run_json({"audit", path("touching")}, 1)["intersections"]["max"], touching["intersections"]["max"]);
    const Json apart = run_blocks(1e-12, 0.0, 0, {"--dump", path("apart")});
    EXPECT_EQ(apart["intersections"]["max"], 0);
    EXPECT_EQ(apart["intersections"]["frames"], 0);
    EXPECT_TRUE(apart["intersections"]["bodies"].is_null());
    EXPECT_EQ(apart["audit"], "passed");
    EXPECT_EQ(run_json({"audit", path("apart")})["intersections"]["max"], 0);
}

TEST_F(CommandSolidAudit, SaysSoForPeople) {
    const std::string scene = write("blocks.toml", two_blocks(0.01, -9.81));
    const Outcome bad = run({"run", scene, "--seconds", "0.3"});
    EXPECT_EQ(bad.status, 1);
    EXPECT_TRUE(contains(bad.out, "low and high")) << bad.out;
    EXPECT_TRUE(contains(bad.err, "pairs of triangles of solids intersect")) << bad.err;
    const Outcome good = run({"run", scene, "--steps", "1", "--dump", path("dump")});
    EXPECT_EQ(good.status, 0);
    EXPECT_TRUE(contains(good.out, "no two triangles of the solids intersect, looked at ")) << good.out;
    EXPECT_TRUE(contains(run({"audit", path("dump")}).out, "no two triangles intersect, looked at 2 frames"));
    const Outcome off = run({"run", scene, "--seconds", "0.3", "--audit", "off"});
    EXPECT_EQ(off.status, 0);
    EXPECT_FALSE(contains(off.out, "solids")) << off.out;
    EXPECT_FALSE(contains(run({"run", "chain", "--steps", "2"}).out, "solids"));
    const Json hashes[2] = {run_blocks(0.01, -9.81, 1), run_blocks(0.01, -9.81, 0, {"--audit", "off"})};
    EXPECT_EQ(hashes[0]["hash"], hashes[1]["hash"]);
    EXPECT_TRUE(hashes[1]["intersections"].is_null());
}

TEST_F(CommandSolidAudit, ALoneSolidIsAuditedAsWell) {
    const Json json = run_json({"run", "block-stretch", "--steps", "2", "--dump", path("dump")});
    EXPECT_EQ(json["penetration"]["worst"], 0.0);
    EXPECT_EQ(json["pass_throughs"], 0);
    EXPECT_EQ(json["audit"], "passed");
    EXPECT_EQ(json["intersections"]["max"], 0);
    EXPECT_GE(json["intersections"]["looks"].get<int>(), 2);
    EXPECT_EQ(run_json({"audit", path("dump")})["audit"], "passed");
}

// Trajectories of others.

Frames two_tetrahedra(const std::vector<double>& heights) {
    Frames frames;
    for (const double z : heights)
        frames.push_back({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, z}, {1, 0, z}, {0, 1, z}, {0, 0, z + 1}});
    return frames;
}

std::string tetrahedra_scene(const std::string& more = "") {
    return fmt::format(
        R"({{"bodies": [{{"name": "low", "triangles": [[0, 2, 1, 0], [0, 1, 3, 0], [1, 2, 3, 0], [2, 0, 3, 0]]}},
        {{"name": "high"{}, "triangles": [[4, 6, 5, 0], [4, 5, 7, 0], [5, 6, 7, 0], [6, 4, 7, 0]]}}]}})",
        more);
}

// A body need not say that it is closed.
TEST_F(CommandSolidAudit, ClosedSurfacesOfOthers) {
    write_trajectory(path("own"), two_tetrahedra({1.5, 1.1, 0.5, 0.3, 1.1}), tetrahedra_scene());
    const Json json = run_json({"audit", path("own")}, 1);
    EXPECT_GT(json["intersections"]["max"].get<int>(), 1);
    EXPECT_EQ(json["intersections"]["frames"], 2);
    EXPECT_EQ(json["intersections"]["first"][0]["frame"], 2);
    write_trajectory(path("own"), two_tetrahedra({1.5, 1.1, 1.5}), tetrahedra_scene());
    EXPECT_EQ(run_json({"audit", path("own")})["intersections"]["max"], 0);
    write_trajectory(path("own"), two_tetrahedra({1.5, 0.5}), tetrahedra_scene(R"(, "closed": true)"));
    EXPECT_EQ(run_json({"audit", path("own")}, 1)["intersections"]["frames"], 1);
    // Control: a body that says it is not is left alone.
    write_trajectory(path("own"), two_tetrahedra({1.5, 0.5}), tetrahedra_scene(R"(, "closed": false)"));
    EXPECT_EQ(run_json({"audit", path("own")})["intersections"]["max"], 0);
}

TEST_F(CommandSolidAudit, WhatIsNotClosed) {
    const auto refused = [this](const std::string& scene) {
        write_trajectory(path("own"), two_tetrahedra({1.5, 1.1}), scene);
        const Outcome outcome = run({"audit", path("own")});
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        return outcome.err;
    };
    EXPECT_TRUE(contains(refused(tetrahedra_scene(R"(, "closed": 1)")), "bodies[1].closed: found 1, expected true"));
    EXPECT_TRUE(contains(refused(tetrahedra_scene(R"(, "closd": true)")), "\"closed\""));
    EXPECT_TRUE(contains(refused(tetrahedra_scene(R"(, "closed": true, "segments": [[4, 5, 0.01]])")), "segments"));
    const std::string open =
        R"({"bodies": [{"name": "low", "triangles": [[0, 2, 1, 0], [0, 1, 3, 0], [1, 2, 3, 0]]}]})";
    EXPECT_TRUE(contains(refused(open), "a closed surface"));
}

}  // namespace
}  // namespace plica::testing
