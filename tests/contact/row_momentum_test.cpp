#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "contact/rows.hpp"
#include "core/index.hpp"
#include "geometry/vec3.hpp"

// Passes that repeat a measured one: where rows go on the way that they went, a tower of balls settles in a fraction of
// the passes, at the same place.
namespace plica::testing {
namespace {

constexpr double radii = 1e-3;          // m
constexpr double friction = 0.3;        // Coulomb's
constexpr double tolerance = 1e-5;      // in contact radii
constexpr int balls = 40, most = 4000;  // passes

// Balls on top of each other, the lowest of which stands; all fall a little, and are pushed sideways.
struct Tower {
    std::vector<Vec3> x, p, v;
    std::vector<double> w;
    std::vector<RowBatch> rows;
    RowKernels kernels;

    explicit Tower(Isa isa = best_isa()) : kernels(row_kernels(isa)) {
        for (int i = 0; i < balls; ++i) {
            x.push_back({0.0, 0.0, radii * i});
            p.push_back(x.back() - Vec3{i % 3 == 0 ? 2e-3 * radii : 0.0, 0.0, i > 0 ? 1e-2 * radii : 0.0});
            w.push_back(i > 0 ? 1.0 : 0.0);
        }
        p[0] = x[0];
        v.resize(x.size());
        rows.resize(balls - 1);
        for (int i = 0; i + 1 < balls; ++i) add_row(i);
    }
    void add_row(int i) {
        RowBatch& row = rows[at(i)];
        std::memset(&row, 0, sizeof row);
        row.count = 1;
        row.shape = Shape::segments;
        row.solid = true;
        for (int lane = 0; lane < 8; ++lane) {
            for (int k = 0; k < 5; ++k) row.node[k][lane] = k < 2 ? i + 1 : i;
            row.radii[lane] = radii;
            row.coefficient[lane] = friction;
        }
        kernels.measure_start(nodes(), row);
        kernels.solve(nodes(), row);
    }
    RowNodes nodes() { return {&x[0].x, &p[0].x, &v[0].x, w.data()}; }

    // Passes until no row is corrected by more than the tolerance.
    int settle(bool with_momentum) {
        for (int pass = 1; pass <= most; ++pass) {
            for (RowBatch& row : rows) {
                if (with_momentum && pass > 2) kernels.carry_on(nodes(), row);
            }
            double moved = 0.0;
            for (RowBatch& row : rows) {
                kernels.solve_again(nodes(), row);
                moved = std::max(moved, row.moved);
            }
            if (moved < tolerance) return pass;
        }
        return most;
    }
    // kg m, of all that moves and of the ball that stands.
    [[nodiscard]] Vec3 momentum() const {
        Vec3 sum{};
        for (std::size_t i = 1; i < x.size(); ++i) sum += (p[i] - x[i]) / w[i];
        const RowBatch& lowest = rows.front();
        return sum - Vec3{lowest.given[0][0], lowest.given[1][0], lowest.given[2][0]};
    }
    // How far the worst row is outside its cone; negative multipliers too.
    [[nodiscard]] double outside() const {
        double worst = 0.0;
        for (const RowBatch& row : rows) {
            const double size = std::hypot(row.friction[0][0], row.friction[1][0], row.friction[2][0]);
            worst = std::max({worst, size - friction * row.push[0], -row.push[0]});
        }
        return worst;
    }
};

TEST(RowMomentum, ATowerSettlesInAFifthOfThePasses) {
    Tower plain, carried;
    const int without = plain.settle(false), with = carried.settle(true);
    EXPECT_LT(without, most);
    EXPECT_LE(5 * with, without);
    for (std::size_t i = 0; i < plain.p.size(); ++i) EXPECT_LT(norm(plain.p[i] - carried.p[i]), 0.01 * radii) << i;
}

TEST(RowMomentum, MomentumAndConesAreKept) {
    Tower tower;
    const Vec3 before = tower.momentum();
    tower.settle(true);
    EXPECT_LT(norm(tower.momentum() - before), 1e-13 * balls * radii);
    EXPECT_LE(tower.outside(), 1e-15);
    // Multipliers that go on beyond what holds are seen.
    for (RowBatch& row : tower.rows) row.friction[0][0] += radii;
    EXPECT_GT(tower.outside(), 1e-7);
}

// Also straight after multipliers went on, which may be far beyond where rows hold them.
TEST(RowMomentum, WhatGoesOnStaysInTheCone) {
    Tower tower;
    for (RowBatch& row : tower.rows) {
        row.ahead_push[0] = -2.0 * row.push[0];
        row.ahead_friction[0][0] = radii;
        tower.kernels.carry_on(tower.nodes(), row);
        EXPECT_EQ(row.push[0], 0.0);
        row.ahead_push[0] = radii;
        tower.kernels.carry_on(tower.nodes(), row);
        EXPECT_NEAR(std::hypot(row.friction[0][0], row.friction[1][0], row.friction[2][0]), friction * row.push[0],
                    1e-15);
    }
    EXPECT_LE(tower.outside(), 1e-15);
}

TEST(RowMomentum, SameBitsFromEveryInstructionSet) {
    Tower base(Isa::base);
    const int passes = base.settle(true);
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
        if (!is_available(isa)) continue;
        Tower other(isa);
        EXPECT_EQ(other.settle(true), passes);
        EXPECT_EQ(std::memcmp(other.p.data(), base.p.data(), base.p.size() * sizeof(Vec3)), 0);
    }
}

}  // namespace
}  // namespace plica::testing
