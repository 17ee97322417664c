#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "tests/apps/commands.hpp"

namespace plica::testing {
namespace {

// plica reproduce: what it lists, refuses, writes and prints. Whether claims hold is not this test's matter: a quick
// run is too small for it.

const Texts& names() {
    static const Texts list = [] {
        Texts found;
        const Json json = run_json({"reproduce", "--list"});
        for (const Json& e : json["experiments"]) found.push_back(e["name"]);
        return found;
    }();
    return list;
}

bool has_gnuplot() {
    static const bool found = std::system("command -v gnuplot >/dev/null 2>&1") == 0;
    return found;
}

bool is_file(const fs::path& path) {
    return fs::is_regular_file(path) && fs::file_size(path) > 0;
}

TEST_F(Command, ReproduceLists) {
    const Outcome outcome = run({"reproduce", "--list"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_GE(names().size(), 4U);
    EXPECT_EQ(lines_of(outcome.out).size(), names().size());
    for (const char* name : {"raghupathi2003-table1",
                             "raghupathi2003-fig8",
                             "raghupathi2004-fig14",
                             "raghupathi-recall",
                             "raghupathi2004-fig3",
                             "raghupathi2003-fig9",
                             "raghupathi2004-fig10",
                             "raghupathi2004-fig12",
                             "raghupathi2004-fig13",
                             "tled-verification",
                             "johnsen-table1",
                             "johnsen-table2",
                             "johnsen-fig5",
                             "johnsen-fig6",
                             "johnsen-errata",
                             "zhong-fig3",
                             "zhong-fig4",
                             "zhong-fig5",
                             "zhong-errata",
                             "zhong-compare",
                             "zhong-width",
                             "zhong-nets",
                             "zhong-damping"}) {
        EXPECT_TRUE(contains(outcome.out, name)) << outcome.out;
    }
    EXPECT_TRUE(files().empty());
}

TEST_F(Command, ReproduceHelpHasAnExample) {
    const Outcome outcome = run({"reproduce", "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(contains(outcome.out, "plica reproduce --all")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "out/reproduce")) << outcome.out;
}

TEST_F(Command, ReproduceRefusesWhatItDoesNotKnow) {
    const Outcome wrong = run({"reproduce", "raghupathi-recal", "-o", path("out")});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_EQ(wrong.out, "");
    EXPECT_TRUE(contains(wrong.err, "did you mean raghupathi-recall?")) << wrong.err;
    const Outcome far = run({"reproduce", "x", "-o", path("out")});
    EXPECT_EQ(far.status, 2);
    EXPECT_TRUE(contains(far.err, "\"x\"") && contains(far.err, "raghupathi2003-fig8")) << far.err;
    // One wrong name among right ones: nothing is run.
    EXPECT_EQ(run({"reproduce", "raghupathi-recall", "x", "--quick", "-o", path("out")}).status, 2);
    EXPECT_EQ(run({"reproduce", "-o", path("out")}).status, 2);
    EXPECT_EQ(run({"reproduce", "--all", "raghupathi-recall", "-o", path("out")}).status, 2);
    EXPECT_EQ(run({"reproduce", "--all", "--list", "-o", path("out")}).status, 2);
    EXPECT_TRUE(files().empty());
}

void expect_claim(const Json& claim) {
    EXPECT_EQ(keys(claim), (std::set<std::string>{"about_plica", "criterion", "holds", "ours", "plot", "published",
                                                  "quote", "text", "verdict", "where", "why"}));
    EXPECT_FALSE(claim["criterion"].get<std::string>().empty()) << claim;
    EXPECT_EQ(claim["holds"].get<bool>(), claim["verdict"] == "holds");
    EXPECT_FALSE(claim["text"].get<std::string>().empty());
    EXPECT_FALSE(claim["ours"].get<std::string>().empty()) << claim;
    EXPECT_TRUE(claim["holds"].is_boolean());
    EXPECT_FALSE(contains(claim["ours"], "nan")) << claim;
}

void expect_table(const Json& table) {
    EXPECT_FALSE(table["title"].get<std::string>().empty());
    EXPECT_GE(table["rows"].size(), 2U) << table["title"];
    for (const Json& row : table["rows"]) {
        EXPECT_EQ(row.size(), table["columns"].size()) << table["title"];
        for (const Json& cell : row) EXPECT_FALSE(contains(cell, "nan")) << table["title"];
    }
}

void expect_experiment(const Json& e, const fs::path& folder) {
    SCOPED_TRACE(e["name"].get<std::string>());
    EXPECT_GE(e["claims"].size(), 1U);
    for (const Json& claim : e["claims"]) expect_claim(claim);
    for (const Json& table : e["tables"]) expect_table(table);
    std::set<std::string> files;
    for (const std::string file : e["files"]) {
        EXPECT_TRUE(is_file(folder / file)) << file;
        files.insert(file);
    }
    // Each script its plot, when there is gnuplot; other pictures do without.
    for (const std::string& file : files) {
        if (!file.ends_with(".gp")) continue;
        EXPECT_EQ(files.count(fs::path(file).replace_extension(".png")) > 0, has_gnuplot()) << file;
    }
    EXPECT_TRUE(std::any_of(files.begin(), files.end(),
                            [](const std::string& file) { return file.ends_with(".png") || file.ends_with(".gp"); }));
    Json kept = Json::parse(slurp(folder / "result.json"));
    EXPECT_EQ(kept, e);
}

TEST_F(Command, ReproduceAllWritesWhatItSays) {
    const Outcome outcome = run({"reproduce", "--all", "--quick", "--json", "-o", path("out")});
    const Json json = parse_object(outcome);
    EXPECT_EQ(outcome.status, json["failed"] > 0 ? 1 : 0) << outcome.err;
    EXPECT_EQ(json["failed"], 0) << outcome.out;
    EXPECT_EQ(keys(json["verdicts"]["papers"]), (std::set<std::string>{"do_not_hold", "hold", "not_comparable"}));
    EXPECT_EQ(json["verdicts"]["plica"]["do_not_hold"], 0);
    EXPECT_EQ(json["gnuplot"].get<bool>(), has_gnuplot());
    EXPECT_TRUE(json["quick"].get<bool>());
    ASSERT_EQ(json["experiments"].size(), names().size());
    const std::string page = slurp(m_folder / "out" / "index.html");
    for (const Json& e : json["experiments"]) {
        const std::string name = e["name"];
        expect_experiment(e, m_folder / "out" / name);
        EXPECT_TRUE(contains(page, "id=\"" + name + "\"")) << name;
        for (const std::string file : e["files"]) EXPECT_TRUE(contains(page, name + "/" + file)) << file;
    }
    EXPECT_FALSE(contains(page, "<script")) << "the page needs no scripts";
    EXPECT_FALSE(contains(page, "http")) << "nor anything from elsewhere";
}

TEST_F(Command, ReproduceOnePrintsPublishedOursAndVerdict) {
    const Outcome outcome = run({"reproduce", "raghupathi2004-fig14", "--quick", "-o", path("out")});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const char* part : {"published", "ours", "holds]", "regions found", "out"}) {
        EXPECT_TRUE(contains(outcome.out, part)) << outcome.out;
    }
    EXPECT_FALSE(fs::exists(m_folder / "out" / "index.html"));
    EXPECT_TRUE(is_file(m_folder / "out" / "raghupathi2004-fig14" / "pairs.csv"));
}

// A run that was interrupted goes on: what is there is told again, unless it is asked for anew or something of it is
// missing.
TEST_F(Command, ReproduceGoesOn) {
    const Texts words{"reproduce", "raghupathi2003-fig8", "johnsen-errata", "--quick", "--json", "-o", path("out")};
    EXPECT_FALSE(contains(run({"reproduce", "raghupathi2003-fig8", "--quick", "-o", path("out")}).err, "already"));
    const std::string kept = slurp(m_folder / "out" / "raghupathi2003-fig8" / "result.json");
    const Outcome on = run(words);
    EXPECT_TRUE(contains(on.err, "1 of 2 experiments were there already")) << on.err;
    EXPECT_EQ(slurp(m_folder / "out" / "raghupathi2003-fig8" / "result.json"), kept);
    const Outcome again = run(words);
    EXPECT_TRUE(contains(again.err, "2 of 2")) << again.err;
    EXPECT_EQ(again.out, on.out);
    fs::remove(m_folder / "out" / "raghupathi2003-fig8" / "pairs.csv");
    EXPECT_TRUE(contains(run(words).err, "1 of 2"));
    Texts fresh = words;
    fresh.emplace_back("--fresh");
    EXPECT_FALSE(contains(run(fresh).err, "already"));
    // Results of other settings or of another program do not count.
    EXPECT_FALSE(contains(slurp(m_folder / "out" / "johnsen-errata" / "result.json"), "\"key\": \"\""));
    std::string other = slurp(m_folder / "out" / "johnsen-errata" / "result.json");
    other.replace(other.find("\"key\": \"") + 8, 4, "0000");
    spill(m_folder / "out" / "johnsen-errata" / "result.json", other);
    EXPECT_TRUE(contains(run(words).err, "1 of 2"));
}

// What is counted does not depend on the day: the same tables from run to run.
TEST_F(Command, ReproduceCountsAreRepeatable) {
    const auto tables = [&](const char* folder) {
        return run_json(
            {"reproduce", "raghupathi2003-fig8", "--quick", "-o", path(folder)})["experiments"][0]["tables"];
    };
    EXPECT_EQ(tables("a"), tables("b"));
}

// Every builder with every update, and the paper's two rows.
TEST_F(Command, ReproduceCountsVolumesOfEveryTree) {
    const Json json = run_json({"reproduce", "johnsen-table1", "--quick", "-o", path("out")});
    const Json& e = json["experiments"][0];
    ASSERT_EQ(e["tables"].size(), 4U);
    EXPECT_EQ(e["tables"][0]["rows"].size(), 17U);
    EXPECT_EQ(e["tables"][1]["rows"].size(), 15U);
    EXPECT_EQ(e["tables"][0]["rows"][4][1], "all");
    EXPECT_EQ(e["tables"][0]["rows"][4][5], "100 %");
    EXPECT_EQ(e["tables"][0]["rows"][15][4], "188.0");
    for (const char* file : {"ball-slab-volumes.png", "ball-slab-bodies.png", "liver-diaphragm-volumes.png"}) {
        EXPECT_TRUE(is_file(m_folder / "out" / "johnsen-table1" / file)) << file;
    }
}

// The audit that counts no intersections with contact counts them without.
TEST_F(Command, ReproduceFindsIntersectionsWithoutContact) {
    const Json json = run_json({"reproduce", "johnsen-fig6", "--quick", "-o", path("out")});
    const Json& rows = json["experiments"][0]["tables"][0]["rows"];
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1][2], "0");
    EXPECT_EQ(rows[1][4], "0") << "nodes held";
    EXPECT_TRUE(contains(rows[2][0], "no-contact"));
    EXPECT_NE(rows[2][2], "0");
}

// Finer, springs of one stiffness get stiffer and heat does not; turned, linear elements are wrong and heat is not.
TEST_F(Command, ReproduceComparesModelsOfTissue) {
    const Json json = run_json({"reproduce", "zhong-compare", "--quick", "-o", path("out")});
    const Json& tables = json["experiments"][0]["tables"];
    ASSERT_EQ(tables.size(), 3U);
    const auto cell = [&](int table, const std::string& model, std::size_t column) {
        for (const Json& row : tables[static_cast<std::size_t>(table)]["rows"]) {
            if (row[0] == model) return std::stod(row[column].get<std::string>());
        }
        ADD_FAILURE() << model;
        return 0.0;
    };
    EXPECT_LT(cell(0, "springs, surface", 5), 0.7);
    EXPECT_LT(cell(0, "springs, solid", 5), 0.8);
    EXPECT_NEAR(cell(0, "heat", 5), 1.0, 0.03);
    EXPECT_NEAR(cell(0, "linear finite elements", 5), 1.0, 0.03);
    EXPECT_LT(cell(2, "heat", 1), 1e-8);
    EXPECT_LT(cell(2, "TLED", 1), 1e-8);
    EXPECT_GT(cell(2, "linear finite elements", 1), 0.1);
    EXPECT_GT(cell(2, "springs, surface", 1), 0.1);
    for (const char* file : {"depth.png", "time.png"})
        EXPECT_EQ(is_file(m_folder / "out" / "zhong-compare" / file), has_gnuplot());
    EXPECT_TRUE(is_file(m_folder / "out" / "zhong-compare" / "dimples.png"));
}

TEST_F(Command, ReproduceWithoutGnuplotLeavesDataAndScript) {
    const std::string before = std::getenv("PATH");
    setenv("PATH", m_folder.c_str(), 1);
    const Outcome outcome = run({"reproduce", "raghupathi2003-fig8", "--quick", "--json", "-o", path("out")});
    setenv("PATH", before.c_str(), 1);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "gnuplot is not installed")) << outcome.err;
    EXPECT_EQ(parse_object(outcome)["gnuplot"], false);
    EXPECT_TRUE(is_file(m_folder / "out" / "raghupathi2003-fig8" / "pairs.csv"));
    EXPECT_TRUE(is_file(m_folder / "out" / "raghupathi2003-fig8" / "pairs.gp"));
    EXPECT_FALSE(fs::exists(m_folder / "out" / "raghupathi2003-fig8" / "pairs.png"));
}

TEST_F(Command, ReproduceIntoAFileIsAnEnvironmentError) {
    const std::string file = write("taken", "x");
    const Outcome outcome = run({"reproduce", "raghupathi2003-fig8", "--quick", "-o", file});
    EXPECT_EQ(outcome.status, 4) << outcome.err;
}

}  // namespace
}  // namespace plica::testing
