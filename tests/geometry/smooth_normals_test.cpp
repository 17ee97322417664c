#include "geometry/smooth_normals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/error.hpp"
#include "core/random.hpp"
#include "geometry/angle.hpp"
#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/smooth_projection.hpp"

namespace plica {
namespace {

constexpr double pi = std::numbers::pi;
using Triangle3 = std::array<std::int32_t, 3>;

Vec3 draw_vector(Random& random, double size = 1.0) {
    const double a = random.uniform(-size, size), b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

double angle_between(const Vec3& a, const Vec3& b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

SurfaceMesh make_box() {
    const VolumeMesh block = make_tetrahedral_block({0, 0, 0}, {3, 2, 1}, {3, 2, 2});
    return {block.nodes, find_boundary(block)};
}

// A grid in the plane z = 0, its inner nodes moved within it.
SurfaceMesh make_plane(int n) {
    SurfaceMesh plane;
    Random random{7};
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
            plane.nodes.push_back({i + random.uniform(-0.3, 0.3), j + random.uniform(-0.3, 0.3), 0.0});
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const int a = i * (n + 1) + j, b = a + n + 1;
            plane.triangles.push_back({a, b, b + 1});
            plane.triangles.push_back({a, b + 1, a + 1});
        }
    }
    return plane;
}

std::array<Vec3, 3> places(const SurfaceMesh& mesh, std::size_t t) {
    const auto of = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(mesh.triangles[t][k])]; };
    return {of(0), of(1), of(2)};
}

SmoothProjection project(const Vec3& point, const std::array<Vec3, 3>& x, const std::array<Vec3, 3>& n) {
    const Vec3 corners[3] = {x[0], x[1], x[2]};
    const Vec3 normals[3] = {n[0], n[1], n[2]};
    return project_smoothly(point, corners, normals);
}

Vec3 blend(const double (&b)[3], const std::array<Vec3, 3>& v) {
    return v[0] * b[0] + v[1] * b[1] + v[2] * b[2];
}

TEST(Angle, IsThatOfTheLibrary) {
    Random random{1};
    for (int i = 0; i < 100000; ++i) {
        const double angle = i < 1000 ? pi * i / 999.0 : random.uniform(0.0, pi);
        const double r = std::pow(10.0, random.uniform(-9.0, 9.0));
        const double s = std::abs(r * std::sin(angle)), c = r * std::cos(angle);
        ASSERT_NEAR(angle_of(s, c, std::sqrt(s * s + c * c)), std::atan2(s, c), 1e-15);
    }
    EXPECT_EQ(angle_of(0.0, 0.0, 0.0), pi / 2);
}

TEST(SmoothNormals, AreExactOnAPlane) {
    const SurfaceMesh plane = make_plane(6);
    for (const NormalWeight weight : {NormalWeight::angle, NormalWeight::angle_and_area}) {
        SmoothNormals normals(plane.triangles, plane.nodes);
        normals.update(plane.nodes, weight);
        EXPECT_EQ(normals.slots().count(), plane.nodes.size());
        for (const Vec3& n : normals.normals()) EXPECT_EQ(n, (Vec3{0, 0, 1}));
        Random random{3};
        for (std::size_t t = 0; t < plane.triangles.size(); ++t) {
            const Vec3 point{random.uniform(0, 6), random.uniform(0, 6), random.uniform(-0.5, 0.5)};
            const auto x = places(plane, t);
            const SmoothProjection p = project(point, x, normals.corners(t));
            EXPECT_TRUE(p.converged);
            EXPECT_NEAR(p.gap, point.z, 1e-15);
            EXPECT_LT(distance(blend(p.weight, x), {point.x, point.y, 0.0}), 1e-13);
        }
    }
}

// Turns between normals and the radius under points near a sphere, rad.
struct Turns {
    double worst, median, median_of_facets;
};

Turns measure_sphere(int level, NormalWeight weight) {
    const SurfaceMesh ball = make_icosphere(level, 1.0);
    SmoothNormals normals(ball.triangles, ball.nodes);
    normals.update(ball.nodes, weight);
    EXPECT_EQ(normals.slots().count(), ball.nodes.size());
    Random random{5};
    std::vector<double> turns, facets;
    for (std::size_t t = 0; t < ball.triangles.size(); ++t) {
        const auto x = places(ball, t);
        const double u = random.uniform(0, 0.5), v = random.uniform(0, 0.5);
        const Vec3 radius = normalized(x[0] * (1 - u - v) + x[1] * u + x[2] * v);
        const SmoothProjection p = project(radius * random.uniform(0.98, 1.02), x, normals.corners(t));
        EXPECT_TRUE(p.converged);
        turns.push_back(angle_between(p.normal, radius));
        facets.push_back(angle_between(normals.facet(t), radius));
    }
    std::sort(turns.begin(), turns.end());
    std::sort(facets.begin(), facets.end());
    return {turns.back(), turns[turns.size() / 2], facets[facets.size() / 2]};
}

// With the square of the edge where the triangles around a node are alike; on the lines of the icosahedron, where they
// differ, with the edge. Those of facets with the edge everywhere. An edge of an eighth makes 64 times less, and 8.
TEST(SmoothNormals, ApproachTheRadiusOfASphere) {
    for (const NormalWeight weight : {NormalWeight::angle, NormalWeight::angle_and_area}) {
        const Turns coarse = measure_sphere(2, weight), fine = measure_sphere(5, weight);
        EXPECT_LT(coarse.worst, 0.025);
        EXPECT_LT(fine.worst, coarse.worst / 7.0);
        EXPECT_LT(fine.median, coarse.median / 25.0);
        EXPECT_GT(fine.median_of_facets, coarse.median_of_facets / 10.0);
        EXPECT_LT(fine.median, 0.02 * fine.median_of_facets);
    }
}

// Largest turn between the normal of a corner and that of its facet, rad.
double worst_lean(const SurfaceMesh& mesh, double crease) {
    const SmoothNormals normals(mesh.triangles, mesh.nodes, crease);
    double worst = 0.0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (const Vec3& n : normals.corners(t)) worst = std::max(worst, angle_between(n, normals.facet(t)));
    }
    return worst;
}

TEST(SmoothNormals, ABoxKeepsItsSides) {
    const SurfaceMesh box = make_box();
    EXPECT_LT(worst_lean(box, default_crease), 1e-15);
    const NormalSlots split = find_normal_slots(box.triangles, box.nodes);
    for (std::size_t s = 0; s < split.count(); ++s) {
        const Vec3& x = box.nodes[static_cast<std::size_t>(split.node[s])];
        const int sides = (x.x == 0 || x.x == 3) + (x.y == 0 || x.y == 2) + (x.z == 0 || x.z == 1);
        EXPECT_EQ(split.creased[s] != 0, sides > 1);
    }
    // Without the split: half way between two sides on an edge, between three at a corner.
    const SmoothNormals rounded(box.triangles, box.nodes, pi);
    EXPECT_EQ(rounded.slots().count(), 34U);  // 4 x 3 x 3 nodes, 2 of them inside
    double on_edge = 0.0, at_corner = 0.0;
    for (std::size_t s = 0; s < rounded.slots().count(); ++s) {
        const Vec3& x = box.nodes[static_cast<std::size_t>(rounded.slots().node[s])];
        const int sides = (x.x == 0 || x.x == 3) + (x.y == 0 || x.y == 2) + (x.z == 0 || x.z == 1);
        const Vec3& n = rounded.normals()[s];
        const double most = std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)});
        if (sides == 2) on_edge = std::max(on_edge, std::acos(most));
        if (sides == 3) at_corner = std::max(at_corner, std::acos(most));
    }
    EXPECT_NEAR(on_edge, pi / 4, 1e-12);
    EXPECT_NEAR(at_corner, std::acos(std::sqrt(1.0 / 3.0)), 1e-12);
}

TEST(SmoothNormals, CreasesAreThoseAtRest) {
    // Two triangles, flat at rest or folded by a right angle.
    const std::vector<Triangle3> triangles{{0, 1, 2}, {1, 0, 3}};
    const std::vector<Vec3> flat{{0, 0, 0}, {0, 1, 0}, {-1, 0.5, 0}, {1, 0.5, 0}};
    std::vector<Vec3> folded = flat;
    folded[3] = {0, 0.5, 1};
    SmoothNormals smooth(triangles, flat), creased(triangles, folded);
    EXPECT_EQ(smooth.slots().count(), 4U);
    EXPECT_EQ(creased.slots().count(), 6U);
    smooth.update(folded);
    creased.update(flat);
    EXPECT_NEAR(angle_between(smooth.corners(0)[0], smooth.facet(0)), pi / 4, 1e-12);
    creased.update(folded);
    EXPECT_LT(angle_between(creased.corners(0)[0], creased.facet(0)), 1e-15);
}

TEST(SmoothNormals, AnglesDoNotCareHowASideIsCut) {
    // The corner of a cube, one of its sides cut once more: with areas in the weights the normal depends on the cut.
    const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.8, 0}};
    const std::vector<Triangle3> whole{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
    const std::vector<Triangle3> cut{{0, 1, 4}, {0, 4, 2}, {0, 2, 3}, {0, 3, 1}};
    const auto at_corner = [&](const std::vector<Triangle3>& triangles, NormalWeight weight) {
        SmoothNormals normals(triangles, x, pi);
        normals.update(x, weight);
        return normals.corners(0)[0];
    };
    const auto difference = [&](NormalWeight weight) {
        return angle_between(at_corner(whole, weight), at_corner(cut, weight));
    };
    EXPECT_LT(difference(NormalWeight::angle), 1e-15);
    EXPECT_GT(difference(NormalWeight::angle_and_area), 0.1);
}

TEST(SmoothNormals, EdgesOfOneOrThreeTrianglesAreCreases) {
    const std::vector<Vec3> x{{0, 0, 0}, {0, 1, 0}, {-1, 0.5, 0}, {1, 0.5, 0}, {1, 0.5, 0.1}};
    const std::vector<Triangle3> fin{{0, 1, 2}, {1, 0, 3}, {1, 0, 4}};
    EXPECT_EQ(find_normal_slots(fin, x).count(), 9U);
    const std::vector<Triangle3> wrong{{0, 1, 5}};
    EXPECT_THROW(find_normal_slots(wrong, x), Error);
    const std::vector<Triangle3> negative{{0, 1, -1}};
    EXPECT_THROW(find_normal_slots(negative, x), Error);
    SmoothNormals none({}, x);
    none.update(x);
    EXPECT_EQ(none.slots().count(), 0U);
}

TEST(SmoothNormals, AreTheSameBitsForEveryInstructionSet) {
    SurfaceMesh mesh = make_liver_surface(2);
    mesh.triangles.resize(317);                   // not a multiple of eight
    mesh.triangles[5][1] = mesh.triangles[5][0];  // without area
    SmoothNormals normals(mesh.triangles, mesh.nodes), others(mesh.triangles, mesh.nodes);
    for (const NormalWeight weight : {NormalWeight::angle, NormalWeight::angle_and_area}) {
        normals.update(mesh.nodes, weight, Isa::base);
        for (const Isa isa : {Isa::avx2, Isa::avx512}) {
            if (!is_available(isa)) continue;
            others.update(mesh.nodes, weight, isa);
            EXPECT_TRUE(std::equal(normals.normals().begin(), normals.normals().end(), others.normals().begin()));
        }
        int zero = 0;
        for (const Vec3& n : normals.normals()) {
            zero += n == Vec3{} ? 1 : 0;
            EXPECT_NEAR(norm(n), n == Vec3{} ? 0.0 : 1.0, 1e-15);
        }
        EXPECT_LE(zero, 3);
    }
}

struct Query {
    Vec3 point;
    std::array<Vec3, 3> x, n;
};

// A triangle whose normals differ by some tenths, and a point near it; some are not to be solved.
Query draw_query(Random& random, int kind) {
    Query q{draw_vector(random), {draw_vector(random), draw_vector(random), draw_vector(random)}, {}};
    const Vec3 facet = normalized(cross(q.x[1] - q.x[0], q.x[2] - q.x[0]));
    for (Vec3& n : q.n) n = normalized(facet + draw_vector(random, 0.2));
    const double u = random.uniform(0, 0.5), v = random.uniform(0, 0.5);
    const double edge = std::min({distance(q.x[0], q.x[1]), distance(q.x[1], q.x[2]), distance(q.x[2], q.x[0])});
    q.point = q.x[0] * (1 - u - v) + q.x[1] * u + q.x[2] * v + facet * (edge * random.uniform(-0.1, 0.1));
    if (kind == 1) q.n[1] = -q.n[0], q.n[2] = -q.n[0];
    if (kind == 2) q.x[2] = q.x[0];
    if (kind == 3) q.n[0] = q.n[1] = q.n[2] = normalized(q.x[1] - q.x[0]);
    if (kind == 4) q.n[0] = q.n[1] = q.n[2] = Vec3{};
    return q;
}

// How far point - foot is from gap times normal.
double residual(const Query& q, const SmoothProjection& p) {
    return norm(q.point - blend(p.weight, q.x) - p.normal * p.gap);
}

TEST(SmoothProjection, SolvesItsEquation) {
    Random random{11};
    double iterations = 0.0;
    int converged = 0;
    constexpr int queries = 20000;
    for (int i = 0; i < queries; ++i) {
        const Query q = draw_query(random, 0);
        const SmoothProjection p = project(q.point, q.x, q.n);
        ASSERT_NEAR(p.weight[0] + p.weight[1] + p.weight[2], 1.0, 1e-12);
        ASSERT_NEAR(norm(p.normal), 1.0, 1e-14);
        ASSERT_LT(residual(q, p), 1e-12);
        if (!p.converged) continue;
        ++converged;
        iterations += p.iterations;
        ASSERT_LT(angle_between(p.normal, blend(p.weight, q.n)), 1e-11);
    }
    EXPECT_GT(converged, queries * 95 / 100);  // slivers fail
    EXPECT_LT(iterations / converged, 9.0);
}

TEST(SmoothProjection, SaysWhereThereIsNoAnswer) {
    Random random{12};
    for (int i = 0; i < 400; ++i) {
        const Query q = draw_query(random, 1 + i % 4);
        const SmoothProjection p = project(q.point, q.x, q.n);
        EXPECT_TRUE(!p.converged || i % 4 == 0) << i % 4;
        EXPECT_TRUE(std::isfinite(p.gap) && is_finite(p.normal) && std::isfinite(p.weight[0] + p.weight[1])) << i % 4;
        if (i % 4 == 1 || p.converged) continue;  // no facet there
        EXPECT_NEAR(std::abs(dot(p.normal, normalized(cross(q.x[1] - q.x[0], q.x[2] - q.x[0])))), 1.0, 1e-9);
        EXPECT_LT(residual(q, p), 1e-10);
    }
}

// Over the edge between two triangles of a sphere, the normal goes on where it was; that of facets jumps.
TEST(SmoothProjection, IsContinuousOverAnEdge) {
    const SurfaceMesh ball = make_icosphere(2, 1.0);
    const SmoothNormals normals(ball.triangles, ball.nodes);
    double jump = 0.0, facet_jump = 1.0;
    for (std::size_t t = 0; t < ball.triangles.size(); ++t) {
        for (std::size_t s = t + 1; s < ball.triangles.size(); ++s) {
            std::vector<std::int32_t> shared;
            for (const std::int32_t node : ball.triangles[t]) {
                if (std::count(ball.triangles[s].begin(), ball.triangles[s].end(), node) > 0) shared.push_back(node);
            }
            if (shared.size() != 2) continue;
            const Vec3 a = ball.nodes[static_cast<std::size_t>(shared[0])];
            const Vec3 b = ball.nodes[static_cast<std::size_t>(shared[1])];
            const Vec3 over = normalized(a * 0.3 + b * 0.7) * 1.01;
            const SmoothProjection p = project(over, places(ball, t), normals.corners(t));
            const SmoothProjection q = project(over, places(ball, s), normals.corners(s));
            jump = std::max(jump, angle_between(p.normal, q.normal));
            facet_jump = std::min(facet_jump, angle_between(normals.facet(t), normals.facet(s)));
        }
    }
    EXPECT_LT(jump, 2e-3);  // the foot is not on the edge to the last: C0 on the surface, not above it
    EXPECT_GT(facet_jump, 0.1);
}

TEST(SmoothProjection, EightAtATimeGiveTheSameBits) {
    Random random{13};
    for (int round = 0; round < 500; ++round) {
        ProjectionQueries queries;
        SmoothProjection wanted[8];
        const auto put = [](const Vec3& v, double(&to)[3][8], int lane) {
            to[0][lane] = v.x, to[1][lane] = v.y, to[2][lane] = v.z;
        };
        for (int lane = 0; lane < 8; ++lane) {
            const Query q = draw_query(random, lane < 6 ? 0 : static_cast<int>(random.uniform() * 5));
            wanted[lane] = project(q.point, q.x, q.n);
            put(q.point, queries.point, lane);
            for (std::size_t k = 0; k < 3; ++k) put(q.x[k], queries.corner[k], lane);
            for (std::size_t k = 0; k < 3; ++k) put(q.n[k], queries.normal[k], lane);
        }
        for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
            if (!is_available(isa)) continue;
            ProjectionAnswers found;
            PLICA_PICK_KERNEL(isa, project_eight)(queries, found);
            for (int lane = 0; lane < 8; ++lane) {
                const SmoothProjection& w = wanted[lane];
                for (int k = 0; k < 3; ++k) EXPECT_EQ(found.weight[k][lane], w.weight[k]);
                EXPECT_EQ((Vec3{found.normal[0][lane], found.normal[1][lane], found.normal[2][lane]}), w.normal);
                EXPECT_EQ(found.gap[lane], w.gap);
                EXPECT_EQ(found.iterations[lane], w.iterations);
                EXPECT_EQ((found.converged >> lane & 1U) != 0, w.converged);
            }
        }
    }
}

}  // namespace
}  // namespace plica
