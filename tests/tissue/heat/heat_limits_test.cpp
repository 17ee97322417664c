#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/error.hpp"
#include "tests/tissue/heat/membranes.hpp"

// Membranes and what should not be: bad input, numbers that are none, pieces, holds, steps of another length.
namespace plica::testing {
namespace {

using experiments::HeatBody;
using experiments::paper_setup;
using experiments::paper_superquadric;
using experiments::paper_top;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const std::function<void()>& build) {
    try {
        build();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string refusal(void (*spoil)(heat::Settings&)) {
    heat::Settings settings;
    spoil(settings);
    return refusal([&] { heat::build_membrane(make_icosphere(1, 1.0), {}, {}, {}, {}, settings); });
}

TEST(HeatLimits, SettingsOutOfRangeAreNamed) {
    EXPECT_EQ(refusal([](heat::Settings&) {}), "") << "the control";
    const auto expect = [](const char* name, void (*spoil)(heat::Settings&)) {
        EXPECT_NE(refusal(spoil).find(name), std::string::npos) << refusal(spoil);
    };
    expect("relaxation is 0", [](heat::Settings& s) { s.relaxation = 0.0; });
    expect("capacity is -1", [](heat::Settings& s) { s.capacity = -1.0; });
    expect("density is nan", [](heat::Settings& s) { s.density = not_a_number; });
    expect("young is inf", [](heat::Settings& s) { s.young = std::numeric_limits<double>::infinity(); });
    expect("drag is -2", [](heat::Settings& s) { s.area_damping = -2.0; });
    expect("contrast_most is 0.5", [](heat::Settings& s) { s.contrast_most = 0.5; });
}

TEST(HeatLimits, ElementsThatAreNoGoodAreNamed) {
    const auto build = [](const SurfaceMesh& mesh, std::vector<double> k) {
        return refusal([&] { heat::build_membrane(mesh, k, {}, {}, {}, {}); });
    };
    SurfaceMesh mesh = make_icosphere(1, 1.0);
    std::vector<double> k(mesh.nodes.size(), 0.4);
    EXPECT_EQ(build(mesh, k), "") << "the control";
    k[5] = -0.1;
    EXPECT_NE(build(mesh, k).find("node 5"), std::string::npos) << build(mesh, k);
    k.pop_back();
    EXPECT_NE(build(mesh, k).find("conductivities"), std::string::npos) << build(mesh, k);
    SurfaceMesh lonely = mesh;
    lonely.nodes.push_back({3, 3, 3});
    EXPECT_NE(build(lonely, {}).find("42"), std::string::npos) << build(lonely, {});
    mesh.nodes[9].y = not_a_number;
    EXPECT_NE(build(mesh, {}).find("9"), std::string::npos) << build(mesh, {});
}

TEST(HeatLimits, ATouchThatIsNoNumberChangesNothing) {
    HeatBody body(paper_superquadric(), paper_setup({}));
    body.push(body.nearest(paper_top), {0, 0, -10});
    body.run(0.5, 0.01);
    const heat::MembraneState before = body.state;
    body.state.touch[3].y = not_a_number;
    EXPECT_FALSE(conduct(body.membrane, 0.01, body.x, body.state, body.work));
    EXPECT_TRUE(body.work.reached.touch_ignored);
    EXPECT_EQ(body.state.temperature, before.temperature);
    EXPECT_EQ(body.state.numbers.heat_given, before.numbers.heat_given);
    body.state.touch = before.touch;
    EXPECT_TRUE(conduct(body.membrane, 0.01, body.x, body.state, body.work)) << "the control";
    EXPECT_NE(body.state.temperature, before.temperature);
}

TEST(HeatLimits, AStepToNowhereIsNotTaken) {
    HeatBody body(paper_superquadric(), paper_setup({}));
    std::vector<Vec3> p(body.x.size());
    const auto step = [&] {
        return step_membrane(body.membrane, {body.x, body.v, body.w, body.load, {}, 0.0, 0.01}, body.state, body.work,
                             p);
    };
    EXPECT_TRUE(step()) << "the control";
    EXPECT_FALSE(body.work.reached.lost);
    body.load[3].x = not_a_number;
    EXPECT_FALSE(step());
    EXPECT_TRUE(body.work.reached.lost);
    EXPECT_EQ(p, body.x);
    body.load[3] = {};
    EXPECT_TRUE(step()) << "nothing of it stays";
}

TEST(HeatLimits, OverstretchedEdgesAreReported) {
    HeatBody body(paper_superquadric(), paper_setup({}));
    body.step(0.01);
    EXPECT_FALSE(body.work.reached.overstretched);
    body.x[body.nearest(paper_top)].z += 10.0;
    body.step(0.01);
    EXPECT_TRUE(body.work.reached.overstretched);
    EXPECT_GT(body.work.reached.most_stretch, heat::most_edge);
    EXPECT_TRUE(body.fine) << "finite all the same";
}

// Crushed to a point, to a third, turned inside out: free bodies find their shape again.
TEST(HeatLimits, CrushedItComesBack) {
    for (const double size : {1e-9, 0.1, 0.3, -1.0}) {
        HeatBody body(paper_superquadric(), {.settings = {}, .fixed = {}, .conductivity = {}});
        for (Vec3& p : body.x) p = p * size;
        body.step(0.01);
        EXPECT_LT(body.volume_ratio(), 0.5) << "it was crushed";
        body.run(30.0, 0.01);
        EXPECT_TRUE(body.fine);
        EXPECT_NEAR(body.work.reached.least_stretch, 1.0, 1e-3) << size;
        EXPECT_NEAR(body.work.reached.most_stretch, 1.0, 1e-3) << size;
        EXPECT_NEAR(body.volume_ratio(), 1.0, 1e-3) << size;
    }
}

TEST(HeatLimits, HeldNodesStayAndStepsMayChange) {
    HeatBody body(paper_superquadric(), paper_setup({}));
    const std::size_t top = body.nearest(paper_top), side = body.nearest({1, 0, 0});
    body.push(top, {0, 0, -5});
    for (const double h : {0.01, 0.004, 0.01}) {
        body.w[side] = 0.0;
        const Vec3 held = body.x[side];
        body.run(0.2, h);
        EXPECT_EQ(body.x[side], held);
        body.w[side] = 1.0 / body.membrane.mass[side];
        body.run(0.2, h);
        EXPECT_GT(distance(body.x[side], held), 1e-6) << "let go it moves";
    }
    EXPECT_TRUE(body.fine);
    body.run(20.0, 0.01);
    HeatBody steady(paper_superquadric(), paper_setup({}));
    steady.push(top, {0, 0, -5});
    steady.run(20.0, 0.01);
    EXPECT_NEAR(body.moved(top).z, steady.moved(top).z, 1e-6) << "where it rests does not depend on how it got there";
    EXPECT_GT(std::abs(steady.moved(top).z), 0.1);
}

// Two bodies in one membrane are two membranes.
TEST(HeatLimits, PiecesKnowNothingOfEachOther) {
    const SurfaceMesh one = make_superquadric(100, 0.5, {1, 1, 1});
    SurfaceMesh two = one;
    for (const Vec3& p : one.nodes) two.nodes.push_back(p + Vec3{10, 0, 0});
    for (const auto& [i, j, k] : one.triangles) two.triangles.push_back({i + 100, j + 100, k + 100});
    HeatBody alone(one, {.settings = {}, .fixed = {}, .conductivity = {}});
    HeatBody both(two, {.settings = {}, .fixed = {}, .conductivity = {}});
    ASSERT_EQ(both.membrane.pieces.size(), 2U);
    alone.push(20, {0, 1, -4});
    both.push(20, {0, 1, -4});
    both.push(150, {3, 0, 0});
    alone.run(1.0, 0.01);
    both.run(1.0, 0.01);
    double most = 0.0;
    for (std::size_t n = 0; n < 100; ++n) most = std::max(most, distance(alone.x[n], both.x[n]));
    EXPECT_LT(most, 1e-12);
    EXPECT_GT(distance(both.x[150], two.nodes[150]), 0.01) << "the other one moves, and otherwise";
}

// A run goes on from its state alone.
TEST(HeatLimits, AStateIsAllThereIs) {
    HeatBody body(paper_superquadric(), paper_setup({}));
    body.push(body.nearest(paper_top), {0, 0, -10});
    body.run(0.5, 0.01);
    HeatBody again(paper_superquadric(), paper_setup({}));
    again.state = body.state;
    again.x = body.x;
    again.v = body.v;
    again.load = body.load;
    HeatBody cold = again;
    cold.state.temperature[7] += 1e-9;
    for (HeatBody* b : {&body, &again, &cold}) b->run(0.5, 0.01);
    EXPECT_EQ(body.x, again.x);
    EXPECT_EQ(body.state.temperature, again.state.temperature);
    EXPECT_NE(body.x, cold.x) << "a nanokelvin makes another run";
}

TEST(HeatLimits, WhatATouchGives) {
    heat::Settings settings;
    settings.source = heat::Source::energy;
    HeatBody body(paper_superquadric(), paper_setup(settings));
    body.state.touch[body.nearest(paper_top)] = {0, 0, 2.0};
    const double dt = 0.01;
    conduct(body.membrane, dt, body.x, body.state, body.work);
    // F^2 (1 - nu^2) / (4 E a), a share dt / tau of it in a step.
    EXPECT_NEAR(body.state.numbers.heat_given, dt * 4.0 * (1.0 - 0.2025) / (4.0 * 100.0 * 0.1), 1e-12);
    HeatBody work(paper_superquadric(), paper_setup({}));
    work.state.touch = body.state.touch;
    conduct(work.membrane, dt, work.x, work.state, work.work);
    EXPECT_EQ(work.state.numbers.heat_given, 0.0) << "nothing moved, no work";
}

// A punch is what touches neighbouring nodes: it gives the same on every mesh, and two give less than one.
TEST(HeatLimits, APunchGivesTheSameOnEveryMesh) {
    heat::Settings settings;
    settings.source = heat::Source::energy;
    const auto given = [&](int nodes, bool two) {
        HeatBody body(paper_superquadric(nodes), paper_setup(settings));
        const auto touched = [&](const Vec3& place) {
            std::vector<std::size_t> found;
            for (std::size_t n = 0; n < body.x.size(); ++n) {
                if (distance(body.x[n], place) < 0.4) found.push_back(n);
            }
            return found;
        };
        const auto top = touched(paper_top), side = touched({1, 0, 0});
        const double share = two ? 1.0 : 2.0;
        for (const std::size_t n : top) body.state.touch[n] = {0, 0, -share / static_cast<double>(top.size())};
        for (const std::size_t n : side) {
            if (two) body.state.touch[n] = {0, 0, -share / static_cast<double>(side.size())};
        }
        EXPECT_GT(top.size(), 3U);
        conduct(body.membrane, 0.01, body.x, body.state, body.work);
        return body.state.numbers.heat_given;
    };
    const double wanted = 0.01 * 4.0 * (1.0 - 0.2025) / (4.0 * 100.0 * 0.1);
    EXPECT_NEAR(given(400, false), wanted, 1e-12);
    EXPECT_NEAR(given(1600, false), wanted, 1e-12);
    EXPECT_NEAR(given(400, true), 0.5 * wanted, 1e-12) << "two patches of half the force: half of it";
}

TEST(HeatLimits, PullsCoolWhereThePaperSaysSo) {
    for (const bool paper : {true, false}) {
        for (const double force : {-5.0, 5.0}) {
            heat::Settings settings;
            settings.paper_sign = paper;
            HeatBody body(paper_superquadric(), paper_setup(settings));
            body.push(body.nearest(paper_top), {0, 0, force});
            body.run(1.0, 0.01);
            const bool cools = body.work.reached.least_warmth < -1e-3, warms = body.work.reached.most_warmth > 1e-3;
            EXPECT_EQ(cools, paper && force > 0.0);
            EXPECT_EQ(warms, !cools);
        }
    }
}

// A wall at rest feels the force that the tissue answers with.
TEST(HeatLimits, ContactSeesTheTissueUpToItsStep) {
    const auto ratio = [](double steps) {
        const double size = 0.07;
        HeatBody body(make_superquadric(200, 0.5, {size, size, size}),
                      {.settings = heat::scale_settings({}, size, 1.0),
                       .fixed = [&](const Vec3& p) { return p.z < -0.8 * size; },
                       .conductivity = {}});
        return press_flat(body, size, 0.2 * size, steps * heat::find_contact_step(body.membrane));
    };
    EXPECT_NEAR(ratio(1.0), 1.0, 0.02);
    EXPECT_LT(ratio(10.0), 0.9) << "much longer it does not";
    std::printf("[ measured ] contact / tissue at 0.5, 1, 2, 5, 10 of that step: %.4f %.4f %.4f %.4f %.4f\n",
                ratio(0.5), ratio(1.0), ratio(2.0), ratio(5.0), ratio(10.0));
}

// Another size and another load, the same shape: displacements over sizes agree.
TEST(HeatLimits, ScaledSettingsScale) {
    const auto settle = [](double size, double load, const heat::Settings& settings) {
        HeatBody body(
            make_superquadric(200, 0.5, {size, size, size}),
            {.settings = settings, .fixed = [&](const Vec3& p) { return p.z < -0.8 * size; }, .conductivity = {}});
        const std::size_t top = body.nearest(paper_top * size);
        body.push(top, {0, 0, -load});
        body.run(25.0, 0.01);
        return body.moved(top).z / size;
    };
    const double one = settle(1.0, 10.0, {});
    heat::Settings small = heat::scale_settings({}, 0.07, 1.0);
    EXPECT_NEAR(settle(0.07, 1.0, small) / one, 1.0, 1e-3);
    small.coupling *= 0.07;
    EXPECT_GT(std::abs(settle(0.07, 1.0, small) / one - 1.0), 0.1) << "the coupling has a length in it";
}

}  // namespace
}  // namespace plica::testing
