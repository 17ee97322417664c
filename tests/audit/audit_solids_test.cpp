#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "audit/audit.hpp"
#include "audit/solids.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tests/audit/lattice_triangles.hpp"

namespace plica::audit {
namespace {

using namespace plica::testing;
using Pairs = std::vector<std::array<std::int32_t, 2>>;

// Closed bodies on the lattice.
struct Bodies {
    std::vector<Lattice> points;
    Surface surface;

    void add(const SurfaceMesh& mesh, double scale, const Lattice& shift) {
        const auto first = static_cast<std::int32_t>(points.size());
        const std::int32_t body = surface.triangles.empty() ? 0 : surface.triangles.back().body + 1;
        for (const Vec3& x : mesh.nodes) {
            Lattice p = to_lattice(scale * x);
            for (std::size_t k = 0; k < 3; ++k) p[k] += shift[k];
            points.push_back(p);
        }
        for (const auto& t : mesh.triangles)
            surface.triangles.push_back({first + t[0], first + t[1], first + t[2], 0.001, body, -1, -1, -1, true});
    }
    [[nodiscard]] std::vector<Vec3> positions() const {
        std::vector<Vec3> x;
        for (const Lattice& p : points) x.push_back(to_vec(p));
        return x;
    }
    [[nodiscard]] bool meet(const Triangle& s, const Triangle& t) const {
        std::vector<std::int32_t> p{s.a, s.b, s.c}, q{t.a, t.b, t.c}, common;
        for (const std::int32_t n : p)
            if (std::count(q.begin(), q.end(), n) > 0) common.push_back(n);
        const auto triangle = [&](std::vector<std::int32_t> nodes) {
            std::stable_partition(nodes.begin(), nodes.end(),
                                  [&](std::int32_t n) { return std::count(common.begin(), common.end(), n) > 0; });
            if (common.size() == 2 && nodes[0] != common[0]) std::swap(nodes[0], nodes[1]);
            const auto at = [&](std::size_t k) { return points[static_cast<std::size_t>(nodes[k])]; };
            return LatticeTriangle{at(0), at(1), at(2)};
        };
        const LatticeTriangle a = triangle(p), b = triangle(q);
        if (common.empty()) return lattice_meet(a, b);
        return common.size() == 1 ? lattice_meet_beyond_corner(a, b) : lattice_folded(a, b);
    }
    [[nodiscard]] Pairs brute_force() const {
        Pairs pairs;
        const auto capsules = static_cast<std::int32_t>(surface.capsules.size());
        for (std::size_t i = 0; i < surface.triangles.size(); ++i)
            for (std::size_t j = i + 1; j < surface.triangles.size(); ++j)
                if (meet(surface.triangles[i], surface.triangles[j]))
                    pairs.push_back({capsules + static_cast<std::int32_t>(i), capsules + static_cast<std::int32_t>(j)});
        return pairs;
    }
    [[nodiscard]] Pairs found() const {
        Solids solids(surface);
        const auto pairs = solids.find(positions().data());
        return {pairs.begin(), pairs.end()};
    }
};

SurfaceMesh cube() {
    return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}},
            {{0, 2, 1},
             {1, 2, 3},
             {4, 5, 6},
             {5, 7, 6},
             {0, 1, 4},
             {1, 5, 4},
             {2, 6, 3},
             {3, 6, 7},
             {0, 4, 2},
             {2, 4, 6},
             {1, 3, 5},
             {3, 7, 5}}};
}

// A ball of 1000 and one of `radius`, at a distance.
Bodies two_balls(double radius, const Lattice& shift) {
    const SurfaceMesh ball = make_icosphere(2, 1.0);
    Bodies bodies;
    bodies.add(ball, 1000.0, {});
    bodies.add(ball, radius, shift);
    return bodies;
}

TEST(Solids, TwoBallsAsBruteForceHasThem) {
    for (const Lattice& shift : {Lattice{1500, 40, 7}, Lattice{100, 1800, -200}, Lattice{-3, 5, 990}}) {
        const Bodies bodies = two_balls(900.0, shift);
        const Pairs pairs = bodies.found();
        EXPECT_GT(pairs.size(), 10U);
        EXPECT_EQ(pairs, bodies.brute_force());
    }
    for (const Bodies& apart : {two_balls(900.0, {2000, 0, 0}), two_balls(900.0, {1400, 1400, 0}),  // boxes overlap
                                two_balls(300.0, {100, 100, 0})}) {                                 // nested
        EXPECT_TRUE(apart.found().empty());
        EXPECT_TRUE(apart.brute_force().empty());
    }
}

// A corner of each at one place; then one lattice step, and one last bit, further.
TEST(Solids, TouchingCounts) {
    Bodies bodies;
    bodies.add(cube(), 10.0, {});
    bodies.add(cube(), 10.0, {10, 10, 10});
    EXPECT_EQ(bodies.found(), bodies.brute_force());
    EXPECT_FALSE(bodies.found().empty());
    Solids solids(bodies.surface);
    std::vector<Vec3> x = bodies.positions();
    for (std::size_t n = 8; n < 16; ++n) x[n].z = std::nextafter(x[n].z, 100.0);
    EXPECT_TRUE(solids.find(x.data()).empty());
}

// Faces in one plane: full on each other, in part, side by side.
TEST(Solids, CommonPlanesAsBruteForceHasThem) {
    for (const Lattice& shift : {Lattice{0, 0, 10}, Lattice{3, 4, 10}, Lattice{10, 0, 0}, Lattice{10, 10, 0},
                                 Lattice{0, 0, 0}, Lattice{5, 0, 0}, Lattice{3, 3, 0}}) {
        Bodies bodies;
        bodies.add(cube(), 10.0, {});
        bodies.add(cube(), 10.0, shift);
        EXPECT_FALSE(bodies.found().empty());
        EXPECT_EQ(bodies.found(), bodies.brute_force());
    }
    Bodies next;
    next.add(cube(), 10.0, {});
    next.add(cube(), 10.0, {11, 0, 0});  // four planes in common, nothing else
    EXPECT_TRUE(next.found().empty());
    Bodies alone;
    alone.add(cube(), 10.0, {});
    EXPECT_TRUE(alone.found().empty());
}

// One body, crumpled: pairs that share a corner or an edge are among those that meet.
TEST(Solids, OneBodyThroughItself) {
    Random random{17};
    Bodies bodies;
    bodies.add(make_icosphere(2, 1.0), 1000.0, {});
    ASSERT_TRUE(bodies.found().empty());
    int neighbours = 0, others = 0;
    for (const unsigned throw_of : {60U, 300U, 900U}) {
        Bodies crumpled = bodies;
        for (Lattice& p : crumpled.points)
            for (Wide& x : p) x += static_cast<std::int64_t>(random.next() % throw_of);
        const Pairs pairs = crumpled.found();
        EXPECT_EQ(pairs, crumpled.brute_force());
        EXPECT_EQ(pairs.empty(), throw_of == 60U);
        for (const auto& [i, j] : pairs) {
            const Triangle& s = bodies.surface.triangles[static_cast<std::size_t>(i)];
            const Triangle& t = bodies.surface.triangles[static_cast<std::size_t>(j)];
            const bool shared = s.a == t.a || s.a == t.b || s.a == t.c || s.b == t.a || s.b == t.b || s.b == t.c ||
                                s.c == t.a || s.c == t.b || s.c == t.c;
            ++(shared ? neighbours : others);
        }
    }
    EXPECT_GT(neighbours, 10);
    EXPECT_GT(others, 10);
}

// Pressed flat, the two halves lie on each other; a triangle folded onto its neighbour is found as well.
TEST(Solids, ABodyWithoutThickness) {
    Bodies bodies;
    bodies.add(cube(), 10.0, {});
    for (Lattice& p : bodies.points) p[2] = 0;
    EXPECT_EQ(bodies.found(), bodies.brute_force());
    EXPECT_GT(bodies.found().size(), 4U);
    const Surface hinge{{}, {{0, 1, 2, 0.001, 0, -1, -1, -1}, {1, 0, 3, 0.001, 0, -1, -1, -1}}};
    Solids solids(hinge);
    std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.4, 0.9, 1e-12}};
    EXPECT_TRUE(solids.find(x.data()).empty());
    x[3].z = 0.0;
    EXPECT_EQ(solids.find(x.data()).size(), 1U);
}

// Sheets have chains; capsules come before triangles.
TEST(Solids, OneOfTheTwoHasNoChain) {
    Bodies bodies = two_balls(900.0, {1500, 40, 7});
    bodies.surface.capsules.resize(5);
    const Pairs pairs = bodies.found();
    EXPECT_EQ(pairs, bodies.brute_force());
    EXPECT_GE(pairs.front()[0], 5);
    for (Triangle& t : bodies.surface.triangles)
        if (t.body == 1) t.chain = 0;
    EXPECT_EQ(bodies.found().size(), pairs.size());  // a sheet with features, in a solid
    for (Triangle& t : bodies.surface.triangles) t.sheet = t.body == 0;
    EXPECT_TRUE(bodies.found().empty());
    EXPECT_FALSE(Solids(bodies.surface).empty());
    for (Triangle& t : bodies.surface.triangles) t.chain = t.body;
    EXPECT_TRUE(Solids(bodies.surface).empty());
}

// From look to look, and on any axis.
TEST(Solids, AMotionIsFollowed) {
    const Bodies still = two_balls(900.0, {2500, 0, 0});
    Solids solids(still.surface);
    for (int axis = 0; axis < 3; ++axis) {
        for (const std::int64_t shift : {2500, 1700, 1200, 300, -1300, -2500}) {
            Lattice by{40, 30, 20};
            by[static_cast<std::size_t>(axis)] = shift;
            const Bodies bodies = two_balls(900.0, by);
            const auto pairs = solids.find(bodies.positions().data());
            EXPECT_EQ(Pairs(pairs.begin(), pairs.end()), bodies.found());
            EXPECT_EQ(pairs.empty(), std::abs(shift) == 2500);
        }
    }
}

TEST(Solids, PositionsThatAreNone) {
    Bodies bodies;
    bodies.add(cube(), 10.0, {});
    Solids solids(bodies.surface);
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -1e200}) {
        std::vector<Vec3> x = bodies.positions();
        x[3].y = bad;
        EXPECT_THROW(solids.find(x.data()), Error);
    }
    std::vector<Vec3> x = bodies.positions();
    for (Vec3& p : x)
        if (p.z == 0.0) p.z = 1e-300;  // no less flat for that
    EXPECT_TRUE(solids.find(x.data()).empty());
}

// Steps: a cube of 0.1 m over another, both closed, the upper one at these heights after each substep.
Surface two_cubes() {
    Bodies bodies;
    bodies.add(cube(), 1.0, {});
    bodies.add(cube(), 1.0, {0, 0, 2});
    return bodies.surface;
}

std::vector<Vec3> cubes_at(const std::vector<double>& heights) {
    std::vector<Vec3> trail;
    for (const double z : heights) {
        for (const Vec3& p : cube().nodes) trail.push_back(0.1 * p);
        for (const Vec3& p : cube().nodes) trail.push_back(0.1 * p + Vec3{0.03, 0.02, z});
    }
    return trail;
}

std::vector<double> falling(int substeps, double from, double to) {
    std::vector<double> heights;
    for (int s = 0; s <= substeps; ++s) heights.push_back(from + (to - from) * s / substeps);
    return heights;
}

TEST(AuditOfSolids, LooksAtEvery20thSubstepAndAtTheEnd) {
    Audit audit(two_cubes(), cubes_at({0.2}), 2);
    EXPECT_TRUE(audit.has_pairs());
    EXPECT_EQ(audit.trail_interval(), 20);
    const StepFindings above = audit.examine(cubes_at(falling(50, 0.2, 0.11)), 50);
    EXPECT_EQ(above.looks, 3);
    EXPECT_EQ(above.intersections, 0);
    EXPECT_EQ(above.intersection_a, -1);
    EXPECT_TRUE(audit.intersections().empty());
    const StepFindings into = audit.examine(cubes_at(falling(50, 0.2, 0.05)), 50);
    EXPECT_GT(into.intersections, 10);
    EXPECT_EQ(into.intersection_bodies, (BodyPair{0, 1}));
    EXPECT_EQ(static_cast<int>(audit.intersections().size()), into.intersections);
    EXPECT_EQ(audit.intersections().front(), (std::array<std::int32_t, 2>{into.intersection_a, into.intersection_b}));
    EXPECT_EQ(into.worst, 0.0);
    EXPECT_EQ(into.pass_throughs, 0);
    // In and out again between the ends of the step: the most of all looks counts.
    std::vector<double> heights = falling(50, 0.2, 0.2);
    heights[40] = 0.05;
    EXPECT_EQ(audit.examine(cubes_at(heights), 50).intersections, into.intersections);
    heights[40] = 0.2;
    heights[41] = 0.05;  // control: between two looks
    EXPECT_EQ(audit.examine(cubes_at(heights), 50).intersections, 0);
    // The same of a trail that holds every 20th substep.
    const StepFindings sparse = audit.examine(cubes_at({0.2, 0.2, 0.05, 0.2}), 3, 20);
    EXPECT_EQ(sparse.looks, 3);
    EXPECT_EQ(sparse.intersections, into.intersections);
    EXPECT_EQ(audit.examine(cubes_at({0.2, 0.05}), 1).intersections, into.intersections);  // frames of a dump
    EXPECT_EQ(audit.examine(cubes_at({0.2, 0.1}), 1).intersections > 0, true);             // no gap
    EXPECT_EQ(audit.examine(cubes_at({0.2, std::nextafter(0.1, 1.0)}), 1).intersections, 0);
    EXPECT_THROW(audit.examine(cubes_at({0.2, std::nan("")}), 1), Error);
}

// A tool besides: the trail must hold every substep. Nodes that no primitive has may be anywhere.
TEST(AuditOfSolids, BesidesASphere) {
    Surface surface = two_cubes();
    surface.capsules.push_back({16, 16, 0.01, 2, -1, 0, 0, false});
    const auto with_ball = [](double z) {
        std::vector<Vec3> x = cubes_at({0.05});
        x.push_back({0.05, 0.06, z});
        x.push_back({std::nan(""), 0, 0});
        return x;
    };
    std::vector<Vec3> trail = with_ball(0.3), end = with_ball(-0.3);
    Audit audit(surface, trail, 3);
    EXPECT_EQ(audit.trail_interval(), 1);
    trail.insert(trail.end(), end.begin(), end.end());
    const StepFindings found = audit.examine(trail, 1);
    EXPECT_EQ(found.pass_throughs, 4);  // both faces of both
    EXPECT_GT(found.intersections, 0);
    EXPECT_GE(found.intersection_a, 1);  // behind the sphere
}

// Whatever contact makes of their triangles, closed bodies are no sheets, and sheets no closed bodies.
TEST(AuditOfSolids, ChainsTellSheetsFromSolids) {
    Surface surface = two_cubes();
    for (Triangle& t : surface.triangles) t.sheet = true;
    Audit solids(surface, cubes_at({0.2}), 2);
    const StepFindings closed = solids.examine(cubes_at({0.2, 0.05}), 1);
    EXPECT_EQ(closed.pass_throughs, 0);
    EXPECT_GT(closed.intersections, 0);
    for (Triangle& t : surface.triangles) t.chain = t.body;
    Audit sheets(surface, cubes_at({0.2}), 2);
    const StepFindings open = sheets.examine(cubes_at({0.2, 0.05}), 1);
    EXPECT_GT(open.pass_throughs, 0);
    EXPECT_EQ(open.intersections, 0);
    EXPECT_EQ(open.looks, 0);
}

// A mesentery through a ball is found, where contact keeps them apart; mesenteries through each other are others' to
// find.
TEST(Solids, FindsSheetsInSolids) {
    const auto all = [](bool sheet, bool chained) {
        Bodies bodies;
        for (int k = 0; k < 3; ++k) bodies.add(cube(), 4.0, {k, k, k});
        for (Triangle& t : bodies.surface.triangles) {
            if (t.body == 0 && !chained) continue;
            t.chain = 0;
            t.sheet = sheet;
        }
        return bodies;
    };
    const Bodies sheets = all(true, false);
    Pairs expected = sheets.brute_force();
    const std::size_t every = expected.size();
    const auto is_closed = [&](std::int32_t i) {
        return sheets.surface.triangles[static_cast<std::size_t>(i)].chain < 0;
    };
    std::erase_if(expected, [&](const auto& pair) { return !is_closed(pair[0]) && !is_closed(pair[1]); });
    EXPECT_GT(expected.size(), 0U);
    EXPECT_LT(expected.size(), every);
    EXPECT_EQ(sheets.found(), expected);
    EXPECT_TRUE(all(false, false).found().empty());  // contact knows nothing of these
    EXPECT_TRUE(Solids(all(true, true).surface).empty());
}

}  // namespace
}  // namespace plica::audit
