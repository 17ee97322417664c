#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/apps/commands.hpp"

namespace plica::testing {
namespace {

// run.

TEST_F(Command, RunTellsWhatIsDocumented) {
    const Json json =
        run_json({"run", "intestine", "--set", "start=built", "--steps", "3", "--seed", "7", "--threads", "2"});
    const std::set<std::string> documented{
        "scene",        "seed",           "threads",      "steps",         "substeps",      "substeps_max",
        "dt",           "simulated_s",    "wall_s",       "realtime",      "nodes",         "free_nodes",
        "primitives",   "memory_mb",      "threads_used", "isa",           "step_ms",       "stage_ms",
        "detector",     "distance_tests", "contacts",     "penetration",   "pass_throughs", "certify",
        "bodies",       "momentum",       "tools",        "flags",         "hash",          "audit",
        "exempt_share", "recall",         "rebuilds",     "intersections", "sweeps",        "tests_in_step"};
    EXPECT_EQ(keys(json), documented);
    EXPECT_EQ(json["scene"], "intestine");
    EXPECT_EQ(json["seed"], 7);
    EXPECT_EQ(json["threads"], 2);
    EXPECT_EQ(json["threads_used"], 2);
    EXPECT_EQ(json["steps"], 3);
    EXPECT_EQ(json["substeps"], 10);
    EXPECT_NEAR(json["dt"].get<double>(), 1.0 / 30.0, 1e-12);
    EXPECT_NEAR(json["simulated_s"].get<double>(), 0.1, 1e-12);
    EXPECT_GT(json["wall_s"].get<double>(), 0.0);
    EXPECT_GT(json["realtime"].get<double>(), 0.0);
    EXPECT_GT(json["nodes"].get<int>(), json["free_nodes"].get<int>());
    EXPECT_GT(json["memory_mb"].get<double>(), 0.0);
    EXPECT_EQ(keys(json["step_ms"]), (std::set<std::string>{"p50", "p99", "max"}));
    EXPECT_LE(json["step_ms"]["p50"].get<double>(), json["step_ms"]["max"].get<double>());
    for (const char* stage : {"tissue", "detect", "respond"}) {
        EXPECT_EQ(keys(json["stage_ms"][stage]), (std::set<std::string>{"p50", "p99"})) << stage;
    }
    EXPECT_EQ(keys(json["distance_tests"]), std::set<std::string>{"mean"});
    EXPECT_EQ(keys(json["contacts"]), (std::set<std::string>{"mean", "max", "settled", "by_pair", "at_end"}));
    EXPECT_TRUE(json["contacts"]["by_pair"].is_object());
    EXPECT_EQ(keys(json["penetration"]), (std::set<std::string>{"worst", "settled", "frame_p99"}));
    EXPECT_TRUE(json["penetration"]["worst"].is_number());
    EXPECT_EQ(json["pass_throughs"], 0);
    EXPECT_EQ(json["intersections"]["max"], 0);
    EXPECT_EQ(json["intersections"]["looks"], 0);  // no solids
    EXPECT_EQ(json["certify"]["nodes_held"], 0);
    ASSERT_EQ(json["bodies"].size(), 2U);
    EXPECT_EQ(json["bodies"][0]["name"], "gut");
    EXPECT_EQ(json["bodies"][1]["name"], "mesentery");
    for (const Json& body : json["bodies"]) {
        EXPECT_EQ(keys(body), (std::set<std::string>{"name", "tissue", "max_stretch", "peak_stretch", "rms_speed",
                                                     "kinetic", "elastic"}));
        EXPECT_EQ(body["tissue"], "mass_spring");
    }
    ASSERT_EQ(json["momentum"].size(), 3U);
    EXPECT_LT(json["momentum"][2].get<double>(), 0.0);
    ASSERT_EQ(json["tools"].size(), 1U);
    EXPECT_EQ(keys(json["tools"][0]), (std::set<std::string>{"name", "peak_force", "mean_force"}));
    EXPECT_TRUE(json["flags"].is_array());
    const std::string hash = json["hash"];
    EXPECT_EQ(hash.size(), 16U);
    EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos) << hash;
}

// As the stage itself: named, and null until there is one.
TEST_F(Command, EveryDocumentedStageHasItsTime) {
    const Json json = run_json({"run", "chain", "--steps", "2"});
    EXPECT_EQ(keys(json["stage_ms"]), (std::set<std::string>{"tissue", "detect", "respond", "certify"}));
}

TEST_F(Command, RunWritesItsSummaryForPeople) {
    const Outcome outcome = run({"run", "intestine-pile", "--seconds", "0.2"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(contains(outcome.out, "intestine-pile"));
    EXPECT_TRUE(contains(outcome.out, "hash"));
    EXPECT_TRUE(contains(outcome.out, "6 steps")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "audit")) << outcome.out;
}

TEST_F(Command, StepsAndSeconds) {
    EXPECT_EQ(run_json({"run", "chain", "--steps", "7"})["steps"], 7);
    EXPECT_EQ(run_json({"run", "chain", "--seconds", "0.5"})["steps"], 15);
    EXPECT_EQ(run_json({"run", "chain", "--seconds", "1e-6"})["steps"], 1);
    EXPECT_EQ(run_json({"run", "chain", "--set", "seconds=0.4"})["steps"], 12);
    EXPECT_EQ(run_json({"run", "chain", "--set", "solver.dt=0.1", "--seconds", "1"})["steps"], 10);
    EXPECT_EQ(hash_of({"run", "chain", "--steps", "15"}), hash_of({"run", "chain", "--seconds", "0.5"}));
}

TEST_F(Command, TheSameInputsGiveTheSameHash) {
    const Texts pile{"run", "intestine-pile", "--seconds", "1"};
    const auto with = [&](const Texts& more) {
        Texts all = pile;
        all.insert(all.end(), more.begin(), more.end());
        return hash_of(all);
    };
    const std::string hash = with({});
    EXPECT_EQ(with({}), hash);
    EXPECT_EQ(with({"--seed", "1"}), hash);
    EXPECT_EQ(with({"--threads", "2"}), hash);
    EXPECT_EQ(with({"--threads", "4"}), hash);
    EXPECT_EQ(with({"--audit", "off"}), hash);
    EXPECT_EQ(with({"--record", path("a.plica"), "--dump", path("dump")}), hash);
    EXPECT_NE(with({"--seed", "2"}), hash);
    EXPECT_NE(with({"--set", "contact.friction=0.3"}), hash);
    EXPECT_NE(with({"--set", "environment.gravity=[0,0,-9.8]"}), hash);
    EXPECT_NE(with({"--set", "gut.noise=0.06"}), hash);
}

TEST_F(Command, ThreadsDoNotChangeTheIntestine) {
    const std::string hash = hash_of({"run", "intestine", "--steps", "3"});
    EXPECT_EQ(hash_of({"run", "intestine", "--steps", "3", "--threads", "2"}), hash);
    EXPECT_EQ(hash_of({"run", "intestine", "--steps", "3", "--threads", "4"}), hash);
    EXPECT_NE(hash_of({"run", "intestine", "--steps", "3", "--seed", "2"}), hash);
    EXPECT_NE(hash_of({"run", "intestine", "--steps", "3", "--seed", "18446744073709551615"}), hash);
}

TEST_F(Command, WithoutAuditItsFieldsAreNull) {
    const Json json = run_json({"run", "intestine-pile", "--steps", "10", "--audit", "off"});
    for (const char* field : {"worst", "settled", "frame_p99"})
        EXPECT_TRUE(json["penetration"][field].is_null()) << field;
    EXPECT_TRUE(json["pass_throughs"].is_null());
    EXPECT_TRUE(json["intersections"].is_null());
    EXPECT_TRUE(json["contacts"]["settled"].is_null());
    const Json with = run_json({"run", "intestine-pile", "--steps", "10"});
    EXPECT_EQ(keys(json), keys(with));
    EXPECT_TRUE(with["pass_throughs"].is_number());
    EXPECT_EQ(with["hash"], json["hash"]);
}

TEST_F(Command, TheAuditCatchesAPileWithoutContact) {
    const Json good = run_json({"run", "intestine-pile", "--seconds", "2"});
    EXPECT_EQ(good["pass_throughs"], 0);
    EXPECT_LT(good["penetration"]["worst"].get<double>(), 1.0);
    EXPECT_GT(good["contacts"]["by_pair"]["gut-gut"].get<double>(), 0.0);
    const Outcome bad = run({"run", "intestine-pile", "--seconds", "2", "--set", "contact.enabled=false", "--json"});
    EXPECT_EQ(bad.status, 1);
    EXPECT_TRUE(contains(bad.err, "AUDIT FAILED")) << bad.err;
    const Json json = parse_object(bad);
    EXPECT_GT(json["pass_throughs"].get<int>(), 0);
    EXPECT_GE(json["penetration"]["worst"].get<double>(), 1.0);
    EXPECT_GE(json["penetration"]["settled"].get<double>(), 1.0);
    EXPECT_EQ(json["contacts"]["by_pair"].size(), 0U);
}

// A detector that may miss something says how much it missed.
TEST_F(Command, RecallIsToldForTheTrackedDetector) {
    const Texts pile{"run", "intestine-pile", "--seconds", "1"};
    EXPECT_TRUE(run_json(pile)["recall"].is_null());
    const auto with = [&](const Texts& more) {
        Texts all = pile;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const Json json = run_json(with({"--set", "solver.detector=tracked", "--set", "solver.tracked_pairs=1000"}));
    EXPECT_EQ(json["detector"], "tracked");
    EXPECT_EQ(keys(json["recall"]),
              (std::set<std::string>{"regions", "pairs", "mesentery_regions", "mesentery_pairs"}));
    EXPECT_GT(json["recall"]["regions"].get<double>(), 0.9);
    EXPECT_LE(json["recall"]["regions"].get<double>(), 1.0);
    EXPECT_GT(json["recall"]["pairs"].get<double>(), 0.9);
    EXPECT_TRUE(json["recall"]["mesentery_pairs"].is_null());
    const Outcome none = run(with({"--set", "solver.detector=tracked", "--set", "solver.tracked_pairs=0"}));
    EXPECT_EQ(none.status, 1);
    EXPECT_TRUE(contains(none.out, "0.0 % of the colliding regions")) << none.out;
    const Json off = run_json(with({"--set", "solver.detector=tracked", "--audit", "off"}));
    EXPECT_TRUE(off["recall"].is_null());
    EXPECT_TRUE(run_json(with({"--set", "solver.detector=tracked", "--audit", "off"}))["hash"] == off["hash"]);
}

// A mass that rounds to nothing: the first step has no finite answer.
TEST_F(Command, AMassOfNothingIsRefused) {
    const Outcome outcome = run({"run", "chain", "--steps", "5", "--set", "chain.mass_per_length=5e-324", "--json"});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "mass_per_length")) << outcome.err;
    EXPECT_EQ(outcome.out, "");
}

}  // namespace
}  // namespace plica::testing
