#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "geometry/closest.hpp"
#include "tests/apps/commands.hpp"
#include "tests/apps/npy.hpp"
#include "tests/apps/trajectories.hpp"

namespace plica::testing {
namespace {

// The audit of a trajectory.

class CommandAudit : public Command {
protected:
    // What the run says about contact, and what the audit of its dump does.
    struct Both {
        Json run, audit;
    };
    [[nodiscard]] Both run_and_audit(Texts arguments, int status = 0) const {
        arguments.insert(arguments.begin(), "run");
        arguments.insert(arguments.end(), {"--dump", path("dump")});
        Both both;
        both.run = run_json(arguments, status);
        both.audit = run_json({"audit", path("dump")}, status);
        return both;
    }
    // Every number that both give.
    static void expect_equal(const Both& both) {
        for (const char* key : {"worst", "settled", "frame_p99"})
            EXPECT_EQ(both.audit["penetration"][key], both.run["penetration"][key]) << key;
        for (const char* key : {"pass_throughs", "audit", "exempt_share", "nodes"})
            EXPECT_EQ(both.audit[key], both.run[key]) << key;
        EXPECT_EQ(both.audit["contacts"]["settled"], both.run["contacts"]["settled"]);
        EXPECT_EQ(both.audit["frames"].get<int>(), both.run["steps"].get<int>() + 1);
    }
    Json audit_frames(const Frames& frames, const std::string& scene, int status) const {
        write_trajectory(path("own"), frames, scene);
        return run_json({"audit", path("own")}, status);
    }
};

// With one substep a step, the frames are all that there is to see.
TEST_F(CommandAudit, IsTheRunsOwnWhereFramesAreSubsteps) {
    const Texts fine{"--set", "solver.substeps=1", "--set", "solver.dt=0.001", "--seconds"};
    const auto with = [&](Texts arguments, const std::string& seconds) {
        arguments.insert(arguments.end(), fine.begin(), fine.end());
        arguments.push_back(seconds);
        return arguments;
    };
    const Both pile = run_and_audit(with({"intestine-pile"}, "2.5"));
    ASSERT_EQ(pile.run["substeps_max"], 1);
    expect_equal(pile);
    EXPECT_GT(pile.audit["penetration"]["worst"].get<double>(), 0.01);
    EXPECT_GT(pile.audit["contacts"]["settled"].get<double>(), 10.0);
    EXPECT_LT(pile.audit["penetration"]["settled"].get<double>(), pile.audit["penetration"]["worst"].get<double>());

    const Both gut = run_and_audit(with({"intestine"}, "0.1"));
    ASSERT_EQ(gut.run["substeps_max"], 1);
    expect_equal(gut);
    EXPECT_GT(gut.audit["exempt_share"].get<double>(), 0.0);
    EXPECT_GT(gut.audit["contacts"]["settled"].get<double>(), 10.0);

    const Both bad = run_and_audit(with({"intestine-pile", "--set", "contact.enabled=false"}, "0.5"), 1);
    expect_equal(bad);
    EXPECT_GT(bad.audit["pass_throughs"].get<int>(), 0);
}

TEST_F(CommandAudit, KnowsTheSpheresOfTools) {
    const std::string scene =
        write("ball.toml",
              "plica = 1\nsolver = { substeps = 1, dt = 0.001 }\nenvironment = { gravity = [0, 0, 0] }\n"
              "[[body]]\nname = \"gut\"\nanatomy = \"rope\"\nfixed = \"both\"\n"
              "[[tool]]\nname = \"ball\"\nkind = \"sphere\"\nradius = 0.03\n"
              "path = [{ t = 0, at = [0.5, 0, 0.06] }, { t = 0.3, move = [0, 0, -0.1] }]\n");
    const Both both = run_and_audit({scene, "--seconds", "0.3"});
    ASSERT_EQ(both.run["substeps_max"], 1);
    expect_equal(both);
    EXPECT_EQ(both.audit["spheres"], 1);
    EXPECT_GT(both.audit["penetration"]["worst"].get<double>(), 0.0);
    EXPECT_EQ(both.audit["worst"]["b"], (Json{{"body", "ball"}, {"kind", "sphere"}, {"index", 0}}));
    EXPECT_EQ(both.audit["worst"]["a"]["body"], "gut");
}

// The deepest pair of all frames after the first, by the detector's distances and every pair.
double deepest_at_frames(const std::string& folder) {
    const Npy x = load_npy(folder + "/positions.npy");
    const Json gut = Json::parse(slurp(folder + "/scene.json"))["bodies"][0];
    const auto& segments = gut["segments"];
    const auto node = [&](std::size_t frame, std::size_t segment, int end) {
        const double* at =
            &x.values[3 * (frame * x.shape[1] + segments[segment][static_cast<std::size_t>(end)].get<std::size_t>())];
        return Vec3{at[0], at[1], at[2]};
    };
    double length = 0.0;
    for (std::size_t i = 0; i < segments.size(); ++i) length += distance(node(0, i, 0), node(0, i, 1));
    const double radius = segments[0][2].get<double>();
    const auto exclude = static_cast<std::size_t>(
        std::ceil(3.14159265358979323846 * radius * static_cast<double>(segments.size()) / length));
    double deepest = 0.0;
    for (std::size_t frame = 1; frame < x.shape[0]; ++frame)
        for (std::size_t i = 0; i < segments.size(); ++i)
            for (std::size_t j = i + exclude + 1; j < segments.size(); ++j) {
                const SegmentPair pair =
                    closest_segment_segment(node(frame, i, 0), node(frame, i, 1), node(frame, j, 0), node(frame, j, 1));
                deepest = std::max(deepest, (2.0 * radius - std::sqrt(pair.squared_distance)) / radius);
            }
    return deepest;
}

TEST_F(CommandAudit, SeesWhatAnotherMeasureSeesAtTheFrames) {
    const Both both = run_and_audit({"intestine-pile", "--seconds", "2"});
    const double worst = both.audit["penetration"]["worst"].get<double>();
    EXPECT_GT(worst, 0.005);
    EXPECT_NEAR(worst, deepest_at_frames(path("dump")), 1e-9);
    EXPECT_LE(worst, both.run["penetration"]["worst"].get<double>());  // which sees the substeps too
    EXPECT_EQ(both.audit["pass_throughs"], 0);
    EXPECT_NEAR(both.audit["interval_s"]["mean"].get<double>(), 1.0 / 30.0, 1e-12);
}

TEST_F(CommandAudit, CatchesAPileWithoutContact) {
    const Both bad = run_and_audit({"intestine-pile", "--seconds", "2", "--set", "contact.enabled=false"}, 1);
    EXPECT_EQ(bad.audit["audit"], "failed");
    EXPECT_GT(bad.audit["pass_throughs"].get<int>(), 0);
    EXPECT_GT(bad.audit["penetration"]["worst"].get<double>(), 1.0);
    EXPECT_EQ(bad.audit["first_pass_throughs"].size(), 8U);
    const Outcome text = run({"audit", path("dump")});
    EXPECT_EQ(text.status, 1);
    EXPECT_TRUE(contains(text.err, "AUDIT FAILED")) << text.err;
    EXPECT_TRUE(contains(text.out, "more")) << text.out;
}

// Positions rounded to float32 are less than a tenth of a micrometre off.
TEST_F(CommandAudit, AnExportIsAudited) {
    const std::string recording = record({"intestine-pile", "--seconds", "1", "--dump", path("dump")});
    ASSERT_EQ(run({"export", recording, "--to", "npy", "-o", path("npy")}).status, 0);
    const Json exact = run_json({"audit", path("dump")}), rounded = run_json({"audit", path("npy")});
    EXPECT_NEAR(exact["penetration"]["worst"].get<double>(), rounded["penetration"]["worst"].get<double>(), 1e-5);
    EXPECT_GT(exact["penetration"]["worst"].get<double>(), 0.005);
    EXPECT_EQ(exact["frames"], rounded["frames"]);
}

// Names and segments are all that it takes.
TEST_F(CommandAudit, AMinimalFileIsEnough) {
    const Both both = run_and_audit({"intestine-pile", "--seconds", "1", "--set", "contact.enabled=false"}, 1);
    const Json scene = Json::parse(slurp(path("dump/scene.json")));
    Json table = scene["bodies"][0]["segments"];  // as numpy writes one: nodes as 12.0
    for (Json& row : table)
        for (Json& value : row) value = value.get<double>();
    spill(path("dump/scene.json"), Json{{"bodies", {{{"name", "gut"}, {"segments", table}}}}}.dump());
    Json minimal = run_json({"audit", path("dump")}, 1);
    minimal.erase("wall_s");
    Json whole = both.audit;
    whole.erase("wall_s");
    EXPECT_EQ(minimal, whole);
}

// What it tells.

TEST_F(CommandAudit, TellsWhatIsDocumented) {
    const Json json = audit_frames(crossed_tubes({0.1, 0.05, 0.016, 0.018}), crossed_scene, 0);
    EXPECT_EQ(keys(json), (std::set<std::string>{"trajectory", "frames", "nodes", "start_s", "end_s", "interval_s",
                                                 "bodies", "segments", "spheres", "triangles", "contacts",
                                                 "penetration", "worst", "pass_throughs", "first_pass_throughs",
                                                 "intersections", "audit", "exempt_share", "wall_s"}));
    EXPECT_EQ(keys(json["penetration"]), (std::set<std::string>{"worst", "settled", "frame_p99", "start"}));
    EXPECT_NEAR(json["penetration"]["worst"].get<double>(), 0.4, 1e-12);
    EXPECT_EQ(json["penetration"]["settled"], json["penetration"]["worst"]);
    EXPECT_EQ(json["penetration"]["start"], 0.0);
    EXPECT_EQ(json["worst"]["frame"], 2);
    EXPECT_NEAR(json["worst"]["time"].get<double>(), 0.2, 1e-12);
    EXPECT_NEAR(json["worst"]["depth"].get<double>(), 0.004, 1e-12);
    EXPECT_EQ(json["worst"]["a"], (Json{{"body", "low"}, {"kind", "segment"}, {"index", 0}}));
    EXPECT_EQ(json["worst"]["b"], (Json{{"body", "high"}, {"kind", "segment"}, {"index", 0}}));
    EXPECT_NEAR(json["contacts"]["settled"].get<double>(), 2.0 / 3.0, 1e-12);
    EXPECT_EQ(json["audit"], "passed");
    EXPECT_NEAR(json["interval_s"]["max"].get<double>(), 0.1, 1e-12);
    EXPECT_EQ(json["end_s"], 3 * 0.1);
}

TEST_F(CommandAudit, APassThroughBetweenTwoFramesIsSeen) {
    const Json json = audit_frames(crossed_tubes({0.1, 0.05, -0.05, -0.1}), crossed_scene, 1);
    EXPECT_EQ(json["penetration"]["worst"], 0.0);  // no frame shows it
    EXPECT_TRUE(json["worst"].is_null());
    EXPECT_EQ(json["pass_throughs"], 1);
    ASSERT_EQ(json["first_pass_throughs"].size(), 1U);
    EXPECT_EQ(json["first_pass_throughs"][0]["frame"], 2);
    EXPECT_EQ(json["first_pass_throughs"][0]["b"]["body"], "high");
    EXPECT_EQ(audit_frames(crossed_tubes({0.1, 0.05, 0.05, 0.1}), crossed_scene, 0)["pass_throughs"], 0);
}

TEST_F(CommandAudit, TheFirstFrameCounts) {
    const Json json = audit_frames(crossed_tubes({0.005, 0.03, 0.03}), crossed_scene, 1);
    EXPECT_NEAR(json["penetration"]["worst"].get<double>(), 1.5, 1e-12);
    EXPECT_EQ(json["penetration"]["start"], json["penetration"]["worst"]);
    EXPECT_EQ(json["penetration"]["settled"], 0.0);
    EXPECT_EQ(json["worst"]["frame"], 0);
    const Json one = audit_frames(crossed_tubes({0.012}), crossed_scene, 1);
    EXPECT_EQ(one["frames"], 1);
    EXPECT_TRUE(one["interval_s"].is_null());
    EXPECT_NEAR(one["penetration"]["settled"].get<double>(), 0.8, 1e-12);
    EXPECT_EQ(run({"audit", path("own")}).status, 1);
}

TEST_F(CommandAudit, TheVerdictTurnsAtHalfARadius) {
    audit_frames(crossed_tubes({0.1, 0.01501}), crossed_scene, 0);
    audit_frames(crossed_tubes({0.1, 0.01499}), crossed_scene, 1);
}

TEST_F(CommandAudit, WritesItsSummaryForPeople) {
    write_trajectory(path("own"), crossed_tubes({0.1, 0.05, 0.018}), crossed_scene);
    const Outcome outcome = run({"audit", path("own")});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");  // and no bar in a pipe
    for (const char* part :
         {"3 frames of 4 nodes", "every 100 ms", "low segment 0 and high segment 0", "2 mm", "passed"})
        EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
}

// The mesentery against itself: the file says whether it is looked at.
TEST_F(CommandAudit, AMesenteryThatTouchesItself) {
    const Texts fine{"run",   "intestine-plane", "--set",     "solver.substeps=1",
                     "--set", "solver.dt=0.002", "--seconds", "0.5"};
    const auto with = [&](const std::string& value) {
        Texts arguments = fine;
        arguments.insert(arguments.end(), {"--set", "gut.mesentery_self_contact=" + value, "--dump", path(value)});
        return run_json(arguments);
    };
    const Json on = with("true");
    EXPECT_EQ(on["pass_throughs"], 0);
    EXPECT_GT(on["contacts"]["by_pair"]["mesentery-mesentery"].get<double>(), 0.0);
    expect_equal({on, run_json({"audit", path("true")})});
    EXPECT_TRUE(Json::parse(slurp(path("true/scene.json")))["bodies"][1]["self_contact"].get<bool>());
    // Negative control: the motion without it, by its own file and by one that asks.
    const Json off = with("false");
    EXPECT_EQ(off["pass_throughs"], 0);
    EXPECT_FALSE(off["contacts"]["by_pair"].contains("mesentery-mesentery"));
    EXPECT_EQ(run_json({"audit", path("false")})["pass_throughs"], 0);
    EXPECT_EQ(write("false/scene.json", slurp(path("true/scene.json"))), path("false/scene.json"));
    EXPECT_GT(run_json({"audit", path("false")}, 1)["pass_throughs"].get<int>(), 1000);
    const std::string wrong =
        write("false/scene.json", R"({"bodies": [{"name": "a", "segments": [[0, 1, 0.1]], "self_contact": 1}]})");
    EXPECT_NE(run({"audit", fs::path(wrong).parent_path().string()})
                  .err.find("self_contact: found 1, expected true or false"),
              std::string::npos);
}

}  // namespace
}  // namespace plica::testing
