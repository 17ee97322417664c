#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tests/tissue/heat/membranes.hpp"
#include "tissue/heat/march.hpp"

// A membrane's forces and motion: what they derive from, what they conserve, what they leave alone.
namespace plica::testing {
namespace {

using experiments::HeatBody;
using experiments::HeatBodySetup;
using experiments::paper_setup;
using experiments::paper_superquadric;
using experiments::paper_top;

TEST(HeatMembrane, ForcesAreTheDerivativeOfTheEnergy) {
    HeatBody body = make_shaken_body();
    EXPECT_LT(find_gradient_error(body), 1e-6);
    EXPECT_GT(find_gradient_error(body, 1.001), 1e-5) << "forces a thousandth too large";
    body.state.temperature[7] += 1.0;
    heat::MembraneEnergy warmer = body.energy();
    body.state.temperature[7] -= 1.0;
    EXPECT_NE(warmer.tension, body.energy().tension) << "heat is part of it";
}

TEST(HeatMembrane, ForcesHaveNoSumAndNoMoment) {
    HeatBody body = make_shaken_body();
    Totals totals = sum_forces(body);
    EXPECT_LT(totals.force, 1e-10 * totals.size);
    EXPECT_LT(totals.moment, 1e-10 * totals.size);
    body.work.frames[0].shift.x += 1e-3;
    EXPECT_GT(sum_forces(body).force, 1e-10 * totals.size) << "anchored a millimetre off";
}

// Young's modulus Y and Poisson's ratio 1/3, by the energy of even strains.
TEST(HeatMembrane, AnEquilateralNetHasItsYoungsModulus) {
    heat::Settings settings;
    settings.anchor = 1e-9;
    const auto stiffness = [&](double sign_of_y) {
        const double strain = 1e-4;
        double energy = 0.0, area = 0.0;
        for (const double s : {strain, -strain}) {
            HeatBody net(make_equilateral_net(8, 0.1), {.settings = settings, .fixed = {}, .conductivity = {}});
            for (Vec3& p : net.x) p = {p.x * (1.0 + s), p.y * (1.0 + sign_of_y * s), p.z};
            energy += 0.5 * net.energy().edges;
            area = net.membrane.rest_area;
        }
        return 2.0 * energy / (area * strain * strain);
    };
    const double c11 = stiffness(0.0), c12 = 0.5 * stiffness(1.0) - c11;
    const double poisson = c12 / c11;
    EXPECT_NEAR(c11 * (1.0 - poisson * poisson) / settings.young, 1.0, 1e-3);
    EXPECT_NEAR(poisson, 1.0 / 3.0, 1e-3);
    EXPECT_GT(std::abs(c11 / settings.young - 1.0), 1e-2) << "held across it is stiffer";
}

TEST(HeatMembrane, StaysWhereNothingPushes) {
    HeatBody body(paper_superquadric(), paper_setup({})), pushed = body;
    body.run(10.0, 0.01);
    EXPECT_LT(body.most_moved(), 1e-12);
    pushed.push(pushed.nearest(paper_top), {0, 0, -1e-9});
    pushed.run(10.0, 0.01);
    EXPECT_GT(pushed.most_moved(), 1e-12) << "a nanonewton shows";
}

TEST(HeatMembrane, FreeMotionConservesMomentum) {
    const Drift free = drift_of(make_tumbling_body(0.0));
    EXPECT_LT(free.momentum, 1e-10);
    EXPECT_LT(free.angular, 1e-10);
    EXPECT_GT(drift_of(make_tumbling_body(1.0)).momentum, 1e-3) << "damping takes it";
    HeatBody held = make_tumbling_body(0.0);
    held.w[0] = 0.0;
    EXPECT_GT(drift_of(std::move(held)).momentum, 1e-3) << "a hold takes it";
}

// A free body gains just what loads and gravity give.
TEST(HeatMembrane, LoadsGiveTheirMomentum) {
    HeatBody body = make_tumbling_body(0.0);
    body.load[3] = {2.0, -1.0, 0.5};
    body.gravity = {0.0, 0.0, -9.81};
    const Momentum before = momentum_of(body);
    body.step(0.01);
    const Vec3 given = (body.load[3] + body.gravity * body.membrane.pieces[0].mass) * 0.01;
    EXPECT_LT(norm(momentum_of(body).linear - before.linear - given), 1e-12 * norm(before.linear));
    body.load[3] = {};
    body.gravity = {};
    body.step(0.01);
    EXPECT_GT(norm(momentum_of(body).linear - before.linear), 1e-3) << "it keeps it";
}

// The same scene turned and shifted; and not quite the same one.
TEST(HeatMembrane, TurnedScenesGoTurned) {
    const Pose pose = make_pose({0.4, -0.9, 0.7}, {3.0, -2.0, 5.0});
    const auto difference = [&](const Vec3& force) {
        HeatBody plain = make_loaded_sphere({}, {0.5, 0.2, -4.0}), turned = make_loaded_sphere(pose, force);
        plain.run(2.0, 0.01);
        turned.run(2.0, 0.01);
        double most = 0.0;
        for (std::size_t n = 0; n < plain.x.size(); ++n)
            most = std::max(most, distance(apply(pose, plain.x[n]), turned.x[n]));
        return most;
    };
    EXPECT_LT(difference(turn(pose, Vec3{0.5, 0.2, -4.0})), 1e-10);
    EXPECT_GT(difference({0.5, 0.2, -4.0}), 1e-2) << "the force was not turned";
}

// Zhong 2005, eq. 4 measures from where the body was; ours from where its rest shape is now.
TEST(HeatMembrane, PushedEvenlyAFreeBodyStaysCold) {
    const auto warmth = [](heat::Mode mode) {
        heat::Settings settings;
        settings.mode = mode;
        HeatBody body(paper_superquadric(), {.settings = settings, .fixed = {}, .conductivity = {}});
        for (std::size_t n = 0; n < body.x.size(); ++n) body.push(n, {0, 0, 2.0 * body.membrane.mass[n]});
        body.run(5.0, 0.01);
        return body.work.reached.most_warmth;
    };
    const double printed = warmth(heat::Mode::paper_attract);
    EXPECT_GT(printed, 0.1) << "the control: it heats by moving";
    EXPECT_LT(warmth(heat::Mode::complete), 1e-2 * printed);
}

TEST(HeatMembrane, GravityWarmsNothing) {
    HeatBody body(paper_superquadric(), paper_setup({}));
    body.gravity = {0, 0, -9.81};
    body.run(1.0, 0.01);
    EXPECT_GT(body.most_moved(), 0.01) << "it sags";
    EXPECT_EQ(body.work.reached.most_warmth, 0.0);
    for (std::size_t n = 0; n < body.x.size(); ++n) body.push(n, {0, 0, -9.81 * body.membrane.mass[n]});
    body.run(1.0, 0.01);
    EXPECT_GT(body.work.reached.most_warmth, 1e-4) << "as a load it would";
}

TEST(HeatMembrane, AtRestItsHeatIsTheWork) {
    HeatBodySetup setup = paper_setup({});
    setup.cold = false;
    HeatBody body(paper_superquadric(), setup);
    const std::size_t top = body.nearest(paper_top);
    body.push(top, {0, 0, -10});
    const auto ratio = [&] {
        return heat::compute_heat(body.membrane.conduction, 1.0, body.state.temperature) / (-10.0 * body.moved(top).z);
    };
    body.run(0.2, 0.01);
    EXPECT_GT(std::abs(ratio() - 1.0), 0.01) << "not yet";
    body.run(39.8, 0.01);
    EXPECT_NEAR(ratio(), 1.0, 0.01);
    body.clear_loads();
    body.run(10.0, 0.01);
    EXPECT_LT(body.work.reached.most_warmth, 1e-4) << "and goes with the load";
}

TEST(HeatMembrane, HeatBalances) {
    HeatBody body(paper_superquadric(), paper_setup({}));
    body.push(body.nearest(paper_top), {0, 0, -10});
    body.run(3.0, 0.01);
    const auto& numbers = body.state.numbers;
    const double content = heat::compute_heat(body.membrane.conduction, 1.0, body.state.temperature);
    EXPECT_LT(std::abs(numbers.heat_given - numbers.heat_lost - content), 1e-10 * numbers.heat_given);
    EXPECT_GT(std::abs(numbers.heat_given - content), 0.1 * numbers.heat_given) << "the sinks take their part";
}

// W_ext = dKE + dU + damping + W_act. Half the step, at most half the residual.
TEST(HeatMembrane, TheLedgerCloses) {
    for (const double force : {-10.0, 10.0}) {
        const double coarse = find_ledger_residual(force, 0.01), fine = find_ledger_residual(force, 0.005);
        EXPECT_LT(std::abs(coarse), 0.01) << force;
        EXPECT_LT(std::abs(fine), 0.55 * std::abs(coarse)) << force;
        EXPECT_GT(std::abs(find_ledger_residual(force, 0.01, false)), 0.1) << "without the heat's work it does not";
    }
}

TEST(HeatMembrane, PointLoadsStayInTheEnvelope) {
    for (const double force : {-10.0, 10.0}) {
        HeatBody body(paper_superquadric(), paper_setup({}));
        body.push(body.nearest(paper_top), {0, 0, force});
        double least = 1.0, most = 1.0, volume = 1.0;
        for (int i = 0; i < 2000; ++i) {
            body.step(0.01);
            least = std::min(least, body.work.reached.least_stretch);
            most = std::max(most, body.work.reached.most_stretch);
            if (i > 1000) volume = std::min(volume, body.volume_ratio());
        }
        EXPECT_TRUE(body.fine);
        EXPECT_GT(least, 0.53) << force;
        EXPECT_LT(body.work.reached.most_stretch, 1.3) << force;
        EXPECT_GT(volume, 0.97) << force;
        std::printf("[ measured ] F %g: L/L0 %.3f to %.3f (on the way %.3f to %.3f), V/V0 %.4f\n", force,
                    body.work.reached.least_stretch, body.work.reached.most_stretch, least, most, volume);
    }
    heat::Settings cold;
    cold.coupling = 0.0;
    cold.bulk = 0.0;
    HeatBody control(paper_superquadric(), paper_setup(cold));
    control.push(control.nearest(paper_top), {0, 0, -10});
    control.run(20.0, 0.01);
    EXPECT_GT(control.work.reached.most_stretch, 1.3) << "without heat a spike";
    EXPECT_LT(control.volume_ratio(), 0.97) << "without a bulk modulus it empties";
}

}  // namespace
}  // namespace plica::testing
