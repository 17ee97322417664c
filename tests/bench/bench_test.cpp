#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "bench/common/audit_trajectory.hpp"
#include "bench/common/machine_limits.hpp"
#include "bench/detection/detector_run.hpp"
#include "bench/detection/our_detectors.hpp"
#include "bench/detection/pile.hpp"
#include "bench/self_collision/participant.hpp"
#include "bench/tled/solid_block.hpp"
#include "bench/tled/solid_costs.hpp"
#include "bench/tled/textbook_tled.hpp"
#include "tests/support/temp_folder.hpp"

namespace plica::bench {
namespace {

// A rope of 40 segments wound up twice around a circle, the turns 5 cm apart.
RopeCase coil() {
    RopeCase rope;
    rope.radius = 0.02;
    rope.mass_per_length = 0.5;
    rope.bowl_radius = 1.0;
    rope.bowl_center = {0, 0, 0};
    rope.margin = 0.01;
    rope.seconds = 0.1;
    for (int i = 0; i <= 40; ++i) {
        const double angle = 4.0 * 3.141592653589793 * i / 40.0;
        rope.nodes.push_back({0.13 * std::cos(angle), 0.13 * std::sin(angle), 0.05 * i / 20.0});
    }
    rope.velocities.resize(rope.nodes.size());
    return rope;
}

Trajectory still(const RopeCase& rope, int frames) {
    Trajectory t;
    t.nodes = rope.nodes.size();
    for (int i = 0; i < frames; ++i) t.positions.insert(t.positions.end(), rope.nodes.begin(), rope.nodes.end());
    return t;
}

// Forgets the first pair it finds, or names another in its stead.
class Flawed : public TimedDetector {
public:
    Flawed(const RopeCase& rope, bool forget) : m_inner(make_scalar_detector(rope)), m_forget(forget) {}
    std::int64_t detect(std::span<const Vec3> x) override { return m_inner->detect(x); }
    void collect(std::vector<PairIndices>& pairs) const override {
        m_inner->collect(pairs);
        if (m_forget) {
            pairs.erase(pairs.begin());
        } else {
            pairs.front()[1] = pairs.front()[1] == 39 ? 38 : 39;
        }
    }

private:
    std::unique_ptr<TimedDetector> m_inner;
    bool m_forget;
};

// Two windows of consecutive substeps of a small pile, the first while it falls.
const PileRun& falling() {
    static const PileRun run =
        record_substeps(pile_overrides(60, Growth::length), 0.6, {2, 25}, [](int) { return true; });
    return run;
}

DetectorRun time_ours(search::Method method, Kernels kernels) {
    const auto detector = make_plica_detector(method, kernels, falling().rope);
    if (detector == nullptr) return {};
    return time_detector("ours", *detector, falling().trajectory, falling().rope.window);
}

TEST(BenchDetection, OursAndTheDoubleLoopAgree) {
    const auto scalar = make_scalar_detector(falling().rope);
    const DetectorRun reference = time_detector("scalar", *scalar, falling().trajectory, falling().rope.window);
    ASSERT_EQ(reference.hashes.size(), 50U);
    EXPECT_GT(reference.pairs[0], 10);
    for (const search::Method method :
         {search::Method::brute, search::Method::tree, search::Method::grid, search::Method::list}) {
        for (const Kernels kernels : {Kernels::best, Kernels::scalar}) {
            const DetectorRun run = time_ours(method, kernels);
            if (run.name.empty()) continue;  // scalar kernels are built for benchmarks only
            EXPECT_EQ(find_disagreement({reference, run}), "") << static_cast<int>(method);
        }
    }
    EXPECT_LT(time_ours(search::Method::tree, Kernels::best).tests[0], reference.tests[0]);
}

TEST(BenchDetection, TheListIsBuiltNowAndThen) {
    const DetectorRun run = time_ours(search::Method::list, Kernels::best);
    EXPECT_GE(run.rebuilds, 2);   // once a window at least
    EXPECT_LE(run.rebuilds, 25);  // and by no means each time
    EXPECT_EQ(time_ours(search::Method::tree, Kernels::best).rebuilds, 0);
}

TEST(BenchPile, WindowsAreConsecutiveSubsteps) {
    const PileRun& run = falling();
    EXPECT_EQ(run.trajectory.frames(), 52U);
    EXPECT_EQ(run.rope.window, 25);
    EXPECT_EQ(run.rope.frames_per_second, 600);
    const auto moved = [&](std::size_t frame) {
        return distance(run.trajectory.frame(frame)[30], run.trajectory.frame(frame + 1)[30]);
    };
    for (std::size_t i = 0; i < 51; ++i) {
        EXPECT_EQ(moved(i) > 0.01, i == 25) << i;  // from one window to the next
    }
}

TEST(BenchDetection, AMissingOrWrongPairIsSeen) {
    const RopeCase rope = coil();
    const Trajectory frames = still(rope, 2);
    const auto scalar = make_scalar_detector(rope);
    for (const bool forget : {true, false}) {
        Flawed flawed(rope, forget);
        const std::string problem = find_disagreement(
            {time_detector("scalar", *scalar, frames, 1), time_detector("flawed", flawed, frames, 1)});
        EXPECT_NE(problem.find("flawed finds"), std::string::npos) << problem;
    }
}

TEST(BenchDetection, FramesLeftOutAreSeen) {
    const RopeCase rope = coil();
    const auto scalar = make_scalar_detector(rope);
    EXPECT_NE(find_disagreement(
                  {time_detector("a", *scalar, still(rope, 4), 1), time_detector("b", *scalar, still(rope, 2), 1)}),
              "");
}

TEST(BenchDetection, ARunSurvivesItsJson) {
    const auto scalar = make_scalar_detector(coil());
    const DetectorRun run = time_detector("scalar", *scalar, still(coil(), 2), 1);
    EXPECT_EQ(find_disagreement({run, to_detector_run(nlohmann::ordered_json::parse(to_json(run).dump()))}), "");
}

TEST(BenchDetection, TheLesserTimeOfAFrameStays) {
    DetectorRun run{"a", {2.0, 3.0}, {}, {}, {}, 0};
    merge_times({"a", {1.0, 4.0}, {}, {}, {}, 0}, run);
    EXPECT_EQ(run.seconds, (std::vector{1.0, 3.0}));
}

TEST(BenchJudge, MeasuresDepthStretchAndTheWall) {
    const RopeCase rope = coil();
    Trajectory t = still(rope, 3);
    const Verdict fine = judge(t, rope);
    EXPECT_EQ(fine.worst, 0.0);
    EXPECT_EQ(fine.pass_throughs, 0);
    EXPECT_NEAR(fine.stretch, 0.0, 1e-12);
    EXPECT_EQ(fine.outside, 0.0);

    const std::size_t last = 2 * t.nodes;  // the third frame: the end lies on the turn below, 4 mm deep
    t.positions[last + 40] = rope.nodes[20] + Vec3{0, 0, 0.036};
    t.positions[last + 39] = rope.nodes[19] + Vec3{0, 0, 0.036};
    const Verdict deep = judge(t, rope);
    EXPECT_NEAR(deep.worst, 0.2, 0.02);
    EXPECT_EQ(deep.pass_throughs, 0);

    t.positions[last + 40] = {1.5, 0, 0};
    const Verdict torn = judge(t, rope);
    EXPECT_NEAR(torn.outside, 0.5, 1e-9);
    EXPECT_GT(torn.stretch, 10.0);
}

TEST(BenchJudge, SeesAPassThroughBetweenFrames) {
    const RopeCase rope = coil();
    Trajectory t = still(rope, 2);
    for (std::size_t i = 30; i <= 40; ++i) t.positions[t.nodes + i].z -= 0.1;  // to the other side of the turn below
    EXPECT_GT(judge(t, rope).pass_throughs, 0);
}

TEST(BenchJudge, ATimeCountsOnlyWithinTheDepth) {
    const RopeCase rope = coil();
    Trial trial;
    trial.verdict.worst = 0.5;
    EXPECT_TRUE(counts(trial, rope, 0.5));
    trial.verdict.worst = 0.51;
    EXPECT_FALSE(counts(trial, rope, 0.5));
    trial.verdict.worst = 0.0;
    trial.verdict.pass_throughs = 1;
    EXPECT_FALSE(counts(trial, rope, 0.5));
    trial.verdict.pass_throughs = 0;
    trial.verdict.outside = 0.03;  // the rope's axis left the bowl
    EXPECT_FALSE(counts(trial, rope, 0.5));
    trial.verdict.outside = 0.0;
    trial.state = "too slow";
    EXPECT_FALSE(counts(trial, rope, 0.5));
}

using BenchFiles = testing::TempFolderTest;

TEST_F(BenchFiles, CaseAndTrajectoryComeBackAsWritten) {
    const RopeCase rope = coil();
    write_case(rope, file("case.json"));
    const RopeCase back = read_case(file("case.json"));
    EXPECT_EQ(back.nodes, rope.nodes);
    EXPECT_EQ(back.radius, rope.radius);
    TrajectoryWriter writer(file("dump"), rope);
    writer.add(0.0, rope.nodes);
    writer.add(0.1, rope.nodes);
    writer.close();
    const Trajectory t = read_trajectory(file("dump"));
    EXPECT_EQ(t.frames(), 2U);
    EXPECT_TRUE(std::equal(rope.nodes.begin(), rope.nodes.end(), t.frame(1).begin()));
    EXPECT_THROW(read_case(file("none.json")), Error);
    EXPECT_THROW(read_trajectory(file("none")), Error);
}

std::string complaint(const std::string& folder, const std::string& name) {
    try {
        make_peer(folder, name, folder + "/case.json", coil());
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST_F(BenchFiles, APeerThatCannotTakePartSaysWhyInOneLine) {
    const std::string folder = file("");
    const auto write = [&](const std::string& name, const std::string& script) {
        const std::string path = file("plica_peer_" + name);
        std::ofstream(path) << "#!/bin/sh\n" << script;
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    };
    EXPECT_EQ(complaint(folder, "absent"), "its program was not built");
    write("broken", "echo no library >&2; echo and more >&2; exit 4\n");
    EXPECT_NE(complaint(folder, "broken").find("no library"), std::string::npos);
    EXPECT_EQ(complaint(folder, "broken").find("more"), std::string::npos);
    write("whole", R"(echo '{"name": "whole", "version": "1", "setup": "", "settings": [{"work": 2}, {"work": 1}]}')");
    EXPECT_EQ(complaint(folder, "whole"), "");
    EXPECT_EQ(make_peer(folder, "whole", "", coil()).settings[0]["work"], 1);
}

TEST(BenchPile, GrowsWithTheNumberOfSegments) {
    const PileRun run = run_pile(pile_overrides(800, Growth::segment), 1e-3, [](int) { return false; });
    EXPECT_EQ(run.rope.segments(), 800);
    EXPECT_NEAR(distance(run.rope.nodes[0], run.rope.nodes[1]), 0.04, 1e-6);
    EXPECT_NEAR(run.rope.bowl_radius, 0.30, 1e-6);
    EXPECT_EQ(rope_surface(run.rope).capsules.front().exclude, 2);
    const PileRun cut = run_pile(pile_overrides(200, Growth::length), 1e-3, [](int) { return false; });
    EXPECT_NEAR(distance(cut.rope.nodes[0], cut.rope.nodes[1]), 0.02, 1e-6);
}

TextbookTled make_textbook(const SolidBlock& block) {
    TextbookTled textbook(block.mesh, block.material, block.kind, block.organ.settings.hourglass);
    textbook.start(block.mesh.nodes, block.x, block.v, block.w, block.gravity, block.h);
    return textbook;
}

constexpr tled::ElementKind kinds[] = {tled::ElementKind::t4, tled::ElementKind::t4anp, tled::ElementKind::h8};

TEST(BenchTled, TextbookHasTheForcesOfTheExactKernels) {
    for (const tled::ElementKind kind : kinds) {
        const SolidBlock block = make_solid_block(kind, 6, true);
        const std::vector<Vec3> exact = solid_forces(block, best_isa());
        TextbookTled textbook = make_textbook(block);
        textbook.compute_forces();
        EXPECT_LT(relative_difference(textbook.forces(), exact), 1e-5) << tled::element_name(kind);
        // Another material is seen, and so is the wrong element.
        textbook.change_bulk(1.001F);
        textbook.compute_forces();
        EXPECT_GT(relative_difference(textbook.forces(), exact), 5e-5) << tled::element_name(kind);
        if (kind != tled::ElementKind::t4anp) continue;
        TextbookTled other(block.mesh, block.material, tled::ElementKind::t4, 0.0);
        other.start(block.mesh.nodes, block.x, block.v, block.w, block.gravity, block.h);
        other.compute_forces();
        EXPECT_GT(relative_difference(other.forces(), exact), 1e-3);
    }
}

TEST(BenchTled, TextbookMovesAsOursDoes) {
    for (const tled::ElementKind kind : kinds) {
        const SolidBlock block = make_solid_block(kind, 5);
        SolidRun ours(block, best_isa(), 2);
        TextbookTled textbook = make_textbook(block);
        for (int i = 0; i < 50; ++i) {
            ours.step();
            textbook.step();
        }
        std::vector<Vec3> u(block.nodes()), start(block.nodes());
        for (std::size_t n = 0; n < u.size(); ++n) {
            u[n] = ours.x()[n] - block.mesh.nodes[n];
            start[n] = block.x[n] - block.mesh.nodes[n];
        }
        EXPECT_LT(relative_difference(textbook.displacements(), u), 1e-4) << tled::element_name(kind);
        EXPECT_GT(relative_difference(start, u), 0.01) << tled::element_name(kind);  // it did move
        EXPECT_GT(ours.extremes().least, 0.5);
        textbook.step();
        EXPECT_GT(relative_difference(textbook.displacements(), u), 1e-4) << tled::element_name(kind);
        ours.rewind();
        EXPECT_EQ(ours.x(), block.x);
    }
}

TEST(BenchTled, DifferencesAreRelativeToTheLargestForce) {
    const std::vector<Vec3> a{{4, 0, 0}, {0, 1, 0}}, b{{4, 0, 0}, {0, 2, 0}};
    EXPECT_DOUBLE_EQ(relative_difference(a, b), 0.25);
    EXPECT_EQ(relative_difference(a, {}), HUGE_VAL);
    EXPECT_EQ(relative_difference(a, {{4, 0, 0}, {0, NAN, 0}}), HUGE_VAL);
}

// Gradients and volume (40), corners (8), and what nodes and slots take besides.
TEST(BenchTled, CountsBytesAndOperations) {
    const SolidBlock block = make_solid_block(tled::ElementKind::t4, 20);
    const double nodes = static_cast<double>(block.nodes()) / static_cast<double>(block.cells());
    EXPECT_GT(bytes_a_cell(block), 48.0 + 280.0 * nodes);
    EXPECT_LT(bytes_a_cell(block), 48.0 + 360.0 * nodes);
    EXPECT_GT(bytes_a_cell(make_solid_block(tled::ElementKind::t4anp, 20)), bytes_a_cell(block) + 48.0);
    EXPECT_EQ(operations_a_cell(tled::ElementKind::t4), 230.0);
    EXPECT_EQ(operations_a_cell(tled::ElementKind::t4anp), 327.0);
    EXPECT_EQ(operations_a_cell(tled::ElementKind::h8), 737.0);
}

TEST(BenchTled, MeasuresTheMachine) {
    MachineLimits limits({Isa::base}, {1}, true);
    EXPECT_EQ(limits.memory(1), 0.0);
    limits.measure();
    const double memory = limits.memory(1), arithmetic = limits.arithmetic(Isa::base, 1);
    EXPECT_GT(memory, 0.0);
    EXPECT_GT(arithmetic, 0.0);
    limits.measure();
    EXPECT_GE(limits.memory(1), memory);
    EXPECT_GE(limits.arithmetic(Isa::base, 1), arithmetic);
}

}  // namespace
}  // namespace plica::bench
