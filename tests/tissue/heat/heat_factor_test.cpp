#include <gtest/gtest.h>

#include <numeric>

#include "core/error.hpp"
#include "experiments/zhong/heat_plane.hpp"
#include "experiments/zhong/ordering_trials.hpp"
#include "tests/support/allocations.hpp"
#include "tests/tissue/heat/heat_surfaces.hpp"
#include "tissue/heat/ordering.hpp"

// Sparse solvers against dense elimination. Every operator new of this program is counted.
namespace plica::testing {
namespace {

using heat::Factor;
using heat::Link;
using heat::SymmetricMatrix;

// Random links with random conductances, and a little on the diagonal.
SymmetricMatrix random_matrix(std::size_t rows, std::size_t links, std::uint64_t seed, double shift = 0.1) {
    Random random{seed};
    std::vector<Link> pairs;
    while (rows > 1 && pairs.size() < links) {
        const auto a = static_cast<std::int32_t>(random.next() % rows);
        const auto b = static_cast<std::int32_t>(random.next() % rows);
        if (a != b) pairs.push_back({a, b});
    }
    SymmetricMatrix m = heat::make_pattern(rows, pairs);
    for (const Link& l : pairs) heat::add_link(m, l, random.uniform(-0.1, 1.0) + 0.2);
    for (std::size_t i = 0; i < rows; ++i)
        heat::add_at(m, static_cast<std::int32_t>(i), static_cast<std::int32_t>(i), shift);
    return m;
}

std::vector<double> random_vector(std::size_t size, std::uint64_t seed) {
    Random random{seed};
    std::vector<double> v(size);
    for (double& x : v) x = random.uniform(-1.0, 1.0);
    return v;
}

std::vector<double> solve_dense(const SymmetricMatrix& m, std::vector<double> b) {
    const std::size_t n = m.rows();
    std::vector<double> a(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::int32_t p = m.first[i]; p < m.first[i + 1]; ++p) a[i * n + at(m.column[at(p)])] = m.value[at(p)];
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = a[i * n + k] / a[k * n + k];
            if (factor == 0.0) continue;
            for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
    return b;
}

double farthest(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

SymmetricMatrix plane_matrix(int side) {
    const heat::Conduction c = conduct(jittered_plane(side, 1.0, 0.3), 1.0);
    SymmetricMatrix m = c.stiffness;
    for (std::size_t i = 0; i < m.rows(); ++i)
        heat::add_at(m, static_cast<std::int32_t>(i), static_cast<std::int32_t>(i), c.area[i] / 0.01);
    return m;
}

TEST(HeatFactor, AgreesWithDenseElimination) {
    std::uint64_t seed = 1;
    for (const std::size_t n : {1U, 2U, 3U, 5U, 9U, 40U, 150U, 300U}) {
        for (const std::size_t links : {std::size_t{0}, n / 2, 2 * n, 8 * n}) {  // loose pieces up to nearly full
            const SymmetricMatrix m = random_matrix(n, links, ++seed);
            Factor factor(m);
            ASSERT_TRUE(factor.factorize(m)) << n << " " << links;
            std::vector<double> x = random_vector(n, ++seed);
            const std::vector<double> b = x;
            factor.solve(x);
            EXPECT_LT(farthest(x, solve_dense(m, b)), 1e-11) << n << " " << links;
            if (n == 1) continue;
            SymmetricMatrix other = m;
            heat::add_at(other, 1, 1, 1e-3);  // a small change is seen
            EXPECT_GT(farthest(x, solve_dense(other, b)), 1e-8);
        }
    }
}

TEST(HeatFactor, ResidualsOfLargeSurfacesAreSmall) {
    const SymmetricMatrix m = plane_matrix(150);
    Factor factor(m);
    ASSERT_TRUE(factor.factorize(m));
    const std::vector<double> b = random_vector(m.rows(), 3);
    std::vector<double> x = b;
    factor.solve(x);
    std::vector<double> image(m.rows());
    heat::multiply(m, x, image);
    EXPECT_LT(farthest(image, b), 1e-12);
    EXPECT_LT(factor.entries(), 40 * m.rows());  // a band would have 150 a row
    x[17] += 1e-6;
    heat::multiply(m, x, image);
    EXPECT_GT(farthest(image, b), 1e-8);
}

TEST(HeatFactor, ThreeRightSidesAreThree) {
    const SymmetricMatrix m = plane_matrix(40);
    Factor factor(m);
    ASSERT_TRUE(factor.factorize(m));
    std::vector<double> x = random_vector(m.rows(), 4);
    std::vector<double> y = random_vector(m.rows(), 5);
    std::vector<double> z = random_vector(m.rows(), 6);
    std::vector<Vec3> all;
    for (std::size_t i = 0; i < x.size(); ++i) all.push_back({x[i], y[i], z[i]});
    factor.solve(all);
    factor.solve(x);
    factor.solve(y);
    factor.solve(z);
    double worst = 0.0;
    double swapped = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, norm(all[i] - Vec3{x[i], y[i], z[i]}));
        swapped = std::max(swapped, norm(all[i] - Vec3{x[i], z[i], y[i]}));
    }
    EXPECT_LT(worst, 1e-13);
    EXPECT_GT(swapped, 1e-3);
}

TEST(HeatFactor, TheSameBitsOnEveryInstructionSet) {
    const SymmetricMatrix m = plane_matrix(30);
    const auto solved = [&](Isa isa, double shift) {
        SymmetricMatrix a = m;
        heat::add_at(a, 0, 0, shift);
        Factor factor(a, isa);
        EXPECT_TRUE(factor.factorize(a));
        std::vector<double> x = random_vector(m.rows(), 8);
        std::vector<Vec3> v(x.size(), {1.0, -2.0, 0.5});
        factor.solve(x);
        factor.solve(v);
        for (const Vec3& p : v) x.insert(x.end(), {p.x, p.y, p.z});
        return x;
    };
    const std::vector<double> base = solved(Isa::base, 0.0);
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
        if (!is_available(isa)) continue;
        EXPECT_EQ(solved(isa, 0.0), base) << isa_name(isa);
    }
    EXPECT_NE(solved(Isa::base, 1e-12), base);
}

TEST(HeatFactor, WhatIsNotPositiveDefiniteIsRefusedByRow) {
    SymmetricMatrix m = random_matrix(60, 150, 9);
    Factor factor(m);
    EXPECT_TRUE(factor.factorize(m));
    EXPECT_EQ(factor.failed_row(), -1);
    SymmetricMatrix bad = m;
    heat::add_at(bad, 23, 23, -50.0);
    EXPECT_FALSE(factor.factorize(bad));
    EXPECT_FALSE(factor.ready());
    EXPECT_GE(factor.failed_row(), 0);
    std::vector<double> x = random_vector(60, 10);
    const std::vector<double> before = x;
    factor.solve(x);
    EXPECT_EQ(x, before);
    EXPECT_TRUE(factor.factorize(m));  // and recovers
    factor.solve(x);
    EXPECT_NE(x, before);
    // Where nothing else is linked, the row itself is named.
    SymmetricMatrix loose = random_matrix(8, 0, 1);
    heat::add_at(loose, 5, 5, -1.0);
    Factor eight(loose);
    EXPECT_FALSE(eight.factorize(loose));
    EXPECT_EQ(eight.failed_row(), 5);
    loose.value[static_cast<std::size_t>(loose.first[5])] = std::nan("");
    EXPECT_FALSE(eight.factorize(loose));
    EXPECT_EQ(eight.failed_row(), 5);
}

TEST(HeatFactor, RowsThatSumToZeroAreSingular) {
    const heat::Conduction c = conduct(make_superquadric(400, 1.0, {1, 1, 1}), 1.0);
    Factor factor(c.stiffness);
    EXPECT_FALSE(factor.factorize(c.stiffness));
    SymmetricMatrix held = c.stiffness;
    heat::add_at(held, 7, 7, 1e-3);
    EXPECT_TRUE(factor.factorize(held));
}

TEST(HeatFactor, NumbersChangeUnderOnePattern) {
    const SymmetricMatrix first = random_matrix(80, 200, 11);
    SymmetricMatrix second = first;
    for (double& v : second.value) v *= 2.0;
    Factor factor(first);
    const std::vector<double> b = random_vector(80, 12);
    std::vector<double> x = b;
    ASSERT_TRUE(factor.factorize(first));
    factor.solve(x);
    std::vector<double> half = b;
    ASSERT_TRUE(factor.factorize(second));
    factor.solve(half);
    for (std::size_t i = 0; i < 80; ++i) EXPECT_EQ(half[i], 0.5 * x[i]);  // powers of two are exact
}

TEST(HeatFactor, WarmNothingIsAllocated) {
    const SymmetricMatrix m = plane_matrix(40);
    std::vector<double> x = random_vector(m.rows(), 13);
    std::vector<double> guess(m.rows(), 0.0);
    std::vector<Vec3> v(m.rows(), {1, 2, 3});
    long before = allocations;
    Factor factor(m);
    EXPECT_GT(allocations - before, 10);  // the count counts
    heat::GradientScratch work;
    work.reserve(m.rows());
    const heat::Conduction c = conduct(make_superquadric(400, 0.5, {1, 1, 1}), 0.4);
    std::vector<heat::March> marches;
    for (const heat::Way way : {heat::Way::implicit, heat::Way::gradients, heat::Way::stencil})
        marches.emplace_back(c, heat::HeatStep{}, std::vector<std::int32_t>{3, 4}, way);
    std::vector<double> t = point_heat(c, 0);
    const std::vector<double> source(t.size(), 0.1);
    before = allocations;
    factor.factorize(m);
    factor.solve(x);
    factor.solve(v);
    heat::solve_by_gradients(m, x, 1e-8, 1000, work, guess);
    for (heat::March& march : marches) march.step(source, t);
    EXPECT_EQ(allocations - before, 0);
}

TEST(HeatGradients, AgreeWithTheFactorAndStartWarm) {
    const SymmetricMatrix m = plane_matrix(60);
    Factor factor(m);
    ASSERT_TRUE(factor.factorize(m));
    const std::vector<double> b = random_vector(m.rows(), 14);
    std::vector<double> exact = b;
    factor.solve(exact);
    heat::GradientScratch work;
    std::vector<double> x(m.rows(), 0.0);
    const int cold = heat::solve_by_gradients(m, b, 1e-10, 1000, work, x);
    EXPECT_GT(cold, 5);
    EXPECT_LT(farthest(x, exact), 1e-9);
    for (double& v : x) v *= 1.0 + 1e-6;
    const int warm = heat::solve_by_gradients(m, b, 1e-10, 1000, work, x);
    EXPECT_GT(warm, 0);
    EXPECT_LT(warm, cold);
    EXPECT_EQ(heat::solve_by_gradients(m, b, 1e-6, 1000, work, x), 0);  // nothing to do
    std::fill(x.begin(), x.end(), 0.0);
    EXPECT_EQ(heat::solve_by_gradients(m, b, 1e-10, cold / 2, work, x), -1);
    EXPECT_GT(farthest(x, exact), 1e-9);
    SymmetricMatrix bad = m;
    heat::add_at(bad, 5, 5, -1e6);
    EXPECT_EQ(heat::solve_by_gradients(bad, b, 1e-10, 1000, work, x), -1);
}

TEST(HeatSparse, PatternsHoldWhatTheyWereGiven) {
    const std::vector<Link> links{{2, 0}, {0, 2}, {3, 1}};
    SymmetricMatrix m = heat::make_pattern(4, links);
    EXPECT_EQ(m.first, (std::vector<std::int32_t>{0, 2, 4, 6, 8}));
    EXPECT_EQ(m.column, (std::vector<std::int32_t>{0, 2, 1, 3, 0, 2, 1, 3}));
    heat::add_link(m, {0, 2}, 2.0);
    heat::add_at(m, 3, 1, 7.0);
    EXPECT_EQ(heat::value_at(m, 0, 0), 2.0);
    EXPECT_EQ(heat::value_at(m, 2, 0), -2.0);
    EXPECT_EQ(heat::value_at(m, 3, 1), 7.0);
    EXPECT_EQ(heat::value_at(m, 1, 3), 0.0);  // one of the two alone
    EXPECT_EQ(heat::value_at(m, 0, 1), 0.0);
    EXPECT_THROW(heat::add_at(m, 0, 1, 1.0), Error);
    EXPECT_THROW(heat::add_at(m, 4, 0, 1.0), Error);
    EXPECT_THROW(heat::make_pattern(4, std::vector<Link>{{0, 4}}), Error);
    EXPECT_THROW(heat::make_pattern(4, std::vector<Link>{{-1, 0}}), Error);
    Factor empty(heat::make_pattern(0, {}));
    EXPECT_TRUE(empty.factorize(heat::make_pattern(0, {})));
}

TEST(HeatFactor, EntriesOfAnOrderAreCounted) {
    const int side = 30;
    const heat::SymmetricMatrix matrix = experiments::make_heat_plane(side, 10.0).matrix;
    std::vector<std::int32_t> dissected = experiments::dissect_plane(side), rows(matrix.rows());
    std::iota(rows.begin(), rows.end(), 0);
    const double band = experiments::count_entries(matrix, rows);
    const double parted = experiments::count_entries(matrix, dissected);
    const double least = experiments::count_entries(matrix, heat::order_rows(matrix));
    EXPECT_NEAR(band, (side + 1.0) * side * side, 0.05 * band) << "row by row the band fills up";
    EXPECT_LT(parted, 0.8 * band);
    EXPECT_LT(least, 0.8 * band);
    EXPECT_LE(least, static_cast<double>(heat::Factor(matrix).entries())) << "supernodes store zeros besides";
    std::sort(dissected.begin(), dissected.end());
    EXPECT_EQ(dissected, rows) << "every row once";
}

}  // namespace
}  // namespace plica::testing
