#include "render/organ_look.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "render/camera.hpp"
#include "render/pick.hpp"
#include "tests/render/organs.hpp"

// What solid and rigid bodies are drawn as, found by the mouse, and seen by the camera that is chosen.
namespace plica::render {
namespace {

using testing::add_body;

// A liver at the origin, ribs around it, and an instrument that tool 1 moves.
Model make_model(const Vec3& instrument) {
    Model model;
    add_body(model, "liver", "tled", make_icosphere(2, 0.1));
    add_body(model, "ribs", "rigid", make_icosphere(1, 0.03), {0.14, 0, 0});
    add_body(model, "jaw", "rigid", make_icosphere(1, 0.02), instrument);
    model.tools.resize(2);
    model.tools[1].kind = ToolKind::rigid;
    model.bodies[2].tool = 1;
    return model;
}

TEST(OrganLook, ADrawingSaysWhatIsRigidAndWhatMovesIt) {
    Model model = make_model({0, 0, 0.13});
    Drawing drawing = make_drawing(model);
    ASSERT_EQ(drawing.organs.size(), 3U);
    EXPECT_TRUE(drawing.sheets.empty());
    EXPECT_EQ(drawing.organs[0].look, Look::liver);
    EXPECT_EQ(drawing.organs[1].look, Look::bone);
    EXPECT_EQ(drawing.organs[1].tool, -1);
    EXPECT_EQ(drawing.organs[2].look, Look::steel);
    EXPECT_EQ(drawing.organs[2].tool, 1);
    EXPECT_FALSE(is_rigid(drawing.organs[0].look));
    EXPECT_TRUE(is_rigid(drawing.organs[1].look));
    EXPECT_TRUE(is_rigid(drawing.organs[2].look));
    for (Body& body : model.bodies) body.tissue = TissueKind::tled;
    drawing = make_drawing(model);
    for (const Organ& organ : drawing.organs) EXPECT_FALSE(is_rigid(organ.look)) << "the control: all of tissue";
}

std::vector<Look> looks_of(const std::vector<std::string>& names, const std::string& last_shape = "") {
    Model model;
    for (std::size_t i = 0; i < names.size(); ++i) {
        add_body(model, names[i], "tled", make_icosphere(0, 0.1), {0.3 * static_cast<double>(i), 0, 0});
    }
    model.bodies.back().shape = last_shape;
    std::vector<Look> looks;
    for (const Organ& organ : make_drawing(model).organs) looks.push_back(organ.look);
    return looks;
}

TEST(OrganLook, NamesAndShapesAreLookedAt) {
    EXPECT_EQ(looks_of({"diaphragm"}), std::vector<Look>{Look::muscle});
    EXPECT_EQ(looks_of({"Left_Kidney", "spleen"}), (std::vector<Look>{Look::kidney, Look::spleen}));
    EXPECT_EQ(looks_of({"dome"}, "diaphragm"), std::vector<Look>{Look::muscle});
    EXPECT_EQ(looks_of({"dome"}), std::vector<Look>{Look::liver}) << "the control: it says nothing";
    EXPECT_EQ(looks_of({"liver"}, "diaphragm"), std::vector<Look>{Look::liver}) << "the name first";
}

TEST(OrganLook, OthersAreToldApart) {
    EXPECT_EQ(looks_of({"one", "two", "three"}), (std::vector<Look>{Look::liver, Look::muscle, Look::fat}));
    EXPECT_EQ(looks_of({"one", "liver", "two"}), (std::vector<Look>{Look::muscle, Look::liver, Look::fat}))
        << "what a name has taken is not given to another";
    const std::vector<Look> many = looks_of({"a", "b", "c", "d", "e", "f", "g", "h"});
    EXPECT_EQ(std::set<Look>(many.begin(), many.begin() + tissue_looks).size(), tissue_looks);
    EXPECT_EQ(many[tissue_looks], Look::liver) << "and again from the first";
    EXPECT_EQ(many[tissue_looks + 1], Look::muscle);
    for (const Look look : many) EXPECT_FALSE(is_rigid(look));
}

TEST(OrganLook, NoTwoTissuesHaveOneColour) {
    for (std::size_t i = 0; i < tissue_looks; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3 a = colours_of(static_cast<Look>(i)).warm, b = colours_of(static_cast<Look>(j)).warm;
            EXPECT_GT(distance(a, b), 0.06) << i << " and " << j;
        }
        const TissueColours& colours = colours_of(static_cast<Look>(i));
        EXPECT_LT(norm(colours.deep), norm(colours.warm));
        EXPECT_LT(norm(colours.warm), norm(colours.pale));
    }
}

TEST(OrganLook, ThePickSaysWhatIsNoTissue) {
    const Model model = make_model({0, 0, 0.13});
    const Drawing drawing = make_drawing(model);
    const auto from_above = [&](double x, double y) { return pick(drawing, model.rest, {{x, y, 1.0}, {0, 0, -1}}); };
    const auto liver = from_above(0.06, 0.05), ribs = from_above(0.145, 0.004), jaw = from_above(0.002, 0.004);
    ASSERT_TRUE(liver && ribs && jaw);
    EXPECT_FALSE(liver->rigid);
    EXPECT_EQ(liver->tool, -1);
    EXPECT_TRUE(ribs->rigid);
    EXPECT_EQ(ribs->tool, -1);
    EXPECT_TRUE(jaw->rigid);
    EXPECT_EQ(jaw->tool, 1);
}

TEST(OrganLook, TheCameraSeesWhatIsRigidWhereTissueIs) {
    const Model model = make_model({0, 0, 0.13});
    const Drawing drawing = make_drawing(model);
    Camera camera = choose_camera(drawing, model.rest);
    const auto all_in_picture = [&] {
        return std::all_of(model.rest.begin(), model.rest.end(), [&](const Vec3& p) {
            const Vec3 place = place_in_picture(camera, 4.0 / 3.0, p);
            return place.x > 0.0 && place.x < 1.0 && place.y > 0.0 && place.y < 1.0;
        });
    };
    EXPECT_TRUE(all_in_picture());
    Drawing bare = drawing;
    bare.organs.resize(2);
    const double alone = choose_camera(bare, model.rest).distance;
    EXPECT_GT(camera.distance, 1.02 * alone) << "the instrument above it counts";
    const Camera near = camera;
    camera = choose_camera(bare, model.rest);
    EXPECT_FALSE(all_in_picture()) << "the control: without it, it would not be seen";
    camera = near;
    camera.distance *= 0.7;
    EXPECT_FALSE(all_in_picture()) << "the control: no farther away than needed";
    // An instrument that waits three metres away makes nothing small; of tissue it would.
    Model far = make_model({3, 0, 0});
    EXPECT_LT(choose_camera(make_drawing(far), far.rest).distance, 2.5 * alone);
    far.bodies[2].tissue = TissueKind::tled;
    EXPECT_GT(choose_camera(make_drawing(far), far.rest).distance, 5.0 * alone);
}

TEST(OrganLook, WhereNothingIsSoftTheCameraSeesTheRest) {
    Model model;
    add_body(model, "ribs", "rigid", make_icosphere(2, 0.1), {1, 2, 3});
    const Camera camera = choose_camera(make_drawing(model), model.rest);
    EXPECT_NEAR(distance(camera.target, {1, 2, 3}), 0.0, 0.01);
    EXPECT_GT(camera.distance, 0.2);
    EXPECT_LT(camera.distance, 1.0);
}

}  // namespace
}  // namespace plica::render
