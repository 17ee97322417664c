#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "collision/narrow.hpp"
#include "contact/contact.hpp"
#include "contact/rows.hpp"
#include "core/random.hpp"
#include "geometry/closest.hpp"

// The vector kernels of every instruction set this machine has, against each other and against the same source for one
// pair at a time: bit by bit.
namespace plica {
namespace {

std::vector<Isa> instruction_sets() {
    std::vector<Isa> list;
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        if (is_available(isa)) list.push_back(isa);
    }
    return list;
}

Vec3 draw_vector(Random& random, double size = 1.0) {
    const double a = random.uniform(-size, size), b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

// The corners of one pair: at random, or one of the cases in which closest points are a matter of taste.
constexpr int kinds = 10;
std::array<Vec3, 5> draw_corners(Random& random, int nodes, int kind) {
    std::array<Vec3, 5> x;
    for (Vec3& p : x) p = draw_vector(random);
    const Vec3 along = x[1] - x[0];
    const auto last = static_cast<std::size_t>(nodes - 1);
    if (kind == 1) x[3] = x[2] + along * random.uniform(-2, 2);                                          // parallel
    if (kind == 2) x[2] = x[0] + along * random.uniform(-2, 2), x[3] = x[0] + along * random.uniform();  // on one line
    if (kind == 3) x[3] = x[2];                                                                          // a point
    if (kind == 4) x[1] = x[0];
    if (kind == 5) x[1] = x[0], x[3] = x[2], x[4] = x[2];
    if (kind == 6) x[2] = x[0] + along * random.uniform();          // they meet at a corner
    if (kind == 7) x[last] = x[0] * 2.0 - x[2];                     // ... and along an edge
    if (kind == 8) x[4] = x[2] + (x[3] - x[2]) * random.uniform();  // no area
    if (kind == 9) {                                                // exact zeros, and a face that is pierced
        x = {Vec3{0, 0, 1}, Vec3{0, 0, -1}, Vec3{-1, -1, 0}, Vec3{1, -1, 0}, Vec3{0, 1, 0}};
        if (nodes == 4) x[2] = {-1, 0, 0}, x[3] = {1, 0, 0};
    }
    return x;
}

struct Rows {
    std::vector<Vec3> x, p, v;
    std::vector<double> w;
    RowBatch batch;

    RowNodes nodes() { return {&x[0].x, &p[0].x, &v[0].x, w.data()}; }
};

// Eight rows that share no node; what is remembered of some is a side.
Rows draw_rows(Random& random, Shape shape) {
    const int nodes = nodes_in(shape);
    Rows rows;
    std::memset(&rows.batch, 0, sizeof rows.batch);
    rows.batch.count = 1 + static_cast<int>(random.uniform() * 8);
    rows.batch.shape = shape;
    const double step = std::pow(10.0, random.uniform(-4.0, 0.0));
    for (int lane = 0; lane < 8; ++lane) {
        const int kind = static_cast<int>(random.uniform() * 2 * kinds);
        const std::array<Vec3, 5> corners = draw_corners(random, nodes, kind % kinds);
        const bool sphere = shape == Shape::segments && random.uniform() < 0.1;
        for (int k = 0; k < 5; ++k) {
            rows.batch.node[k][lane] = sphere && k == 1 ? rows.batch.node[0][lane] : static_cast<int>(rows.x.size());
            if (nodes == 4 && k == 4) rows.batch.node[k][lane] = rows.batch.node[3][lane];
            rows.x.push_back(corners[static_cast<std::size_t>(k)]);
            rows.p.push_back(rows.x.back() + draw_vector(random, step));
            rows.v.push_back(draw_vector(random));
            rows.w.push_back(random.uniform() < 0.2 ? 0.0 : random.uniform(0.1, 10.0));
        }
        rows.batch.radii[lane] = random.uniform(0.01, 1.5);
        rows.batch.coefficient[lane] = random.uniform() < 0.2 ? 0.0 : random.uniform();
        rows.batch.push[lane] = random.uniform() < 0.5 ? 0.0 : random.uniform();
        const Vec3 friction = draw_vector(random, 0.1);
        const Vec3 side = random.uniform() < 0.5 ? Vec3{} : normalized(draw_vector(random));
        for (int k = 0; k < 3; ++k) {
            rows.batch.friction[k][lane] = k == 0 ? friction.x : k == 1 ? friction.y : friction.z;
            rows.batch.normal[k][lane] = k == 0 ? side.x : k == 1 ? side.y : side.z;
        }
    }
    return rows;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

bool same_bits(const Rows& a, const Rows& b) {
    return std::memcmp(&a.batch, &b.batch, sizeof a.batch) == 0 && same_bits(a.p, b.p) && same_bits(a.v, b.v) &&
           same_bits(a.x, b.x);
}

// A substep's kernels one after the other, as far as `stages`.
void run_kernels(Isa isa, int stages, Rows& rows) {
    const RowKernels kernels = row_kernels(isa);
    const RowNodes nodes = rows.nodes();
    if (stages > 0) kernels.measure_start(nodes, rows.batch);
    if (stages > 1) kernels.apply_multipliers(nodes, rows.batch);
    if (stages > 2) kernels.solve(nodes, rows.batch);
    if (stages > 3) kernels.push_out(nodes, 0.05, rows.batch);
    if (stages > 4) kernels.solve_raghupathi(nodes, 1e-3, rows.batch);
}

// What a row's friction comes to does not depend on that of the rows beside it.
TEST(RowKernels, FrictionIsOfEachLane) {
    Random random{92};
    int differ = 0;
    for (int round = 0; round < 500; ++round) {
        const Rows start = draw_rows(random, static_cast<Shape>(round % 3));
        Rows mixed = start;
        run_kernels(best_isa(), 3, mixed);
        for (int lane = 0; lane < start.batch.count; ++lane) {
            Rows alike = start;
            for (double& each : alike.batch.coefficient) each = start.batch.coefficient[lane];
            run_kernels(best_isa(), 3, alike);
            for (int k = 0; k < 3; ++k) {
                const auto of_lane = [&](const RowBatch& batch, int i) {
                    return std::bit_cast<std::uint64_t>(batch.friction[k][i]);
                };
                ASSERT_EQ(of_lane(mixed.batch, lane), of_lane(alike.batch, lane)) << round;
                const int other = (lane + 1) % start.batch.count;
                differ += of_lane(mixed.batch, other) != of_lane(alike.batch, other) ? 1 : 0;
            }
        }
    }
    EXPECT_GT(differ, 1000);  // the rows beside it have another
}

TEST(RowKernels, SameBitsFromEveryInstructionSet) {
    Random random{91};
    for (int round = 0; round < 20000; ++round) {
        const Rows start = draw_rows(random, static_cast<Shape>(round % 3));
        const int stages = 1 + round % 5;
        Rows base = start;
        run_kernels(Isa::base, stages, base);
        ASSERT_FALSE(same_bits(base, start));
        for (const Isa isa : instruction_sets()) {
            Rows rows = start;
            run_kernels(isa, stages, rows);
            ASSERT_TRUE(same_bits(rows, base)) << isa_name(isa) << ", round " << round << ", stages " << stages;
        }
    }
}

TEST(RowKernels, TheComparisonSeesOneBit) {
    Random random{92};
    int seen = 0;
    for (int round = 0; round < 100; ++round) {
        const Rows start = draw_rows(random, Shape::segments);
        Rows base = start, other = start;
        Vec3& first = other.p[static_cast<std::size_t>(other.batch.node[0][0])];
        first.x = std::nextafter(first.x, 10.0);
        run_kernels(Isa::base, 3, base);
        run_kernels(Isa::base, 3, other);
        seen += same_bits(base, other) ? 0 : 1;
    }
    EXPECT_GT(seen, 50);  // some corrections round the bit away
}

// The pair by itself (contact.hpp) and as a lane of eight are one source.
TEST(RowKernels, MeasureWhatThePairByItselfMeasures) {
    Random random{93};
    int compared = 0;
    for (int round = 0; round < 20000; ++round) {
        const auto shape = static_cast<Shape>(round % 3);
        const Rows start = draw_rows(random, shape);
        for (const Isa isa : instruction_sets()) {
            Rows rows = start;
            run_kernels(isa, 1, rows);
            for (int lane = 0; lane < rows.batch.count; ++lane) {
                const auto n = [&](int k) { return start.batch.node[k][lane]; };
                Surface surface;
                const bool point = shape == Shape::point_triangle;
                const int first = point ? 1 : 2;
                surface.capsules.push_back({n(0), n(point ? 0 : 1), start.batch.radii[lane], 0, -1, 0, 0, false});
                if (shape == Shape::segments) {
                    surface.capsules.push_back({n(2), n(3), 0.0, 1, -1, 0, 0, false});
                } else {
                    surface.triangles.push_back({n(first), n(first + 1), n(first + 2), 0.0, 1, -1, 0, 0});
                }
                Pair pair;
                pair.b = 1;
                const auto& side = start.batch.normal;
                const Contact c = measure(surface, pair, start.x, {side[0][lane], side[1][lane], side[2][lane]});
                const auto& b = rows.batch;
                std::vector<double> alone{c.normal.x, c.normal.y, c.normal.z, c.gap};
                std::vector<double> lanes{b.normal[0][lane], b.normal[1][lane], b.normal[2][lane], b.start_gap[lane]};
                for (int k = 0; k < nodes_in(shape); ++k) {
                    alone.push_back(c.weight[k]);
                    lanes.push_back(b.weight[k][lane]);
                }
                ASSERT_TRUE(same_bits(alone, lanes)) << isa_name(isa) << ", round " << round << ", lane " << lane;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 50000);
}

auto pair_kernel(Isa isa) {
    return PLICA_PICK_KERNEL(isa, measure_pairs);
}

// Distances of detection: those of closest.hpp.
TEST(NarrowKernels, SameDistancesAsThePairByItself) {
    Random random{94};
    for (int round = 0; round < 20000; ++round) {
        const int nodes = round % 2 == 0 ? 4 : 5;
        const Rows rows = draw_rows(random, nodes == 4 ? Shape::segments : Shape::segment_triangle);
        for (const Isa isa : instruction_sets()) {
            double found[8];
            pair_kernel(isa)(&rows.x[0].x, rows.batch.node, nodes, found);
            for (int lane = 0; lane < 8; ++lane) {
                const auto at = [&](int k) { return rows.x[static_cast<std::size_t>(rows.batch.node[k][lane])]; };
                const double alone = nodes == 4
                                         ? closest_segment_segment(at(0), at(1), at(2), at(3)).squared_distance
                                         : closest_segment_triangle(at(0), at(1), at(2), at(3), at(4)).squared_distance;
                ASSERT_EQ(std::memcmp(&found[lane], &alone, sizeof alone), 0) << isa_name(isa) << ", round " << round;
            }
        }
    }
}

auto plane_kernel(Isa isa) {
    return PLICA_PICK_KERNEL(isa, compute_planes);
}
auto beside_kernel(Isa isa) {
    return PLICA_PICK_KERNEL(isa, keep_beside);
}

// Triangles that are dropped by their planes are too far away; capsules are never dropped; most far ones are.
TEST(NarrowKernels, PlanesDropOnlyWhatIsTooFar) {
    Random random{95};
    int dropped = 0, far = 0;
    for (int round = 0; round < 20000; ++round) {
        const Rows rows = draw_rows(random, Shape::segment_triangle);
        constexpr int capsules = 3;
        const Vec3 p = rows.x[static_cast<std::size_t>(rows.batch.node[0][0])];
        const Vec3 q = rows.x[static_cast<std::size_t>(rows.batch.node[1][0])];
        const SegmentQuery query{{p.x, p.y, p.z}, {q.x, q.y, q.z}, random.uniform(0.0, 0.3)};
        double near[8];
        for (double& n : near) n = random.uniform(0.0, 0.3);
        std::vector<std::int32_t> first_kept;
        for (const Isa isa : instruction_sets()) {
            double normal[3][16], offset[16];
            plane_kernel(isa)(&rows.x[0].x, {rows.batch.node[2], rows.batch.node[3], rows.batch.node[4]}, 8,
                              {normal[0], normal[1], normal[2]}, offset);
            std::int32_t ids[16] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 2};  // two capsules, eight triangles
            const int kept =
                beside_kernel(isa)({normal[0], normal[1], normal[2], offset}, near, query, capsules, ids, 10);
            const std::vector<std::int32_t> now(ids, ids + kept);
            if (isa == Isa::base) first_kept = now;
            ASSERT_EQ(now, first_kept) << isa_name(isa);
        }
        const auto is_kept = [&](std::int32_t id) { return std::ranges::find(first_kept, id) != first_kept.end(); };
        ASSERT_TRUE(is_kept(1) && is_kept(2));
        for (int lane = 0; lane < 8; ++lane) {
            const auto at = [&](int k) { return rows.x[static_cast<std::size_t>(rows.batch.node[k][lane])]; };
            const double d = std::sqrt(closest_segment_triangle(p, q, at(2), at(3), at(4)).squared_distance);
            const bool is_far = d > query.radius + near[lane];
            far += is_far ? 1 : 0;
            if (is_kept(capsules + lane)) continue;
            ++dropped;
            ASSERT_TRUE(is_far) << "round " << round << ", lane " << lane;
        }
    }
    EXPECT_GT(dropped, far / 20);
}

}  // namespace
}  // namespace plica
