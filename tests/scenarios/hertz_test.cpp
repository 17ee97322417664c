#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "experiments/tled/specimen.hpp"
#include "tests/engine/worlds.hpp"

// B5: a rigid sphere is pressed into a block; force against Hertz.
namespace plica::testing {
namespace {

constexpr double side = 0.2, radius = 0.05, depth = 0.025 * radius;  // m
constexpr double young = 3000.0, poisson = 0.3;                      // Pa
constexpr double block_thickness = 2.5e-4, ball_thickness = 1e-3;    // m
constexpr double apart = 0.5 * (block_thickness + ball_thickness);   // m, contact radii

double hertz_force() {
    return 4.0 / 3.0 * young / (1.0 - poisson * poisson) * std::sqrt(radius) * std::pow(depth, 1.5);
}

// A quarter of a block whose middle is the origin, upper side at z = 0; nodes at (i/n)^1.8 from there.
std::shared_ptr<const VolumeMesh> make_quarter_block(tled::ElementKind kind, int n) {
    VolumeMesh mesh = experiments::make_specimen_block(kind, {side, side, side}, {n, n, n});
    const auto grade = [](double x) { return side * std::pow(std::max(0.0, x / side), 1.8); };
    for (Vec3& p : mesh.nodes) p = {grade(p.x), grade(p.y), -grade(side - p.z)};
    return std::make_shared<VolumeMesh>(std::move(mesh));
}

// The lower end of a sphere, closed by a cone; its lowest point is the origin. With the contact radii around it the
// sphere has the wanted radius.
std::shared_ptr<const SurfaceMesh> make_cap(int rings, int sectors) {
    SurfaceMesh mesh;
    const double r = radius - apart, last = 0.3;  // rad
    mesh.nodes.push_back({});
    for (int i = 1; i <= rings; ++i) {
        const double polar = last * i / rings;
        for (int k = 0; k < sectors; ++k) {
            const double turn = 2.0 * std::numbers::pi * k / sectors;
            mesh.nodes.push_back({r * std::sin(polar) * std::cos(turn), r * std::sin(polar) * std::sin(turn),
                                  r * (1.0 - std::cos(polar))});
        }
    }
    mesh.nodes.push_back({0, 0, 0.01});
    const auto node = [&](int i, int k) { return i == 0 ? 0 : 1 + (i - 1) * sectors + k % sectors; };
    const auto top = static_cast<std::int32_t>(mesh.nodes.size()) - 1;
    for (int k = 0; k < sectors; ++k) {
        mesh.triangles.push_back({0, node(1, k + 1), node(1, k)});
        for (int i = 1; i < rings; ++i) {
            mesh.triangles.push_back({node(i, k), node(i, k + 1), node(i + 1, k + 1)});
            mesh.triangles.push_back({node(i, k), node(i + 1, k + 1), node(i + 1, k)});
        }
        mesh.triangles.push_back({node(rings, k), node(rings, k + 1), top});
    }
    return std::make_shared<SurfaceMesh>(std::move(mesh));
}

void roll(OrganDescription& organ, int axis) {
    MotionDescription motion;
    motion.where.kind = NodeSelection::Kind::side;
    motion.where.axis = axis;
    motion.motion.axes = {axis == 0, axis == 1, axis == 2};
    organ.motions.push_back(motion);
}

SceneDescription make_scene(tled::ElementKind kind, int n) {
    SceneDescription scene;
    scene.dt = 0.01;
    scene.substeps = 1;
    scene.gravity = {};
    scene.contact.friction = 0.0;
    BodyDescription block;
    block.name = "block";
    block.tissue = TissueKind::tled;
    block.organ.given = make_quarter_block(kind, n);
    if (kind != tled::ElementKind::h8) block.organ.settings.tetrahedra = kind;
    block.organ.material = experiments::make_neo_hookean(young, poisson);
    block.organ.damping = 20.0;  // 1/s
    block.organ.thickness = block_thickness;
    block.organ.self_contact = false;
    for (const int axis : {0, 1, 2}) roll(block.organ, axis);
    scene.bodies.push_back(block);
    ToolDescription ball;
    ball.tool.name = "ball";
    ball.tool.kind = ToolKind::rigid;
    ball.rigid.shape.clear();
    ball.rigid.given = make_cap(30, 64);
    ball.rigid.thickness = ball_thickness;
    Waypoint start, end;
    start.kind = WaypointKind::at;
    start.where = {0, 0, apart + 1e-5};
    end.kind = WaypointKind::to;
    end.t = 0.5;
    end.where = {0, 0, apart - depth};
    ball.path = {start, end};
    scene.tools.push_back(ball);
    return scene;
}

struct Case {
    const char* name;
    tled::ElementKind kind;
    bool all;       // corners and edges of the sphere touch the block's facets too, not only its nodes the sphere's
    double most;    // of the force over Hertz's, n = 24
    bool descends;  // from n = 16
};

World make_pressed(const SceneDescription& scene, bool all) {
    Built built = build_scene(scene, 1);
    for (Capsule& feature : built.model.surface.capsules) {
        EXPECT_NEAR(feature.radius, 0.5 * (feature.body == 0 ? block_thickness : ball_thickness), 1e-12);
        if (feature.body == 1 && !all) feature.radius = -0.1 * radius;
    }
    built.model.certify = all;
    return World(std::move(built.model), std::move(built.state), 1);
}

// Force over Hertz's.
double press(const Case& c, int n) {
    const SceneDescription scene = make_scene(c.kind, n);
    World world = make_pressed(scene, c.all);
    Script script(scene);
    constexpr int frames = 80, look = 10;
    double force = 0.0, before = 0.0, contacts = 0.0;
    int sweeps = 0, substeps = 0;
    for (int k = 1; k <= frames; ++k) {
        const StepReport report = world.step(script.next(world));
        EXPECT_TRUE(report.is_valid());
        EXPECT_EQ(report.held, 0);
        contacts = report.contacts;
        sweeps += report.sweeps;
        substeps += report.substeps;
        force = 4.0 * world.frame().tool_force[0].z;
        if (k == frames - look) before = force;
    }
    const double ratio = force / hertz_force();
    printf("%s, n = %d: force / Hertz %.4f, changed by %.1e in the last 0.1 s, %.0f pairs, %.2f passes, %d substeps\n",
           c.name, n, ratio, force / before - 1.0, contacts, static_cast<double>(sweeps) / substeps, substeps);
    EXPECT_NEAR(force / before, 1.0, 0.005) << "at rest";
    return ratio;
}

class Hertz : public ::testing::TestWithParam<Case> {};

// The finite block alone is 1.04 times as stiff as a half-space.
TEST_P(Hertz, IsApproachedByFinerMeshes) {
    const double coarse = press(GetParam(), 16), fine = press(GetParam(), 24);
    EXPECT_LE(fine, GetParam().most);
    EXPECT_GT(fine, 1.0);
    EXPECT_LE(coarse, 1.25);
    if (GetParam().descends) {
        EXPECT_LT(fine, coarse);
    }
}

INSTANTIATE_TEST_SUITE_P(Elements, Hertz,
                         ::testing::Values(Case{"t4, nodes alone", tled::ElementKind::t4, false, 1.12, true},
                                           Case{"t4", tled::ElementKind::t4, true, 1.16, true},
                                           Case{"t4anp", tled::ElementKind::t4anp, true, 1.12, true},
                                           Case{"h8", tled::ElementKind::h8, true, 1.12, false}),
                         [](const auto& test) {
                             std::string name = test.param.name;
                             std::erase_if(name, [](char c) { return c == ',' || c == ' '; });
                             return name;
                         });

}  // namespace
}  // namespace plica::testing
