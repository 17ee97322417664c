#include "tests/apps/commands.hpp"

namespace plica::testing {
namespace {

const std::string tetrahedron =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 1 \"liver\"\n0 2 \"tip\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n1 0 0 0\n2 10 0 0\n3 0 10 0\n4 0 0 10\n5 99 99 99\n$EndNodes\n"
    "$Elements\n2\n1 15 2 2 1 4\n2 4 2 1 1 1 3 2 4\n$EndElements\n";
const std::string pyramid = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

TEST_F(Command, MeshReportsAVolume) {
    const std::string file = write("liver.msh", tetrahedron);
    const Json json = run_json({"mesh", file, "--scale", "0.001"});
    EXPECT_EQ(json["file"], file);
    EXPECT_EQ(json["kind"], "volume");
    EXPECT_EQ(json["nodes"], 4);
    EXPECT_EQ(json["tetrahedra"], 1);
    EXPECT_EQ(json["hexahedra"], 0);
    EXPECT_NEAR(json["volume"].get<double>(), 1e-6 / 6, 1e-18);
    EXPECT_EQ(json["inverted_repaired"], 1);
    EXPECT_EQ(json["unreferenced_removed"], 1);
    EXPECT_EQ(json["region_names"], Json::array({"liver"}));
    EXPECT_EQ(json["node_sets"][0]["name"], "tip");
    const Outcome text = run({"mesh", file, "--scale", "0.001"});
    EXPECT_EQ(text.status, 0) << text.err;
    for (const char* part :
         {"1 tetrahedra, 0 hexahedra on 4 nodes", "1 mirrored cells turned", "liver (1 cells)", "tip (1 nodes)"}) {
        EXPECT_TRUE(contains(text.out, part)) << text.out;
    }
}

TEST_F(Command, MeshConverts) {
    const std::string file = write("liver.msh", tetrahedron);
    for (const char* name : {"out.vtk", "out.msh"}) {
        EXPECT_EQ(run({"mesh", file, "--scale", "0.001", "-o", path(name)}).status, 0);
        const Json json = run_json({"mesh", path(name)});
        EXPECT_NEAR(json["volume"].get<double>(), 1e-6 / 6, 1e-18) << name;
        EXPECT_EQ(json["inverted_repaired"], 0) << name;
    }
    EXPECT_EQ(run_json({"mesh", path("out.msh")})["node_sets"][0]["name"], "tip");
}

TEST_F(Command, MeshReportsASurface) {
    const std::string file = write("liver.obj", pyramid);
    const Json json = run_json({"mesh", file, "--scale", "0.001", "-o", path("out.obj")});
    EXPECT_EQ(json["kind"], "surface");
    EXPECT_EQ(json["closed"], true);
    EXPECT_NEAR(json["volume"].get<double>(), 1e-6 / 6, 1e-18);
    EXPECT_NEAR(run_json({"mesh", path("out.obj")})["volume"].get<double>(), 1e-6 / 6, 1e-18);
    const Outcome open = run({"mesh", write("open.obj", pyramid.substr(0, pyramid.rfind('f')))});
    EXPECT_EQ(open.status, 0);
    EXPECT_TRUE(contains(open.out, "3 edges")) << open.out;
}

TEST_F(Command, MeshFillsASurfaceWhereItCan) {
    const std::string file = write("liver.obj", pyramid);
    ASSERT_EQ(run({"mesh", file, "--scale", "0.001", "--cell", "0.0005", "-o", path("out.msh")}).status, 0);
    EXPECT_NEAR(run_json({"mesh", path("out.msh")})["volume"].get<double>(), 1e-6 / 6,
                0.1e-6 / 6);  // edges are cut off
    fs::remove(path("out.msh"));
    const Texts arguments{"mesh",  file,       "--scale", "0.001", "--cell",
                          "0.005", "--mesher", "tetgen",  "-o",    path("out.msh")};
    if (fs::exists("/usr/bin/tetgen")) {
        EXPECT_EQ(run(arguments).status, 0);
        EXPECT_NEAR(run_json({"mesh", path("out.msh")})["volume"].get<double>(), 1e-6 / 6, 1e-15);
        fs::remove(path("out.msh"));
    }
    const std::string before = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
    setenv("PATH", "", 1);
    const Outcome outcome = run(arguments);
    setenv("PATH", before.c_str(), 1);
    EXPECT_EQ(outcome.status, 4);
    EXPECT_TRUE(contains(outcome.err, "tetgen is not installed")) << outcome.err;
    EXPECT_EQ(files(), Texts{"liver.obj"});
    const Outcome open = run({"mesh", write("open.obj", pyramid.substr(0, pyramid.rfind('f'))), "--cell", "1"});
    EXPECT_EQ(open.status, 2);
    EXPECT_TRUE(contains(open.err, "only a closed one can be filled")) << open.err;
}

TEST_F(Command, WrongMeshes) {
    const std::string file = write("liver.msh", tetrahedron);
    const std::string skin = write("liver.obj", pyramid);
    const std::vector<std::pair<Texts, std::string>> wrong{
        {{"mesh", path("none.msh")}, path("none.msh") + ": there is no such file"},
        {{"mesh", path("none.xyz")}, path("none.xyz") + ": found the ending"},
        {{"mesh", write("bad.msh", tetrahedron.substr(0, 150))}, path("bad.msh") + ":"},
        {{"mesh", file, "--scale", "0"}, "plica: "},
        {{"mesh", file, "--scale", "nan"}, "plica: "},
        {{"mesh", file, "-o", path("out.stl")}, path("out.stl") + ": found the ending"},
        {{"mesh", skin, "-o", path("out.msh")}, path("out.msh") + ": found the ending"},
        {{"mesh", file, "--cell", "1"}, file + ": found a volume"},
        {{"mesh"}, "plica: "},
    };
    for (const auto& [arguments, start] : wrong) {
        SCOPED_TRACE(quoted(arguments));
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(outcome.err.rfind(start, 0), 0U) << outcome.err;
    }
    EXPECT_EQ(run({"mesh", file, "-o", path("no/such/folder/a.vtk")}).status, 4);
    EXPECT_EQ(files(), (Texts{"bad.msh", "liver.msh", "liver.obj"}));
    EXPECT_TRUE(contains(run({"mesh", "--help"}).out, "plica mesh liver.msh"));
}

}  // namespace
}  // namespace plica::testing
