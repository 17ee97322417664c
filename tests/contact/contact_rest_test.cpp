#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry/closest.hpp"
#include "tests/contact/contacts.hpp"

namespace plica::testing {
namespace {

// Walls, friction and rest.

constexpr double gravity = 9.81;

struct Slope {
    double moved;         // m, down the slope within two seconds
    double acceleration;  // m/s^2, over the second of them
};

// A straight rope on a plane of this inclination, lying along or across the slope.
Slope slide(double angle, double friction, bool along, int substeps) {
    const Vec3 normal{std::sin(angle), 0, std::cos(angle)}, down{std::cos(angle), 0, -std::sin(angle)};
    SceneDescription scene;
    scene.substeps = substeps;
    Wall plane;
    plane.normal = normal;
    plane.friction = friction;
    scene.walls.push_back(plane);
    scene.bodies.push_back(rope("rope", normal * 0.02, along ? down : Vec3{0, 1, 0}, 0.4, 10));
    World world = make_world(scene);
    const Vec3 start = world.state().x[5];
    const Inputs inputs{{0, 0, -gravity}, {}};
    for (int frame = 0; frame < 30; ++frame) world.step(inputs);
    const double speed = dot(world.state().v[5], down);
    for (int frame = 0; frame < 30; ++frame) world.step(inputs);
    return {dot(world.state().x[5] - start, down), dot(world.state().v[5], down) - speed};
}

TEST(Friction, RopeOnAnInclinedPlane) {
    for (const int substeps : {5, 20}) {
        for (const double friction : {0.1, 0.4, 0.8}) {
            for (const bool along : {true, false}) {
                SCOPED_TRACE("friction " + std::to_string(friction) + (along ? " along" : " across"));
                const double limit = std::atan(friction);
                for (const double share : {0.3, 0.8, 0.97}) {
                    const Slope slope = slide(share * limit, friction, along, substeps);
                    EXPECT_LT(std::abs(slope.moved), 0.01 * 0.02) << share;
                    EXPECT_LT(std::abs(slope.acceleration), 1e-3) << share;
                }
                for (const double angle : {limit + 0.05, limit + 0.2, limit + 0.4}) {
                    const double expected = gravity * (std::sin(angle) - friction * std::cos(angle));
                    EXPECT_NEAR(slide(angle, friction, along, substeps).acceleration / expected, 1.0, 0.02) << angle;
                }
            }
        }
    }
}

TEST(Rest, TheWallCarriesTheWeight) {
    for (const int substeps : {5, 20}) {
        SceneDescription scene;
        scene.substeps = substeps;
        scene.drag = 1.0;
        scene.walls.push_back({});
        scene.bodies.push_back(rope("rope", {0, 0, 0.025}, {1, 0.5, 0}, 0.4, 10));
        World world = make_world(scene);
        for (int frame = 0; frame < 60; ++frame) world.step({{0, 0, -gravity}, {}});
        const double h = world.model().dt / substeps;
        double push = 0.0;
        for (const WallMemory& wall : world.state().wall_memory) push += wall.push;
        EXPECT_NEAR(push / (h * h) / (0.4 * 0.5 * gravity), 1.0, 0.01);
        for (const Vec3& x : world.state().x) EXPECT_GT(x.z, 0.02 - 0.01 * 0.02);
        for (const Vec3& v : world.state().v) EXPECT_LT(norm(v), 1e-3);
    }
}

TEST(Rest, RopeAcrossARope) {
    SceneDescription scene;
    scene.drag = 1.0;
    scene.walls.push_back({});
    scene.bodies.push_back(rope("lower", {0.003, 0, 0.0201}, {1, 0, 0}, 0.4, 10));
    scene.bodies.push_back(rope("upper", {0, 0.004, 0.0603}, {0.2, 1, 0}, 0.4, 10));
    World world = make_world(scene);
    double worst = 0.0;
    const auto depth = [&] {
        double most = 0.0;
        const auto& x = world.state().x;
        for (const Capsule& p : world.model().surface.capsules) {
            for (const Capsule& q : world.model().surface.capsules) {
                if (p.body == q.body) continue;
                const SegmentPair c = closest_segment_segment(x[at(p.a)], x[at(p.b)], x[at(q.a)], x[at(q.b)]);
                most = std::max(most, p.radius + q.radius - std::sqrt(c.squared_distance));
            }
        }
        for (const Vec3& p : x) most = std::max(most, 0.02 - p.z);
        return most / 0.02;
    };
    for (int frame = 0; frame < 60; ++frame) {
        world.step({{0, 0, -gravity}, {}});
        worst = std::max(worst, depth());
    }
    RecordProperty("worst_depth", std::to_string(worst));
    RecordProperty("depth_at_rest", std::to_string(depth()));
    EXPECT_LT(depth(), 0.01);
    // The upper rope is still the upper one, held up at the crossing alone, and carried.
    double highest = 0.0;
    for (std::size_t n = 11; n < 22; ++n) highest = std::max(highest, world.state().x[n].z);
    EXPECT_GT(highest, 0.05);
    double carried = 0.0, pressed = 0.0;
    const double h = world.model().dt / world.model().substeps;
    for (const WallMemory& wall : world.state().wall_memory) carried += wall.push / (h * h);
    for (const Pair& pair : world.state().candidates.pairs) pressed += pair.push / (h * h);
    EXPECT_NEAR(carried / (2.0 * 0.4 * 0.5 * gravity), 1.0, 0.01);
    EXPECT_GT(pressed, 0.2);
    for (const Vec3& v : world.state().v) EXPECT_LT(norm(v), 0.01);
}

}  // namespace
}  // namespace plica::testing
