#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "tests/apps/commands.hpp"

namespace plica::testing {
namespace {

// scenes and check.

TEST_F(Command, ScenesHaveOneLineEach) {
    const Outcome outcome = run({"scenes"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    std::set<std::string> names;
    for (const std::string& line : lines_of(outcome.out)) {
        const std::size_t gap = std::min(line.find(' '), line.size());
        EXPECT_GT(gap, 0U);
        EXPECT_NE(line.find_first_not_of(' ', gap), std::string::npos) << "\"" << line << "\" says only a name";
        names.insert(line.substr(0, line.find(' ')));
    }
    for (const char* name : {"chain", "intestine", "intestine-pile", "intestine-plane", "intestine-stress"})
        EXPECT_EQ(names.count(name), 1U) << name;
    const Json json = run_json({"scenes"});
    EXPECT_EQ(keys(json), (std::set<std::string>{"scenes"}));
    ASSERT_EQ(json["scenes"].size(), names.size());
    for (const Json& scene : json["scenes"]) {
        EXPECT_EQ(keys(scene), (std::set<std::string>{"name", "title"}));
        EXPECT_EQ(names.count(scene["name"].get<std::string>()), 1U);
    }
}

TEST_F(Command, EveryListedSceneIsValidAndRuns) {
    const Json json = run_json({"scenes"});
    for (const Json& scene : json["scenes"]) {
        const std::string name = scene["name"];
        const Outcome outcome = run({"check", name});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        EXPECT_EQ(outcome.out.rfind(name + ": valid", 0), 0U) << outcome.out;
        EXPECT_EQ(run_json({"run", name, "--steps", "2"}).value("steps", 0), 2);
    }
}

TEST_F(Command, CheckAsJson) {
    const Json good = run_json({"check", "chain"});
    EXPECT_EQ(good, (Json{{"scene", "chain"}, {"valid", true}, {"errors", Json::array()}}));
    const std::string bad =
        write("bad.toml", "plica = 1\nx = 1\n[[body]]\nname = \"a\"\nanatomy = \"rope\"\nsegments = 0\n");
    const Json json = run_json({"check", bad}, 2);
    EXPECT_EQ(keys(json), (std::set<std::string>{"scene", "valid", "errors"}));
    EXPECT_EQ(json["valid"], false);
    ASSERT_EQ(json["errors"].size(), 2U) << json;
    EXPECT_EQ(json["errors"][0].get<std::string>().rfind(bad + ":2: ", 0), 0U);
    EXPECT_EQ(json["errors"][1].get<std::string>().rfind(bad + ":6: ", 0), 0U);
}

TEST_F(Command, CheckTakesOverrides) {
    EXPECT_EQ(run({"check", "intestine", "--set", "gut.segments=400"}).status, 0);
    const Outcome outcome = run({"check", "intestine", "--set", "gut.segmnts=400", "--set", "contact.friction=-1"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, "--set gut.segmnts=400: ")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "gut.segments?")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "--set contact.friction=-1: ")) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 2U);
}

// Bytes from a command line are not always text.
TEST_F(Command, NamesThatAreNoTextAreBadInput) {
    const Outcome name = run({"check", "\xFF\xFE", "--json"});
    EXPECT_EQ(name.status, 2) << name.err;
    EXPECT_FALSE(contains(name.err, "exception")) << name.err;
    const Outcome value = run({"check", "chain", "--json", "--set", "chain.\xFF=1"});
    EXPECT_EQ(value.status, 2) << value.err;
    EXPECT_FALSE(contains(value.err, "exception")) << value.err;
}

struct WrongScene {
    std::string what, text;
    std::vector<int> lines;  // of the errors, in order
};

TEST_F(Command, WrongScenes) {
    const std::string rope = "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\n";
    const std::string intestine = "plica = 1\n[[body]]\nname = \"gut\"\n";
    const std::vector<WrongScene> scenes{
        {"not TOML", "plica = 1\n\nOnce upon a time\n", {3}},
        {"empty", "", {1, 1}},
        {"unknown key", rope + "segmnts = 4\n", {5}},
        {"wrong type", rope + "segments = \"four\"\n", {5}},
        {"negative mass", rope + "mass_per_length = -0.5\n", {5}},
        {"NaN", rope + "length = nan\n", {5}},
        {"infeasible anatomy", intestine + "segments = 40\n", {4}},
        {"no segments", intestine + "segments = 0\n", {4}},
        {"a million segments", intestine + "segments = 1000000\n", {4}},
        {"duplicate names", rope + "[[body]]\nname = \"gut\"\nanatomy = \"rope\"\n", {5}},
        {"many mistakes",
         "plica = 1\nx = 1\n" + rope.substr(10) + "radius = -1\nfrom = 3\n[solver]\ndt = inf\n",
         {2, 6, 7, 9}},
    };
    for (const WrongScene& scene : scenes) {
        SCOPED_TRACE(scene.what);
        const std::string file = write("wrong.toml", scene.text);
        for (const Texts& arguments :
             {Texts{"check", file}, Texts{"run", file}, Texts{"run", file, "--json", "--record", path("r")}}) {
            const Outcome outcome = run(arguments);
            EXPECT_EQ(outcome.status, 2) << outcome.err;
            EXPECT_EQ(outcome.out, "");
            std::vector<int> found;
            for (const std::string& line : lines_of(outcome.err)) {
                EXPECT_EQ(line.rfind(file + ":", 0), 0U) << line;
                if (line.size() > file.size()) found.push_back(std::atoi(line.c_str() + file.size() + 1));
            }
            EXPECT_EQ(found, scene.lines) << outcome.err;
        }
    }
    EXPECT_EQ(files(), Texts{"wrong.toml"});
}

TEST_F(Command, ScenesThatAreNotThere) {
    for (const char* command : {"check", "run"}) {
        for (const std::string& name : {path("missing.toml"), path(""), std::string("intestin"), std::string("")}) {
            const Outcome outcome = run({command, name});
            EXPECT_EQ(outcome.status, 2) << name;
            EXPECT_EQ(outcome.out, "");
            EXPECT_EQ(outcome.err.rfind(name + ": ", 0), 0U) << outcome.err;
            EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        }
    }
    EXPECT_TRUE(contains(run({"run", "intestin"}).err, "did you mean intestine?"));
}

TEST_F(Command, DeepKeysDoNotCrash) {
    std::string deep = "a";
    for (int i = 0; i < 300000; ++i) deep += ".a";
    for (const std::string& text :
         {deep + " = 1\n", "[" + deep + "]\n", "[[" + deep + "]]\n", "x = { " + deep + " = 1 }\n"}) {
        const Outcome outcome = run({"check", write("deep.toml", "plica = 1\n" + text)});
        EXPECT_EQ(outcome.status, 2) << "signal " << outcome.signal << ": " << text.substr(0, 20) << "... "
                                     << outcome.err.substr(0, 200);
    }
}

TEST_F(Command, ScenesFromAPathRunLikeBuiltInOnes) {
    const std::string file =
        write("copy.toml", "plica = 1\n[[body]]\nname = \"chain\"\nanatomy = \"rope\"\nfixed = \"start\"\n");
    const Json json = run_json({"run", file, "--steps", "5"});
    EXPECT_EQ(json["scene"], "copy");
    EXPECT_EQ(json["hash"], hash_of({"run", "chain", "--steps", "5"}));
}

}  // namespace
}  // namespace plica::testing
