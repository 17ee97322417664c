#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/mesh_picture.hpp"
#include "experiments/johnsen/coplanarity.hpp"
#include "experiments/johnsen/edge_collapse.hpp"
#include "experiments/johnsen/surface_line.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tests/geometry/mesh/meshes.hpp"

// What the experiments on Johnsen's paper are made of: coarser meshes, normals along lines, the cubic, pictures.
namespace plica::experiments {
namespace {

TEST(EdgeCollapse, LeavesASurfaceOfTheSameShape) {
    const SurfaceMesh fine = make_liver_surface(4);
    for (const std::size_t wanted : {1280U, 320U, 80U}) {
        const SurfaceMesh coarse = coarsen(fine, wanted);
        EXPECT_EQ(coarse.triangles.size(), wanted);
        EXPECT_EQ(complaint_about(coarse), "");
        EXPECT_EQ(euler_characteristic(coarse), 2);
        EXPECT_EQ(coarse.nodes.size(), 2 + wanted / 2);
        EXPECT_NEAR(compute_volume(coarse) / compute_volume(fine), 1.0, wanted > 100 ? 0.02 : 0.08);
        EXPECT_EQ(hash_of(coarse), hash_of(coarsen(fine, wanted)));
    }
    EXPECT_EQ(coarsen(fine, 10000).triangles.size(), fine.triangles.size());
}

TEST(EdgeCollapse, KeepsFlatSidesAndRims) {
    const VolumeMesh block = make_tetrahedral_block({0, 0, 0}, {3, 2, 1}, {6, 4, 2});
    const SurfaceMesh box{block.nodes, find_boundary(block)};
    const SurfaceMesh coarse = coarsen(box, 60);
    EXPECT_LE(coarse.triangles.size(), 60U);
    EXPECT_EQ(complaint_about(coarse), "");
    EXPECT_NEAR(compute_volume(coarse), 6.0, 1e-9);
}

TEST(EdgeCollapse, AsksForNoMoreThanCanBe) {
    const SurfaceMesh least = coarsen(make_icosphere(1, 1.0), 0);
    EXPECT_EQ(complaint_about(least), "");
    EXPECT_EQ(euler_characteristic(least), 2);
    EXPECT_GE(least.triangles.size(), 4U);
}

TEST(SurfaceLine, FindsTheSurfaceAndItsNormals) {
    const RayTarget ball(make_icosphere(4, 1.0));
    const RayLine line{{0, 0, 0.2}, {1, 0, 0}, {0, 1, 0}, 3.0, 300};
    const std::vector<SurfaceSample> samples = sample_line(ball, line);
    EXPECT_NEAR(static_cast<double>(samples.size()), 300 * 2.0 * std::sqrt(0.96) / 3.0, 2.0);
    for (const SurfaceSample& s : samples) {
        EXPECT_LT(s.place.y, 0.0);  // the near side
        EXPECT_NEAR(s.place.z, 0.2, 1e-12);
        EXPECT_NEAR(s.place.x, s.along, 1e-12);
        EXPECT_NEAR(norm(s.place), 1.0, 0.005);
        EXPECT_LT(norm(s.smooth - normalized(s.place)), 0.006);
        EXPECT_LT(norm(s.printed - normalized(s.place)), 0.012);
        EXPECT_LT(norm(s.facet - normalized(s.place)), 0.08);
    }
    EXPECT_EQ(sample_around(ball, 500, 3.0).size(), 500U);
    EXPECT_FALSE(ball.cast({0, 0, 3}, {0, 0, 1}).has_value());  // behind the start
}

TEST(SurfaceLine, JumpsAreThoseOfFacets) {
    const RayTarget ball(make_icosphere(2, 1.0));
    const RayLine line{{0, 0, 0.2}, {1, 0, 0}, {0, 1, 0}, 3.0, 300};
    constexpr double apart = 0.005;
    const std::vector<SurfaceSample> samples = sample_line(ball, line, apart);
    for (std::size_t i = 1; i < samples.size(); ++i) EXPECT_LE(distance(samples[i - 1].place, samples[i].place), apart);
    EXPECT_LT(largest_jump(samples, &SurfaceSample::smooth, apart), 1.5 * apart);
    EXPECT_GT(largest_jump(samples, &SurfaceSample::facet, apart), 0.15);
    EXPECT_EQ(largest_jump(samples, &SurfaceSample::facet, 0.0), 0.0);
    const RayTarget fine(make_icosphere(5, 1.0));
    const std::vector<SurfaceSample> reference = sample_line(fine, line);
    EXPECT_LT(2.0 * rms_difference(samples, &SurfaceSample::smooth, reference),
              rms_difference(samples, &SurfaceSample::facet, reference));
    EXPECT_EQ(rms_difference(samples, &SurfaceSample::facet, &SurfaceSample::facet), 0.0);
}

TEST(Coplanarity, FindsCrossingsOfEdgesInSpace) {
    Random random{9};
    int met = 0;
    for (int i = 0; i < 5000; ++i) {
        const MovingPair pair = draw_pair(random, QueryKind::generic, true, 0.0);
        const bool meets = comes_within(pair, 1e-7);
        met += meets ? 1 : 0;
        EXPECT_EQ(edges_cross_by_cubic(pair, 0.0), meets) << i;
        EXPECT_EQ(edges_cross_by_cubic(pair, 1e-6), meets) << i;
    }
    EXPECT_GT(met, 400);
}

TEST(Coplanarity, IsLostWhereEdgesStayParallel) {
    Random random{10};
    int met = 0, missed = 0;
    for (int i = 0; i < 1000; ++i) {
        const MovingPair pair = draw_pair(random, QueryKind::parallel, true, 0.0);
        if (!comes_within(pair, 1e-6)) continue;
        ++met;
        missed += edges_cross_by_cubic(pair, 1e-6) ? 0 : 1;
    }
    EXPECT_GT(met, 300);
    EXPECT_GT(missed, met / 2);
}

std::array<int, 3> pixel(const render::Picture& picture, int x, int y) {
    const auto at = 3 * static_cast<std::size_t>(y * picture.width + x);
    return {picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]};
}

TEST(MeshPicture, ShowsWhatIsInFront) {
    MeshView view;
    view.right = {1, 0, 0};
    view.up = {0, 0, 1};  // the eye is at -y
    view.height = 4.0;
    view.width_pixels = view.height_pixels = 100;
    MeshPicture picture(view);
    picture.draw(make_icosphere(3, 1.0), {0.0, 1.0, 0.0}, 0.0);
    picture.draw_arrow({-2, 3, 0}, {2, 3, 0}, {1, 0, 0}, 3.0);           // behind
    picture.draw_line({{-2, -3, -0.5}, {2, -3, -0.5}}, {0, 0, 1}, 3.0);  // in front
    const render::Picture made = picture.finish();
    ASSERT_EQ(made.width, 100);
    EXPECT_EQ(pixel(made, 2, 2), (std::array<int, 3>{255, 255, 255}));
    const auto ball = pixel(made, 50, 50);
    EXPECT_TRUE(ball[0] == 0 && ball[1] > 100 && ball[2] == 0);
    EXPECT_EQ(pixel(made, 10, 50), (std::array<int, 3>{255, 0, 0}));
    EXPECT_EQ(pixel(made, 50, 62), (std::array<int, 3>{0, 0, 255}));
}

}  // namespace
}  // namespace plica::experiments
