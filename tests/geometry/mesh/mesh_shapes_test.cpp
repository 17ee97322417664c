#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/mesh/shapes.hpp"
#include "tests/geometry/mesh/mesh_angles.hpp"
#include "tests/geometry/mesh/meshes.hpp"

namespace plica {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

struct Extent {
    Vec3 low, high;
};

Extent extent_of(const std::vector<Vec3>& nodes) {
    Extent e{nodes.front(), nodes.front()};
    for (const Vec3& p : nodes) {
        e.low = {min(e.low.x, p.x), min(e.low.y, p.y), min(e.low.z, p.z)};
        e.high = {max(e.high.x, p.x), max(e.high.y, p.y), max(e.high.z, p.z)};
    }
    return e;
}

TEST(Shapes, IcospheresCloseUpAndFillTheSphere) {
    std::size_t triangles = 20;
    double last = 1.0;
    for (int level = 0; level <= 5; ++level, triangles *= 4) {
        const SurfaceMesh mesh = make_icosphere(level, 2.0);
        EXPECT_EQ(mesh.triangles.size(), triangles);
        EXPECT_EQ(complaint_about(mesh), "");
        EXPECT_EQ(euler_characteristic(mesh), 2);
        for (const Vec3& p : mesh.nodes) EXPECT_NEAR(norm(p), 2.0, 1e-14);
        const double missing = 1.0 - compute_volume(mesh) / (4.0 / 3.0 * std::numbers::pi * 8.0);
        EXPECT_GT(missing, 0.0);
        EXPECT_LT(missing, 0.45 * last);
        last = missing;
    }
    EXPECT_THROW(make_icosphere(-1, 1.0), Error);
    EXPECT_THROW(make_icosphere(40, 1.0), Error);
}

TEST(Shapes, TheLiverHasItsVolumeAndSize) {
    const SurfaceMesh coarse = make_liver_surface(3);
    EXPECT_EQ(coarse.triangles.size(), 1280U);
    EXPECT_NEAR(compute_volume(coarse), 1039e-6, 0.5e-6);
    const SurfaceMesh fine = make_liver_surface(4);
    EXPECT_EQ(fine.triangles.size(), 5120U);
    EXPECT_NEAR(compute_volume(fine), 1049e-6, 0.5e-6);
    EXPECT_EQ(complaint_about(fine), "");
    const Extent e = extent_of(fine.nodes);
    EXPECT_NEAR(e.high.x - e.low.x, 0.155, 0.0005);
    EXPECT_NEAR(e.high.y - e.low.y, 0.116, 0.0005);
    EXPECT_NEAR(e.high.z - e.low.z, 0.131, 0.0005);
}

TEST(Shapes, TheLiverIsFilledWithAboutAsManyCellsAsAsked) {
    for (const int asked : {5000, 22000, 100000}) {
        const VolumeMesh liver = make_liver(liver_cell_for(asked));
        EXPECT_NEAR(static_cast<double>(liver.tetrahedra.size()) / asked, 1.0, 0.02);
        EXPECT_EQ(complaint_about(liver), "");
        EXPECT_NEAR(measure_quality(liver).volume, 1051e-6, 20e-6);
        EXPECT_GT(measure_quality(liver).smallest_dihedral, 15.0);
    }
    EXPECT_NEAR(liver_cell_for(22000), 8.45e-3, 0.01e-3);
    EXPECT_THROW(liver_cell_for(0), Error);
}

std::vector<std::int32_t> boundary_nodes(const VolumeMesh& mesh) {
    std::vector<std::int32_t> nodes;
    for (const auto& t : find_boundary(mesh)) nodes.insert(nodes.end(), t.begin(), t.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

TEST(Shapes, TheDiaphragmIsASheetAboveTheLiver) {
    const VolumeMesh mesh = make_diaphragm(15, false);
    EXPECT_EQ(mesh.nodes.size(), 16U * 16U * 3U);
    EXPECT_EQ(mesh.tetrahedra.size(), 15U * 15U * 2U * 6U);
    EXPECT_EQ(find_boundary(mesh).size(), 1140U);
    EXPECT_EQ(complaint_about(mesh), "");
    EXPECT_GT(measure_quality(mesh).smallest_altitude, 0.0008);  // no slivers at the corners of the grid
    for (const Vec3& p : mesh.nodes) {
        const double above = norm(p) - liver_radius(normalized(p));
        EXPECT_GE(above, 0.001 - 1e-12);
        EXPECT_LE(above, 0.005 + 1e-12);
        EXPECT_GE(p.z / norm(p), std::cos(75.0 * degree) - 1e-12);
    }
}

TEST(Shapes, TheDiaphragmNamesItsRimAndItsCap) {
    const VolumeMesh mesh = make_diaphragm(15, false);
    ASSERT_EQ(mesh.node_sets.size(), 2U);
    const NodeSet& rim = mesh.node_sets[0];
    const NodeSet& cap = mesh.node_sets[1];
    EXPECT_EQ(rim.name, "rim");
    EXPECT_EQ(cap.name, "cap");
    EXPECT_EQ(rim.nodes.size(), 60U * 3U);
    for (const NodeSet& set : mesh.node_sets) {
        EXPECT_TRUE(std::is_sorted(set.nodes.begin(), set.nodes.end()));
        EXPECT_EQ(std::adjacent_find(set.nodes.begin(), set.nodes.end()), set.nodes.end());
    }
    const auto tilt = [&](std::int32_t node) {
        const Vec3& p = mesh.nodes[static_cast<std::size_t>(node)];
        return std::acos(p.z / norm(p)) / degree;
    };
    for (const std::int32_t node : rim.nodes) EXPECT_NEAR(tilt(node), 75.0, 1e-9);
    std::size_t upper = 0;
    for (std::int32_t node = 2 * 256; node < 3 * 256; ++node) upper += tilt(node) < 25.0 ? 1U : 0U;
    EXPECT_EQ(cap.nodes.size(), upper);
    EXPECT_GT(upper, 10U);
    for (const std::int32_t node : cap.nodes) {
        EXPECT_LT(tilt(node), 25.0);
        EXPECT_GE(node, 2 * 256);
    }
}

TEST(Shapes, TheDiaphragmOfHexahedraHasTheSameNodesAndBoundary) {
    const VolumeMesh tetrahedra = make_diaphragm(8, false);
    const VolumeMesh hexahedra = make_diaphragm(8, true);
    EXPECT_TRUE(hexahedra.tetrahedra.empty());
    EXPECT_EQ(hexahedra.hexahedra.size(), 128U);
    EXPECT_EQ(hexahedra.nodes, tetrahedra.nodes);
    EXPECT_EQ(complaint_about(hexahedra), "");
    EXPECT_EQ(boundary_nodes(hexahedra), boundary_nodes(tetrahedra));
    for (const auto& h : hexahedra.hexahedra) {
        const auto at = [&](std::size_t k) { return hexahedra.nodes[static_cast<std::size_t>(h[k])]; };
        const auto side = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
            return at(a) + at(b) + at(c) + at(d);
        };
        const Vec3 x = side(1, 2, 5, 6) - side(0, 3, 4, 7);
        const Vec3 y = side(2, 3, 6, 7) - side(0, 1, 4, 5);
        const Vec3 z = side(4, 5, 6, 7) - side(0, 1, 2, 3);
        EXPECT_GT(dot(x, cross(y, z)), 0.0);
    }
    EXPECT_THROW(make_diaphragm(1, true), Error);
    EXPECT_THROW(make_diaphragm(100000, false), Error);
}

TEST(Shapes, TheSlabIsABlock) {
    const VolumeMesh slab = make_slab();
    EXPECT_EQ(slab.tetrahedra.size(), 1200U);
    EXPECT_EQ(find_boundary(slab).size(), 560U);
    EXPECT_EQ(complaint_about(slab), "");
    EXPECT_NEAR(measure_quality(slab).volume, 0.2 * 0.2 * 0.05, 1e-12);
}

TEST(Shapes, RigidThingsAreClosedAndFaceOutwards) {
    constexpr double pi = std::numbers::pi;
    const SurfaceMesh ribs = make_ribs();
    EXPECT_EQ(complaint_about(ribs), "");
    EXPECT_EQ(euler_characteristic(ribs), 12);
    const double ellipse = 0.62;  // m: circumference of 0.130 x 0.095 over 310 of 360 degrees, roughly
    EXPECT_NEAR(compute_volume(ribs), 6.0 * pi * 0.005 * 0.005 * ellipse, 0.1 * compute_volume(ribs));
    const SurfaceMesh bars = make_bars();
    EXPECT_EQ(complaint_about(bars), "");
    EXPECT_EQ(euler_characteristic(bars), 4);
    EXPECT_NEAR(compute_volume(bars), 2.0 * pi * 0.012 * 0.012 * 0.2, 0.015 * compute_volume(bars));
    const Extent e = extent_of(bars.nodes);
    EXPECT_NEAR(e.high.x - e.low.x, 0.090 + 0.024, 1e-9);
    EXPECT_NEAR(e.high.y - e.low.y, 0.200, 1e-9);
    EXPECT_THROW(make_ribs(0), Error);
}

TEST(Shapes, BarsHaveTheSizeThatIsAskedFor) {
    const SurfaceMesh bar = make_bar(0.02, 0.3);
    EXPECT_EQ(complaint_about(bar), "");
    EXPECT_EQ(euler_characteristic(bar), 2);
    const Extent one = extent_of(bar.nodes);
    EXPECT_NEAR(one.high.z - one.low.z, 0.04, 1e-9);
    EXPECT_NEAR(one.high.y - one.low.y, 0.3, 1e-9);
    EXPECT_NEAR(one.high.x + one.low.x, 0.0, 1e-9);
    const Extent two = extent_of(make_bars(0.02, 0.3, 0.1).nodes);
    EXPECT_NEAR(two.high.x - two.low.x, 0.14, 1e-9);
}

TEST(Shapes, ALiverIsAsWideAsIsAskedFor) {
    const VolumeMesh flat = make_liver(0.008, {0.2, 0.15, 0.03});
    const Extent e = extent_of(flat.nodes);
    EXPECT_NEAR(e.high.x - e.low.x, 0.2, 0.002);
    EXPECT_NEAR(e.high.y - e.low.y, 0.15, 0.002);
    EXPECT_NEAR(e.high.z - e.low.z, 0.03, 0.001);
    EXPECT_NEAR(e.high.x + e.low.x, 0.0, 0.002);
}

TEST(Shapes, TheCheckerSeesABrokenSurface) {
    SurfaceMesh open = make_bars();
    open.triangles.pop_back();
    EXPECT_EQ(complaint_about(open), "an edge has one triangle");
    SurfaceMesh turned = make_bars();
    std::swap(turned.triangles[7][0], turned.triangles[7][1]);
    EXPECT_NE(complaint_about(turned), "");
}

TEST(Shapes, ForcepsAreTwoJawsThatOpenAtTheHinge) {
    const SurfaceMesh jaw = make_forceps_jaw();
    const Extent e = extent_of(jaw.nodes);
    EXPECT_NEAR(e.low.x, 0.0, 1e-12);
    EXPECT_NEAR(e.high.x, 0.060, 1e-12);
    EXPECT_NEAR(e.high.y - e.low.y, 0.008, 1e-12);
    EXPECT_NEAR(e.high.z - e.low.z, 0.004, 1e-12);
    EXPECT_GT(e.low.z, 0.0);
    for (const double opening : {0.0, 0.2, 0.35}) {
        const SurfaceMesh jaws = make_forceps_jaws(opening);
        EXPECT_EQ(complaint_about(jaws), "");
        EXPECT_EQ(euler_characteristic(jaws), 4);
        EXPECT_NEAR(compute_volume(jaws), 2.0 * compute_volume(jaw), 1e-15);
        const std::size_t half = jaw.nodes.size();
        ASSERT_EQ(jaws.nodes.size(), 2 * half);
        double upper_low = 1.0;
        double lower_high = -1.0;
        for (std::size_t i = 0; i < half; ++i) {
            upper_low = std::min(upper_low, jaws.nodes[i].z);
            lower_high = std::max(lower_high, jaws.nodes[half + i].z);
        }
        EXPECT_GT(upper_low, 0.0);
        EXPECT_LT(lower_high, 0.0);
        EXPECT_NEAR(extent_of(jaws.nodes).high.z, std::sin(opening / 2) * 0.060 + 0.0041, 0.0012);
    }
    EXPECT_GT(compute_volume(jaw), 0.8 * 0.060 * 0.008 * 0.004);
}

TEST(Shapes, EqualParametersGiveEqualBits) {
    EXPECT_EQ(hash_of(make_liver_surface(4)), hash_of(make_liver_surface(4)));
    EXPECT_NE(hash_of(make_liver_surface(4)), hash_of(make_icosphere(4, 0.1)));
    EXPECT_EQ(hash_of(make_diaphragm(15, false)), hash_of(make_diaphragm(15, false)));
    EXPECT_NE(hash_of(make_diaphragm(15, false)), hash_of(make_diaphragm(15, true)));
    EXPECT_EQ(hash_of(make_ball(0.05, 0.01)), hash_of(make_ball(0.05, 0.01)));
    EXPECT_EQ(hash_of(make_ribs()), hash_of(make_ribs()));
    EXPECT_EQ(hash_of(make_forceps_jaws()), hash_of(make_forceps_jaws()));
}

}  // namespace
}  // namespace plica
