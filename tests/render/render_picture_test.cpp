#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "render/offscreen.hpp"
#include "render/renderer.hpp"
#include "scene/build.hpp"
#include "tests/render/goldens.hpp"
#include "tests/render/png.hpp"
#include "tests/support/temp_folder.hpp"

namespace plica::render {
namespace {

using testing::compare;
using testing::Difference;

constexpr double pi = std::numbers::pi;
const Detail low{
    .largest_turn = 0.52, .sides = 16, .rings = 2, .smooth = false, .fine = true, .occlusion = false, .shadows = true};
const Detail bare{.largest_turn = 0.26,
                  .sides = 48,
                  .rings = 4,
                  .smooth = false,
                  .fine = false,
                  .occlusion = false,
                  .shadows = false};

// Part of a ring of radius `bend` about the origin.
struct Arc {
    Drawing drawing;
    Frame frame;

    Arc(double bend, double radius, double turn, int nodes) {
        Tube tube;
        for (int i = 0; i < nodes; ++i) {
            const double angle = turn * (static_cast<double>(i) / (nodes - 1) - 0.5);
            tube.nodes.push_back(i);
            tube.radius.push_back(radius);
            frame.positions.push_back({bend * std::cos(angle), bend * std::sin(angle), 0.0});
        }
        drawing.tubes.push_back(tube);
        drawing.nodes = frame.positions.size();
    }
};

Picture draw(const Drawing& drawing, const Frame& frame, const Camera& camera, const Style& style, int width,
             int height, GraphicsApi api = GraphicsApi::desktop, DrawReport* report = nullptr) {
    Offscreen screen(width, height, api);
    Renderer renderer(drawing);
    const DrawReport told = renderer.draw(frame, camera, style, width, height, screen.framebuffer());
    if (report != nullptr) *report = told;
    Picture picture;
    screen.read(picture);
    return picture;
}

bool is_tube(const Picture& picture, double x, double y) {
    const auto i = static_cast<std::size_t>(static_cast<int>(y) * picture.width + static_cast<int>(x));
    return picture.rgb[3 * i] > 60;  // the background is dark
}

// Where the tube begins and ends on a ray from the picture's centre; pixels.
std::array<double, 2> edges_along(const Picture& picture, double angle) {
    std::array<double, 2> edges{0.0, 0.0};
    const double cx = 0.5 * picture.width, cy = 0.5 * picture.height;
    bool inside = false;
    for (double r = 5.0; r < 0.48 * picture.height; r += 0.05) {
        const bool now = is_tube(picture, cx + r * std::cos(angle), cy - r * std::sin(angle));
        if (now && !inside && edges[0] == 0.0) edges[0] = r;
        if (!now && inside) edges[1] = r;
        inside = now;
    }
    return edges;
}

// Largest error of the silhouette of a bent tube seen along the axis of the bend, pixels. In the plane of the eye and a
// section, both edges are tangents from the eye to a circle.
double silhouette_error(const Detail& detail, double drawn_radius) {
    constexpr double bend = 0.1, radius = 0.03, far = 0.6;
    Arc arc(bend, drawn_radius, 1.5 * pi, 13);
    Camera camera;
    camera.distance = far;
    camera.elevation = 0.5 * pi;
    camera.azimuth = -0.5 * pi;  // x to the right, y up
    camera.field = 0.55;
    Style style;
    style.detail = detail;
    const Picture picture = draw(arc.drawing, arc.frame, camera, style, 480, 480);
    const double pixels = 0.5 * picture.height / std::tan(0.5 * camera.field);
    const double middle = std::atan(bend / far), half = std::asin(radius / std::hypot(bend, far));
    double worst = 0.0;
    for (double angle = -0.6 * pi; angle < 0.6 * pi; angle += 0.02) {
        const auto [inner, outer] = edges_along(picture, angle);
        worst = std::max(worst, std::abs(inner - pixels * std::tan(middle - half)));
        worst = std::max(worst, std::abs(outer - pixels * std::tan(middle + half)));
    }
    return worst;
}

TEST(RenderPicture, SilhouetteOfABentTubeIsWithinAPixelOfTheAnalyticOne) {
    EXPECT_LT(silhouette_error(bare, 0.03), 1.0);
    Detail coarse = bare;
    coarse.largest_turn = pi / 2;
    coarse.sides = 5;
    EXPECT_GT(silhouette_error(coarse, 0.03), 1.0) << "the control: five sides are no circle";
    EXPECT_GT(silhouette_error(bare, 0.0315), 1.0) << "the control: a tube five percent too thick";
}

struct Drawn {
    Drawing drawing;
    Frame frame;
    Camera camera;
};

// The small intestine as built, which does not depend on how anything moves.
Drawn as_built(bool with_mesentery) {
    const Built built = build_scene(find_scene("intestine"), 1);
    Drawn scene{make_drawing(built.model), {}, {}};
    scene.frame.positions = built.state.x;
    scene.frame.tools.resize(built.model.tools.size());
    scene.camera = choose_camera(scene.drawing, scene.frame.positions);
    if (!with_mesentery) scene.drawing.sheets.clear();
    return scene;
}

TEST(RenderPicture, PicturesAreTheGoldenOnes) {
    Style style;
    style.detail = low;
    const Arc arc(0.1, 0.03, 1.5 * pi, 13);
    Camera camera = choose_camera(arc.drawing, arc.frame.positions);
    const Picture tube = draw(arc.drawing, arc.frame, camera, style, 160, 120);
    EXPECT_TRUE(looks_alike(differs_from_golden(tube, "tube")));

    Drawn scene = as_built(true);
    style.surroundings = false;
    Camera from_the_end = scene.camera;
    from_the_end.azimuth = 0.2;
    from_the_end.elevation = 0.3;
    const Picture mesentery = draw(scene.drawing, scene.frame, from_the_end, style, 160, 120);
    EXPECT_TRUE(looks_alike(differs_from_golden(mesentery, "mesentery")));
    style.surroundings = true;
    style.detail.occlusion = true;
    EXPECT_TRUE(
        looks_alike(differs_from_golden(draw(scene.drawing, scene.frame, scene.camera, style, 160, 120), "cavity")));
    style.contacts = true;
    style.highlight = 60;
    for (int i = 0; i < 5; ++i)
        scene.frame.contacts.push_back({scene.frame.positions[static_cast<std::size_t>(20 * i)], 0.5});
    scene.frame.tools[0] = {scene.frame.positions[40], 40, true};
    EXPECT_TRUE(
        looks_alike(differs_from_golden(draw(scene.drawing, scene.frame, scene.camera, style, 160, 120), "overlay")));

    // Controls: another picture is not taken for a golden one.
    EXPECT_FALSE(looks_alike(compare(tube, mesentery)));
    camera.azimuth += 0.05;
    EXPECT_FALSE(looks_alike(compare(tube, draw(arc.drawing, arc.frame, camera, style, 160, 120))));
}

TEST(RenderPicture, OpenGlEsDrawsTheSamePicture) {
    const Drawn scene = as_built(true);
    Style style;
    const Picture desktop = draw(scene.drawing, scene.frame, scene.camera, style, 200, 150);
    const Picture es = draw(scene.drawing, scene.frame, scene.camera, style, 200, 150, GraphicsApi::es);
    const Difference d = compare(desktop, es);
    EXPECT_LT(d.mean, 0.5);
    EXPECT_LT(d.share, 0.002);
    Style other = style;
    other.sheets = false;
    EXPECT_GT(compare(desktop, draw(scene.drawing, scene.frame, scene.camera, other, 200, 150)).mean, 1.0);
}

TEST(RenderPicture, ASmallerResolutionIsTheSamePictureLessSharp) {
    const Arc arc(0.1, 0.03, 1.5 * pi, 13);
    Camera camera = choose_camera(arc.drawing, arc.frame.positions);
    Style style;
    style.detail = bare;
    const Picture sharp = draw(arc.drawing, arc.frame, camera, style, 200, 150);
    style.detail.resolution = 0.5;
    const Picture soft = draw(arc.drawing, arc.frame, camera, style, 200, 150);
    camera.azimuth += 0.2;
    const Picture moved = draw(arc.drawing, arc.frame, camera, style, 200, 150);
    EXPECT_GT(compare(sharp, soft).mean, 0.2);
    EXPECT_LT(compare(sharp, soft).mean, 0.5 * compare(soft, moved).mean);
}

TEST(RenderPicture, AWireframeIsSeenThrough) {
    const Arc arc(0.1, 0.03, 1.5 * pi, 13);
    const Camera camera = choose_camera(arc.drawing, arc.frame.positions);
    Style style;
    style.detail = low;
    const auto covered = [&] {
        const Picture picture = draw(arc.drawing, arc.frame, camera, style, 480, 360);
        int count = 0;
        for (int y = 0; y < 360; ++y) {
            for (int x = 0; x < 480; ++x) count += is_tube(picture, x, y) ? 1 : 0;
        }
        return count;
    };
    const int solid = covered();
    style.wireframe = true;
    const int wires = covered();
    EXPECT_GT(wires, solid / 50);
    EXPECT_LT(wires, solid / 2);
}

TEST(RenderPicture, DrawCallsAndBytesDoNotGrowWithTheSkin) {
    const Drawn scene = as_built(true);
    Style style;
    DrawReport coarse, fine, smooth;
    style.detail = {.largest_turn = 1.0, .sides = 8, .rings = 2};
    draw(scene.drawing, scene.frame, scene.camera, style, 64, 48, GraphicsApi::desktop, &coarse);
    style.detail.largest_turn = 0.2;
    draw(scene.drawing, scene.frame, scene.camera, style, 64, 48, GraphicsApi::desktop, &fine);
    style.detail.sides = 64;
    style.detail.rings = 8;
    draw(scene.drawing, scene.frame, scene.camera, style, 64, 48, GraphicsApi::desktop, &smooth);
    EXPECT_GT(fine.cells, 2 * coarse.cells);
    EXPECT_EQ(fine.draw_calls, coarse.draw_calls);
    EXPECT_GT(smooth.triangles, 10 * fine.triangles);
    EXPECT_EQ(smooth.draw_calls, fine.draw_calls);
    EXPECT_EQ(smooth.bytes, fine.bytes) << "no vertex comes from the processor";
    EXPECT_EQ(fine.bytes - coarse.bytes, 64 * (fine.cells - coarse.cells)) << "one frame a cell";
}

TEST(RenderPicture, SizeAndSceneMayChangeAndEmptyScenesAreDrawn) {
    Offscreen screen(96, 64);
    const Arc arc(0.1, 0.03, pi, 7);
    Renderer renderer(arc.drawing);
    const Camera camera = choose_camera(arc.drawing, arc.frame.positions);
    renderer.draw(arc.frame, camera, {}, 32, 32, screen.framebuffer());
    renderer.draw(arc.frame, camera, {}, 96, 64, screen.framebuffer());
    Picture picture;
    screen.read(picture);
    EXPECT_TRUE(is_tube(picture, 48, 32) || is_tube(picture, 60, 32) || is_tube(picture, 48, 40));
    Renderer empty{Drawing{}};
    const DrawReport report = empty.draw({}, {}, {}, 96, 64, screen.framebuffer());
    screen.read(picture);
    EXPECT_EQ(report.cells, 0U);
    EXPECT_FALSE(is_tube(picture, 48, 32));
}

using PictureFile = testing::TempFolderTest;

TEST_F(PictureFile, PngIsReadBackAsWritten) {
    Picture picture{5, 3, {}};
    for (int i = 0; i < 45; ++i) picture.rgb.push_back(static_cast<std::uint8_t>(37 * i));
    const std::string path = file("p.png");
    write_png(path, picture);
    EXPECT_EQ(testing::read_png(path).rgb, picture.rgb);
    EXPECT_THROW(write_png("/nowhere/p.png", picture), std::runtime_error);
}

TEST(Picture, HalfOfAPictureIsTheMeanOfFour) {
    const Picture picture{2, 2, {0, 10, 20, 4, 10, 20, 8, 10, 20, 8, 10, 24}};
    EXPECT_EQ(halve(picture).rgb, (std::vector<std::uint8_t>{5, 10, 21}));
}

}  // namespace
}  // namespace plica::render
