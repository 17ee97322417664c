#include <gtest/gtest.h>

#include <string>

#include "tests/apps/commands.hpp"

namespace plica::testing {
namespace {

TEST_F(Command, BenchListsItsBenchmarks) {
    const Outcome outcome = run({"bench", "--list"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), 8U);
    EXPECT_TRUE(contains(outcome.out, "self-collision"));
    EXPECT_TRUE(contains(outcome.out, "detection"));
    EXPECT_TRUE(contains(outcome.out, "render"));
    EXPECT_TRUE(contains(outcome.out, "tled"));
    EXPECT_TRUE(contains(outcome.out, "contact"));
    EXPECT_TRUE(contains(outcome.out, "heat"));
    EXPECT_TRUE(contains(outcome.out, "hand"));
    const Json json = run_json({"bench", "--list"});
    EXPECT_EQ(json["benchmarks"].size(), 8U);
}

TEST_F(Command, BenchAndReproduceSayWhereTheyAreWhenTheLabWasNotBuilt) {
    const fs::path alone = path("plica");
    fs::copy_file(PLICA_PROGRAM, alone);
    for (const std::string command : {"bench", "reproduce"}) {
        const std::string line = alone.string() + " " + command + " --list >" + path("out") + " 2>" + path("err");
        EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 4);
        EXPECT_EQ(slurp(path("out")), "");
        EXPECT_EQ(lines_of(slurp(path("err"))).size(), 1U) << slurp(path("err"));
        EXPECT_TRUE(contains(slurp(path("err")), "./plica " + command)) << slurp(path("err"));
    }
    fs::create_symlink(fs::path(PLICA_PROGRAM).parent_path() / "plica-lab", path("plica-lab"));
    for (const std::string command : {"bench", "reproduce"}) {
        const std::string line = alone.string() + " " + command + " --list >" + path("out") + " 2>" + path("err");
        EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 0) << "the control: beside it, it is found";
        EXPECT_EQ(slurp(path("out")), run({command, "--list"}).out);
    }
}

TEST_F(Command, BenchNamesWhatItDoesNotKnow) {
    struct Mistake {
        Texts words;
        const char* found;
        const char* nearest;
    };
    for (const Mistake& m :
         {Mistake{{"bench", "detectoin"}, "\"detectoin\"", "did you mean detection?"},
          Mistake{{"bench", "--peers", "plica,bulet"}, "\"bulet\"", "did you mean bullet?"},
          Mistake{{"bench", "--sizes", "100,many"}, "many", ""}, Mistake{{"bench", "--sizes", "5"}, "5", ""},
          Mistake{{"bench", "detection", "--sizes", "48000"}, "48000 for detection, expected at most 10000", ""},
          Mistake{{"bench", "tled", "--sizes", "3000000"}, "3000000", ""}}) {
        const Outcome outcome = run(m.words);
        EXPECT_EQ(outcome.status, 2) << outcome.out;
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(contains(outcome.err, m.found)) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, m.nearest)) << outcome.err;
    }
}

TEST_F(Command, BenchDetectionFindsEqualPairsEverywhere) {
    const Json json = run_json({"bench", "detection", "--quick", "--sizes", "50,120"});
    const Json sizes = json["results"][0]["sizes"];
    ASSERT_EQ(sizes.size(), 2U);
    for (const Json& size : sizes) {
        EXPECT_TRUE(size["disagreement"].is_null());
        double pairs = -1.0;
        for (const Json& row : size["rows"]) {
            EXPECT_GT(row["frame_us"]["p50"].get<double>(), 0.0);
            EXPECT_LE(row["frame_us"]["p50"].get<double>(), row["frame_us"]["p99"].get<double>());
            EXPECT_TRUE(pairs < 0.0 || row["pairs_mean"].get<double>() == pairs) << row;
            pairs = row["pairs_mean"].get<double>();
        }
        EXPECT_GT(pairs, 10.0);
        EXPECT_GE(size["rows"].size(), 3U);  // the double loop and two of ours, at least
    }
}

TEST_F(Command, BenchSelfCollisionRunsWithoutPeers) {
    const Outcome outcome = run({"bench", "self-collision", "--quick", "--peers", "plica", "--sizes", "50", "--seconds",
                                 "0.4", "-o", path("out")});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(contains(outcome.out, "plica")) << outcome.out;
    for (const char* name : {"self-collision.csv", "self-collision.json", "self-collision-50/case.json",
                             "self-collision-50/plica/positions.npy", "self-collision-50/plica/scene.json"}) {
        EXPECT_TRUE(fs::exists(path(std::string("out/") + name))) << name;
    }
}

TEST_F(Command, BenchSelfCollisionGoesOnWithoutWhatIsMissing) {
    const Texts words{"bench", "self-collision", "--quick", "--peers", "plica,newton", "--sizes",
                      "50",    "--seconds",      "0.1",     "-o",      path("out"),    "--settings",
                      "2"};
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "newton         not available: its program was not built\n")) << outcome.out;
    const Json size = Json::parse(slurp(path("out/self-collision.json")))["sizes"][0];
    EXPECT_EQ(size["missing"].size(), 1U);
    EXPECT_EQ(size["rows"][0]["program"], "plica");
    const Json& tried = size["trials"]["plica"];  // of 3, 5, 10, 20, 40 substeps a frame, as far as it went
    EXPECT_LE(tried.size(), 2U);
    EXPECT_EQ(tried[0]["setting"]["steps"], 5);
}

// Every kernel and the textbook's version, for every kind of element.
TEST_F(Command, BenchTledMeasuresEveryKernel) {
    const Json json = run_json({"bench", "tled", "--quick", "--sizes", "750", "-o", path("out")});
    const Json result = json["results"][0];
    ASSERT_EQ(result["blocks"].size(), 3U);
    for (const Json& block : result["blocks"]) {
        EXPECT_TRUE(block["problem"].is_null()) << block;
        EXPECT_EQ(block["cells"].get<int>(), block["element"] == "h8" ? 125 : 750);
        EXPECT_EQ(block["nodes"].get<int>(), 216);
        EXPECT_LT(block["force_difference"].get<double>(), 3e-5);
        EXPECT_GT(block["force_difference"].get<double>(), 0.0);  // they are not the same code
        EXPECT_EQ(block["rows"].size() % 2, 1U);                  // the textbook's, and ours with one thread and two
        EXPECT_GE(block["rows"].size(), 3U);
        for (const Json& row : block["rows"]) {
            EXPECT_GE(row["million_per_s"]["best"].get<double>(), row["million_per_s"]["median"].get<double>()) << row;
            EXPECT_GT(row["million_per_s"]["median"].get<double>(), 0.0) << row;
            EXPECT_GT(row["share_of_arithmetic"].get<double>(), 0.0) << row;
            EXPECT_EQ(row["share_of_memory"].is_null(), row["method"] == "textbook") << row;
        }
        EXPECT_EQ(block["rows"][0]["times_textbook"]["best"].get<double>(), 1.0);
    }
    EXPECT_EQ(result["memory"]["tets"].get<double>(), 750.0);
    EXPECT_GT(result["memory"]["bytes_per_tet"].get<double>(), 100.0);
    EXPECT_TRUE(result["memory"]["valid"].get<bool>());
    EXPECT_TRUE(fs::exists(path("out/tled.csv")));
    EXPECT_TRUE(fs::exists(path("out/tled.json")));
}

// Costs of a step of heat tissue, and equal temperatures by our factor and Eigen's.
TEST_F(Command, BenchHeatSolvesWhatEigenSolves) {
    const Json result = run_json({"bench", "heat", "--quick", "-o", path("out")})["results"][0];
    ASSERT_EQ(result["rows"].size(), 1U);
    const Json& row = result["rows"][0];
    EXPECT_EQ(row["nodes"], 400);
    EXPECT_LT(row["difference"].get<double>(), 1e-8);
    EXPECT_GT(row["depth"].get<double>(), 0.05);  // it was pushed in
    for (const char* part : {"heat_ms", "motion_ms", "both_ms", "solve_ms", "eigen_solve_ms", "gradients_ms"}) {
        EXPECT_GT(row[part]["p50"].get<double>(), 0.0) << part;
        EXPECT_LE(row[part]["p50"].get<double>(), row[part]["p99"].get<double>()) << part;
    }
    EXPECT_TRUE(fs::exists(path("out/heat.csv")));
}

// Stage times of every scene, and equal pairs by every search that was built.
TEST_F(Command, BenchContactFindsEqualPairsEverywhere) {
    const Json json = run_json({"bench", "contact", "--quick", "--seconds", "0.1", "-o", path("out")});
    const Json result = json["results"][0];
    ASSERT_GE(result["scenes"].size(), 2U);
    for (const Json& scene : result["scenes"]) {
        EXPECT_TRUE(scene["problem"].is_null()) << scene;
        EXPECT_EQ(scene["intersections"].get<int>(), 0);
        EXPECT_GT(scene["looks"].get<int>(), 0);
        EXPECT_GT(scene["ratio"].get<double>(), 0.0);
        for (const char* stage : {"elements", "detect", "respond", "certify", "contact", "step"}) {
            EXPECT_LE(scene["stages"][stage]["p50"].get<double>(), scene["stages"][stage]["p99"].get<double>());
            EXPECT_LE(scene["stages"][stage]["mean"].get<double>(), scene["stages"]["step"]["mean"].get<double>());
        }
        const Json& searches = scene["searches"];
        EXPECT_GE(searches["rows"].size(), 3U);  // two of ours and the plain sweep, at least
        for (const Json& row : searches["rows"]) {
            EXPECT_GT(row["us"]["p50"].get<double>(), 0.0) << row;
            EXPECT_EQ(row["extra"].get<int>(), 0) << row;
            EXPECT_EQ(row["missed_contacts"].get<int>(), 0) << row;
            EXPECT_TRUE(row["method"] == "plica" || row["missed"].get<int>() == 0) << row;
        }
    }
    const Json& accordion = result["scenes"].back();
    EXPECT_EQ(accordion["scene"], "accordion");
    EXPECT_GT(accordion["own_most"].get<int>(), 100);
    EXPECT_GT(accordion["searches"]["pairs_mean"].get<double>(), 100.0);
    for (const char* name : {"out/contact.json", "out/contact.csv", "out/accordion/accordion.toml"}) {
        EXPECT_TRUE(fs::exists(path(name))) << name;
    }
    EXPECT_FALSE(fs::exists(path("out/contact-accordion")));  // what the programs read
}

}  // namespace
}  // namespace plica::testing
