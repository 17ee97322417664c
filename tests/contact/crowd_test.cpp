#include "contact/crowd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "contact/near.hpp"
#include "core/random.hpp"
#include "tests/contact/contacts.hpp"

// What tells the pairs of a crowd apart: no pair that touches, or that is crossed, may be passed over.
namespace plica::testing {
namespace {

Vec3 draw(Random& random, double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size);
    return {x, y, random.uniform(-size, size)};
}

// Thin segments in a small box, so that many are near each other, and where they go in one substep.
struct Crowd : Bench {
    static constexpr int segments = 160;
    // m: what is nearer on its way is to be listed. More than certify's, to have many.
    static constexpr double least = 2e-3;
    std::vector<double> radius;

    explicit Crowd(Random& random) {
        for (int i = 0; i < segments; ++i) {
            const Vec3 from = draw(random, 0.05);
            add_node(from, 1.0);
            add_node(from + draw(random, 0.02), 1.0);
            add_capsule(2 * i, 2 * i + 1, 0.002);
        }
        detect(0.02);
        radius.assign(x.size(), -1.0);
        const ContactWorld world = substep();
        forget_pairs(world, scratch);
        set_crowded(true, scratch);
        for (double& away : scratch.pairs.away) away = 0.004 - least;
    }
    ContactWorld substep() { return {surface, {}, radius, w, settings, 1e-3, x, p, list, {}, {}}; }
    void learn_normals(double length = 1.0) {
        for (std::size_t i = 0; i < list.pairs.size(); ++i) {
            set_sides(i, measure(surface, list.pairs[i], x, {}).normal * length, scratch);
        }
    }
    void move(Random& random, double size) {
        for (std::size_t n = 0; n < x.size(); ++n) p[n] = x[n] + draw(random, size);
    }
    [[nodiscard]] double distance_at(std::size_t pair, double t) const {
        std::vector<Vec3> now(x.size());
        for (const std::int32_t k : {list.pairs[pair].a, list.pairs[pair].b}) {
            for (const std::int32_t n : {2 * k, 2 * k + 1}) now[at(n)] = x[at(n)] + (p[at(n)] - x[at(n)]) * t;
        }
        return measure(surface, list.pairs[pair], now, {}).distance;
    }
};

struct Looks {
    int found = 0, missed = 0, met = 0, crossed = 0, crossings_missed = 0;
};

// Several substeps without a new list; the normals are those of the start, `length` long.
Looks look(double length) {
    Random random{3};
    Looks looks;
    for (int turn = 0; turn < 4; ++turn) {
        Crowd crowd(random);
        crowd.learn_normals(length);
        for (int step = 0; step < 6; ++step) {
            crowd.move(random, 5e-4);
            const ContactWorld world = crowd.substep();
            std::vector<std::int32_t> found, close;
            find_facing(world, crowd.scratch, found);
            find_crossing(world, crowd.scratch, close);
            looks.found += static_cast<int>(found.size());
            for (std::size_t i = 0; i < crowd.list.pairs.size(); ++i) {
                const auto index = static_cast<std::int32_t>(i);
                const bool touches = crowd.distance_at(i, 1.0) <= 0.004;
                looks.met += touches ? 1 : 0;
                looks.missed += touches && !std::binary_search(found.begin(), found.end(), index) ? 1 : 0;
                double nearest = 1.0;
                for (int k = 0; k <= 8; ++k) nearest = std::min(nearest, crowd.distance_at(i, 0.125 * k));
                const bool meets = nearest <= Crowd::least;
                looks.crossed += meets ? 1 : 0;
                looks.crossings_missed += meets && !std::binary_search(close.begin(), close.end(), index) ? 1 : 0;
            }
            crowd.x = crowd.p;
        }
    }
    return looks;
}

TEST(Crowd, NoPairThatTouchesIsPassedOver) {
    const Looks looks = look(1.0);
    EXPECT_GT(looks.met, 1000);
    EXPECT_EQ(looks.missed, 0);
    EXPECT_GT(looks.crossed, 100);
    EXPECT_EQ(looks.crossings_missed, 0);
    EXPECT_LT(looks.found, 2 * looks.met);  // and few others are measured
    const Looks fooled = look(3.0);         // normals that are too long are no proof
    EXPECT_GT(fooled.missed, 0);
    EXPECT_GT(fooled.crossings_missed, 0);
}

TEST(Crowd, WhatIsNotKnownIsFound) {
    Random random{5};
    Crowd crowd(random);
    std::vector<std::int32_t> found;
    find_facing(crowd.substep(), crowd.scratch, found);
    EXPECT_EQ(found.size(), crowd.list.pairs.size());
    crowd.learn_normals();
    crowd.scratch.near.margin = -1.0;
    find_facing(crowd.substep(), crowd.scratch, found);
    EXPECT_LT(found.size(), crowd.list.pairs.size() / 2);
}

// Along the line between the closest points the sides are as far apart as they are, along others less; for every
// instruction set alike.
TEST(Crowd, TheClearanceIsNoLongerThanTheDistance) {
    Random random{7};
    Crowd crowd(random);
    const std::size_t pairs = crowd.list.pairs.size() / 8 * 8;
    std::vector<std::int32_t> which(pairs);
    for (std::size_t i = 0; i < pairs; ++i) which[i] = static_cast<std::int32_t>(i);
    const auto clearance = [&](Isa isa) {
        std::vector<double> found(pairs);
        const auto& s = crowd.scratch;
        const FacingArrays arrays{
            {s.pairs.side_node[0].data(), s.pairs.side_node[1].data(), s.pairs.side_node[2].data(),
             s.pairs.side_node[3].data(), s.pairs.side_node[4].data()},
            {s.pairs.facing[0].data(), s.pairs.facing[1].data(), s.pairs.facing[2].data()}};
        row_kernels(isa).compute_clearance(&crowd.x[0].x, arrays, which.data(), static_cast<int>(pairs), found.data());
        return found;
    };
    crowd.learn_normals();
    const std::vector<double> along = clearance(Isa::base);
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
        if (!is_available(isa)) continue;
        EXPECT_EQ(std::memcmp(clearance(isa).data(), along.data(), pairs * sizeof(double)), 0);
    }
    for (std::size_t i = 0; i < pairs; ++i) set_sides(i, normalized(draw(random, 1.0)), crowd.scratch);
    const std::vector<double> askew = clearance(Isa::base);
    double most = 0.0;
    for (std::size_t i = 0; i < pairs; ++i) {
        const double distance = crowd.distance_at(i, 0.0);
        EXPECT_NEAR(along[i], distance, 1e-12);
        EXPECT_LE(askew[i], distance + 1e-12);
        most = std::max(most, distance - askew[i]);
    }
    EXPECT_GT(most, 0.01);
    ASSERT_GT(pairs, 500U);
}

}  // namespace
}  // namespace plica::testing
