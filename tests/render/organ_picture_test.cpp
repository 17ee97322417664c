#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "render/colour_map.hpp"
#include "render/offscreen.hpp"
#include "render/renderer.hpp"
#include "tests/render/goldens.hpp"
#include "tests/render/organs.hpp"
#include "tests/render/png.hpp"

namespace plica::render {
namespace {

using testing::add_body;
using testing::compare;
using testing::Difference;

// A body on a plane, and a frame of it at rest.
struct Scene {
    Model model;
    Frame frame;
    Camera camera;

    Scene(const SurfaceMesh& mesh, double floor) {
        add_body(model, "organ", "tled", mesh);
        Wall plane;
        plane.kind = WallKind::plane;
        plane.center = {0, 0, floor};
        plane.normal = {0, 0, 1};
        model.walls.push_back(plane);
        frame.positions = model.rest;
        camera = choose_camera(make_drawing(model), frame.positions);
        camera.elevation = 0.6;
    }
    [[nodiscard]] Picture draw(const Style& style, int width, int height,
                               GraphicsApi api = GraphicsApi::desktop) const {
        Offscreen screen(width, height, api);
        Renderer renderer(make_drawing(model));
        renderer.draw(frame, camera, style, width, height, screen.framebuffer());
        Picture picture;
        screen.read(picture);
        return picture;
    }
};

Scene liver() {
    return {make_liver_surface(3), -0.055};
}

// Stress as in bending: none in the middle layer, most at one end.
Scene loaded_block() {
    Scene scene(testing::make_block_surface({-0.08, -0.03, 0.0}, {0.08, 0.03, 0.04}, {16, 6, 4}), -0.001);
    for (const Vec3& p : scene.model.rest) {
        scene.frame.field.push_back(static_cast<float>(4000.0 * std::abs(p.z - 0.02) / 0.02 * (0.08 - p.x) / 0.16));
    }
    scene.frame.field_kind = FieldKind::stress;
    return scene;
}

Rgb colour_at(const Picture& picture, double x, double y) {
    const auto column = static_cast<std::size_t>(x * picture.width), row = static_cast<std::size_t>(y * picture.height);
    const std::uint8_t* p = picture.rgb.data() + 3 * (row * static_cast<std::size_t>(picture.width) + column);
    return {p[0] / 255.0, p[1] / 255.0, p[2] / 255.0};
}

TEST(OrganPicture, PicturesAreTheGoldenOnes) {
    const Scene whole = liver();
    const Picture tissue = whole.draw({}, 240, 160);
    EXPECT_TRUE(looks_alike(differs_from_golden(tissue, "liver")));
    Scene moved = whole;
    for (Vec3& p : moved.frame.positions) p.z *= 0.9;
    EXPECT_FALSE(looks_alike(compare(tissue, moved.draw({}, 240, 160)))) << "the control: a flatter one";

    Style style;
    style.colour = ColourBy::stress;
    Scene block = loaded_block();
    const Picture stress = block.draw(style, 320, 240);
    EXPECT_TRUE(looks_alike(differs_from_golden(stress, "stress")));
    std::vector<float>& field = block.frame.field;
    for (std::size_t i = 0; i < field.size(); ++i) field[i] = 4000.0F - field[i];
    EXPECT_FALSE(looks_alike(compare(stress, block.draw(style, 320, 240)))) << "the control: the field reversed";
}

TEST(OrganPicture, OpenGlEsDrawsTheSamePicture) {
    const Scene block = loaded_block();
    Style style;
    style.colour = ColourBy::stress;
    const Difference field = compare(block.draw(style, 320, 240), block.draw(style, 320, 240, GraphicsApi::es));
    EXPECT_LT(field.mean, 0.5);
    EXPECT_LT(field.share, 0.002);
    const Difference tissue = compare(liver().draw({}, 240, 160), liver().draw({}, 240, 160, GraphicsApi::es));
    EXPECT_LT(tissue.mean, 0.5);
    EXPECT_LT(tissue.share, 0.002);
}

// A field of one value has its colour of the map, a little darker by the light, all over.
TEST(OrganPicture, ColoursAreThoseOfTheMap) {
    Scene block = loaded_block();
    Style style;
    style.colour = ColourBy::stretch;
    style.field_max = 3.0;
    const ColourMap map;
    block.frame.field_kind = FieldKind::stretch;
    for (const double value : {1.0, 1.6, 2.0, 2.5, 3.0}) {
        block.frame.field.assign(block.frame.field.size(), static_cast<float>(value));
        const Rgb seen = colour_at(block.draw(style, 240, 180), 0.45, 0.5);
        const Rgb right = map.at(0.5 * (value - 1.0));
        const double light = (seen[0] + seen[1] + seen[2]) / (right[0] + right[1] + right[2]);
        EXPECT_TRUE(light > 0.72 && light < 1.03) << light;
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], light * right[c], 0.02) << value;
        const Rgb other = map.at(0.5 * (value - 1.0) + (value < 2.0 ? 0.25 : -0.25));
        double off = 0.0;
        for (std::size_t c = 0; c < 3; ++c) off = std::max(off, std::abs(seen[c] - light * other[c]));
        EXPECT_GT(off, 0.04) << "the control: the colour of another value";
    }
}

TEST(OrganPicture, WithoutAFieldTissueIsDrawnAndNoLegend) {
    Scene block = loaded_block();
    Style style;
    const Picture tissue = block.draw(style, 240, 180);
    style.colour = ColourBy::stress;
    const Picture stress = block.draw(style, 240, 180);
    EXPECT_GT(compare(tissue, stress).mean, 5.0);
    block.frame.field.clear();
    block.frame.field_kind = FieldKind::none;
    EXPECT_EQ(block.draw(style, 240, 180).rgb, tissue.rgb);
    // What is not known is grey.
    block.frame.field.assign(block.frame.positions.size(), std::nanf(""));
    block.frame.field_kind = FieldKind::stress;
    const Rgb grey = colour_at(block.draw(style, 240, 180), 0.45, 0.5);
    EXPECT_NEAR(grey[0], grey[1], 0.01);
    EXPECT_NEAR(grey[1], grey[2], 0.01);
}

TEST(OrganPicture, TheLegendSaysWhatTheRangeIs) {
    Scene block = loaded_block();
    Style style;
    style.colour = ColourBy::stress;
    style.field_max = 5000.0;
    const Picture five = block.draw(style, 320, 240);
    for (float& value : block.frame.field) value *= 2.0F;
    style.field_max = 10000.0;
    const Picture ten = block.draw(style, 320, 240);
    // Twice the stress on twice the scale: the organ is the same, the numbers are not.
    double organ = 0.0, legend = 0.0;
    for (std::size_t i = 0; i < five.rgb.size(); ++i) {
        const double d = std::abs(five.rgb[i] - ten.rgb[i]);
        (i / 3 % 320 < 220 ? organ : legend) += d;
    }
    EXPECT_EQ(organ, 0.0);
    EXPECT_GT(legend, 1000.0);
}

TEST(OrganPicture, AShadowFallsAndAWireframeIsSeenThrough) {
    const Scene whole = liver();
    Style style;
    const Picture lit = whole.draw(style, 240, 160);
    style.detail.shadows = false;
    EXPECT_GT(compare(lit, whole.draw(style, 240, 160)).share, 0.02);
    style.detail.shadows = true;
    const auto red = [](const Picture& picture) {
        int count = 0;
        for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
            count += picture.rgb[i] > picture.rgb[i + 1] + 20 ? 1 : 0;
        }
        return count;
    };
    style.wireframe = true;
    const int wires = red(whole.draw(style, 240, 160)), solid = red(lit);
    EXPECT_GT(solid, 5000);
    EXPECT_GT(wires, solid / 20);
    EXPECT_LT(wires, solid * 9 / 10);
}

TEST(OrganPicture, WhatWouldBeTakenLightsUp) {
    const Scene whole = liver();
    Style style;
    const Picture plain = whole.draw(style, 240, 160);
    const auto brighter = [&](ColourBy colour) {
        Scene scene = whole;
        scene.frame.field.assign(scene.frame.positions.size(), 0.3F);
        scene.frame.field_kind = FieldKind::stress;
        style.colour = colour;
        style.highlight = -1;
        const Picture before = scene.draw(style, 240, 160);
        const auto top = std::max_element(scene.model.rest.begin(), scene.model.rest.end(),
                                          [](const Vec3& a, const Vec3& b) { return a.z < b.z; });
        style.highlight = static_cast<std::int32_t>(top - scene.model.rest.begin());
        const Picture after = scene.draw(style, 240, 160);
        int count = 0;
        for (std::size_t i = 0; i < before.rgb.size(); ++i) count += after.rgb[i] > before.rgb[i] + 10 ? 1 : 0;
        return count;
    };
    for (const ColourBy colour : {ColourBy::tissue, ColourBy::stress}) {
        const int count = brighter(colour);
        EXPECT_GT(count, 100);
        EXPECT_LT(count, 240 * 160 / 4) << "a place, not all of it";
    }
    style.colour = ColourBy::tissue;
    style.highlight = 1 << 30;
    EXPECT_EQ(whole.draw(style, 240, 160).rgb, plain.rgb) << "no such node";
}

// Largest error of the outline of a ball of 320 triangles, pixels.
double outline_error(int sides) {
    constexpr double radius = 0.1, far = 0.6;
    constexpr int size = 480;
    SurfaceMesh ball = make_icosphere(2, 1.0);
    for (Vec3& p : ball.nodes) p = radius * p;
    Scene scene(ball, 0.0);
    scene.model.walls.clear();
    scene.frame.field.assign(ball.nodes.size(), 1.0F);
    scene.frame.field_kind = FieldKind::stress;
    scene.camera.target = {0, 0, 0};
    scene.camera.distance = far;
    scene.camera.field = 0.4;
    Style style;
    style.colour = ColourBy::stress;
    style.field_max = 1.0;
    style.detail = {.sides = sides, .smooth = false, .fine = false, .occlusion = false, .shadows = false};
    const Picture picture = scene.draw(style, size, size);
    const double right = std::tan(std::asin(radius / far)) * 0.5 * size / std::tan(0.5 * scene.camera.field);
    double worst = 0.0;
    for (double angle = 1.0; angle < 5.3; angle += 0.02) {  // the legend is at the right
        double r = 0.0;
        while (colour_at(picture, 0.5 + r * std::cos(angle) / size, 0.5 + r * std::sin(angle) / size)[0] > 0.5)
            r += 0.05;
        worst = std::max(worst, std::abs(r - right));
    }
    return worst;
}

TEST(OrganPicture, ABallIsRound) {
    EXPECT_LT(outline_error(32), 1.0);
    EXPECT_GT(outline_error(8), 1.5) << "the control: its triangles as they are";
}

// Between triangles that are curved over their normals nothing shines through, at creases neither.
TEST(OrganPicture, ThereAreNoCracks) {
    for (const bool block : {false, true}) {
        Scene scene = block ? loaded_block() : liver();
        scene.model.walls.clear();
        for (Vec3& p : scene.frame.positions) {
            p = {p.x, p.y + 3.0 * p.x * p.x, p.z + 2.0 * p.x * p.x};  // creases are curved
        }
        Style style;
        style.colour = ColourBy::stress;
        style.field_max = 1.0;
        style.detail.smooth = false;
        scene.frame.field.assign(scene.frame.positions.size(), 1.0F);
        scene.frame.field_kind = FieldKind::stress;
        const Picture picture = scene.draw(style, 480, 360);
        int holes = 0, inside = 0;
        for (std::size_t y = 1; y < 359; ++y) {
            for (std::size_t x = 1; x < 300; ++x) {
                const auto bright = [&](std::size_t i, std::size_t j) { return picture.rgb[3 * (j * 480 + i)] > 120; };
                const bool around = bright(x - 1, y) && bright(x + 1, y) && bright(x, y - 1) && bright(x, y + 1);
                inside += around ? 1 : 0;
                holes += around && !bright(x, y) ? 1 : 0;
            }
        }
        EXPECT_GT(inside, 10000);
        EXPECT_EQ(holes, 0);
    }
}

}  // namespace
}  // namespace plica::render
