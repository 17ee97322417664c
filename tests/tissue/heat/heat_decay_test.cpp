#include <gtest/gtest.h>

#include <numbers>

#include "tests/tissue/heat/heat_surfaces.hpp"

// Heat that spreads: against solutions on the sphere and the plane, in space and in time.
namespace plica::testing {
namespace {

using heat::Conduction;
using heat::March;
using heat::Way;

constexpr double k = 0.4;

// T = z on the unit sphere decays as exp(-2 k t); implicit steps of dt make of it (1 + 2 k dt)^-n, so what is left is
// the error in space alone.
double decay_error(int nodes, bool with_area) {
    const SurfaceMesh mesh = make_superquadric(nodes, 1.0, {1, 1, 1});
    Conduction c = conduct(mesh, k);
    if (!with_area) std::fill(c.area.begin(), c.area.end(), 1.0);  // the right side of eq. 11 has none
    constexpr int steps = 20;
    constexpr double dt = 0.5 / steps;
    March march(c, {1.0, dt}, {}, Way::implicit);
    std::vector<double> t;
    std::vector<double> exact;
    for (const Vec3& p : mesh.nodes) {
        t.push_back(p.z);
        exact.push_back(p.z * std::pow(1.0 + 2.0 * k * dt, -steps));
    }
    advance(march, steps, t);
    return difference(c, t, exact);
}

TEST(HeatDecay, FirstHarmonicOfTheSphere) {
    const double e400 = decay_error(400, true);
    const double e1600 = decay_error(1600, true);
    const double e6400 = decay_error(6400, true);
    const double e25600 = decay_error(25600, true);
    EXPECT_LT(e400, 3e-4);
    EXPECT_LT(e1600, 6e-5);
    EXPECT_LT(e6400, 1e-5);
    const double order = std::log2(e400 / e25600) / 3.0;  // spacings 8 times apart
    EXPECT_GT(order, 1.8) << e400 << " " << e1600 << " " << e6400 << " " << e25600;
    EXPECT_GT(decay_error(400, false), 1e-2);
}

double sphere_kernel(double cosine, double kt) {
    double sum = 0.0;
    double before = 1.0;
    double now = cosine;
    for (int l = 0; l < 60; ++l) {
        const double p = l == 0 ? 1.0 : now;
        sum += (2.0 * l + 1.0) / (4.0 * std::numbers::pi) * std::exp(-l * (l + 1.0) * kt) * p;
        if (l == 0) continue;
        const double next = ((2.0 * l + 1.0) * cosine * now - l * before) / (l + 1.0);
        before = now;
        now = next;
    }
    return sum;
}

double sphere_kernel_error(int nodes, double kt_of_exact) {
    const SurfaceMesh mesh = make_superquadric(nodes, 1.0, {1, 1, 1});
    const Conduction c = conduct(mesh, k);
    March march(c, {1.0, 0.1 / k / 400}, {}, Way::implicit);
    std::vector<double> t = point_heat(c, 0);
    advance(march, 400, t);
    std::vector<double> exact;
    for (const Vec3& p : mesh.nodes) exact.push_back(sphere_kernel(dot(p, mesh.nodes[0]), kt_of_exact));
    return difference(c, t, exact);
}

TEST(HeatDecay, HeatFromOnePointOfTheSphere) {
    EXPECT_LT(sphere_kernel_error(400, 0.1), 4e-2);
    EXPECT_LT(sphere_kernel_error(1600, 0.1), 1.2e-2);
    EXPECT_LT(sphere_kernel_error(6400, 0.1), 5e-3);
    EXPECT_GT(sphere_kernel_error(1600, 0.11), 5e-2);  // a tenth more time is seen
}

// Heat from the middle of [-half, half]^2; no boundary is near.
double plane_kernel_error(int side, double half, bool with_area) {
    const SurfaceMesh mesh = make_plane(2.0 * half, 2.0 * half, side - 1, side - 1);
    Conduction c = conduct(mesh, k);
    constexpr double kt = 0.005;
    if (!with_area) std::fill(c.area.begin(), c.area.end(), 1.0);
    March march(c, {1.0, kt / k / 400}, {}, Way::implicit);
    const std::size_t middle = nearest_node(mesh, {});
    std::vector<double> t = point_heat(c, middle);
    advance(march, 400, t);
    std::vector<double> exact;
    for (const Vec3& p : mesh.nodes) exact.push_back(std::exp(-dot(p, p) / (4.0 * kt)) / (4.0 * std::numbers::pi * kt));
    double worst = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i) worst = std::max(worst, std::abs(t[i] - exact[i]));
    return worst / largest(exact);
}

TEST(HeatDecay, HeatFromOnePointOfThePlane) {
    EXPECT_LT(plane_kernel_error(21, 0.5, true), 9e-2);
    EXPECT_LT(plane_kernel_error(41, 0.5, true), 2.5e-2);
    EXPECT_LT(plane_kernel_error(81, 0.5, true), 8e-3);
    EXPECT_GT(plane_kernel_error(41, 0.5, false), 0.9);  // eq. 11 as printed: nothing spreads
}

TEST(HeatDecay, ImplicitStepsAreOfFirstOrder) {
    const SurfaceMesh mesh = make_superquadric(400, 0.5, {1, 1, 1});
    const Conduction c = conduct(mesh, k);
    const auto after = [&](int steps) {
        March march(c, {1.0, 0.5 / steps, 1.0}, {}, Way::implicit);
        std::vector<double> t;
        for (const Vec3& p : mesh.nodes) t.push_back(1.0 + p.x + p.y * p.z);
        advance(march, steps, t);
        return t;
    };
    const std::vector<double> fine = after(20000);
    const double order = std::log2(difference(c, after(10), fine) / difference(c, after(40), fine)) / 2.0;
    EXPECT_GT(order, 0.9);
    EXPECT_LT(order, 1.2);
    const std::vector<double> other = after(40);  // the measure sees a reference that is no limit
    EXPECT_LT(difference(c, after(80), other), 0.6 * difference(c, after(10), other));
    const double wrong = std::log2(difference(c, after(10), other) / difference(c, after(20), other));
    EXPECT_GT(wrong, 1.2);
}

TEST(HeatDecay, ExplicitAndImplicitStepsAgree) {
    const SurfaceMesh mesh = make_superquadric(400, 0.5, {1, 1, 1});
    const Conduction c = conduct(mesh, k);
    EXPECT_NEAR(c.explicit_limit, 0.0187, 1e-4);
    const std::size_t top = nearest_node(mesh, {0, 0, 1});
    const auto run = [&](Way way, double dt) {
        March march(c, {1.0, dt}, {}, way);
        std::vector<double> t = point_heat(c, top);
        advance(march, 100, t);
        return t;
    };
    const double dt = 0.2 * c.explicit_limit;
    const std::vector<double> implicit = run(Way::implicit, dt);
    EXPECT_LT(difference(c, run(Way::stencil, dt), implicit), 2.5e-2);
    EXPECT_LT(difference(c, run(Way::gradients, dt), implicit), 1e-8);
    EXPECT_GT(difference(c, run(Way::stencil, 1.1 * dt), implicit), 2.5e-2);
}

TEST(HeatDecay, ExplicitStepsAreCutAtTheLimit) {
    const SurfaceMesh mesh = make_superquadric(400, 1.0, {1, 1, 1});
    const Conduction c = conduct(mesh, k);
    const std::size_t n = mesh.nodes.size();
    March march(c, {2.0, 2.0 * 9.99 * c.explicit_limit}, {}, Way::stencil);
    EXPECT_EQ(march.substeps(), 10);
    std::vector<double> t = point_heat(c, 0, 2.0);
    const double most = largest(t);
    advance(march, 50, t);
    EXPECT_GE(smallest(t), 0.0);
    EXPECT_LT(largest(t), most);
    EXPECT_NEAR(heat::compute_heat(c, 2.0, t), 1.0, 1e-12);
    // Steps of twice the limit, without being cut, grow without end.
    t = point_heat(c, 0);
    std::vector<double> flow(n);
    for (int i = 0; i < 400; ++i) {
        heat::multiply(c.stiffness, t, flow);
        for (std::size_t j = 0; j < n; ++j) t[j] -= 2.0 * c.explicit_limit * flow[j] / c.area[j];
    }
    EXPECT_GT(largest(t), 1e3 * most);
}

}  // namespace
}  // namespace plica::testing
