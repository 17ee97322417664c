#include <gtest/gtest.h>

#include "core/error.hpp"
#include "tests/support/texts.hpp"
#include "tests/tissue/heat/heat_surfaces.hpp"

// What conduction on surfaces keeps exactly; next to each, what the paper's equations do as printed.
namespace plica::testing {
namespace {

using heat::Conduction;
using heat::FaceConductivity;
using heat::March;
using heat::Way;

// Signed length of the dual edge over the edge, from the circumcentres of its two faces in the plane z = 0.
double dual_over_edge(const SurfaceMesh& mesh, const heat::SurfaceEdge& e) {
    const Vec3 a = mesh.nodes[at(e.a)];
    const Vec3 b = mesh.nodes[at(e.b)];
    const Vec3 across = cross({0, 0, 1}, normalized(b - a));
    double length = 0.0;
    for (const std::int32_t f : e.face) {
        const auto& t = mesh.triangles[at(f)];
        Vec3 c{};
        for (const std::int32_t n : t) c = n != e.a && n != e.b ? mesh.nodes[at(n)] : c;
        const Vec3 u = b - a;
        const Vec3 v = c - a;
        const Vec3 n = cross(u, v);
        const Vec3 centre = a + cross(dot(u, u) * v - dot(v, v) * u, n) / (2.0 * dot(n, n));
        const double side = dot(v, across) > 0.0 ? 1.0 : -1.0;
        length += side * dot(centre - 0.5 * (a + b), across);
    }
    return length / distance(a, b);
}

TEST(HeatConduction, WeightsAreSignedDualLengths) {
    const SurfaceMesh mesh = jittered_plane(21, 1.0, 0.3);
    const Conduction c = conduct(mesh, 1.0);
    EXPECT_GT(c.obtuse_edges, 50);
    double signed_error = 0.0;
    double unsigned_error = 0.0;
    for (std::size_t e = 0; e < c.edges.size(); ++e) {
        if (c.edges[e].face[1] < 0) continue;
        const double exact = dual_over_edge(mesh, c.edges[e]);
        const double scale = 1.0 + std::abs(exact);
        signed_error = std::max(signed_error, std::abs(c.weight[e] - exact) / scale);
        unsigned_error = std::max(unsigned_error, std::abs(c.weight[e] - std::abs(exact)) / scale);
    }
    EXPECT_LT(signed_error, 1e-12);
    EXPECT_GT(unsigned_error, 1e-2);  // eq. 11 takes the norm
}

TEST(HeatConduction, AreasAddUpAndRowsSumToZero) {
    const SurfaceMesh mesh = jittered_plane(21, 1.0, 0.3);
    const Conduction c = conduct(mesh, 0.4);
    double area = 0.0;
    for (const double a : c.area) {
        EXPECT_GT(a, 0.0);
        area += a;
    }
    EXPECT_NEAR(area, 4.0, 1e-12);
    const std::vector<double> even(mesh.nodes.size(), 3.0);
    std::vector<double> flow(mesh.nodes.size());
    heat::multiply(c.stiffness, even, flow);
    EXPECT_LT(std::max(largest(flow), -smallest(flow)), 1e-13);
    EXPECT_EQ(c.edges.size(), 1240U);
    EXPECT_TRUE(std::is_sorted(c.edges.begin(), c.edges.end(),
                               [](const auto& p, const auto& q) { return std::pair(p.a, p.b) < std::pair(q.a, q.b); }));
}

// Steady temperatures between a rim where T = x: T = x everywhere.
double linear_error(const SurfaceMesh& mesh, const Conduction& c) {
    March march(c, {1.0, 1e14}, rim_of(mesh, 1.0), Way::implicit);
    std::vector<double> t(mesh.nodes.size(), 0.0);
    for (const std::int32_t i : rim_of(mesh, 1.0)) t[at(i)] = mesh.nodes[at(i)].x;
    advance(march, 1, t);
    double worst = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i) worst = std::max(worst, std::abs(t[i] - mesh.nodes[i].x));
    return worst;
}

TEST(HeatConduction, LinearTemperaturesAreSteadyOnAnyMesh) {
    const SurfaceMesh mesh = jittered_plane(21, 1.0, 0.3);
    const Conduction c = conduct(mesh, 1.0);
    EXPECT_LT(linear_error(mesh, c), 1e-10);
    EXPECT_GT(linear_error(mesh, with_weights(c, [](double w) { return std::abs(w); })), 5e-3);  // eq. 11's norm
    EXPECT_GT(linear_error(mesh, with_weights(c, [](double w) { return std::max(w, 1e-6); })), 5e-3);
}

TEST(HeatConduction, WithoutSinkNoHeatIsLost) {
    const SurfaceMesh mesh = make_superquadric(1600, 0.5, {1, 1, 1});
    const Conduction c = conduct(mesh, 0.4);
    const auto lost = [&](double tau, std::vector<std::int32_t> held) {
        March march(c, {2.0, 0.01, tau}, held, Way::implicit);
        std::vector<double> t = point_heat(c, nearest_node(mesh, {0, 0, 1}), 2.0);
        advance(march, 200, t);
        return std::abs(heat::compute_heat(c, 2.0, t) - 1.0);
    };
    constexpr double never = std::numeric_limits<double>::infinity();
    EXPECT_LT(lost(never, {}), 1e-10);
    EXPECT_NEAR(lost(1.0, {}), 1.0 - std::pow(1.01, -200), 1e-10);
    EXPECT_GT(lost(never, {1597, 1598, 1599}), 1e-6);  // held at zero, far from the heat
}

TEST(HeatConduction, EveryStepBalances) {
    const SurfaceMesh mesh = make_superquadric(400, 0.5, {1, 1, 1});
    const Conduction c = conduct(mesh, 0.4);
    constexpr double alpha = 1.5;
    constexpr double dt = 0.01;
    constexpr double tau = 0.7;
    March march(c, {alpha, dt, tau}, {}, Way::implicit);
    std::vector<double> t(mesh.nodes.size(), 0.0);
    std::vector<double> source(mesh.nodes.size(), 0.0);
    source[5] = 3.0;
    source[77] = 1.0;
    double worst = 0.0;
    double control = 1e300;
    for (int i = 0; i < 100; ++i) {
        const double before = heat::compute_heat(c, alpha, t);
        march.step(source, t);
        const double after = heat::compute_heat(c, alpha, t);
        const double rate = (after - before) / dt;
        worst = std::max(worst, std::abs(rate + after / tau - 4.0) / 4.0);
        control = std::min(control, std::abs(rate + before / tau - 4.0) / 4.0);  // the sink of the step before
    }
    EXPECT_LT(worst, 1e-10);
    EXPECT_GT(control, 1e-4);
}

double least_after_a_point(const SurfaceMesh& mesh, const Conduction& c, double dt) {
    March march(c, {1.0, dt}, {}, Way::implicit);
    double least = 0.0;
    for (std::size_t node = 0; node < mesh.nodes.size(); node += 7) {
        std::vector<double> t = point_heat(c, node);
        const double most = largest(t);
        advance(march, 1, t);
        least = std::min(least, smallest(t) / most);
    }
    return least;
}

TEST(HeatConduction, MaximumPrincipleWhereTheMeshIsDelaunay) {
    const SurfaceMesh sphere = make_superquadric(400, 1.0, {1, 1, 1});
    const Conduction good = conduct(sphere, 0.4);
    EXPECT_EQ(good.obtuse_edges, 0);
    EXPECT_GE(least_after_a_point(sphere, good, 1e-3), -1e-12);
    // On a mesh that is not, the count says so and temperatures below zero come out.
    const SurfaceMesh plane = jittered_plane(21, 1.0, 0.3);
    const Conduction bad = conduct(plane, 0.4);
    EXPECT_GT(bad.obtuse_edges, 50);
    EXPECT_EQ(bad.obtuse_edges, bad.backward_links);
    EXPECT_LT(least_after_a_point(plane, bad, 0.02 * 0.01), -1e-4);
    EXPECT_EQ(conduct(make_plane(1, 1, 20, 20), 0.4).obtuse_edges, 0);  // right angles are none
}

// Ratio of the second moments, along the direction and across it, of heat that spread from the middle.
double spread_ratio(double along, double across, double angle) {
    const SurfaceMesh mesh = make_plane(2.0, 2.0, 80, 80);
    const Vec3 d{std::cos(angle), std::sin(angle), 0.0};
    // Of `direction` only what lies in the face counts.
    const std::vector<FaceConductivity> ks(mesh.triangles.size(), {along, across, d + Vec3{0, 0, 0.5}});
    const Conduction c = heat::build_conduction(mesh, ks);
    March march(c, {1.0, 3e-4}, {}, Way::implicit);
    std::vector<double> t = point_heat(c, nearest_node(mesh, {}));
    advance(march, 100, t);
    double m_along = 0.0;
    double m_across = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        const double u = dot(mesh.nodes[i], d);
        const double v = dot(mesh.nodes[i], cross({0, 0, 1}, d));
        m_along += c.area[i] * t[i] * u * u;
        m_across += c.area[i] * t[i] * v * v;
    }
    return m_along / m_across;
}

TEST(HeatConduction, TensorsSpreadHeatByTheirPrincipalAxes) {
    EXPECT_NEAR(spread_ratio(0.8, 0.2, 0.0), 4.0, 0.02);
    // Askew to the edges the spacing is felt more, as its square: 0.7 % here.
    EXPECT_NEAR(spread_ratio(0.8, 0.2, 0.5), 4.0, 0.04);
    EXPECT_NEAR(spread_ratio(0.2, 0.8, 2.0), 0.25, 0.0025);
    EXPECT_NEAR(spread_ratio(0.4, 0.4, 0.5), 1.0, 0.005);  // the measure knows a scalar
}

TEST(HeatConduction, FacesOfTwoMaterialsAreResistancesInSeries) {
    const SurfaceMesh mesh = make_plane(1.0, 0.2, 20, 4);
    std::vector<FaceConductivity> ks;
    std::vector<double> of_nodes;
    for (const auto& t : mesh.triangles) {
        const double x = (mesh.nodes[at(t[0])].x + mesh.nodes[at(t[1])].x + mesh.nodes[at(t[2])].x) / 3.0;
        ks.push_back(x < 0.0 ? FaceConductivity{1.0, 1.0, {}} : FaceConductivity{0.01, 0.01, {}});
    }
    for (const Vec3& p : mesh.nodes) of_nodes.push_back(p.x < 1e-9 ? 1.0 : 0.01);
    std::vector<std::int32_t> ends;
    std::vector<double> begin(mesh.nodes.size(), 0.0);
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        if (std::abs(mesh.nodes[i].x) < 0.5 - 1e-9) continue;
        ends.push_back(static_cast<std::int32_t>(i));
        begin[i] = mesh.nodes[i].x < 0.0 ? 1.0 : 0.0;
    }
    const auto steady = [&](const Conduction& c, double x) {
        March march(c, {1.0, 1e14}, ends, Way::implicit);
        std::vector<double> t = begin;
        advance(march, 1, t);
        EXPECT_LE(largest(t), 1.0 + 1e-12);
        EXPECT_GE(smallest(t), -1e-12);
        return t[nearest_node(mesh, {x, 0.0, 0.0})];
    };
    const Conduction halves = heat::build_conduction(mesh, ks);
    EXPECT_NEAR(steady(halves, 0.0), 50.0 / 50.5, 1e-10);
    EXPECT_NEAR(steady(halves, 0.05), 45.0 / 50.5, 1e-10);
    // Conductivity by nodes: the faces between have harmonic means, 0.0294 and 0.0149, and insulate as well.
    const Conduction means = heat::build_conduction(mesh, heat::conductivity_of_faces(mesh, of_nodes));
    EXPECT_NEAR(steady(means, 0.05), 45.0 / (0.5 + 0.05 / 0.0222 + 45.0), 0.01);
    // Arithmetic means would not.
    for (std::size_t f = 0; f < ks.size(); ++f) {
        double mean = 0.0;
        for (const std::int32_t n : mesh.triangles[f]) mean += of_nodes[at(n)] / 3.0;
        ks[f] = {mean, mean, {}};
    }
    EXPECT_GT(steady(heat::build_conduction(mesh, ks), 0.05), 0.98);
}

TEST(HeatConduction, HeldNodesAreBoundaryValuesForAllThreeWays) {
    const SurfaceMesh mesh = jittered_plane(11, 1.0, 0.2);
    const Conduction c = conduct(mesh, 1.0);
    for (const Way way : {Way::implicit, Way::gradients, Way::stencil}) {
        March march(c, {1.0, 0.05}, rim_of(mesh, 1.0), way);
        std::vector<double> t(mesh.nodes.size(), 5.0);
        for (const std::int32_t i : rim_of(mesh, 1.0)) t[at(i)] = mesh.nodes[at(i)].y;
        advance(march, 300, t);
        double worst = 0.0;
        for (std::size_t i = 0; i < t.size(); ++i) worst = std::max(worst, std::abs(t[i] - mesh.nodes[i].y));
        EXPECT_LT(worst, 1e-8) << static_cast<int>(way);
        for (std::size_t i = 0; i < t.size(); ++i)
            t[i] = std::max(std::abs(mesh.nodes[i].x), std::abs(mesh.nodes[i].y)) > 0.99 ? mesh.nodes[i].y : 5.0;
        advance(march, 1, t);
        EXPECT_GT(largest(t), 4.0);  // one step does not get there
    }
}

TEST(HeatConduction, AStepWithoutSenseLeavesTheTemperatures) {
    const SurfaceMesh mesh = make_plane(1.0, 1.0, 4, 4);
    const Conduction c = conduct(mesh, 1.0);
    for (const Way way : {Way::implicit, Way::gradients, Way::stencil}) {
        March march(c, {1.0, 0.01}, {}, way);
        std::vector<double> t = point_heat(c, 7);
        const std::vector<double> before = t;
        std::vector<double> source(t.size(), 0.0);
        source[3] = std::nan("");
        EXPECT_FALSE(march.step(source, t));
        EXPECT_EQ(t, before);
        source[3] = -std::numeric_limits<double>::infinity();
        EXPECT_FALSE(march.step(source, t));
        EXPECT_EQ(t, before);
        source[3] = 1.0;
        EXPECT_TRUE(march.step(source, t));
        EXPECT_NE(t, before);
    }
    March march(c, {1.0, 10.0}, {}, Way::gradients);
    march.most_iterations = 2;
    std::vector<double> t = point_heat(c, 7);
    const std::vector<double> before = t;
    EXPECT_FALSE(march.step(std::vector<double>(t.size(), 0.0), t));
    EXPECT_EQ(t, before);
    march.most_iterations = 1000;
    EXPECT_TRUE(march.step(std::vector<double>(t.size(), 0.0), t));
    EXPECT_GT(march.iterations(), 2);
}

template <class Make>
std::string problem_of(Make&& make) {
    try {
        make();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(HeatConduction, MistakesAreNamed) {
    const SurfaceMesh mesh = make_plane(1.0, 1.0, 2, 2);
    const Conduction c = conduct(mesh, 1.0);
    const auto build = [&](const FaceConductivity& third) {
        std::vector<FaceConductivity> ks(mesh.triangles.size(), {1.0, 1.0, {}});
        ks[3] = third;
        return problem_of([&] { heat::build_conduction(mesh, ks); });
    };
    EXPECT_TRUE(contains(build({0.0, 0.0, {}}), "face 3"));
    EXPECT_TRUE(contains(build({1.0, -1.0, {1, 0, 0}}), "face 3"));
    EXPECT_TRUE(contains(build({std::nan(""), 1.0, {1, 0, 0}}), "face 3"));
    EXPECT_TRUE(contains(build({2.0, 1.0, {0, 0, 1}}), "face 3"));
    EXPECT_TRUE(contains(build({2.0, 1.0, {}}), "face 3"));
    EXPECT_EQ(build({2.0, 1.0, {1, 0, 1}}), "");
    std::vector<double> nodes(mesh.nodes.size(), 1.0);
    EXPECT_EQ(problem_of([&] { heat::conductivity_of_faces(mesh, nodes); }), "");
    nodes[4] = 0.0;
    EXPECT_TRUE(contains(problem_of([&] { heat::conductivity_of_faces(mesh, nodes); }), "node 4"));
    const auto march = [&](const heat::HeatStep& step, std::int32_t held) {
        return problem_of([&] { March(c, step, std::vector<std::int32_t>{held}, Way::implicit); });
    };
    EXPECT_TRUE(contains(march({-1.0, 0.1}, 0), "alpha"));
    EXPECT_TRUE(contains(march({1.0, 0.0}, 0), "dt"));
    EXPECT_TRUE(contains(march({1.0, 0.1, 0.0}, 0), "tau"));
    EXPECT_TRUE(contains(march({1.0, 0.1}, 9), "node 9"));
    EXPECT_EQ(march({1.0, 0.1}, 8), "");
}

}  // namespace
}  // namespace plica::testing
