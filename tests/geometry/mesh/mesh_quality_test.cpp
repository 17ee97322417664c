#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/error.hpp"
#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/external.hpp"
#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tests/support/texts.hpp"

namespace plica::testing {
namespace {

template <class Mesh, class Repair>
std::string problem_of(Mesh mesh, Repair&& repair) {
    try {
        repair(mesh, std::string("organ"));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}
std::string problem_of(const VolumeMesh& mesh) {
    return problem_of(mesh, [](VolumeMesh& m, const std::string& name) { repair_mesh(m, name); });
}
std::string problem_of(const SurfaceMesh& mesh) {
    return problem_of(mesh, [](SurfaceMesh& m, const std::string& name) { repair_surface(m, name); });
}

SurfaceMesh skin(const Vec3& low, const Vec3& high) {
    const VolumeMesh block = make_tetrahedral_block(low, high, {1, 1, 1});
    return {block.nodes, find_boundary(block)};
}

void append(SurfaceMesh& mesh, const SurfaceMesh& other) {
    const auto first = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.insert(mesh.nodes.end(), other.nodes.begin(), other.nodes.end());
    for (const auto& t : other.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

double volume_of(const SurfaceMesh& mesh) {
    double sum = 0.0;
    for (const auto& t : mesh.triangles) {
        const auto at = [&](int k) { return mesh.nodes[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])]; };
        sum += dot(at(0), cross(at(1), at(2))) / 6.0;
    }
    return sum;
}

TEST(MeshQuality, ABlockIsWhatItIs) {
    VolumeMesh mesh = make_tetrahedral_block({0, 0, 0}, {0.3, 0.2, 0.1}, {3, 2, 1});
    const VolumeMesh before = mesh;
    const MeshReport report = repair_mesh(mesh, "block");
    EXPECT_EQ(mesh.nodes, before.nodes);
    EXPECT_EQ(mesh.tetrahedra, before.tetrahedra);
    EXPECT_EQ(report.nodes, 24U);
    EXPECT_EQ(report.tetrahedra, 36U);
    EXPECT_EQ(report.hexahedra, 0U);
    EXPECT_NEAR(report.volume, 0.006, 1e-15);
    EXPECT_EQ(report.inverted_repaired + report.duplicates_removed + report.unreferenced_removed, 0U);
    EXPECT_EQ(report.duplicate_positions + report.slivers, 0U);
    EXPECT_EQ(report.pieces, 1U);
    EXPECT_EQ(report.regions, 1U);
    // Kuhn's tetrahedron in a cube of side a: angles of 45, 60 and 90 degrees, smallest altitude a / sqrt(2).
    EXPECT_NEAR(report.worst_angle, 45.0, 1e-9);
    EXPECT_NEAR(report.smallest_altitude, 0.1 / std::sqrt(2.0), 1e-12);
    EXPECT_TRUE(contains(describe(report), "36 tetrahedra, 0 hexahedra on 24 nodes")) << describe(report);
}

TEST(MeshQuality, RegularTetrahedronAndCubeArePerfect) {
    VolumeMesh mesh;
    mesh.nodes = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
    mesh.tetrahedra = {{0, 1, 2, 3}};
    const MeshReport tetrahedron = repair_mesh(mesh, "one");
    EXPECT_NEAR(tetrahedron.worst_quality, 1.0, 1e-12);
    EXPECT_NEAR(tetrahedron.volume, 8.0 / 3.0, 1e-12);
    VolumeMesh cube = make_hexahedral_block({0, 0, 0}, {2, 2, 2}, {1, 1, 1});
    const MeshReport report = repair_mesh(cube, "cube");
    EXPECT_NEAR(report.worst_quality, 1.0, 1e-12);
    EXPECT_NEAR(report.volume, 8.0, 1e-12);
    EXPECT_NEAR(report.smallest_altitude, 2.0, 1e-12);
}

TEST(MeshQuality, MirroredCellsAreTurned) {
    VolumeMesh mesh = make_tetrahedral_block({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
    for (std::size_t i = 0; i < mesh.tetrahedra.size(); i += 3) std::swap(mesh.tetrahedra[i][0], mesh.tetrahedra[i][1]);
    EXPECT_EQ(repair_mesh(mesh, "m").inverted_repaired, 16U);
    EXPECT_NEAR(measure_mesh(mesh).volume, 1.0, 1e-12);
    VolumeMesh bricks = make_hexahedral_block({0, 0, 0}, {1, 1, 1}, {2, 1, 1});
    for (Vec3& p : bricks.nodes) p.x = -p.x;
    EXPECT_EQ(repair_mesh(bricks, "m").inverted_repaired, 2U);
    EXPECT_NEAR(measure_mesh(bricks).volume, 1.0, 1e-12);
    EXPECT_EQ(find_boundary(bricks).size(), 20U);  // the faces still match
}

TEST(MeshQuality, DuplicatesAndUnusedNodesGoAndAllIsRenumbered) {
    VolumeMesh mesh = make_tetrahedral_block({0, 0, 0}, {1, 1, 1}, {1, 1, 1});
    const VolumeMesh clean = mesh;
    mesh.nodes.insert(mesh.nodes.begin(), {9, 9, 9});
    for (auto& t : mesh.tetrahedra) {
        for (std::int32_t& node : t) ++node;
    }
    mesh.node_sets = {{"a", {0, 1, 8}}, {"gone", {0}}};
    auto again = mesh.tetrahedra[2];
    std::swap(again[0], again[3]);
    mesh.tetrahedra.insert(mesh.tetrahedra.begin() + 3, again);
    mesh.region = {0, 0, 1, 0, 1, 1, 1};
    mesh.region_names = {"x", "y"};
    const MeshReport report = repair_mesh(mesh, "m");
    EXPECT_EQ(report.duplicates_removed, 1U);
    EXPECT_EQ(report.unreferenced_removed, 1U);
    EXPECT_EQ(mesh.nodes, clean.nodes);
    EXPECT_EQ(mesh.tetrahedra, clean.tetrahedra);
    EXPECT_EQ(mesh.region, (std::vector<std::int32_t>{0, 0, 1, 1, 1, 1}));
    ASSERT_EQ(mesh.node_sets.size(), 1U);
    EXPECT_EQ(mesh.node_sets[0].nodes, (std::vector<std::int32_t>{0, 7}));
    EXPECT_EQ(report.regions, 2U);
}

TEST(MeshQuality, SliversPiecesAndDoublePlacesAreCounted) {
    VolumeMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0.01}};
    mesh.tetrahedra = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    const MeshReport report = repair_mesh(mesh, "m");
    EXPECT_EQ(report.slivers, 1U);
    EXPECT_EQ(report.worst_cell, 1U);
    EXPECT_EQ(report.pieces, 2U);
    EXPECT_EQ(report.duplicate_positions, 3U);
    EXPECT_NEAR(report.smallest_altitude, 0.01, 2e-4);
    EXPECT_LT(report.worst_angle, sliver_angle);
    mesh.nodes[7].z = 0.4;
    EXPECT_EQ(repair_mesh(mesh, "m").slivers, 0U);
}

TEST(MeshQuality, WhatCannotBeRepairedIsNamed) {
    const VolumeMesh good = make_tetrahedral_block({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
    EXPECT_EQ(problem_of(good), "");
    VolumeMesh mesh = good;
    mesh.tetrahedra[7][2] = 27;
    EXPECT_EQ(problem_of(mesh), "organ: tetrahedron 7 has the node 27, expected 0 to 26");
    mesh = good;
    mesh.tetrahedra[5][2] = -1;
    EXPECT_TRUE(contains(problem_of(mesh), "tetrahedron 5")) << problem_of(mesh);
    mesh = good;
    mesh.tetrahedra[3][1] = mesh.tetrahedra[3][0];
    EXPECT_TRUE(contains(problem_of(mesh), "tetrahedron 3 has the node 0 twice")) << problem_of(mesh);
    mesh = good;
    mesh.tetrahedra[4] = {0, 1, 3, 4};  // in one plane
    EXPECT_TRUE(contains(problem_of(mesh), "tetrahedron 4 (nodes 0, 1, 3, 4) has no volume")) << problem_of(mesh);
    mesh = good;
    mesh.nodes[2].y = std::nan("");
    EXPECT_TRUE(contains(problem_of(mesh), "node 2 is at (1, nan, 0)")) << problem_of(mesh);
    mesh = good;
    mesh.nodes[2].y = 1e200;
    EXPECT_TRUE(contains(problem_of(mesh), "node 2")) << problem_of(mesh);
    mesh = good;
    mesh.node_sets = {{"top", {99}}};
    EXPECT_TRUE(contains(problem_of(mesh), "\"top\" has the node 99")) << problem_of(mesh);
    mesh = good;
    mesh.region = {0, 0};
    EXPECT_TRUE(contains(problem_of(mesh), "regions of cells")) << problem_of(mesh);
    EXPECT_TRUE(contains(problem_of(VolumeMesh{}), "no tetrahedra")) << problem_of(VolumeMesh{});
}

TEST(MeshQuality, FoldedHexahedraAreRefused) {
    VolumeMesh mesh = make_hexahedral_block({0, 0, 0}, {1, 1, 1}, {1, 1, 1});
    EXPECT_EQ(problem_of(mesh), "");
    std::swap(mesh.hexahedra[0][0], mesh.hexahedra[0][1]);
    EXPECT_TRUE(contains(problem_of(mesh), "hexahedron 0 is folded or flat")) << problem_of(mesh);
    VolumeMesh flat = make_hexahedral_block({0, 0, 0}, {1, 1, 0}, {1, 1, 1});
    EXPECT_TRUE(contains(problem_of(flat), "hexahedron 0 is folded or flat")) << problem_of(flat);
}

TEST(SurfaceQuality, ClosedSurfacesFaceOutward) {
    SurfaceMesh mesh = skin({1, 1, 1}, {2, 3, 4});
    SurfaceReport report = repair_surface(mesh, "s");
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(report.flipped, 0U);
    EXPECT_EQ(report.pieces, 1U);
    EXPECT_NEAR(report.volume, 6.0, 1e-12);
    EXPECT_NEAR(report.area, 22.0, 1e-12);
    for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
    EXPECT_EQ(check_surface(mesh, "s").flipped, 12U);
    EXPECT_LT(volume_of(mesh), 0.0);  // a check changes nothing
    EXPECT_EQ(repair_surface(mesh, "s").flipped, 12U);
    EXPECT_NEAR(volume_of(mesh), 6.0, 1e-12);
    std::swap(mesh.triangles[3][0], mesh.triangles[3][1]);
    std::swap(mesh.triangles[8][0], mesh.triangles[8][2]);
    EXPECT_EQ(repair_surface(mesh, "s").flipped, 2U);
    EXPECT_NEAR(volume_of(mesh), 6.0, 1e-12);
}

TEST(SurfaceQuality, AHollowFacesInward) {
    SurfaceMesh mesh = skin({0, 0, 0}, {3, 3, 3});
    append(mesh, skin({1, 1, 1}, {2, 2, 2}));
    append(mesh, skin({5, 0, 0}, {6, 1, 1}));
    const SurfaceReport report = repair_surface(mesh, "s");
    EXPECT_EQ(report.pieces, 3U);
    EXPECT_EQ(report.flipped, 12U);
    EXPECT_NEAR(report.volume, 27.0 - 1.0 + 1.0, 1e-12);
    EXPECT_NEAR(volume_of(mesh), 27.0, 1e-12);
    EXPECT_EQ(repair_surface(mesh, "s").flipped, 0U);
}

TEST(SurfaceQuality, HolesAreCountedDegenerateTrianglesGo) {
    SurfaceMesh mesh = skin({0, 0, 0}, {1, 1, 1});
    mesh.triangles.push_back({0, 1, 1});
    mesh.triangles.push_back(mesh.triangles[0]);
    mesh.nodes.push_back({7, 7, 7});
    SurfaceReport report = repair_surface(mesh, "s");
    EXPECT_EQ(report.degenerate_removed, 2U);
    EXPECT_EQ(report.unreferenced_removed, 1U);
    EXPECT_TRUE(report.closed);
    mesh.triangles.pop_back();
    report = repair_surface(mesh, "s");
    EXPECT_FALSE(report.closed);
    EXPECT_EQ(report.open_edges, 3U);
    EXPECT_EQ(report.volume, 0.0);
    EXPECT_TRUE(contains(describe(report), "3 edges")) << describe(report);
}

TEST(SurfaceQuality, WhatIsNoSurfaceIsRefused) {
    SurfaceMesh mesh = skin({0, 0, 0}, {1, 1, 1});
    mesh.nodes.push_back({5, 5, 5});
    const auto t = mesh.triangles[0];
    mesh.triangles.push_back({t[0], t[1], 8});
    EXPECT_TRUE(contains(problem_of(mesh), "belongs to 3 triangles")) << problem_of(mesh);
    mesh.triangles.back()[2] = 9;
    EXPECT_TRUE(contains(problem_of(mesh), "triangle 12 has the node 9, expected 0 to 8")) << problem_of(mesh);
    // A band with half a turn: five triangles, each sharing an edge with the next.
    SurfaceMesh band{{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {1, 2, 1}, {0, 1, 2}},
                     {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 0}, {4, 0, 1}}};
    EXPECT_TRUE(contains(problem_of(band), "only one side")) << problem_of(band);
    EXPECT_TRUE(contains(problem_of(SurfaceMesh{}), "no triangles"));
}

using Mesher = VolumeMesh (*)(const SurfaceMesh&, double);

bool is_installed(const std::string& program) {
    for (const char* folder : {"/usr/bin/", "/usr/local/bin/"}) {
        if (std::filesystem::exists(folder + program)) return true;
    }
    return false;
}

// Fills a box of 1 x 2 x 3 cm with cells of 4 mm.
void fill_box(Mesher mesher) {
    const SurfaceMesh box = skin({0, 0, 0}, {0.01, 0.02, 0.03});
    VolumeMesh mesh = mesher(box, 0.004);
    const MeshReport report = repair_mesh(mesh, "box");
    EXPECT_NEAR(report.volume, 6e-6, 1e-12);
    EXPECT_GT(report.tetrahedra, 100U);
    EXPECT_EQ(report.pieces, 1U);
    EXPECT_TRUE(mesh.region_names.empty());
}

TEST(ExternalMeshers, Tetgen) {
    if (!is_installed("tetgen")) GTEST_SKIP() << "tetgen is not installed";
    fill_box(mesh_with_tetgen);
}

TEST(ExternalMeshers, Gmsh) {
    if (!is_installed("gmsh")) GTEST_SKIP() << "gmsh is not installed";
    fill_box(mesh_with_gmsh);
}

TEST(ExternalMeshers, WhatIsNotInstalledIsSaid) {
    const char* path = std::getenv("PATH");
    const std::string before = path != nullptr ? path : "";
    setenv("PATH", "", 1);
    for (const auto& [mesher, name] :
         {std::pair<Mesher, const char*>{mesh_with_tetgen, "tetgen"}, {mesh_with_gmsh, "gmsh"}}) {
        try {
            mesher(skin({0, 0, 0}, {1, 1, 1}), 0.5);
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), Status::environment);
            EXPECT_TRUE(contains(error.what(), "is not installed")) << error.what();
            EXPECT_TRUE(contains(error.what(), name)) << error.what();
        }
        EXPECT_THROW(mesher(skin({0, 0, 0}, {1, 1, 1}), 0.0), Error);
    }
    setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace plica::testing
