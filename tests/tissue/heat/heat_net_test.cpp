#include <gtest/gtest.h>

#include <numbers>

#include "tests/tissue/heat/heat_surfaces.hpp"
#include "tissue/heat/net.hpp"

// Conduction on rectangular nets: eq. 9 and 10 of Zhong 2005, as printed and in divergence form.
namespace plica::testing {
namespace {

using heat::Conduction;
using heat::Net;
using heat::Placement;

Net uneven_net() {
    Net net;
    double u = 0.0;
    for (const double step : {0.0, 0.1, 0.25, 0.05, 0.3, 0.12}) net.u.push_back(u += step);
    double v = -0.2;
    for (const double step : {0.0, 0.2, 0.07, 0.15, 0.21}) net.v.push_back(v += step);
    return net;
}

template <class Value>
std::vector<double> on_net(const Net& net, Value&& value) {
    std::vector<double> t;
    for (const double v : net.v) {
        for (const double u : net.u) t.push_back(value(u, v));
    }
    return t;
}

// The largest |rate - wanted| of inner nodes.
template <class Value>
double net_error(const Net& net, Placement placement, const std::vector<double>& k, const std::vector<double>& t,
                 Value&& wanted) {
    std::vector<double> rate(net.nodes());
    heat::compute_net_rate(net, placement, k, t, rate);
    double worst = 0.0;
    for (std::size_t j = 1; j + 1 < net.rows(); ++j) {
        for (std::size_t i = 1; i + 1 < net.columns(); ++i)
            worst = std::max(worst, std::abs(rate[i + net.columns() * j] - wanted(i, j)));
    }
    return worst;
}

TEST(HeatNet, QuadraticsAreExact) {  // Zhong 2005, eq. 9
    const Net net = uneven_net();
    const std::vector<double> k(net.nodes(), 0.5);
    const auto t = on_net(net, [](double u, double v) { return 3.0 * u * u + 2.0 * v * v + u * v - u + 4.0; });
    const auto five = [](std::size_t, std::size_t) { return 5.0; };  // k (6 + 4)
    EXPECT_LT(net_error(net, Placement::inside, k, t, five), 1e-12);
    EXPECT_LT(net_error(net, Placement::divergence, k, t, five), 1e-12);
    // A cubic is wrong by (h+ - h-) T''' / 3, first order on uneven nets.
    const auto cubic = on_net(net, [](double u, double) { return u * u * u; });
    const auto exact = [&](std::size_t i, std::size_t) { return 0.5 * 6.0 * net.u[i]; };
    EXPECT_GT(net_error(net, Placement::inside, k, cubic, exact), 0.1);
    const auto truncated = [&](std::size_t i, std::size_t) {
        return 0.5 * (6.0 * net.u[i] + (net.u[i + 1] + net.u[i - 1] - 2.0 * net.u[i]) * 6.0 / 3.0);
    };
    EXPECT_LT(net_error(net, Placement::inside, k, cubic, truncated), 1e-12);
}

TEST(HeatNet, EvenTemperaturesAreAnEquilibriumInDivergenceForm) {
    const Net net = uneven_net();
    const auto k = on_net(net, [](double u, double) { return u < 0.4 ? 1.0 : 0.01; });
    const std::vector<double> even(net.nodes(), 20.0);
    const auto none = [](std::size_t, std::size_t) { return 0.0; };
    EXPECT_LT(net_error(net, Placement::divergence, k, even, none), 1e-11);
    EXPECT_GT(net_error(net, Placement::inside, k, even, none), 100.0);  // eq. 10 as printed
}

// A bar of two halves, conductivities 1 and 0.01, ends at 1 and 0, sides insulated by being alike.
std::vector<double> steady_bar(Placement placement) {
    Net net;
    for (int i = 0; i <= 20; ++i) net.u.push_back(i / 20.0);
    net.v = {0.0, 1e3, 2e3};  // so far apart that nothing flows across
    const auto k = on_net(net, [](double u, double) { return u < 0.525 ? 1.0 : 0.01; });
    std::vector<double> t(net.nodes(), 0.5);
    for (std::size_t j = 0; j < 3; ++j) {
        t[21 * j] = 1.0;
        t[21 * j + 20] = 0.0;
    }
    const std::vector<double> none(net.nodes(), 0.0);
    std::vector<double> scratch(net.nodes());
    const double dt = 0.9 * heat::compute_net_limit(net, placement, k, 1.0);
    for (int i = 0; i < 200000; ++i) heat::step_net(net, {placement, k, 1.0, dt}, none, scratch, t);
    return t;
}

TEST(HeatNet, ResistancesInSeriesAdd) {
    // Harmonic means: between the nodes 10 and 11 lies 1/40 of each material.
    const std::vector<double> t = steady_bar(Placement::divergence);
    const double total = 0.525 / 1.0 + 0.475 / 0.01;
    EXPECT_NEAR(t[21 + 10], 1.0 - 0.5 / total, 1e-3);
    EXPECT_NEAR(t[21 + 15], 0.25 / 0.01 / total, 1e-3);
    EXPECT_LE(largest(t), 1.0 + 1e-12);
    EXPECT_GT(largest(steady_bar(Placement::inside)), 10.0);  // k T is linear: T leaves what its ends span
}

TEST(HeatNet, StepsUpToTheLimitStayPositive) {
    const Net net = uneven_net();
    const std::vector<double> k(net.nodes(), 0.4);
    const double limit = heat::compute_net_limit(net, Placement::inside, k, 2.0);
    // alpha / (2 k) / (1 / (dU- dU+) + 1 / (dV- dV+)) of the narrowest node
    EXPECT_NEAR(limit, 2.0 / 0.8 / (1.0 / (0.25 * 0.05) + 1.0 / (0.07 * 0.15)), 1e-12);
    const auto least_after = [&](double dt) {
        double least = 0.0;
        for (std::size_t n = 0; n < net.nodes(); ++n) {
            std::vector<double> t(net.nodes(), 0.0);
            std::vector<double> scratch(net.nodes());
            t[n] = 1.0;
            heat::step_net(net, {Placement::inside, k, 2.0, dt}, std::vector<double>(net.nodes(), 0.0), scratch, t);
            least = std::min(least, smallest(t));
        }
        return least;
    };
    EXPECT_GE(least_after(limit), -1e-14);
    EXPECT_LT(least_after(1.01 * limit), -1e-3);
}

// T = z on the unit sphere has the Laplacian -2 z.
TEST(HeatNet, OnCurvedNetsEq9DoesNotConverge) {
    const auto share = [](int lines) {  // of the Laplacian that eq. 9 finds halfway between pole and equator
        Net net;
        for (int j = 0; j <= lines; ++j) net.v.push_back(j * 0.5 * std::numbers::pi / lines);  // m from the pole
        net.u = {0.0, 0.1, 0.2};  // along a circle of latitude T is even, whatever the distances
        const auto t = on_net(net, [](double, double v) { return std::cos(v); });
        std::vector<double> rate(net.nodes());
        heat::compute_net_rate(net, Placement::inside, std::vector<double>(net.nodes(), 1.0), t, rate);
        const auto middle = static_cast<std::size_t>(lines / 2);
        return rate[1 + 3 * middle] / (-2.0 * std::cos(net.v[middle]));
    };
    for (const int lines : {20, 40, 80, 160}) EXPECT_NEAR(share(lines), 0.5, 1e-3) << lines;
    const SurfaceMesh mesh = make_superquadric(6400, 1.0, {1, 1, 1});
    const Conduction c = conduct(mesh, 1.0);
    std::vector<double> z;
    std::vector<double> flow(mesh.nodes.size());
    for (const Vec3& p : mesh.nodes) z.push_back(p.z);
    heat::multiply(c.stiffness, z, flow);
    double found = 0.0;
    double wanted = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        found += z[i] * flow[i];
        wanted += 2.0 * z[i] * z[i] * c.area[i];
    }
    EXPECT_NEAR(found / wanted, 1.0, 1e-3);
}

}  // namespace
}  // namespace plica::testing
