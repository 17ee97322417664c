#include <gtest/gtest.h>

#include <cmath>

#include "tests/scenarios/full_scenes.hpp"

// Spec B14: forceps close by 12 degrees on the lobe of a liver among rigid ribs.
namespace plica::testing {
namespace {

constexpr double closed = 1.0;  // s

// What the jaws' tips take between them at rest.
std::vector<std::size_t> find_gripped(const FullScene& scene) {
    std::vector<std::size_t> nodes;
    for (std::size_t n = 0; n < scene.rest().size(); ++n) {
        const Vec3 p = scene.rest()[n];
        if (p.x > 0.052 && p.x < 0.062 && std::abs(p.y) < 0.005) nodes.push_back(n);
    }
    return nodes;
}

double measure_thickness(std::span<const Vec3> x, const std::vector<std::size_t>& nodes) {
    double low = 1.0, high = -1.0;
    for (const std::size_t n : nodes) {
        low = std::min(low, x[n].z);
        high = std::max(high, x[n].z);
    }
    return high - low;
}

struct Curve {
    double largest_jump = 0.0;  // over what is allowed: 20 % or 0.05 N between steps
    double deepest_dip = 0.0;   // below what was there before, as a share of it
    double last = 0.0;          // N

    void add(double force) {
        largest_jump = std::max(largest_jump, std::abs(force - last) / std::max(0.2 * last, 0.05));
        m_top = std::max(m_top, force);
        if (m_top > 0.0) deepest_dip = std::max(deepest_dip, 1.0 - force / m_top);
        last = force;
    }

private:
    double m_top = 0.0;
};

TEST(Forceps, CloseOnALobeAndTheForceRisesSmoothly) {
    FullScene scene("forceps-liver");
    const std::vector<std::size_t> gripped = find_gripped(scene);
    ASSERT_GE(gripped.size(), 6U);
    const double before = measure_thickness(scene.rest(), gripped);
    Curve upper, lower;
    while (scene.world.frame().time < closed - 1e-9) {
        ASSERT_TRUE(scene.step()) << scene.world.frame().time;
        upper.add(norm(scene.world.frame().tool_force[0]));
        lower.add(norm(scene.world.frame().tool_force[1]));
    }
    const double indented = 1.0 - measure_thickness(scene.x(), gripped) / before;
    EXPECT_EQ(scene.intersections, 0);
    EXPECT_GE(scene.looks, 100);
    EXPECT_EQ(scene.held, 0);
    EXPECT_GE(indented, 0.3);
    EXPECT_GT(scene.least_ratio, 0.05);
    for (const Curve& curve : {upper, lower}) {
        EXPECT_GT(curve.last, 1.0);
        EXPECT_LE(curve.largest_jump, 1.0);
        EXPECT_LE(curve.deepest_dip, 0.02);
    }
    // The ribs are around it and feel nothing.
    EXPECT_EQ(norm(scene.world.frame().rigid_force[0]), 0.0);
    printf("thickness %g mm, indented %g, least J %g, forces %g %g N, jumps %g %g of what is allowed, dips %g %g\n",
           1e3 * before, indented, scene.least_ratio, upper.last, lower.last, upper.largest_jump, lower.largest_jump,
           upper.deepest_dip, lower.deepest_dip);
}

TEST(Forceps, WithoutContactTheAuditFindsIntersections) {
    FullScene scene("forceps-liver", {"contact.enabled=false", "liver.cell=0.012"});
    while (scene.world.frame().time < closed - 1e-9) ASSERT_TRUE(scene.step());
    EXPECT_GT(scene.intersections, 10);
}

// Jaws on springs give way to the lobe and hold it less firmly; spring and tissue agree on how much.
TEST(Forceps, OnSpringsTheyGiveWay) {
    const std::vector<std::string> coarse{"liver.cell=0.012"};
    std::vector<std::string> sprung = coarse;
    for (const char* key :
         {"upper.stiffness=2000", "upper.turn_stiffness=5", "lower.stiffness=2000", "lower.turn_stiffness=5"}) {
        sprung.emplace_back(key);
    }
    FullScene led("forceps-liver", coarse), scene("forceps-liver", sprung);
    while (led.world.frame().time < 1.2 - 1e-9) ASSERT_TRUE(led.step() && scene.step());
    EXPECT_EQ(scene.intersections, 0);
    EXPECT_EQ(scene.held, 0);
    for (std::size_t t = 0; t < 2; ++t) {
        const Vec3 force = scene.world.frame().tool_force[t];
        EXPECT_GT(norm(force), 1.0);
        EXPECT_LT(norm(force), 0.9 * norm(led.world.frame().tool_force[t]));
        EXPECT_LT(norm(force + scene.world.frame().hand_force[t]), 0.02 * norm(force));
        printf("on a spring %g N, hand %g N, led %g N\n", norm(force), norm(scene.world.frame().hand_force[t]),
               norm(led.world.frame().tool_force[t]));
    }
}

// A curve that shakes is seen as one.
TEST(Forceps, AShakingCurveIsRefused) {
    Curve jumping, dipping;
    for (const double force : {0.0, 0.04, 0.5, 1.0, 1.1}) jumping.add(force);
    for (const double force : {0.0, 0.04, 0.08, 0.07, 0.1}) dipping.add(force);
    EXPECT_GT(jumping.largest_jump, 1.0);
    EXPECT_EQ(jumping.deepest_dip, 0.0);
    EXPECT_LE(dipping.largest_jump, 1.0);
    EXPECT_NEAR(dipping.deepest_dip, 0.125, 1e-12);
}

// What the tools feel is minus what the tissue, which nothing else holds, gains in momentum: jaws at unlike angles, so
// that much is left of the sum, friction included.
void expect_balance(const std::string& lower, double least) {
    std::string path = "lower.path=";
    path += lower;
    FullScene scene("forceps-liver",
                    {"liver.fixed=[]", "liver.damping=0", "solver.precision=double", "liver.cell=0.012", path});
    double worst = 0.0, most = 0.0;
    Vec3 before = momentum(scene.world);
    while (scene.world.frame().time < 0.9) {
        ASSERT_TRUE(scene.step());
        const Vec3 now = momentum(scene.world);
        Vec3 felt{};
        double sum = 0.0;
        for (const Vec3& force : scene.world.frame().tool_force) {
            felt += force;
            sum += norm(force);
        }
        const Vec3 given = (now - before) / scene.description.dt;
        if (sum > 0.0) {
            const double left = norm(felt + given) / sum;
            ASSERT_TRUE(std::isfinite(left));
            worst = std::max(worst, left);
        }
        most = std::max(most, norm(felt));
        before = now;
    }
    EXPECT_EQ(scene.held, 0);
    EXPECT_GT(most, least);
    EXPECT_LT(worst, 1e-10);
    printf("balance %g of the forces, their sum up to %g N\n", worst, most);
}

TEST(Forceps, BothFeelWhatTheTissueFeels) {
    expect_balance("[{t=0, at=[0.11, 0, 0], turn=[0, -0.33, 0]}, {t=1.0, turn=[0, -0.10, 0]}]", 0.01);
}

TEST(Forceps, OneFeelsWhatTheTissueFeels) {
    expect_balance("[{t=0, at=[0.11, 0, -0.04], turn=[0, -0.3, 0]}]", 0.01);
}

}  // namespace
}  // namespace plica::testing
