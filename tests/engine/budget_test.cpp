#include <gtest/gtest.h>

#include <vector>

#include "tests/engine/worlds.hpp"

// A step that may take no longer than its budget: fewer passes over contact, never fewer substeps, the same again when
// it is replayed.
namespace plica::testing {
namespace {

constexpr int steps = 25;

SceneDescription squeezed() {
    return read_scene(find_scene("liver-bars", {"liver.cell=0.02", "solver.dt=0.01"}));
}

struct Taken {
    std::vector<std::uint64_t> hashes;
    std::vector<std::int32_t> full;
    std::int64_t sweeps = 0, late = 0, substeps = 0;
    bool valid = true;

    void add(const StepReport& report) {
        hashes.push_back(report.hash);
        full.push_back(report.full_substeps);
        sweeps += report.sweeps;
        late += report.late_substeps;
        substeps += report.substeps;
        valid = valid && report.is_valid();
    }
};

// Full substeps of each step as given, or by the budget where there are none.
Taken take(double budget, const std::vector<std::int32_t>& full = {}, int threads = 1) {
    const SceneDescription scene = squeezed();
    World world = make_world(scene, 1, threads);
    world.set_budget(budget);
    Script script(scene);
    Taken taken;
    for (int i = 0; i < steps; ++i) {
        Inputs inputs = script.next(world);
        inputs.full_substeps = full.empty() ? Inputs::by_budget : full[static_cast<std::size_t>(i)];
        taken.add(world.step(inputs));
    }
    return taken;
}

TEST(Budget, AStepWithoutOneOrWithAllItNeedsIsNeverLate) {
    const Taken free = take(0.0), rich = take(1000.0);
    EXPECT_EQ(free.late, 0);
    EXPECT_EQ(free.full, std::vector<std::int32_t>(steps, Inputs::all));
    EXPECT_EQ(free.hashes, rich.hashes);
    EXPECT_EQ(rich.full, free.full);
}

TEST(Budget, AStepThatIsLateTakesFewerPassesAndNoFewerSubsteps) {
    const Taken free = take(0.0), late = take(1e-9);
    EXPECT_TRUE(late.valid);
    EXPECT_EQ(late.late, late.substeps);
    EXPECT_EQ(late.sweeps, late.substeps);
    EXPECT_GT(free.sweeps, 2 * late.sweeps) << "there is contact that wants more";
    EXPECT_GE(10 * late.substeps, 9 * free.substeps);
}

TEST(Budget, ReplayedItIsTheSameOnAnyNumberOfThreads) {
    std::vector<std::int32_t> some;  // of about 20
    for (int i = 0; i < steps; ++i) some.push_back(i % 7 == 0 ? Inputs::all : 3 * (i % 5));
    const Taken first = take(0.0, some), again = take(1e-9, first.full, 2);
    EXPECT_GT(first.late, 0);
    EXPECT_LT(first.late, first.substeps);
    EXPECT_EQ(first.hashes, again.hashes);
    const Taken otherwise = take(0.0);
    EXPECT_NE(first.hashes, otherwise.hashes) << "what is given up shows";
}

}  // namespace
}  // namespace plica::testing
