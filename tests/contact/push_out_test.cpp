#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/contact/contacts.hpp"

// What is pressed together comes out without going into something else.
namespace plica::testing {
namespace {

constexpr double ball = 0.01, bead = 0.001;  // m, radii
constexpr double deep = 0.002;               // m, that the ball is in the one to its left
constexpr double closing = 1e-4;             // m, that it would go on to the left
constexpr double radii = 2.0 * ball;

// Three balls in a row, the first one held: the second is in it, and the third, a small one, touches the second.
struct Row : Bench {
    explicit Row(double inverse_mass, double third, double beside = 0.0) {
        add_node({0, 0, 0}, 0.0);
        add_node({radii - deep, 0, 0}, inverse_mass);
        add_node({radii - deep + ball + bead + beside, 0, 0}, third);
        for (std::int32_t n = 0; n < 3; ++n) add_capsule(n, n, n < 2 ? ball : bead);
    }
    // A substep in which the second ball is pressed on.
    void step() {
        detect(0.01);
        p[1].x -= closing;
        const std::vector<double> walls(x.size(), -1.0);
        ContactWorld world{surface, {}, walls, w, settings, 1e-3, x, p, list, {}, {}};
        forget_pairs(world, scratch);
        warm_start(world, scratch);
        for (int k = 0; k < 4; ++k) sweep(world, scratch);
        push_out(world, scratch);
        finish(world, scratch);
    }
    [[nodiscard]] double gap(std::size_t a, std::size_t b, double apart) const { return p[b].x - p[a].x - apart; }
};

TEST(PushOut, NothingIsPushedIntoItsNeighbour) {
    Row wedged(100.0, 0.0);
    wedged.step();
    EXPECT_GT(wedged.gap(1, 2, ball + bead), -1e-6) << "it would be pressed 1 mm into the held bead";
    EXPECT_NEAR(wedged.gap(0, 1, radii), -deep, 1e-6);
    Row control(100.0, 0.0, 0.005);
    control.step();
    EXPECT_NEAR(control.gap(0, 1, radii), -deep + 0.05 * radii, 1e-6) << "with room it comes out";
}

// Two alike share the way between them.
TEST(PushOut, WhatCanYieldDoes) {
    Row row(100.0, 100.0);
    row.step();
    EXPECT_GT(row.gap(0, 1, radii), -deep + 0.02 * radii);
    EXPECT_GT(row.p[2].x - row.x[2].x, 0.02 * radii);
    EXPECT_GT(row.gap(1, 2, ball + bead), -1e-6);
}

}  // namespace
}  // namespace plica::testing
