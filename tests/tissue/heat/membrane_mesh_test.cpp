#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "geometry/mesh/membrane.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/sphere_hull.hpp"
#include "tests/support/texts.hpp"
#include "tests/tissue/heat/heat_surfaces.hpp"

// Surfaces that are to be membranes: what is refused, what is repaired, and the shapes that come from formulas.
namespace plica::testing {
namespace {

std::string problem_of(SurfaceMesh mesh) {
    try {
        check_membrane(mesh, "skin");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

SurfaceMesh plane() {
    return make_plane(2.0, 2.0, 4, 4);
}

TEST(MembraneMesh, GoodSurfacesPassUnchanged) {
    for (const SurfaceMesh& before : {plane(), make_superquadric(400, 0.5, {1, 1, 1}), make_icosphere(2, 0.1)}) {
        SurfaceMesh mesh = before;
        const MembraneReport report = check_membrane(mesh, "skin");
        EXPECT_EQ(mesh.nodes, before.nodes);
        EXPECT_EQ(mesh.triangles, before.triangles);
        EXPECT_EQ(report.surface.flipped, 0U);
        EXPECT_EQ(report.closed, std::vector<char>{report.surface.closed ? char{1} : char{0}});
        EXPECT_EQ(report.old_node.size(), mesh.nodes.size());
        EXPECT_GT(report.smallest_angle, 25.0);
    }
}

TEST(MembraneMesh, MistakesNameTheirElement) {
    EXPECT_EQ(problem_of(plane()), "");
    SurfaceMesh mesh = plane();
    mesh.nodes[7].y = std::nan("");
    EXPECT_TRUE(contains(problem_of(mesh), "skin: node 7")) << problem_of(mesh);
    mesh = plane();
    mesh.triangles[5][1] = 25;
    EXPECT_TRUE(contains(problem_of(mesh), "triangle 5 has the node 25")) << problem_of(mesh);
    mesh = plane();
    mesh.triangles[5][1] = mesh.triangles[5][0];
    EXPECT_TRUE(contains(problem_of(mesh), "triangle 5 has the node")) << problem_of(mesh);
    EXPECT_TRUE(contains(problem_of(mesh), "twice")) << problem_of(mesh);
    mesh = plane();
    mesh.triangles.push_back(mesh.triangles[9]);
    EXPECT_TRUE(contains(problem_of(mesh), "triangles 9 and 32")) << problem_of(mesh);
    mesh = plane();
    mesh.triangles.push_back({mesh.triangles[9][0], mesh.triangles[9][1], 24});
    EXPECT_TRUE(contains(problem_of(mesh), "belongs to 3 triangles")) << problem_of(mesh);
    EXPECT_TRUE(contains(problem_of({}), "no triangles"));
}

TEST(MembraneMesh, AreasAndAnglesHaveTheirLeast) {
    const auto thin = [](double height) {
        SurfaceMesh mesh;
        mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.8, 0}, {0.5, -height, 0}};
        mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
        return problem_of(mesh);
    };
    const double tangent = std::tan(least_membrane_angle * 0.017453292519943295);
    EXPECT_EQ(thin(0.5 * tangent * 1.01), "");
    EXPECT_TRUE(contains(thin(0.5 * tangent * 0.99), "triangle 1 (nodes 1, 0, 3) has an angle of"));
    const auto small = [](double size) {  // a well-shaped triangle, far smaller than the whole
        SurfaceMesh mesh;
        mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.8, 0}, {5, 0, 0}, {5 + size, 0, 0}, {5, size, 0}};
        mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
        return problem_of(mesh);
    };
    EXPECT_EQ(small(1e-4), "");
    EXPECT_TRUE(contains(small(1e-6), "triangle 1 (nodes 3, 4, 5) has an area of"));
}

TEST(MembraneMesh, NodesJoinOneFan) {
    SurfaceMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 3, 4}};
    EXPECT_TRUE(contains(problem_of(mesh), "node 0 joins")) << problem_of(mesh);
    mesh.triangles.push_back({0, 2, 3});  // now they share edges
    EXPECT_EQ(problem_of(mesh), "");
    SurfaceMesh two = make_icosphere(1, 1.0);  // two spheres that touch in a node
    const auto first = static_cast<std::int32_t>(two.nodes.size());
    const SurfaceMesh other = two;
    const Vec3 move = 2.0 * two.nodes[4];
    for (const Vec3& p : other.nodes) two.nodes.push_back(move - p);
    for (auto t : other.triangles) {
        for (std::int32_t& n : t) n = n == 4 ? 4 : n + first;
        two.triangles.push_back({t[0], t[2], t[1]});
    }
    EXPECT_TRUE(contains(problem_of(two), "node 4 joins")) << problem_of(two);
}

TEST(MembraneMesh, LooseNodesAreDroppedAndTurnedTrianglesTurnedBack) {
    const SurfaceMesh good = make_superquadric(100, 0.5, {1, 1, 1});
    SurfaceMesh mesh = good;
    mesh.nodes.insert(mesh.nodes.begin() + 10, {9, 9, 9});
    for (auto& t : mesh.triangles) {
        for (std::int32_t& n : t) n += n >= 10 ? 1 : 0;
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) std::swap(mesh.triangles[i][0], mesh.triangles[i][1]);
    const MembraneReport report = check_membrane(mesh, "skin");
    EXPECT_EQ(report.surface.unreferenced_removed, 1U);
    EXPECT_EQ(report.surface.flipped, 66U);
    EXPECT_EQ(mesh.nodes, good.nodes);
    EXPECT_EQ(report.old_node[9], 9);
    EXPECT_EQ(report.old_node[10], 11);
    const auto key = [](std::array<std::int32_t, 3> t) {
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        return t;
    };
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) EXPECT_EQ(key(mesh.triangles[i]), key(good.triangles[i]));
}

TEST(MembraneMesh, PiecesAreToldApart) {
    SurfaceMesh mesh = make_icosphere(1, 1.0);
    const auto first = static_cast<std::int32_t>(mesh.nodes.size());
    for (Vec3 p : plane().nodes) mesh.nodes.push_back(p + Vec3{0, 0, 3});
    for (const auto& t : plane().triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    const MembraneReport report = check_membrane(mesh, "skin");
    EXPECT_EQ(report.closed, (std::vector<char>{1, 0}));
    EXPECT_EQ(report.piece.front(), 0);
    EXPECT_EQ(report.piece[at(first)], 1);
    EXPECT_EQ(std::count(report.piece.begin(), report.piece.end(), 0), first);
}

// No point above any triangle.
double highest_above(const std::vector<Vec3>& points, const std::vector<std::array<std::int32_t, 3>>& triangles) {
    double highest = -1.0;
    for (const auto& t : triangles) {
        const Vec3& o = points[at(t[0])];
        const Vec3 n = normalized(cross(points[at(t[1])] - o, points[at(t[2])] - o));
        for (const Vec3& p : points) highest = std::max(highest, dot(n, p - o));
    }
    return highest;
}

TEST(SphereHull, NoPointIsOutside) {
    Random random{3};
    for (const int count : {20, 100, 500}) {
        std::vector<Vec3> points;
        while (static_cast<int>(points.size()) < count) {
            const Vec3 p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            if (norm(p) < 1.0 && norm(p) > 0.1) points.push_back(normalized(p));
        }
        auto hull = find_sphere_hull(points);
        EXPECT_EQ(hull.size(), static_cast<std::size_t>(2 * count - 4));
        EXPECT_LT(highest_above(points, hull), 1e-12);
        // The other diagonal of two neighbours is not the hull.
        const auto first = hull[0];
        for (auto& t : hull) {
            if (std::count(t.begin(), t.end(), first[1]) == 0 || std::count(t.begin(), t.end(), first[2]) == 0)
                continue;
            for (const std::int32_t n : t) {
                if (std::count(first.begin(), first.end(), n) == 0) hull[0] = {first[0], first[1], n};
            }
        }
        EXPECT_GT(highest_above(points, hull), 1e-6);
    }
    std::vector<Vec3> half;
    for (int i = 0; i < 50; ++i)
        half.push_back(normalized({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 1)}));
    EXPECT_THROW(find_sphere_hull(half), Error);
}

TEST(Shapes, SuperquadricsLieOnTheirFormula) {
    const Vec3 half{0.05, 0.04, 0.03};
    const SurfaceMesh mesh = make_superquadric(400, 0.5, half);
    EXPECT_EQ(mesh.nodes.size(), 400U);
    EXPECT_EQ(mesh.triangles.size(), 796U);
    double worst = 0.0;
    for (const Vec3& p : mesh.nodes) {
        const double sum = std::pow(p.x / half.x, 4) + std::pow(p.y / half.y, 4) + std::pow(p.z / half.z, 4);
        worst = std::max(worst, std::abs(sum - 1.0));
    }
    EXPECT_LT(worst, 1e-12);
    const SurfaceReport unit = check_surface(make_superquadric(400, 0.5, {1, 1, 1}), "unit");
    EXPECT_TRUE(unit.closed);
    EXPECT_NEAR(unit.area, 17.4, 0.05);
    EXPECT_NEAR(unit.volume, 6.37, 0.01);
    const SurfaceReport sphere = check_surface(make_superquadric(1600, 1.0, {1, 1, 1}), "sphere");
    EXPECT_NEAR(sphere.volume, 4.18879, 0.02);
    EXPECT_GT(unit.volume, 1.4 * sphere.volume);
    EXPECT_THROW(make_superquadric(4, 0.5, half), Error);
    EXPECT_THROW(make_superquadric(400, 0.0, half), Error);
    EXPECT_THROW(make_superquadric(400, 0.5, {1, 0, 1}), Error);
}

TEST(Shapes, PlanesAreFlatAndFaceUp) {
    const SurfaceMesh mesh = make_plane(0.3, 0.2, 3, 2);
    EXPECT_EQ(mesh.nodes.size(), 12U);
    EXPECT_EQ(mesh.triangles.size(), 12U);
    double area = 0.0;
    for (const auto& t : mesh.triangles) {
        const Vec3 n = cross(mesh.nodes[at(t[1])] - mesh.nodes[at(t[0])], mesh.nodes[at(t[2])] - mesh.nodes[at(t[0])]);
        EXPECT_GT(n.z, 0.0);
        area += 0.5 * n.z;
    }
    EXPECT_NEAR(area, 0.06, 1e-15);
    EXPECT_EQ(mesh.nodes[5], (Vec3{-0.05, 0.0, 0.0}));
    EXPECT_THROW(make_plane(1.0, 1.0, 0, 1), Error);
    EXPECT_THROW(make_plane(-1.0, 1.0, 1, 1), Error);
}

}  // namespace
}  // namespace plica::testing
