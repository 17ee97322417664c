#include "apps/desktop/touch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/desktop/frame_times.hpp"
#include "apps/desktop/keys.hpp"
#include "apps/desktop/settings.hpp"
#include "render/pick.hpp"

// What the mouse and the keys mean, without a window.
namespace plica::desktop {
namespace {

constexpr double aspect = 1.5;

// A straight tube along x through the middle of the picture.
class TouchTest : public ::testing::Test {
protected:
    TouchTest() {
        render::Tube tube;
        for (std::int32_t i = 0; i <= 10; ++i) {
            tube.nodes.push_back(i);
            tube.radius.push_back(0.02);
            frame.positions.push_back({0.05 * i - 0.25, 0.0, 0.0});
        }
        drawing.tubes.push_back(tube);
        drawing.nodes = frame.positions.size();
        camera.azimuth = -1.57;
        camera.elevation = 0.6;
    }
    HandWish at(double x, double y, bool left = false) {
        Pointer pointer;
        pointer.x = x;
        pointer.y = y;
        pointer.left = left;
        return send(pointer);
    }
    HandWish send(const Pointer& pointer) { return touch.update(pointer, aspect, drawing, frame, camera); }

    render::Drawing drawing;
    Frame frame;
    render::Camera camera;
    Touch touch;
};

TEST_F(TouchTest, HoverFindsTheNode) {
    EXPECT_EQ(at(0.5, 0.5).kind, HandWish::Kind::none);
    EXPECT_EQ(touch.node(), 5);
    at(0.5, 0.1);
    EXPECT_EQ(touch.node(), -1);
}

TEST_F(TouchTest, ADragHoldsMovesAndReleases) {
    at(0.5, 0.5);
    const HandWish hold = at(0.5, 0.5, true);
    EXPECT_EQ(hold.kind, HandWish::Kind::hold);
    EXPECT_EQ(hold.node, 5);
    EXPECT_EQ(hold.where, frame.positions[5]);
    const HandWish still = at(0.5, 0.5, true);
    EXPECT_EQ(still.kind, HandWish::Kind::move);
    EXPECT_LT(distance(still.where, hold.where), 1e-12);  // no jerk
    const HandWish moved = at(0.7, 0.3, true);
    const Vec3 way = moved.where - hold.where;
    EXPECT_LT(std::abs(dot(way, camera.forward())), 1e-12);  // parallel to the screen
    EXPECT_GT(dot(way, camera.right()), 0.05);
    EXPECT_GT(dot(way, camera.up()), 0.05);
    // The place of the grip stays under the mouse.
    const Vec3 grip = render::pick(drawing, frame.positions, render::ray_through(camera, aspect, 0.5, 0.5))->point;
    const Vec3 seen = render::place_in_picture(camera, aspect, grip + way);
    EXPECT_NEAR(seen.x, 0.7, 1e-9);
    EXPECT_NEAR(seen.y, 0.3, 1e-9);
    EXPECT_EQ(at(0.7, 0.3).kind, HandWish::Kind::release);
    EXPECT_EQ(at(0.7, 0.3).kind, HandWish::Kind::none);
}

TEST_F(TouchTest, AHandThatHasLetGoStaysSo) {
    at(0.5, 0.5);
    at(0.5, 0.5, true);
    EXPECT_TRUE(touch.is_pulling());
    touch.let_go();
    EXPECT_EQ(at(0.6, 0.5, true).kind, HandWish::Kind::none);
    EXPECT_FALSE(touch.is_pulling());
}

TEST_F(TouchTest, ADragBesideTheTubeOrbits) {
    const render::Camera before = camera;
    at(0.5, 0.1);
    EXPECT_EQ(at(0.5, 0.1, true).kind, HandWish::Kind::none);
    EXPECT_EQ(at(0.6, 0.5, true).kind, HandWish::Kind::none);  // over the tube by now
    EXPECT_NE(camera.azimuth, before.azimuth);
    EXPECT_GT(camera.elevation, before.elevation);
    EXPECT_EQ(camera.target, before.target);
    for (int i = 0; i < 20; ++i) at(0.6, 0.5 + i, true);
    EXPECT_LT(camera.elevation, 1.5708);  // never over the pole
}

TEST_F(TouchTest, RightDragOrbitsAndMiddleDragPans) {
    Pointer pointer;
    pointer.x = pointer.y = 0.5;
    pointer.right = true;
    send(pointer);
    pointer.x = 0.6;
    send(pointer);
    EXPECT_NE(camera.azimuth, -1.57);
    pointer.right = false;
    send(pointer);
    pointer.middle = true;
    send(pointer);
    const Vec3 point = camera.target;
    pointer.x = 0.7;
    pointer.y = 0.4;
    send(pointer);
    const Vec3 seen = render::place_in_picture(camera, aspect, point);
    EXPECT_NEAR(seen.x, 0.6, 1e-9);  // what was in the middle went along
    EXPECT_NEAR(seen.y, 0.4, 1e-9);
}

TEST_F(TouchTest, ShiftDragOnTheTubePans) {
    Pointer pointer;
    pointer.x = pointer.y = 0.5;
    pointer.shift = true;
    send(pointer);
    pointer.left = true;
    EXPECT_EQ(send(pointer).kind, HandWish::Kind::none);
    const Vec3 before = camera.target;
    pointer.x = 0.6;
    send(pointer);
    EXPECT_NE(camera.target, before);
}

TEST_F(TouchTest, TheWheelZooms) {
    Pointer pointer;
    pointer.wheel = 1.0;
    send(pointer);
    EXPECT_LT(camera.distance, 1.0);
    for (int i = 0; i < 1000; ++i) send(pointer);
    EXPECT_GT(camera.distance, 0.0);
}

TEST_F(TouchTest, PanelsKeepTheirMouse) {
    Pointer pointer;
    pointer.x = pointer.y = 0.5;
    pointer.free = false;
    pointer.wheel = 1.0;
    send(pointer);
    EXPECT_EQ(touch.node(), -1);
    pointer.left = true;
    EXPECT_EQ(send(pointer).kind, HandWish::Kind::none);
    EXPECT_EQ(camera.distance, 1.0);
}

// A ball of two rings of triangles in front of the tube.
class RigidTouchTest : public TouchTest {
protected:
    RigidTouchTest() {
        render::Organ organ;
        organ.name = "ball";
        const auto first = static_cast<std::int32_t>(frame.positions.size());
        const Vec3 middle = 0.2 * (camera.eye() - Vec3{});
        for (const Vec3& d : {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}) {
            organ.nodes.push_back(first + static_cast<std::int32_t>(organ.nodes.size()));
            organ.rest.push_back(middle + 0.03 * d);
            frame.positions.push_back(organ.rest.back());
        }
        organ.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
        drawing.organs.push_back(organ);
        drawing.nodes = frame.positions.size();
        frame.tools.resize(2);
        frame.tools[1].handle = middle + Vec3{0.1, 0.2, 0.3};  // of its own frame, which need not be in its middle
        first_node = first;
    }
    std::int32_t first_node = 0;
};

TEST_F(RigidTouchTest, ARigidToolIsSteeredParallelToTheScreen) {
    drawing.organs[0].look = render::Look::steel;
    drawing.organs[0].tool = 1;
    at(0.5, 0.5);
    EXPECT_GE(touch.node(), first_node) << "it lights up";
    EXPECT_EQ(touch.tool(), 1);
    EXPECT_EQ(at(0.5, 0.5, true).kind, HandWish::Kind::none) << "nothing is taken hold of";
    EXPECT_TRUE(touch.is_pulling());
    const HandWish still = at(0.5, 0.5, true);
    EXPECT_EQ(still.kind, HandWish::Kind::steer);
    EXPECT_EQ(still.tool, 1);
    EXPECT_EQ(still.node, -1);
    EXPECT_LT(distance(still.where, frame.tools[1].handle), 1e-12);  // no jerk
    const HandWish moved = at(0.6, 0.4, true);
    const Vec3 way = moved.where - still.where;
    EXPECT_LT(std::abs(dot(way, camera.forward())), 1e-12);
    EXPECT_GT(dot(way, camera.right()), 0.02);
    EXPECT_GT(dot(way, camera.up()), 0.01);
    EXPECT_EQ(at(0.6, 0.4).kind, HandWish::Kind::none);
    EXPECT_FALSE(touch.is_pulling());
}

TEST_F(RigidTouchTest, WhatIsRigidAndStandsIsLeftAlone) {
    drawing.organs[0].look = render::Look::bone;
    at(0.5, 0.5);
    EXPECT_EQ(touch.node(), -1) << "and hides the tube behind it";
    const double before = camera.azimuth;
    EXPECT_EQ(at(0.5, 0.5, true).kind, HandWish::Kind::none);
    EXPECT_EQ(at(0.6, 0.5, true).kind, HandWish::Kind::none);
    EXPECT_NE(camera.azimuth, before) << "a drag on it orbits";
}

TEST_F(RigidTouchTest, TissueInItsPlaceIsHeld) {
    at(0.5, 0.5);
    EXPECT_EQ(at(0.5, 0.5, true).kind, HandWish::Kind::hold) << "the control";
}

TEST(Keys, EachHasItsOwnCharacterAndAction) {
    for (const Shortcut& a : shortcuts()) {
        EXPECT_EQ(find_action(a.character), a.action);
        for (const Shortcut& b : shortcuts()) {
            if (&a == &b) continue;
            EXPECT_NE(a.character, b.character);
            EXPECT_NE(a.action, b.action);
        }
    }
    EXPECT_FALSE(find_action(U'x'));
}

TEST(Keys, SpeedsGoUpAndDown) {
    EXPECT_EQ(faster_than(1.0), 2.0);
    EXPECT_EQ(slower_than(1.0), 0.5);
    double speed = 1.0;
    for (int i = 0; i < 20; ++i) speed = slower_than(speed);
    EXPECT_GT(speed, 0.0);
    for (int i = 0; i < 20; ++i) speed = faster_than(speed);
    EXPECT_LT(speed, 100.0);
}

TEST(Settings, GravityTiltsAndKeepsItsStrength) {
    Settings settings;
    const Vec3 down{0.0, 0.0, -9.81};
    EXPECT_FALSE(tilted_gravity(settings, down));
    settings.tilt_forward = 1.0F;
    settings.tilt_sideways = -0.4F;
    const Vec3 tilted = *tilted_gravity(settings, down);
    EXPECT_NEAR(norm(tilted), 9.81, 1e-9);
    EXPECT_NEAR(dot(tilted, down) / (9.81 * 9.81), std::cos(1.0F) * std::cos(0.4F), 1e-6);
}

TEST(Settings, ThePaceIsSaid) {
    Settings settings;
    EXPECT_EQ(describe_pace(settings, 0.62), "0.6 x real time");
    EXPECT_EQ(describe_pace(settings, 0.04), "0.04 x real time");
    settings.paused = true;
    EXPECT_EQ(describe_pace(settings, 0.0), "paused");
}

TEST(FrameTimes, RatesAreWhatTheSlowerFramesStillReach) {
    FrameTimes times;
    EXPECT_EQ(times.rate(0.5), 0.0);
    for (int i = 0; i < 99; ++i) times.add(0.01);
    times.add(0.1);
    EXPECT_NEAR(times.rate(0.5), 100.0, 1e-3);
    EXPECT_NEAR(times.rate(1.0), 10.0, 1e-3);
}

}  // namespace
}  // namespace plica::desktop
