#include <gtest/gtest.h>

#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/shapes.hpp"
#include "meshes.hpp"

namespace plica {
namespace {

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
        const double missing = 1.0 - compute_volume(mesh) / (4.0 / 3.0 * 3.14159265358979 * 8.0);
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
    EXPECT_NEAR(liver_cell_for(22000), 8.46e-3, 0.01e-3);
    EXPECT_THROW(liver_cell_for(0), Error);
}

}  // namespace
}  // namespace plica
