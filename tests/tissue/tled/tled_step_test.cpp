#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "experiments/tled/tled_checks.hpp"
#include "experiments/tled/tled_trials.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tissue/tled/limit.hpp"

// Organs in time: what is conserved, what bends how far, which steps are stable.
namespace plica::testing {
namespace {

using experiments::find_growth;
using experiments::find_single_error;
using experiments::make_neo_hookean;
using experiments::make_specimen_block;
using experiments::settings_of;
using experiments::Specimen;
using tled::ElementKind;

constexpr ElementKind step_kinds[] = {ElementKind::t4, ElementKind::t4anp, ElementKind::h8};

// Second order: half the step, a quarter of the deviation.
TEST(TledStep, EnergyStaysAndItsDeviationFallsWithTheSquareOfTheStep) {
    for (const ElementKind kind : step_kinds) {
        const experiments::Vibration coarse = experiments::vibrate_block(kind, 0.9, 1.0, true);
        const experiments::Vibration middle = experiments::vibrate_block(kind, 0.45, 1.0, true);
        const experiments::Vibration fine = experiments::vibrate_block(kind, 0.225, 1.0, true);
        EXPECT_LT(coarse.deviation, 1e-2) << element_name(kind);
        EXPECT_NEAR(coarse.deviation / middle.deviation, 4.0, 0.6) << element_name(kind);
        EXPECT_NEAR(middle.deviation / fine.deviation, 4.0, 0.6) << element_name(kind);
        EXPECT_LT(middle.drift, 1e-3) << element_name(kind);
    }
}

TEST(TledStep, DampedEnergyDoesNotStay) {
    Specimen block(make_specimen_block(ElementKind::t4, {0.1, 0.1, 0.1}, {2, 2, 2}), {make_neo_hookean(3000.0, 0.3)},
                   settings_of(ElementKind::t4, true));
    for (Vec3& p : block.x) p.x *= 1.05;
    const double before = block.elastic();
    block.organ.damping = 5.0;
    for (int i = 0; i < 1000; ++i) block.step(1e-3);
    EXPECT_LT(block.elastic() + block.kinetic(), 0.1 * before);
}

TEST(TledStep, MomentumIsConserved) {
    for (const ElementKind kind : step_kinds) {
        const experiments::Vibration exact = experiments::vibrate_block(kind, 0.9, 1.0, true, true);
        EXPECT_LT(exact.momentum, 1e-12) << element_name(kind);
        EXPECT_LT(exact.angular, 1e-12) << element_name(kind);
        const experiments::Vibration single = experiments::vibrate_block(kind, 0.9, 1.0, false, true);
        EXPECT_LT(single.momentum, 1e-5) << element_name(kind);
        EXPECT_LT(single.angular, 1e-5) << element_name(kind);
        EXPECT_GT(single.momentum, exact.momentum) << "single precision shows";
    }
}

// Tip of a bar over that of Timoshenko's beam. Tetrahedra come from below; hexahedra settle on the solid's own
// solution, which a clamp that lets nothing narrow makes a little stiffer than a beam.
TEST(TledStep, BarsBendAsBeams) {
    for (const double poisson : {0.3, 0.49}) {
        for (const ElementKind kind : {ElementKind::t4, ElementKind::t4anp}) {
            const double coarse = experiments::find_tip_ratio(kind, poisson, 2),
                         fine = experiments::find_tip_ratio(kind, poisson, 4);
            EXPECT_LT(coarse, fine) << element_name(kind) << " " << poisson;
            EXPECT_LT(fine, 1.0) << element_name(kind) << " " << poisson;
        }
        EXPECT_NEAR(experiments::find_tip_ratio(ElementKind::h8, poisson, 2), 1.0, 0.06);
        EXPECT_NEAR(experiments::find_tip_ratio(ElementKind::h8, poisson, 4), 1.0, 0.06);
    }
    // Known: constant strain locks near incompressibility; that is what nodal pressure is for.
    EXPECT_LT(experiments::find_tip_ratio(ElementKind::t4, 0.49, 4), 0.35);
    EXPECT_GT(experiments::find_tip_ratio(ElementKind::t4anp, 0.49, 4), 0.75);
}

void expect_limit(const VolumeMesh& mesh, ElementKind kind, double poisson) {
    const auto make = [&] { return Specimen(mesh, {make_neo_hookean(3000.0, poisson)}, settings_of(kind, true)); };
    Specimen slow = make(), fast = make();
    const double limit = slow.find_limit();
    EXPECT_GE(limit, tled::bound_step(slow.organ).seconds) << "no mode is faster than the fastest cell";
    EXPECT_LT(find_growth(slow, 0.95 * limit, 3000), 100.0) << element_name(kind);
    EXPECT_GT(find_growth(fast, 1.05 * limit, 3000), 1000.0) << element_name(kind);
}

TEST(TledStep, TheLimitIsSharpForABlock) {
    for (const ElementKind kind : step_kinds)
        expect_limit(make_specimen_block(kind, {0.1, 0.1, 0.1}, {5, 5, 5}), kind, 0.45);
}

TEST(TledStep, TheLimitIsSharpForALiver) {
    const VolumeMesh liver = make_liver(0.02);
    for (const ElementKind kind : {ElementKind::t4, ElementKind::t4anp}) expect_limit(liver, kind, 0.45);
}

TEST(TledStep, TheLimitOfSinglePrecisionIsThatOfDouble) {
    for (const ElementKind kind : step_kinds) {
        const VolumeMesh mesh = make_specimen_block(kind, {0.1, 0.1, 0.1}, {5, 5, 5});
        Specimen single(mesh, {make_neo_hookean(3000.0, 0.45)}, settings_of(kind, false));
        Specimen exact(mesh, {make_neo_hookean(3000.0, 0.45)}, settings_of(kind, true));
        EXPECT_NEAR(single.find_limit(0.01) / exact.find_limit(0.001), 1.0, 0.01) << element_name(kind);
    }
}

TEST(TledStep, SinglePrecisionFollowsDouble) {
    for (const ElementKind kind : step_kinds) {
        EXPECT_LT(find_single_error(kind, 0.45), 1e-4) << element_name(kind);
        EXPECT_GT(find_single_error(kind, 0.44), 1e-4) << "another material";
    }
}

// A bar that hangs at rest pulls at its clamp with its weight.
TEST(TledStep, WeightIsReaction) {
    for (const ElementKind kind : step_kinds) {
        Specimen bar(make_specimen_block(kind, {0.1, 0.05, 0.05}, {4, 2, 2}), {make_neo_hookean(3000.0, 0.45)},
                     settings_of(kind, true));
        const std::vector<std::int32_t> top = bar.side(0, false);
        bar.hold(top, {true, true, true});
        bar.organ.damping = 30.0;
        const double h = 0.8 * bar.find_limit(0.01);
        for (int i = 0; i < 20000; ++i) bar.step(h, {1.0, 0, 0});
        double weight = 0.0, reaction = 0.0;
        for (std::size_t n = 0; n < bar.mass.size(); ++n) weight += bar.w[n] > 0.0 ? bar.mass[n] : 0.0;
        for (const std::int32_t n : top) reaction += bar.find_forces()[at(n)].x;
        EXPECT_NEAR(-reaction / weight, 1.0, 1e-8) << element_name(kind);
    }
}

}  // namespace
}  // namespace plica::testing
