#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "core/error.hpp"
#include "engine/world.hpp"
#include "geometry/mesh/surface.hpp"
#include "geometry/pose.hpp"
#include "scene/build.hpp"
#include "scene/description.hpp"
#include "scene/script.hpp"
#include "tests/scene/file/nifty/nifty_models.hpp"
#include "tests/support/temp_folder.hpp"

// The rigid surfaces of NiftySim models: their shapes and their ways.
namespace plica::testing {
namespace {

using std::numbers::pi;

constexpr double seconds = 0.5;

SceneDescription scene_with(const std::string& surface) {
    const VolumeMesh mesh = make_cube(true, 2);
    return read_scene({"model",
                       "model.xml",
                       model_text(mesh_text(mesh, "H8") + material_text() + rollers(mesh) + surface +
                                  system_text(seconds, 1e-3, 30.0)),
                       {}});
}

// The one rigid surface, closed and at its place, whether it stands or moves.
SurfaceMesh surface_of(const SceneDescription& scene) {
    const bool moves = !scene.tools.empty();
    EXPECT_EQ(scene.bodies.size(), moves ? 1U : 2U);
    SurfaceMesh mesh = make_rigid_mesh(moves ? scene.tools.at(0).rigid : scene.bodies.at(1).rigid);
    for (Vec3& p : mesh.nodes) p += moves ? scene.tools[0].path.front().where : Vec3{};
    return mesh;
}

std::string rod_text(const std::string& kind, const std::string& more = "") {
    return fmt::format(
        "<{0}><Origin>0.05 0.05 0.3</Origin><Axis>0 0 -1</Axis><Radius>0.01</Radius><Length>0.1</Length>{1}"
        "<SlvNodes>0</SlvNodes></{0}>\n",
        kind, more);
}

double lowest(const SurfaceMesh& mesh) {
    double least = 1e9;
    for (const Vec3& p : mesh.nodes) least = std::min(least, p.z);
    return least;
}

TEST(NiftySurface, CylindersAndProbesHaveTheirSize) {
    const double radius = 0.01, length = 0.1, cylinder = pi * radius * radius * length;
    const double ball = 4.0 / 3.0 * pi * radius * radius * radius;
    const SceneDescription plain = scene_with(rod_text("ContactCylinder"));
    EXPECT_EQ(plain.bodies[1].name, "cylinder1");
    const SurfaceMesh rod = surface_of(plain);
    EXPECT_NEAR(compute_volume(rod), cylinder, 0.005 * cylinder);  // 48 corners a ring
    EXPECT_NEAR(lowest(rod), 0.2, 1e-12);
    const SceneDescription tipped = scene_with(rod_text("ContactUSProbe", "<RadChange>0</RadChange>"));
    EXPECT_EQ(tipped.bodies[1].name, "probe1");
    const SurfaceMesh probe = surface_of(tipped);
    EXPECT_NEAR(compute_volume(probe), cylinder + 0.5 * ball, 0.01 * cylinder);
    EXPECT_NEAR(lowest(probe), 0.19, 1e-12);
    for (const SurfaceMesh* mesh : {&rod, &probe}) EXPECT_NO_THROW(check_closed(*mesh, "it"));
}

TEST(NiftySurface, APlateIsClosedBehindItsFace) {
    const SurfaceMesh plate =
        surface_of(scene_with("<ContactPlate><a>0 0 0.2</a><b>0 0.1 0.2</b><c>0.2 0 0.2</c></ContactPlate>\n"));
    EXPECT_EQ(plate.nodes.size(), 8U);
    EXPECT_EQ(plate.triangles.size(), 12U);
    const double volume = compute_volume(plate);
    EXPECT_GT(volume, 0.0);
    EXPECT_LT(volume, 0.01 * 0.1 * 0.2);
    EXPECT_NEAR(lowest(plate), 0.2, 1e-12) << "ab x ac points down: what closes it is above";
    const SurfaceMesh other =
        surface_of(scene_with("<ContactPlate><a>0 0 0.2</a><b>0.2 0 0.2</b><c>0 0.1 0.2</c></ContactPlate>\n"));
    EXPECT_LT(lowest(other), 0.2 - 1e-6);
    EXPECT_NEAR(compute_volume(other), volume, 1e-12);
}

// Where the tool of a scene is at each frame.
std::vector<RigidState> way_of(const SceneDescription& scene) {
    Built built = build_scene(scene, 1);
    World world(std::move(built.model), std::move(built.state), 1);
    Script script(scene);
    std::vector<RigidState> way{world.state().rigids.back()};
    const int steps = static_cast<int>(std::lround(1.2 * scene.seconds / scene.dt));
    for (int i = 0; i < steps; ++i) {
        EXPECT_TRUE(world.step(script.next(world)).is_valid());
        way.push_back(world.state().rigids.back());
    }
    return way;
}

TEST(NiftySurface, PlatesFollowTheSmoothRampAndSurfacesTheStraightOne) {
    const SceneDescription smooth = scene_with(
        "<ContactPlate><a>0 0 0.2</a><b>0 0.1 0.2</b><c>0.2 0 0.2</c><Disp>0 0 -0.04</Disp><SlvNodes>0 1</SlvNodes>"
        "</ContactPlate>\n");
    const SceneDescription straight =
        scene_with(sheet_text(0.0, 0.1, 0.2, "<Motion Type=\"Translation\">0 0 -0.04</Motion>\n"));
    for (const auto* scene : {&smooth, &straight}) {
        const std::vector<RigidState> way = way_of(*scene);
        double worst = 0.0;
        for (std::size_t i = 0; i < way.size(); ++i) {
            const double r = std::min(1.0, static_cast<double>(i) * scene->dt / seconds);
            const double share = scene == &smooth ? r * r * r * (10.0 - 15.0 * r + 6.0 * r * r) : r;
            worst = std::max(worst, std::abs(way[i].position.z - way[0].position.z + 0.04 * share));
        }
        EXPECT_LT(worst, 1e-12);
        EXPECT_NEAR(way.back().position.z - way.front().position.z, -0.04, 1e-12);
    }
    EXPECT_EQ(smooth.tools[0].path.size(), 101U);
    EXPECT_EQ(straight.tools[0].path.size(), 2U);
}

TEST(NiftySurface, OneThatRunsIntoAnotherIsHeldBack) {
    const std::string floor = "<ContactPlate><a>0 0 0.2</a><b>0.2 0 0.2</b><c>0 0.1 0.2</c></ContactPlate>\n";
    const auto falling = [](double by) {
        return sheet_text(-0.02, 0.22, 0.25, fmt::format("<Motion Type=\"Translation\">0 0 {}</Motion>\n", -by));
    };
    const std::vector<RigidState> free = way_of(scene_with(floor + falling(0.03)));
    EXPECT_NEAR(free.front().position.z - free.back().position.z, 0.03, 1e-12);
    const std::vector<RigidState> held = way_of(scene_with(floor + falling(0.09)));
    EXPECT_LT(held.front().position.z - held.back().position.z, 0.05);
    EXPECT_GT(held.front().position.z - held.back().position.z, 0.04);
}

// As NiftySim turns: about x, then y, then z, by angles that grow evenly.
Vec3 turned(Vec3 p, const Vec3& by) {
    for (const Vec3& one : {Vec3{by.x, 0, 0}, Vec3{0, by.y, 0}, Vec3{0, 0, by.z}}) p = apply(make_pose(one, {}), p);
    return p;
}

void expect_rotation(const Vec3& angles, std::size_t waypoints) {
    const Vec3 center{0.05, 0.1, 0.3}, shift{0.01, 0.02, 0.03};
    const SceneDescription scene = scene_with(sheet_text(
        0.02, 0.12, 0.3,
        fmt::format("<Motion Type=\"Rotation\">{} {} {} {} {} {}</Motion>\n<Motion Type=\"Translation\">{} {} "
                    "{}</Motion>\n",
                    angles.x, angles.y, angles.z, center.x, center.y, center.z, shift.x, shift.y, shift.z)));
    EXPECT_EQ(scene.tools[0].path.size(), waypoints);
    const SurfaceMesh mesh = make_rigid_mesh(scene.tools[0].rigid);
    EXPECT_NEAR(distance(mesh.nodes[0] + center, {0.02, 0.02, 0.3}), 0.0, 1e-12);
    const std::vector<RigidState> way = way_of(scene);
    double worst = 0.0;
    for (std::size_t i = 0; i < way.size(); ++i) {
        const double share = std::min(1.0, static_cast<double>(i) * scene.dt / seconds);
        for (const Vec3& p : mesh.nodes) {
            const Vec3 expected = center + shift * share + turned(p, angles * share);
            worst = std::max(worst, distance(apply(make_pose(way[i].turn, way[i].position), p), expected));
        }
    }
    EXPECT_LT(worst, 1e-5) << angles.x << " " << angles.y << " " << angles.z;
}

TEST(NiftySurface, Rotations) {
    expect_rotation({0.0, 0.5, 0.0}, 2);
    expect_rotation({0.0, 0.0, 9.0}, 2);
    expect_rotation({0.4, -0.7, 1.1}, 101);
    expect_rotation({2.0, -2.0, 1.9}, 101);
}

using NiftySurfaceFiles = TempFolderTest;

TEST_F(NiftySurfaceFiles, SurfacesLieBesideTheModel) {
    std::ofstream(file("roof.vtk"))
        << "# vtk DataFile Version 3.0\nroof\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n-1 -1 0 -1 3 0 3 3 0 3 -1 0\n"
           "POLYGONS 1 5\n4 0 1 2 3\n";
    const VolumeMesh mesh = make_cube(true, 1);
    const std::string text =
        model_text(mesh_text(mesh, "H8") + material_text() + rollers(mesh) +
                   "<ContactSurface><VTKSurface Type=\"T3\">roof.vtk<ScaleFactor>0.1</ScaleFactor><Translation>0 0 0.2"
                   "</Translation></VTKSurface></ContactSurface>\n" +
                   system_text(0.1, 1e-3, 30.0));
    std::ofstream(file("model.xml")) << text;
    const SceneSource source = find_scene(file("model.xml"));
    EXPECT_NEAR(lowest(surface_of(read_scene(source))), 0.2, 1e-12);
    // The text knows where its files are.
    SceneSource elsewhere = source;
    elsewhere.file = "model (in the recording)";
    EXPECT_EQ(build_scene(elsewhere, 1).model.rigids.size(), 1U);
    elsewhere.text = text;
    elsewhere.files = nullptr;
    EXPECT_THROW(build_scene(elsewhere, 1), Error);
}

// A tool that is added has a name of its own.
TEST(NiftySurface, NamesAreTaken) {
    const VolumeMesh mesh = make_cube(true, 1);
    const auto text = [&](const char* name) {
        return model_text(mesh_text(mesh, "H8") + material_text() +
                          rod_text("ContactCylinder", "<OrigDisp>0 0 -0.01</OrigDisp>") +
                          system_text(0.1, 1e-3, 30.0)) +
               fmt::format("[[tool]]\nname = \"{}\"\npath = [ {{ t = 1e9, at = \"model\", near = [0, 0, 0] }} ]\n",
                           name);
    };
    EXPECT_NO_THROW(read_scene({"model", "model.xml", text("hand"), {}}));
    EXPECT_THROW(read_scene({"model", "model.xml", text("cylinder1"), {}}), Error);
}

}  // namespace
}  // namespace plica::testing
