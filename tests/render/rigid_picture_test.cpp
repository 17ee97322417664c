#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "render/offscreen.hpp"
#include "render/renderer.hpp"
#include "tests/render/organs.hpp"
#include "tests/render/png.hpp"

// Pictures of what is rigid beside what is soft.
namespace plica::render {
namespace {

using testing::add_body;
using testing::compare;
using testing::Difference;

constexpr int width = 240, height = 160;

// Two balls side by side, left and right of the picture's middle.
struct Pair {
    Model model;
    Frame frame;
    Camera camera;

    Pair(const std::string& left, const std::string& right, std::int32_t tool_of_right = -1) {
        add_body(model, "left", left, make_icosphere(3, 0.05), {-0.06, 0, 0});
        add_body(model, "right", right, make_icosphere(3, 0.05), {0.06, 0, 0});
        model.bodies[1].tool = tool_of_right;
        frame.positions = model.rest;
        camera.azimuth = -1.5708;
        camera.elevation = 0.6;
        camera.distance = 0.42;
    }
    [[nodiscard]] Picture draw(const Style& style = {}, GraphicsApi api = GraphicsApi::desktop) const {
        Offscreen screen(width, height, api);
        Renderer renderer(make_drawing(model));
        renderer.draw(frame, camera, style, width, height, screen.framebuffer());
        Picture picture;
        screen.read(picture);
        return picture;
    }
    void set_field(float value) {
        frame.field.assign(model.nodes(), value);
        frame.field_kind = FieldKind::stress;
    }
};

struct Colour {
    double red = 0.0, green = 0.0, blue = 0.0;  // 0 .. 1

    [[nodiscard]] double brightness() const { return (red + green + blue) / 3.0; }
    // 0 of a grey.
    [[nodiscard]] double saturation() const {
        const double most = std::max({red, green, blue});
        return most > 0.0 ? 1.0 - std::min({red, green, blue}) / most : 0.0;
    }
};

// Mean over a disc around the middle of a ball.
Colour colour_of(const Picture& picture, const Pair& scene, double x) {
    const Vec3 place = place_in_picture(scene.camera, static_cast<double>(width) / height, {x, 0, 0});
    Colour sum;
    double count = 0.0;
    for (int v = 0; v < height; ++v) {
        for (int u = 0; u < width; ++u) {
            if (std::hypot(u - place.x * width, v - place.y * height) > 22.0) continue;
            const std::uint8_t* p = picture.rgb.data() + 3 * (v * width + u);
            sum.red += p[0] / 255.0;
            sum.green += p[1] / 255.0;
            sum.blue += p[2] / 255.0;
            count += 1.0;
        }
    }
    return {sum.red / count, sum.green / count, sum.blue / count};
}
Colour left(const Picture& picture, const Pair& scene) {
    return colour_of(picture, scene, -0.06);
}
Colour right(const Picture& picture, const Pair& scene) {
    return colour_of(picture, scene, 0.06);
}

TEST(RigidPicture, SteelIsGreyAndTissueIsNot) {
    const Pair scene("tled", "rigid", 0);
    const Picture picture = scene.draw();
    const Colour steel = right(picture, scene), tissue = left(picture, scene);
    EXPECT_LT(steel.saturation(), 0.10);
    EXPECT_GT(steel.brightness(), 0.3);
    EXPECT_GT(tissue.saturation(), 0.5) << "the control";
    // Not the light: the same ball of tissue is as red as the other.
    const Pair soft("tled", "tled");
    EXPECT_GT(right(soft.draw(), soft).saturation(), 0.4);
}

TEST(RigidPicture, BoneIsIvory) {
    const Pair scene("tled", "rigid");
    const Picture picture = scene.draw();
    const Colour bone = right(picture, scene), tissue = left(picture, scene);
    EXPECT_GT(bone.red, bone.green) << "warm";
    EXPECT_GT(bone.green, bone.blue);
    EXPECT_GT(bone.saturation(), 0.12) << "not steel";
    EXPECT_LT(bone.saturation(), 0.40) << "not tissue";
    EXPECT_GT(bone.brightness(), 1.8 * tissue.brightness());
    // Matte: steel of the same shape has a brighter brightest place over its mean.
    const Pair moved("tled", "rigid", 0);
    const auto glare = [](const Picture& p) {
        double most = 0.0, sum = 0.0;
        for (int v = 60; v < 100; ++v) {
            for (int u = 150; u < 190; ++u) {
                const double bright = p.rgb[static_cast<std::size_t>(3 * (v * width + u) + 1)];
                most = std::max(most, bright);
                sum += bright / 1600.0;
            }
        }
        return most / sum;
    };
    EXPECT_GT(glare(moved.draw()), 1.2 * glare(picture));
}

TEST(RigidPicture, SeveralTissuesAreToldApart) {
    const Pair scene("tled", "tled");
    const Picture picture = scene.draw();
    const Colour a = left(picture, scene), b = right(picture, scene);
    EXPECT_GT(b.brightness(), 1.1 * a.brightness()) << "liver and muscle";
    Pair alike("tled", "tled");
    alike.model.bodies[0].name = alike.model.bodies[1].name = "liver";
    const Picture same = alike.draw();
    EXPECT_NEAR(left(same, alike).brightness() / right(same, alike).brightness(), 1.0, 0.09) << "the control";
}

TEST(RigidPicture, FieldsLeaveWhatIsRigidPlain) {
    Style style;
    style.colour = ColourBy::stress;
    style.field_max = 1.0;
    for (const std::int32_t tool : {-1, 0}) {
        Pair scene("tled", "rigid", tool);
        scene.set_field(0.0F);
        const Picture low = scene.draw(style);
        scene.set_field(0.9F);
        const Picture high = scene.draw(style);
        EXPECT_LT(right(high, scene).saturation(), 0.12) << "no colour of the map";
        EXPECT_NEAR(right(high, scene).brightness(), right(low, scene).brightness(), 1e-9);
        EXPECT_GT(left(high, scene).brightness(), 1.5 * left(low, scene).brightness()) << "the control";
    }
}

// What a rigid body's nodes are said to feel does not stretch the scale of the others.
TEST(RigidPicture, ValuesOfWhatIsRigidDoNotCount) {
    Style style;
    style.colour = ColourBy::stress;
    Pair scene("tled", "rigid");
    scene.set_field(10.0F);
    const Picture plain = scene.draw(style);
    const auto first = static_cast<std::ptrdiff_t>(scene.model.bodies[1].first_node);
    std::fill(scene.frame.field.begin() + first, scene.frame.field.end(), 1e6F);
    EXPECT_EQ(scene.draw(style).rgb, plain.rgb);
    std::fill(scene.frame.field.begin(), scene.frame.field.begin() + first, 1e6F);
    EXPECT_NE(scene.draw(style).rgb, plain.rgb) << "the control: the legend has other numbers";
}

TEST(RigidPicture, ARigidToolHasNeitherRodNorBall) {
    Pair scene("tled", "rigid", 0);
    const Picture none = scene.draw();
    Tool tool;
    tool.kind = ToolKind::rigid;
    tool.radius = 0.02;
    tool.node = 0;
    scene.model.tools.push_back(tool);
    ToolPose pose;
    pose.present = true;
    pose.node = 0;
    scene.frame.tools.push_back(pose);
    EXPECT_EQ(scene.draw().rgb, none.rgb);
    scene.model.tools[0].kind = ToolKind::sphere;
    EXPECT_GT(compare(scene.draw(), none).share, 0.005) << "the control: a probe has both";
}

TEST(RigidPicture, ALightTouchStaysOnOneBody) {
    Pair scene("tled", "rigid", 0);
    for (Vec3& p : scene.frame.positions) p.x += p.x < 0.0 ? 0.03 : -0.03;  // through each other, to be side by side
    const Vec3 seam{0, -0.033, 0.023};
    const auto nearest = [&](const Body& body) {
        std::int32_t best = body.first_node;
        const auto off = [&](std::int32_t n) {
            return distance(scene.frame.positions[static_cast<std::size_t>(n)], seam);
        };
        for (std::int32_t n = best; n < body.first_node + body.nodes; ++n) best = off(n) < off(best) ? n : best;
        return best;
    };
    const Picture plain = scene.draw();
    const auto changed = [&](const Picture& picture, bool on_the_left) {
        int count = 0;
        for (int v = 0; v < height; ++v) {
            for (int u = on_the_left ? 0 : width / 2 + 2; u < (on_the_left ? width / 2 - 2 : width); ++u) {
                const auto i = static_cast<std::size_t>(3 * (v * width + u));
                count += std::abs(picture.rgb[i] - plain.rgb[i]) > 10 ? 1 : 0;
            }
        }
        return count;
    };
    Style style;
    style.highlight = nearest(scene.model.bodies[0]);
    const Picture soft = scene.draw(style);
    EXPECT_GT(changed(soft, true), 20);
    EXPECT_EQ(changed(soft, false), 0);
    style.highlight = nearest(scene.model.bodies[1]);
    const Picture steel = scene.draw(style);
    EXPECT_EQ(changed(steel, true), 0);
    EXPECT_GT(changed(steel, false), 200) << "all of the instrument";
}

TEST(RigidPicture, OpenGlEsDrawsTheSamePicture) {
    for (const std::int32_t tool : {-1, 0}) {
        const Pair scene("tled", "rigid", tool);
        const Difference d = compare(scene.draw(), scene.draw({}, GraphicsApi::es));
        EXPECT_LT(d.mean, 0.5);
        EXPECT_LT(d.share, 0.002);
    }
}

TEST(RigidPicture, CoarseDetailKeepsTheMaterials) {
    Style style;
    style.detail = {.sides = 8, .smooth = false, .fine = false, .occlusion = false, .shadows = false};
    for (const std::int32_t tool : {-1, 0}) {
        const Pair scene("tled", "rigid", tool);
        const Colour fine = right(scene.draw(), scene), coarse = right(scene.draw(style), scene);
        EXPECT_NEAR(coarse.saturation(), fine.saturation(), 0.08);
        EXPECT_NEAR(coarse.brightness(), fine.brightness(), 0.10);
    }
}

}  // namespace
}  // namespace plica::render
