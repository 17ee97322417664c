#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/contact/contacts.hpp"

// Marks of contact in a frame: the forces they tell carry what rests, they lie where bodies meet, and asking for them
// changes nothing.
namespace plica::testing {
namespace {

constexpr double gravity = 9.81;
constexpr double thick = 0.02, thin = 0.01;  // m

// A thick bar that cannot move, along x through `middle`.
BodyDescription bar(const std::string& name, const Vec3& middle) {
    BodyDescription body = rope(name, middle, {1, 0, 0}, 0.2, 1);
    body.rope.radius = thick;
    body.fixed_start = body.fixed_end = true;
    return body;
}

// A thin rope across two bars.
SceneDescription rope_on_bars() {
    SceneDescription scene;
    scene.drag = 2.0;
    scene.bodies.push_back(bar("left", {0, -0.06, 0}));
    scene.bodies.push_back(bar("right", {0, 0.06, 0}));
    BodyDescription across = rope("rope", {0, 0, thick + thin + 1e-3}, {0, 1, 0}, 0.2, 8);
    across.rope.radius = thin;
    across.bending_stiffness = 0.05;
    scene.bodies.push_back(across);
    return scene;
}

World settled(bool marked) {
    World world = make_world(rope_on_bars());
    world.mark_contacts(marked);
    for (int i = 0; i < 90; ++i) world.step({{0, 0, -gravity}, {}});
    return world;
}

TEST(ContactMarks, CarryTheWeight) {
    const World world = settled(true);
    double weight = 0.0, force = 0.0;
    for (std::size_t n = 0; n < world.model().nodes(); ++n) {
        if (world.model().inverse_mass[n] > 0.0) weight += gravity * mass(world, n);
    }
    ASSERT_GE(world.frame().contacts.size(), 2U);
    for (const ContactMark& mark : world.frame().contacts) force += mark.force;
    EXPECT_NEAR(force / weight, 1.0, 0.02);
}

TEST(ContactMarks, LieWhereTheSurfacesMeet) {
    const World world = settled(true);
    for (const ContactMark& mark : world.frame().contacts) {
        EXPECT_NEAR(std::abs(mark.point.y), 0.06, 0.01);
        EXPECT_NEAR(norm(Vec3{0, std::abs(mark.point.y) - 0.06, mark.point.z}), thick, 0.02 * thick);
    }
}

constexpr double table = 0.01;  // m, height of the upper side of a rigid block

// A soft block on a rigid one, whose meshes do not match.
SceneDescription block_on_table() {
    SceneDescription scene;
    scene.substeps = 1;
    BodyDescription below;
    below.name = "table";
    below.tissue = TissueKind::rigid;
    below.rigid.shape = "block";
    below.rigid.size = {0.12, 0.12, 0.02};
    scene.bodies.push_back(below);
    BodyDescription block;
    block.name = "block";
    block.tissue = TissueKind::tled;
    block.organ.shape = "block";
    block.organ.size = {0.05, 0.05, 0.03};
    block.organ.cells = {2, 2, 1};
    block.organ.turn = {0, 0, 0.3};
    block.organ.center = {0, 0, table + 0.015 + 0.0012};
    block.organ.damping = 30.0;
    block.organ.material.density = 1000.0;
    tled::set_young(block.organ.material, 6000.0, 0.3);
    scene.bodies.push_back(block);
    return scene;
}

TEST(ContactMarks, BetweenSolidsTheyLieOnBothAndCarryTheWeight) {
    World world = make_world(block_on_table());
    world.mark_contacts(true);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step({{0, 0, -gravity}, {}}).is_valid());
    ASSERT_GE(world.frame().contacts.size(), 3U);
    double weight = 0.0, force = 0.0;
    for (std::size_t n = 0; n < world.model().nodes(); ++n) {
        if (world.model().inverse_mass[n] > 0.0) weight += gravity * mass(world, n);
    }
    for (const ContactMark& mark : world.frame().contacts) {
        force += mark.force;
        EXPECT_NEAR(mark.point.z, table + 0.0005, 0.0006);
        EXPECT_LT(std::max(std::abs(mark.point.x), std::abs(mark.point.y)), 0.036);
    }
    EXPECT_NEAR(force / weight, 1.0, 0.05);
    world.step({{0, 0, 5.0 * gravity}, {}});
    for (int i = 0; i < 3; ++i) world.step({{0, 0, 5.0 * gravity}, {}});
    EXPECT_TRUE(world.frame().contacts.empty()) << "the control: nothing rests";
}

TEST(ContactMarks, ChangeNothingAndAreThereOnlyWhenAskedFor) {
    const World plain = settled(false);
    EXPECT_EQ(compute_hash(plain.state()), compute_hash(settled(true).state()));
    EXPECT_TRUE(plain.frame().contacts.empty());
}

TEST(ContactMarks, ComeAndGoAtOnce) {
    World world = settled(false);
    world.mark_contacts(true);
    EXPECT_FALSE(world.frame().contacts.empty());
    world.step({{0, 0, gravity}, {}});  // up: nothing rests any more
    for (int i = 0; i < 10; ++i) world.step({{0, 0, gravity}, {}});
    EXPECT_TRUE(world.frame().contacts.empty());
    world.mark_contacts(false);
    EXPECT_TRUE(world.frame().contacts.empty());
}

}  // namespace
}  // namespace plica::testing
