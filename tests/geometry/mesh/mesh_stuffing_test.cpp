#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.hpp"
#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/stuffing.hpp"
#include "tests/geometry/mesh/mesh_angles.hpp"
#include "tests/geometry/mesh/meshes.hpp"

namespace plica {
namespace {

SurfaceMesh boundary_of(const VolumeMesh& mesh) {
    return {mesh.nodes, find_boundary(mesh)};
}

void expect_good(const VolumeMesh& mesh) {
    EXPECT_EQ(complaint_about(mesh), "");
    const MeshQuality quality = measure_quality(mesh);
    EXPECT_GT(quality.smallest_volume, 0.0);
    EXPECT_GT(quality.smallest_dihedral, 10.7);  // Labelle and Shewchuk 2007
    EXPECT_LT(quality.largest_dihedral, 164.8);
}

SurfaceMesh box_surface(const Vec3& low, const Vec3& high) {
    const VolumeMesh block = make_tetrahedral_block(low, high, {1, 1, 1});
    return boundary_of(block);
}

SurfaceMesh torus(double large, double small, int around, int across) {
    SurfaceMesh mesh;
    const auto node = [&](int i, int j) { return (i % around) * across + j % across; };
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            const double f = 2.0 * std::numbers::pi * i / around;
            const double g = 2.0 * std::numbers::pi * j / across;
            const double r = large + small * std::cos(g);
            mesh.nodes.push_back({r * std::cos(f), r * std::sin(f), small * std::sin(g)});
            mesh.triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
            mesh.triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
        }
    }
    return mesh;
}

void add(const SurfaceMesh& piece, const Vec3& shift, SurfaceMesh& all) {
    const auto first = static_cast<std::int32_t>(all.nodes.size());
    for (const Vec3& p : piece.nodes) all.nodes.push_back(p + shift);
    for (const auto& t : piece.triangles) all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

std::string refusal(const SurfaceMesh& surface, double cell) {
    try {
        fill_surface(surface, cell);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// Some cell without a node on the boundary.
std::size_t inner_cell(const VolumeMesh& mesh) {
    std::vector<bool> outer(mesh.nodes.size(), false);
    for (const auto& t : find_boundary(mesh)) {
        for (const std::int32_t node : t) outer[static_cast<std::size_t>(node)] = true;
    }
    const auto is_inner = [&](const std::array<std::int32_t, 4>& t) {
        return std::none_of(t.begin(), t.end(),
                            [&](std::int32_t node) { return outer[static_cast<std::size_t>(node)]; });
    };
    const auto found = std::find_if(mesh.tetrahedra.begin(), mesh.tetrahedra.end(), is_inner);
    return static_cast<std::size_t>(found - mesh.tetrahedra.begin());
}

TEST(Stuffing, BallsAreFilledWithGoodCells) {
    for (const double cell : {0.03, 0.02, 0.013, 0.009, 0.006, 0.004}) {
        SCOPED_TRACE(cell);
        const VolumeMesh mesh = make_ball(0.05, cell);
        expect_good(mesh);
        EXPECT_EQ(euler_characteristic(boundary_of(mesh)), 2);
        EXPECT_GT(measure_quality(mesh).smallest_altitude, 0.1 * cell);
    }
}

TEST(Stuffing, TheVolumeErrorFallsWithTheSquareOfTheCell) {
    const SurfaceMesh liver = make_liver_surface(5);
    double last = 1.0;
    for (const double cell : {0.016, 0.008, 0.004}) {
        const double error = std::abs(measure_quality(fill_surface(liver, cell)).volume / compute_volume(liver) - 1.0);
        EXPECT_LT(error, 1.1 * cell * cell / (0.1 * 0.1));
        EXPECT_LT(error, 0.4 * last);
        last = error;
    }
    EXPECT_LT(last, 0.002);
}

TEST(Stuffing, NodesOfTheBoundaryLieOnTheSurface) {
    const double cell = 0.1;
    const VolumeMesh mesh = fill_surface(make_icosphere(5, 1.0), cell);
    for (const auto& t : find_boundary(mesh)) {
        for (const std::int32_t node : t) EXPECT_NEAR(norm(mesh.nodes[static_cast<std::size_t>(node)]), 1.0, 0.001);
    }
}

TEST(Stuffing, ATorusKeepsItsHole) {
    const SurfaceMesh surface = torus(0.05, 0.02, 96, 48);
    ASSERT_EQ(complaint_about(surface), "");
    const VolumeMesh mesh = fill_surface(surface, 0.006);
    expect_good(mesh);
    EXPECT_EQ(euler_characteristic(boundary_of(mesh)), 0);
    EXPECT_NEAR(measure_quality(mesh).volume / compute_volume(surface), 1.0, 0.03);
}

TEST(Stuffing, ABoxLosesNoMoreThanItsEdges) {
    const VolumeMesh mesh = fill_surface(box_surface({0, 0, 0}, {0.1, 0.08, 0.06}), 0.005);
    expect_good(mesh);
    EXPECT_EQ(euler_characteristic(boundary_of(mesh)), 2);
    EXPECT_NEAR(measure_quality(mesh).volume, 0.1 * 0.08 * 0.06, 0.005 * 0.1 * 0.08 * 0.06);
    for (const Vec3& p : mesh.nodes) {  // rounding moves nodes by some 1e-17
        EXPECT_GE(std::min({p.x, p.y, p.z, 0.1 - p.x, 0.08 - p.y, 0.06 - p.z}), -1e-12);
    }
}

TEST(Stuffing, TwoPiecesStayTwo) {
    SurfaceMesh surface;
    add(make_icosphere(3, 0.03), {-0.04, 0, 0}, surface);
    add(make_icosphere(3, 0.02), {0.04, 0, 0}, surface);
    const VolumeMesh mesh = fill_surface(surface, 0.005);
    expect_good(mesh);
    EXPECT_EQ(euler_characteristic(boundary_of(mesh)), 4);
    EXPECT_NEAR(measure_quality(mesh).volume / compute_volume(surface), 1.0, 0.03);
}

TEST(Stuffing, PiecesThatOverlapBecomeOne) {
    SurfaceMesh surface;
    add(make_icosphere(4, 0.03), {-0.01, 0, 0}, surface);
    add(make_icosphere(4, 0.03), {0.01, 0, 0}, surface);
    const VolumeMesh mesh = fill_surface(surface, 0.003);
    expect_good(mesh);
    EXPECT_EQ(euler_characteristic(boundary_of(mesh)), 2);
    const double lens = std::numbers::pi * (4 * 0.03 + 0.02) * std::pow(0.06 - 0.02, 2) / 12.0;
    EXPECT_NEAR(measure_quality(mesh).volume / (compute_volume(surface) - lens), 1.0, 0.02);
}

TEST(Stuffing, AShellKeepsItsHollow) {
    SurfaceMesh surface = make_icosphere(4, 0.05);
    SurfaceMesh hollow = make_icosphere(4, 0.03);
    for (auto& t : hollow.triangles) std::swap(t[1], t[2]);
    add(hollow, {0, 0, 0}, surface);
    const VolumeMesh mesh = fill_surface(surface, 0.006);
    expect_good(mesh);
    EXPECT_EQ(euler_characteristic(boundary_of(mesh)), 4);
    EXPECT_NEAR(measure_quality(mesh).volume / compute_volume(surface), 1.0, 0.03);
}

// Walls and gaps thinner than a cell may come and go, but what is there is a mesh.
TEST(Stuffing, FeaturesTooThinForTheCellsLeaveAGoodMesh) {
    for (const double thickness : {0.003, 0.004, 0.005, 0.008, 0.012}) {
        SCOPED_TRACE(thickness);
        SurfaceMesh surface = make_icosphere(4, 0.05);
        SurfaceMesh hollow = make_icosphere(4, 0.05 - thickness);
        for (auto& t : hollow.triangles) std::swap(t[1], t[2]);
        add(hollow, {0, 0, 0}, surface);
        add(torus(0.03, 0.5 * thickness, 96, 12), {0, 0, 0.01}, surface);
        expect_good(fill_surface(surface, 0.006));
    }
}

// The bounds on the angles do not come from the surface: noise of the size of the cells keeps them.
TEST(Stuffing, ACrumpledSurfaceLeavesAGoodMesh) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        SurfaceMesh surface = make_icosphere(3, 0.05);
        for (Vec3& p : surface.nodes) p *= random.uniform(0.4, 1.4);
        expect_good(fill_surface(surface, random.uniform(0.005, 0.02)));
    }
}

TEST(Stuffing, RoundNumbersAndGridCornersAreNoTrouble) {
    for (const double cell : {0.25, 0.125, 0.1}) {
        expect_good(fill_surface(boundary_of(make_tetrahedral_block({0, 0, 0}, {1, 1, 1}, {8, 8, 8})), cell));
    }
}

TEST(Stuffing, PlaceAndSizeDoNotMatter) {
    const VolumeMesh here = fill_surface(make_icosphere(3, 1.0), 0.2);
    for (const double size : {1e-6, 1e6}) {
        EXPECT_EQ(fill_surface(make_icosphere(3, size), 0.2 * size).tetrahedra.size(), here.tetrahedra.size());
    }
    SurfaceMesh far;
    add(make_icosphere(3, 1.0), {1e6, -1e6, 1e6}, far);
    expect_good(fill_surface(far, 0.2));
}

TEST(Stuffing, EqualInputsGiveEqualBits) {
    const VolumeMesh once = make_liver(0.01);
    EXPECT_EQ(hash_of(once), hash_of(make_liver(0.01)));
    EXPECT_NE(hash_of(once), hash_of(make_liver(0.0101)));
    VolumeMesh other = once;
    other.nodes[17].x += 1e-12;
    EXPECT_NE(hash_of(once), hash_of(other));
}

TEST(Stuffing, SurfacesThatHoldNothingAreRefused) {
    const SurfaceMesh ball = make_icosphere(3, 0.05);
    SurfaceMesh open = ball;
    open.triangles.erase(open.triangles.begin() + 100);
    EXPECT_NE(refusal(open, 0.01).find("is open"), std::string::npos);
    SurfaceMesh turned = ball;
    std::swap(turned.triangles[5][0], turned.triangles[5][1]);
    EXPECT_NE(refusal(turned, 0.01).find("oriented"), std::string::npos);
    SurfaceMesh inside_out = ball;
    for (auto& t : inside_out.triangles) std::swap(t[1], t[2]);
    EXPECT_NE(refusal(inside_out, 0.01).find("inside out"), std::string::npos);
    SurfaceMesh strange = ball;
    strange.triangles[3][1] = 642;
    EXPECT_NE(refusal(strange, 0.01).find("triangle 3 has node 642"), std::string::npos);
    strange = ball;
    strange.nodes[7].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(refusal(strange, 0.01).find("node 7"), std::string::npos);
    EXPECT_NE(refusal({}, 0.01).find("no triangles"), std::string::npos);
    SurfaceMesh flat = ball;
    for (Vec3& p : flat.nodes) p.z = 0.0;
    EXPECT_NE(refusal(flat, 0.01), "");
    EXPECT_EQ(refusal(ball, 0.01), "");
}

TEST(Stuffing, CellsOfAbsurdSizesAreRefused) {
    const SurfaceMesh ball = make_icosphere(3, 0.05);
    EXPECT_NE(refusal(ball, 1.0).find("too large"), std::string::npos);
    SurfaceMesh sheet = ball;
    for (Vec3& p : sheet.nodes) p.z *= 1e-4;
    EXPECT_NE(refusal(sheet, 0.01).find("thinner than a cell"), std::string::npos);
    EXPECT_NE(refusal(ball, 1e-5).find("at most 2e+07"), std::string::npos);
    EXPECT_NE(refusal(ball, 1e-300).find("at most 2e+07"), std::string::npos);
    for (const double cell : {0.0, -0.01, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL}) {
        EXPECT_NE(refusal(ball, cell).find("positive size"), std::string::npos);
    }
}

TEST(Stuffing, TheCheckerSeesBrokenMeshes) {
    const VolumeMesh good = make_ball(0.05, 0.015);
    ASSERT_EQ(complaint_about(good), "");
    VolumeMesh repeated = good;
    repeated.tetrahedra.push_back(good.tetrahedra[40]);
    EXPECT_NE(complaint_about(repeated), "");
    VolumeMesh turned = good;
    std::swap(turned.tetrahedra[9][0], turned.tetrahedra[9][1]);
    EXPECT_EQ(complaint_about(turned), "a volume is not positive");
    const std::size_t inner = inner_cell(good);
    VolumeMesh cracked = good;  // one cell no longer shares a node with its neighbours
    cracked.nodes.push_back(good.nodes[static_cast<std::size_t>(good.tetrahedra[inner][0])]);
    cracked.tetrahedra[inner][0] = static_cast<std::int32_t>(good.nodes.size());
    EXPECT_EQ(euler_characteristic(boundary_of(cracked)), 4);
    VolumeMesh hollow = good;
    hollow.tetrahedra.erase(hollow.tetrahedra.begin() + static_cast<std::ptrdiff_t>(inner));
    EXPECT_EQ(euler_characteristic(boundary_of(hollow)), 4);
    EXPECT_LT(measure_quality(hollow).volume, measure_quality(good).volume - 1e-12);
    VolumeMesh pinched;  // two cells that share an edge alone
    pinched.nodes = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}};
    pinched.tetrahedra = {{0, 2, 3, 1}, {0, 4, 5, 1}};
    EXPECT_EQ(complaint_about(pinched), "an edge is passed twice in one direction");
    pinched.nodes.push_back({0, 0, 2});
    pinched.tetrahedra = {{0, 2, 3, 1}, {1, 4, 5, 6}};
    EXPECT_NE(complaint_about(pinched), "");
}

}  // namespace
}  // namespace plica
