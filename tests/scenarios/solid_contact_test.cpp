#include <gtest/gtest.h>

#include "experiments/johnsen/contact_trials.hpp"
#include "tests/engine/worlds.hpp"

// Solids that touch each other: spec B's tests of the response, and that the printed one fails them.
namespace plica::testing {
namespace {

using experiments::Meeting;
using experiments::Patch;

void print(const char* name, const Meeting& m) {
    printf("%s: momentum %g angular %g energy %g..%g penetration %g contacts %g passes %g held %lld\n", name,
           m.momentum, m.angular, m.least_energy, m.most_energy, m.penetration, m.contacts, m.passes,
           static_cast<long long>(m.held));
}
void print(const char* name, const Patch& p) {
    printf("%s: force %g error %g nodal error %g rms %g speed %g passes %g worst frame %g held %lld\n", name, p.force,
           p.force_error, p.nodal_error, p.mean_error, p.speed, p.passes, p.most_passes,
           static_cast<long long>(p.held));
}

constexpr NormalKind every_kind[] = {NormalKind::rounded, NormalKind::facet, NormalKind::smooth};
const char* name_of(NormalKind normals) {
    return normals == NormalKind::rounded ? "rounded" : normals == NormalKind::facet ? "facet" : "smooth";
}

class TwoBlocks : public ::testing::TestWithParam<double> {};

// B1, B2
TEST_P(TwoBlocks, ExchangeMomentumAndLoseNone) {
    for (const NormalKind normals : every_kind) {
        SCOPED_TRACE(name_of(normals));
        const Meeting m = experiments::meet_blocks(ResponseKind::consistent, GetParam(), 200, normals);
        print(name_of(normals), m);
        EXPECT_TRUE(m.valid);
        EXPECT_EQ(m.held, 0);
        EXPECT_LT(m.momentum, 1e-12);
        EXPECT_LT(m.angular, 1e-3);
        EXPECT_GT(m.contacts, 3.0);
        EXPECT_LT(m.most_energy, 1.001);
        EXPECT_GT(m.least_energy, 0.85);
        // Smooth: the gap is along a normal that leans from the facet's, 2.4e-6 m of a thickness of 1e-3 m.
        EXPECT_LT(m.penetration, normals == NormalKind::smooth ? 5e-6 : 1e-4 * m.edge);
    }
}

// Eq. 9 moves both sides by half the gap whatever they weigh: momentum comes from nowhere, and energy with it.
TEST_P(TwoBlocks, GainMomentumAndEnergyByThePrintedResponse) {
    const Meeting m = experiments::meet_blocks(ResponseKind::johnsen, GetParam());
    print("printed", m);
    EXPECT_TRUE(m.valid);
    EXPECT_GT(m.contacts, 3.0);
    EXPECT_GT(m.momentum, 0.3);
    EXPECT_GT(m.most_energy, 1.2);
}

INSTANTIATE_TEST_SUITE_P(Densities, TwoBlocks, ::testing::Values(1.0, 4.0));

// B3
TEST(ContactPatch, IsExactAcrossMeshesThatDoNotMatch) {
    for (const NormalKind normals : every_kind) {
        SCOPED_TRACE(name_of(normals));
        const Patch p = experiments::press_patch(ResponseKind::consistent, 0.006, 3.0, normals);
        print(name_of(normals), p);
        EXPECT_TRUE(p.valid);
        EXPECT_EQ(p.held, 0);
        EXPECT_LT(std::abs(p.force_error), 1e-8);
        EXPECT_LT(p.nodal_error, 1e-8);
        EXPECT_LT(p.passes, 4.0);
    }
}

TEST(ContactPatch, FailsByThePrintedResponse) {
    const Patch p = experiments::press_patch(ResponseKind::johnsen);
    print("printed", p);
    EXPECT_TRUE(p.valid);
    EXPECT_GT(p.force_error, 0.4);
    EXPECT_GT(p.nodal_error, 0.2);
}

class BallAndSlab : public ::testing::TestWithParam<NormalKind> {};

// B4
TEST_P(BallAndSlab, DoNotEnterEachOther) {
    SceneDescription scene = read_scene(find_scene("ball-slab"));
    scene.contact.normals = GetParam();
    World world = make_world(scene);
    const double edge = experiments::mean_edge(world.model());
    double deepest = 0.0, most_contacts = 0.0, sweeps = 0.0, substeps = 0.0;
    std::int64_t held = 0;
    for (int k = 0; k < 75; ++k) {
        const StepReport report = world.step(quiet_inputs(scene));
        ASSERT_TRUE(report.is_valid());
        deepest = std::max(deepest, experiments::find_penetration(world));
        most_contacts = std::max(most_contacts, report.contacts);
        held += report.held;
        sweeps += report.sweeps;
        substeps += report.substeps;
    }
    printf("%s: penetration %g m, %g edges; passes %g, held %lld, contacts %g\n", name_of(GetParam()), deepest,
           deepest / edge, sweeps / substeps, static_cast<long long>(held), most_contacts);
    EXPECT_LT(deepest, GetParam() == NormalKind::smooth ? 1e-5 : 1e-4 * edge);  // smooth: see above
    EXPECT_LT(sweeps / substeps, 3.0);
    EXPECT_EQ(held, 0);
    EXPECT_GT(most_contacts, 10.0);
}

INSTANTIATE_TEST_SUITE_P(Normals, BallAndSlab, ::testing::ValuesIn(every_kind));

// The measure of B4 sees what it is to see: springs let the ball in.
TEST(BallInSlab, EnterEachOtherByPenalty) {
    const SceneDescription scene =
        read_scene(find_scene("ball-slab", {"solver.response=penalty", "contact.penalty_stiffness=20"}));
    World world = make_world(scene);
    double deepest = 0.0;
    for (int k = 0; k < 45; ++k) {
        world.step(quiet_inputs(scene));
        deepest = std::max(deepest, experiments::find_penetration(world));
    }
    EXPECT_GT(deepest, 1e-2 * experiments::mean_edge(world.model()));
}

}  // namespace
}  // namespace plica::testing
