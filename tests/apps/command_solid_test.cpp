#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "geometry/mesh/read_mesh.hpp"
#include "geometry/mesh/shapes.hpp"
#include "geometry/mesh/write_mesh.hpp"
#include "tests/apps/commands.hpp"
#include "tests/scene/file/nifty/nifty_models.hpp"

namespace plica::testing {
namespace {

std::string cube_model(const std::string& extra = "") {
    return model_text("<MSHMesh Type=\"T4\">cube.msh</MSHMesh>\n" + material_text() +
                      "<Constraint Type=\"Fix\" SpecType=\"NORMAL\"><Normal ToleranceAngle=\"1\">-1 0 0</Normal>"
                      "</Constraint>\n<Constraint Type=\"Disp\" DOF=\"0\" SpecType=\"NORMAL\"><Normal "
                      "ToleranceAngle=\"1\">1 0 0</Normal><Magnitudes Type=\"UNIFORM\">0.01</Magnitudes></Constraint>\n"
                      "<Output Freq=\"1\"><Variable>U</Variable></Output>\n" +
                      extra + system_text(0.1, 1e-3, 20.0));
}

TEST_F(Command, AModelOfNiftySimRunsAndReplays) {
    fs::create_directories(path("models"));
    write_gmsh(make_cube(false, 2), path("models/cube.msh"));
    const std::string model = write("models/cube.xml", cube_model());
    const Json checked = run_json({"check", model});
    EXPECT_EQ(checked["valid"], true);
    ASSERT_EQ(checked["notes"].size(), 1U) << checked;
    EXPECT_TRUE(contains(checked["notes"][0].get<std::string>(), "Output"));
    EXPECT_TRUE(contains(run({"check", model}).out, "cube.xml:7: Output"));
    const Json summary = run_json({"run", model, "--record", path("cube.plica")});
    EXPECT_EQ(summary["bodies"][0]["name"], "model");
    EXPECT_EQ(run_json({"replay", path("cube.plica")})["matches"], true);

    const std::string bad = write("models/bad.xml", cube_model("<ContactSurface/>\n<ShellElements/>\n"));
    const Outcome refused = run({"run", bad});
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(contains(refused.err,
                         "bad.xml:8: ContactSurface: found no whole mesh, expected Nodes and Elements, or VTKSurface"))
        << refused.err;
    EXPECT_TRUE(contains(refused.err, "bad.xml:9: ShellElements is not supported")) << refused.err;
}

TEST_F(Command, SolidBodiesAreExportedWithTheirCells) {
    write_gmsh(make_cube(false, 2), path("cube.msh"));
    const std::string model = write("cube.xml", cube_model());
    run_json({"run", model, "--steps", "4", "--record", path("cube.plica"), "--dump", path("dump")});
    EXPECT_EQ(run_json({"export", path("cube.plica"), "--to", "vtk", "-o", path("vtk")})["frames"], 5);
    const VolumeMesh first = read_volume_mesh(path("vtk/solid_model_000000.vtk"));
    const VolumeMesh last = read_volume_mesh(path("vtk/solid_model_000004.vtk"));
    EXPECT_EQ(first.tetrahedra.size(), make_cube(false, 2).tetrahedra.size());
    EXPECT_EQ(first.tetrahedra, last.tetrahedra);
    double moved = 0.0;
    for (std::size_t n = 0; n < first.nodes.size(); ++n) {
        moved = std::max(moved, distance(first.nodes[n], last.nodes[n]));
    }
    EXPECT_GT(moved, 1e-8);
    EXPECT_TRUE(fs::exists(path("vtk/frame_000004.vtk")));

    const Json body = Json::parse(slurp(path("dump/scene.json")))["bodies"][0];
    ASSERT_EQ(body["tetrahedra"].size(), first.tetrahedra.size());
    EXPECT_EQ(body["hexahedra"].size(), 0U);
    std::set<int> sources;
    for (std::size_t c = 0; c < first.tetrahedra.size(); ++c) {
        EXPECT_EQ(body["tetrahedra"][c].get<std::vector<int>>(),
                  std::vector<int>(first.tetrahedra[c].begin(), first.tetrahedra[c].end()));
        sources.insert(body["source_cells"][c].get<int>());
    }
    EXPECT_EQ(sources.size(), first.tetrahedra.size());
}

// A report says what is ours and what is the user's, whose mesh takes the place of any scene's shape.
TEST_F(Command, ReportsSayWhichShapesAreSynthetic) {
    const Json ours = run_json({"run", "forceps-liver", "--steps", "1", "--set", "liver.cell=0.02"});
    EXPECT_EQ(ours["bodies"][0]["mesh"], "synthetic liver");
    EXPECT_EQ(ours["bodies"][1]["mesh"], "synthetic ribs");
    EXPECT_EQ(ours["bodies"][2]["mesh"], "synthetic jaw");
    ASSERT_EQ(ours["bodies"][2]["force"].size(), 3U);
    EXPECT_FALSE(ours["bodies"][0].contains("force"));

    write_obj(make_liver_surface(2), path("mine.obj"));
    const Texts with{"run", "forceps-liver", "--steps", "1", "--set", "liver.cell=0.02", "--set"};
    Texts good = with, missing = with;
    good.push_back(fmt::format("liver.mesh={}", path("mine.obj")));
    const Json theirs = run_json(good);
    EXPECT_EQ(theirs["bodies"][0]["mesh"], "file");
    EXPECT_NE(theirs["bodies"][0]["rest_volume"], ours["bodies"][0]["rest_volume"]);
    missing.push_back(fmt::format("liver.mesh={}", path("none.obj")));
    const Outcome refused = run(missing);
    EXPECT_NE(refused.status, 0);
    EXPECT_TRUE(contains(refused.err, "none.obj")) << refused.err;
}

TEST_F(Command, HexahedraAreInTheDump) {
    run_json({"run", "block-stretch", "--steps", "1", "--dump", path("dump")});
    const Json body = Json::parse(slurp(path("dump/scene.json")))["bodies"][0];
    EXPECT_EQ(body["tetrahedra"].size(), 0U);
    EXPECT_EQ(body["hexahedra"].size(), 216U);
    EXPECT_EQ(body["source_cells"].size(), 216U);
}

}  // namespace
}  // namespace plica::testing
