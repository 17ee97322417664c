#include <gtest/gtest.h>

#include <algorithm>

#include "collision/candidates.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/raghupathi/other_detectors.hpp"
#include "experiments/raghupathi/trials.hpp"
#include "tests/engine/worlds.hpp"

// The experiments on response, step and other detectors hand in what they promise; small sizes.
namespace plica::experiments {

// Stands in for gnuplot.
std::vector<std::string> plot(const std::string&, const std::string& name, const Table& data,
                              const std::string& commands) {
    for (const auto& row : data.rows) EXPECT_EQ(row.size(), data.columns.size()) << name;
    EXPECT_NE(commands.find(name + ".csv"), std::string::npos);
    return {name + ".csv"};
}

namespace {

void expect_complete(const std::string& name) {
    const Experiment& experiment = *std::find_if(all_experiments().begin(), all_experiments().end(),
                                                 [&](const Experiment& e) { return name == e.name; });
    double last = 0.0;
    ExperimentOptions options;
    options.quick = true;
    options.progress = [&](double share) { last = std::max(last, share); };
    Result result = experiment.measure(options);
    result.measured["quick"] = true;
    EXPECT_EQ(last, 1.0);
    EXPECT_FALSE(result.tables.empty());
    for (const Table& table : result.tables) {
        EXPECT_FALSE(table.rows.empty()) << table.title;
        for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.title;
    }
    const std::vector<Claim> claims = experiment.judge(result.measured);
    EXPECT_FALSE(claims.empty());
    for (const Claim& claim : claims) {
        EXPECT_FALSE(claim.said.text.empty() || claim.criterion.empty() || claim.ours.empty());
        EXPECT_EQ(claim.ours.find("nan"), std::string::npos) << claim.ours;
        EXPECT_TRUE(claim.holds() || !claim.why.empty()) << claim.said.text;
    }
}

TEST(Experiments, Response) {
    expect_complete("raghupathi-response");
}
TEST(Experiments, Stability) {
    expect_complete("raghupathi-stability");
}
TEST(Experiments, Baselines) {
    expect_complete("raghupathi-baselines");
}
TEST(Experiments, Draws) {
    expect_complete("raghupathi-draws");
}
TEST(Experiments, Mesentery) {
    expect_complete("raghupathi-mesentery");
}
TEST(Experiments, Whole) {
    expect_complete("raghupathi-whole");
}
TEST(Experiments, Defaults) {
    expect_complete("defaults");
}

// Brute force, as the experiment asks it.
std::vector<PrimitivePair> find_all(const Model& model, std::span<const Vec3> x, double near) {
    ThreadPool pool;
    DetectorScratch scratch;
    std::vector<Pair> pairs;
    const std::vector<std::uint8_t> enabled(model.surface.capsules.size(), 1);
    const std::vector<double> margin(model.nodes(), 0.5 * near);
    find_pairs_brute({model.surface, enabled, x}, margin, pool, scratch, pairs);
    std::vector<PrimitivePair> found;
    for (const Pair& pair : pairs) found.push_back({pair.a, pair.b});
    return found;
}

TEST(OtherDetectors, FindWhatBruteForceFinds) {
    for (const char* name : {"intestine-pile", "intestine"}) {
        const SceneDescription scene = read_scene(find_scene(name));
        World world = testing::make_world(scene);
        testing::run_for(world, testing::quiet_inputs(scene), 0.5);
        const Model& model = world.model();
        const std::vector<Vec3>& x = world.state().x;
        const std::vector<PrimitivePair> wanted = find_all(model, x, 1e-3);
        ASSERT_GT(wanted.size(), 50u);
        Found found;
        for (const bool rebuild : {false, true}) {
            BinaryTree(model.surface, rebuild).find(x, 1e-3, found);
            EXPECT_EQ(found.pairs, wanted) << name;
        }
        SphereGrid(model.surface, VoxelReading::covered).find(x, 1e-3, found);
        EXPECT_EQ(found.pairs, wanted) << name;
        SphereGrid(model.surface, VoxelReading::literal).find(x, 1e-3, found);
        EXPECT_LT(found.pairs.size(), wanted.size()) << name;  // what lies in two voxels is missed
    }
}

TEST(Trials, TellASoundRunFromALostOne) {
    const Outcome sound = run_trial({"intestine-pile", {}, 1, 0.5});
    EXPECT_FALSE(sound.lost);
    EXPECT_LT(sound.worst, 0.12);
    EXPECT_LT(sound.energy_gain, 0.1);
    EXPECT_GT(sound.energy_drop, 0.5);
    EXPECT_NEAR(sound.substeps, 20.0, 1e-9);
    const Outcome lost = run_trial(
        {"intestine-pile",
         {"solver.response=raghupathi_printed", "solver.adapt=false", "solver.certify=false", "solver.substeps=5"},
         1,
         1.0});
    EXPECT_TRUE(lost.lost || lost.energy_gain > 1.0);
    EXPECT_EQ(cell(sound, 1.0), "1.000");
}

}  // namespace
}  // namespace plica::experiments
