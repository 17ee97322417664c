#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "tests/tissue/heat/membranes.hpp"
#include "tissue/heat/march.hpp"
#include "tissue/heat/net.hpp"
#include "tissue/heat/paper.hpp"

// What the paper prints, as modes of a body: nets of rectangles and mixed ones (eq. 9 to 12), held temperatures (eq.
// 3), explicit motion (eq. 22).
namespace plica::testing {
namespace {

using experiments::HeatBody;
using experiments::paper_setup;
using experiments::paper_superquadric;
using experiments::paper_top;

constexpr double net_step = 1e-3;  // s
constexpr double for_ever = 1e30;  // s

heat::Net make_uneven_net() {
    heat::Net net;
    double u = 0.0, v = -0.2;
    for (const double gap : {0.0, 0.1, 0.25, 0.05, 0.3, 0.12}) net.u.push_back(u += gap);
    for (const double gap : {0.0, 0.2, 0.07, 0.15, 0.21}) net.v.push_back(v += gap);
    return net;
}

// Two triangles a cell, every other diagonal the other way.
SurfaceMesh mesh_of(const heat::Net& net) {
    SurfaceMesh mesh;
    for (const double v : net.v) {
        for (const double u : net.u) mesh.nodes.push_back({u, v, 0.0});
    }
    const auto columns = static_cast<std::int32_t>(net.columns());
    for (std::int32_t j = 0; j + 1 < static_cast<std::int32_t>(net.rows()); ++j) {
        for (std::int32_t i = 0; i + 1 < columns; ++i) {
            const std::int32_t a = i + columns * j, b = a + 1, c = b + columns, d = a + columns;
            if ((i + j) % 2 == 0) {
                mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
            } else {
                mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {b, c, d}});
            }
        }
    }
    return mesh;
}

heat::Settings faithful(heat::Spread spread) {
    heat::Settings s;
    s.spread = spread;
    s.quads = true;
    s.relaxation = for_ever;
    return s;
}

// A body whose rim is held, unevenly warm.
struct Warmed {
    HeatBody body;
    std::vector<double> k, t;
};
Warmed warm_net(const heat::Net& net, heat::Spread spread, bool even) {
    const auto k = [even](const Vec3& p) { return even || p.x < 0.4 ? 0.4 : 0.05; };
    const auto rim = [&net](const Vec3& p) {
        return p.x == net.u.front() || p.x == net.u.back() || p.y == net.v.front() || p.y == net.v.back();
    };
    Warmed warmed{HeatBody(mesh_of(net), {.settings = faithful(spread), .fixed = rim, .conductivity = k}), {}, {}};
    for (const Vec3& p : warmed.body.membrane.rest) {
        warmed.k.push_back(k(p));
        warmed.t.push_back(1.0 + std::sin(7.0 * p.x) * std::cos(5.0 * p.y) + p.x * p.y);
    }
    warmed.body.membrane.held_at = warmed.t;
    warmed.body.state.temperature = warmed.t;
    return warmed;
}

// The largest difference between the body and Zhong 2005, eq. 9 and 10, after some steps.
double differ_from_net(heat::Spread spread, bool even) {
    const heat::Net net = make_uneven_net();
    Warmed warmed = warm_net(net, spread, even);
    std::vector<double> t = warmed.t, none(t.size(), 0.0), scratch(t.size());
    for (int k = 0; k < 20; ++k) {
        EXPECT_TRUE(conduct(warmed.body.membrane, net_step, warmed.body.x, warmed.body.state, warmed.body.work));
        heat::step_net(net, {heat::Placement::inside, warmed.k, 1.0, net_step}, none, scratch, t);
    }
    double most = 0.0;
    for (std::size_t n = 0; n < t.size(); ++n) most = std::max(most, std::abs(t[n] - warmed.body.state.temperature[n]));
    return most;
}

TEST(HeatFaithful, NetsConductAsEq9And10) {
    EXPECT_LT(differ_from_net(heat::Spread::printed, true), 1e-13) << "eq. 9";
    EXPECT_LT(differ_from_net(heat::Spread::printed, false), 1e-13) << "eq. 10";
    EXPECT_LT(differ_from_net(heat::Spread::stencil, true), 1e-13) << "for one conductivity the two are the same";
    EXPECT_GT(differ_from_net(heat::Spread::stencil, false), 1e-3) << "the control: div(k grad T) is not eq. 10";
    EXPECT_GT(differ_from_net(heat::Spread::implicit, true), 1e-5) << "nor an implicit step an explicit one";
}

TEST(HeatFaithful, ANetHasFourNeighboursAndNoShear) {
    const heat::Net net = make_uneven_net();
    const SurfaceMesh mesh = mesh_of(net);
    heat::Settings triangles;
    const heat::Membrane quads = heat::build_membrane(mesh, {}, {}, {}, {}, faithful(heat::Spread::implicit)),
                         split = heat::build_membrane(mesh, {}, {}, {}, {}, triangles);
    EXPECT_EQ(quads.quads, 20);
    EXPECT_EQ(quads.edges.size(), 6U * 4U + 5U * 5U);
    EXPECT_EQ(split.quads, 0);
    EXPECT_EQ(split.edges.size(), quads.edges.size() + 20U);
    EXPECT_EQ(quads.triangles.size(), 40U) << "contact sees two triangles a quad";
    // Lines that turn keep their lengths: a net answers to it with nothing, triangles do (E23).
    const auto shear = [&](const heat::Membrane& membrane) {
        std::vector<Vec3> x = membrane.rest;
        for (Vec3& p : x) p = {p.x + std::sin(0.1) * p.y, std::cos(0.1) * p.y, 0.0};
        return compute_energy(membrane, x, {}, std::vector<double>(x.size(), 0.0)).edges;
    };
    EXPECT_LT(shear(quads), 1e-20);
    EXPECT_GT(shear(split), 1e-4);
}

TEST(HeatFaithful, OnlyRectanglesAreQuads) {
    SurfaceMesh mesh = make_plane(2.0, 2.0, 4, 4);
    const auto quads = [](const SurfaceMesh& of) {
        return heat::build_membrane(of, {}, {}, {}, {}, faithful(heat::Spread::implicit)).quads;
    };
    EXPECT_EQ(quads(mesh), 16);
    mesh.nodes[12].z = 0.01;
    EXPECT_EQ(quads(mesh), 12) << "bent over the diagonal, or no longer with right angles";
    for (Vec3& p : mesh.nodes) p.x += 0.1 * p.y;
    EXPECT_EQ(quads(mesh), 0) << "parallelograms";
}

// Left of 0 rectangles, right of it triangles without right angles, the nodes between them shared.
SurfaceMesh mixed_net() {
    SurfaceMesh mesh = make_plane(2.0, 1.0, 8, 4);
    for (Vec3& p : mesh.nodes) {
        if (p.x > 1e-9 && p.x < 0.999) p.x += 0.05 * std::sin(3.0 + 40.0 * p.y);
    }
    return mesh;
}

TEST(HeatFaithful, MixedNetsOfQuadsAndTriangles) {
    const SurfaceMesh mesh = mixed_net();
    const auto ends = [](const Vec3& p) { return std::abs(p.x) > 0.999; };
    for (const heat::Spread spread : {heat::Spread::printed, heat::Spread::stencil, heat::Spread::implicit}) {
        HeatBody body(mesh, {.settings = faithful(spread), .fixed = ends, .conductivity = {}});
        EXPECT_EQ(body.membrane.quads, 16);
        for (const Vec3& p : mesh.nodes) body.membrane.held_at.push_back(2.0 + p.x);
        for (int k = 0; k < 4000; ++k) conduct(body.membrane, 0.01, body.x, body.state, body.work);
        double most = 0.0;
        for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
            most = std::max(most, std::abs(body.state.temperature[n] - body.membrane.held_at[n]));
        EXPECT_LT(most, 1e-9) << "linear temperatures are steady across both";
        body.membrane.held_at.assign(mesh.nodes.size(), 0.0);
        for (int k = 0; k < 4000; ++k) conduct(body.membrane, 0.01, body.x, body.state, body.work);
        EXPECT_LT(body.work.reached.most_warmth, 1e-9) << "the control: held at 0";
    }
}

// Zhong 2005, eq. 3: the ledger of a surface with a warm and a less warm end.
TEST(HeatFaithful, HeldTemperaturesGiveAndTake) {
    for (const heat::Spread spread : {heat::Spread::stencil, heat::Spread::implicit}) {
        heat::Settings settings = faithful(spread);
        settings.relaxation = 2.0;
        HeatBody body(
            make_plane(2.0, 1.0, 8, 4),
            {.settings = settings, .fixed = [](const Vec3& p) { return std::abs(p.x) > 0.999; }, .conductivity = {}});
        for (const Vec3& p : body.membrane.rest) body.membrane.held_at.push_back(p.x > 0.0 ? 3.0 : 1.0);
        for (int k = 0; k < 500; ++k) conduct(body.membrane, 0.01, body.x, body.state, body.work);
        double content = 0.0;
        for (std::size_t n = 0; n < body.x.size(); ++n) {
            const bool held = body.membrane.cold[n] != 0;
            if (held) {
                EXPECT_EQ(body.state.temperature[n], body.membrane.held_at[n]);
            }
            content += held ? 0.0 : body.membrane.conduction.area[n] * body.state.temperature[n];
        }
        EXPECT_GT(content, 0.5);
        EXPECT_NEAR(-body.state.numbers.heat_lost, content, 1e-10) << "all of it came in by the held nodes";
        EXPECT_GT(body.work.reached.tension, 0.0) << "and it pulls";
    }
}

// A node that nothing holds, by hand: places go with the old velocity.
TEST(HeatFaithful, ExplicitMotionIsEq22) {
    heat::Settings settings = experiments::paper_settings(heat::Mode::paper_attract, 1.0, 10.0, paper_superquadric());
    settings.motion = heat::Motion::euler;
    HeatBody body(paper_superquadric(), paper_setup(settings));
    const std::size_t top = body.nearest(paper_top);
    body.push(top, {0, 0, -2});
    double place = 0.0, speed = 0.0;
    for (int k = 0; k < 2; ++k) {  // while no heat pulls yet
        body.step(0.01);
        place += 0.01 * speed;
        speed += 0.01 * (-2.0 - 10.0 * speed) / 1.0;
        EXPECT_NEAR(body.moved(top).z, place, 1e-15);
        EXPECT_NEAR(body.state.ahead[top].z, speed, 1e-15);
    }
    EXPECT_LT(place, 0.0);
}

TEST(HeatFaithful, ExplicitMotionIsStableUpToItsStep) {
    const auto settle = [](heat::Motion motion, double steps) {
        heat::Settings settings;
        settings.motion = motion;
        settings.bulk = 0.0;  // not in the bound
        HeatBody body(paper_superquadric(100), paper_setup(settings));
        body.push(body.nearest(paper_top), {0, 0, -3});
        body.run(10.0, motion == heat::Motion::euler ? steps * heat::find_euler_step(body.membrane) : 0.01);
        return body.fine ? body.moved(body.nearest(paper_top)).z : 0.0;
    };
    const double wanted = settle(heat::Motion::implicit, 1.0), found = settle(heat::Motion::euler, 0.9);
    EXPECT_LT(wanted, -0.1);
    EXPECT_NEAR(found, wanted, 1e-3) << "they rest at the same place";
    EXPECT_GT(std::abs(settle(heat::Motion::euler, 16.0) - wanted), 0.1) << "with longer steps it grows";
    heat::Settings loose;
    loose.motion = heat::Motion::euler;
    loose.area_damping = 0.0;
    EXPECT_THROW(HeatBody(paper_superquadric(100), paper_setup(loose)), Error) << "without damping at no step";
}

}  // namespace
}  // namespace plica::testing
