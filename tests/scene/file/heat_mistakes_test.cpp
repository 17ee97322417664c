#include <fmt/format.h>

#include <cmath>

#include "geometry/mesh/shapes.hpp"
#include "tests/apps/commands.hpp"
#include "tests/engine/worlds.hpp"

// What people may get wrong about heat tissue: surfaces in files and values in scenes. Each mistake is one error that
// says where it is; what can be repaired is, and runs.
namespace plica::testing {
namespace {

enum class Format { obj, ply, stl };

SurfaceMesh plane() {
    return make_plane(2.0, 2.0, 4, 4);
}

std::string as_obj(const SurfaceMesh& mesh) {
    std::string text;
    for (const Vec3& p : mesh.nodes) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
    for (const auto& t : mesh.triangles) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    return text;
}

std::string as_ply(const SurfaceMesh& mesh) {
    std::string text = fmt::format(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n",
        mesh.nodes.size());
    for (const NodeValues& values : mesh.values) text += fmt::format("property double {}\n", values.name);
    text += fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", mesh.triangles.size());
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
        text += fmt::format("{} {} {}", mesh.nodes[n].x, mesh.nodes[n].y, mesh.nodes[n].z);
        for (const NodeValues& values : mesh.values) text += fmt::format(" {}", values.numbers[n]);
        text += "\n";
    }
    for (const auto& t : mesh.triangles) text += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
    return text;
}

std::string as_stl(const SurfaceMesh& mesh) {
    std::string text = "solid\n";
    for (const auto& t : mesh.triangles) {
        text += "facet normal 0 0 1\nouter loop\n";
        for (const std::int32_t n : t) {
            const Vec3& p = mesh.nodes[static_cast<std::size_t>(n)];
            text += fmt::format("vertex {} {} {}\n", p.x, p.y, p.z);
        }
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid\n";
}

class HeatMistakes : public Command {
protected:
    // A scene with one body of heat tissue; more lines begin with line 7.
    [[nodiscard]] std::string scene(const std::string& more, const std::string& body = "shape = \"sphere\"") const {
        return write("scene.toml", fmt::format("plica = 1\nseconds = 0.05\n[[body]]\nname = \"skin\"\ntissue = "
                                               "\"heat\"\n{}\n{}\n",
                                               body, more));
    }
    [[nodiscard]] std::string scene_of(const SurfaceMesh& mesh, Format format, const std::string& more = "") const {
        const char* name = format == Format::obj ? "a.obj" : format == Format::ply ? "a.ply" : "a.stl";
        spill(m_folder / name, format == Format::obj   ? as_obj(mesh)
                               : format == Format::ply ? as_ply(mesh)
                                                       : as_stl(mesh));
        return scene(more, fmt::format("mesh = \"{}\"", name));
    }
    // `run` and `check` both refuse it with one line that has all these words.
    static void expect_error(const std::string& scene, const Texts& words) {
        for (const char* command : {"run", "check"}) {
            const Outcome outcome = run({command, scene});
            EXPECT_EQ(outcome.status, 2) << command << "\n" << outcome.out;
            EXPECT_EQ(outcome.out, "");
            EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
            for (const std::string& word : words)
                EXPECT_TRUE(contains(outcome.err, word)) << outcome.err << "lacks " << word;
        }
    }
    // The run's one body.
    static Json expect_run(const std::string& scene) {
        const Json json = run_json({"run", scene});
        EXPECT_TRUE(json.contains("bodies")) << json;
        return json.contains("bodies") ? json["bodies"][0] : Json::object();
    }
    // In every format that can say it.
    void expect_bad(const SurfaceMesh& mesh, const Texts& words, const std::vector<Format>& formats) const {
        for (const Format format : formats) {
            Texts all = words;
            all.emplace_back(format == Format::obj ? "a.obj" : format == Format::ply ? "a.ply" : "a.stl");
            expect_error(scene_of(mesh, format), all);
        }
    }
};

TEST_F(HeatMistakes, GoodSurfacesRunInEveryFormat) {
    for (const Format format : {Format::obj, Format::ply, Format::stl}) {
        const Json body = expect_run(scene_of(plane(), format));
        EXPECT_EQ(body["triangles"], 32);
        EXPECT_EQ(body["obtuse_edges"], 0);
    }
}

TEST_F(HeatMistakes, PlacesAndIndicesNameTheLine) {
    SurfaceMesh mesh = plane();
    mesh.nodes[7].y = std::nan("");
    expect_bad(mesh, {":8:", "nan"}, {Format::obj});
    expect_bad(mesh, {":17:", "nan"}, {Format::ply});
    mesh = plane();
    mesh.nodes[7].y = HUGE_VAL;
    expect_bad(mesh, {":8:", "inf"}, {Format::obj});
    mesh = plane();
    mesh.triangles[5][1] = 25;
    expect_bad(mesh, {":31:", "26", "25"}, {Format::obj});
    expect_bad(mesh, {":40:", "node 25", "0 to 24"}, {Format::ply});
    mesh.triangles[5][1] = -3;
    expect_bad(mesh, {":40:", "node -3"}, {Format::ply});
}

TEST_F(HeatMistakes, TrianglesThatAreNoneAreNamed) {
    SurfaceMesh mesh = plane();
    mesh.triangles[5][1] = mesh.triangles[5][0];
    expect_bad(mesh, {"triangle 5", "twice"}, {Format::obj, Format::ply, Format::stl});
    mesh = plane();
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.8, 0}, {5, 0, 0}, {5 + 1e-6, 0, 0}, {5, 1e-6, 0}};
    mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
    expect_bad(mesh, {"triangle 1", "area"}, {Format::obj, Format::ply, Format::stl});
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.8, 0}, {0.5, -4e-4, 0}};
    mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
    expect_bad(mesh, {"triangle 1", "angle", "degrees"}, {Format::obj, Format::ply, Format::stl});
    mesh.nodes[3].y = -4e-3;  // sharp, but good enough
    expect_run(scene_of(mesh, Format::obj));
}

TEST_F(HeatMistakes, SurfacesThatAreNoneAreNamed) {
    SurfaceMesh mesh = plane();
    mesh.triangles.push_back({mesh.triangles[9][0], mesh.triangles[9][1], 24});
    expect_bad(mesh, {"edge between the nodes", "3 triangles"}, {Format::obj, Format::ply, Format::stl});
    mesh = plane();
    mesh.triangles.push_back(mesh.triangles[9]);
    expect_bad(mesh, {"triangles 9 and 32", "same nodes"}, {Format::obj, Format::ply});
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 3, 4}};
    expect_bad(mesh, {"node 0 joins"}, {Format::obj, Format::ply, Format::stl});
    mesh.triangles.push_back({0, 2, 3});  // now there is one fan
    expect_run(scene_of(mesh, Format::obj));
}

// A strip of so many quads around z, turned over once on the way or not.
SurfaceMesh strip(int quads, bool once) {
    SurfaceMesh mesh;
    for (int i = 0; i < quads; ++i) {
        const double angle = 2.0 * M_PI * i / quads, tilt = once ? 0.5 * angle : 0.0;
        const Vec3 out{std::cos(angle), std::sin(angle), 0.0};
        const Vec3 across = out * (0.3 * std::cos(tilt)) + Vec3{0, 0, 0.3 * std::sin(tilt)};
        mesh.nodes.push_back(out - across);
        mesh.nodes.push_back(out + across);
    }
    for (int i = 0; i < quads; ++i) {
        const int a = 2 * i, b = a + 1;
        const bool last = i + 1 == quads;
        const int c = last ? (once ? 1 : 0) : a + 2, d = last ? (once ? 0 : 1) : a + 3;
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({a, d, c});
    }
    return mesh;
}

TEST_F(HeatMistakes, AMoebiusStripHasOneSide) {
    expect_bad(strip(24, true), {"cannot both face outside", "one side"}, {Format::obj, Format::ply, Format::stl});
    expect_run(scene_of(strip(24, false), Format::obj));
}

TEST_F(HeatMistakes, WhatCanBeRepairedIs) {
    const SurfaceMesh good = make_superquadric(100, 0.5, {0.1, 0.1, 0.1});
    const Json wanted = expect_run(scene_of(good, Format::obj, "load = [ { force = [0, 0, -0.1], nodes = [50] } ]"));
    SurfaceMesh mesh = good;
    mesh.nodes.insert(mesh.nodes.begin() + 10, {9, 9, 9});  // of no triangle; those behind it are one further
    for (auto& t : mesh.triangles) {
        for (std::int32_t& n : t) n += n >= 10 ? 1 : 0;
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) std::swap(mesh.triangles[i][0], mesh.triangles[i][1]);
    const auto load = [&](int node) {
        return scene_of(mesh, Format::obj, fmt::format("load = [ {{ force = [0, 0, -0.1], nodes = [{}] }} ]", node));
    };
    const Json found = expect_run(load(51));
    EXPECT_NEAR(found["displacement"].get<double>(), wanted["displacement"].get<double>(), 1e-12);
    EXPECT_NEAR(found["volume_ratio"].get<double>(), wanted["volume_ratio"].get<double>(), 1e-12);
    EXPECT_GT(wanted["displacement"].get<double>(), 1e-6);
    // The control: nodes are called by their numbers in the file.
    const Json other = expect_run(load(50));
    EXPECT_GT(std::abs(other["displacement"].get<double>() - wanted["displacement"].get<double>()), 1e-9);
    expect_error(load(10), {"skin.load[0]", "node 10", "no triangle"});
    expect_error(load(101), {"skin.load[0]", "node 101", "0 to 100"});
}

TEST_F(HeatMistakes, OpenSurfacesHaveNoInside) {
    SurfaceMesh mesh = make_superquadric(100, 0.5, {0.1, 0.1, 0.1});
    EXPECT_TRUE(expect_run(scene_of(mesh, Format::obj))["volume_ratio"].is_number());
    mesh.triangles.pop_back();
    EXPECT_TRUE(expect_run(scene_of(mesh, Format::obj))["volume_ratio"].is_null());
}

struct Moved {
    double first = 0.0, second = 0.0;  // m, most of the nodes of two halves
    double stretch = 0.0;              // of edges, most, either way
};

Moved push_half(const std::string& text) {
    const SceneDescription scene = read_scene({"t", "t.toml", text, {}});
    World world = make_world(scene);
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(world.step(quiet_inputs(scene)).is_valid());
    const std::vector<Vec3>&x = world.state().x, &rest = world.model().rest;
    Moved moved;
    for (std::size_t n = 0; n < x.size(); ++n) {
        double& most = 2 * n < x.size() ? moved.first : moved.second;
        most = std::max(most, distance(x[n], rest[n]));
    }
    for (const heat::MembraneEdge& e : world.model().of<HeatSurfaces>()[0].edges) {
        const auto a = static_cast<std::size_t>(e.a), b = static_cast<std::size_t>(e.b);
        moved.stretch = std::max(moved.stretch, std::abs(distance(x[a], x[b]) / distance(rest[a], rest[b]) - 1.0));
    }
    return moved;
}

// Two balls in one file: what pushes one evenly carries its rest shape along and leaves the other where it is.
TEST_F(HeatMistakes, PiecesKeepTheirOwnFrames) {
    SurfaceMesh mesh = make_superquadric(80, 1.0, {0.1, 0.1, 0.1});
    const SurfaceMesh other = mesh;
    for (const Vec3& p : other.nodes) mesh.nodes.push_back(p + Vec3{0.5, 0, 0});
    for (const auto& t : other.triangles) mesh.triangles.push_back({t[0] + 80, t[1] + 80, t[2] + 80});
    spill(m_folder / "a.ply", as_ply(mesh));
    const auto push = [&](double x, const std::string& more = "") {
        return push_half(fmt::format(
            "plica = 1\n[solver]\ndt = 0.01\n[environment]\ngravity = [0, 0, 0]\n[[body]]\nname = \"skin\"\n"
            "tissue = \"heat\"\nmesh = \"{}\"\nload = [ {{ force = [0, 0, 0.1], ball = {{ center = [{}, 0, 0], "
            "radius = 0.2 }} }} ]\n{}\n",
            path("a.ply"), x, more));
    };
    const Moved first = push(0.0), second = push(0.5);
    EXPECT_GT(first.first, 1e-3);
    EXPECT_LT(first.second, 1e-12);
    EXPECT_GT(second.second, 1e-3);
    EXPECT_LT(second.first, 1e-12);
    EXPECT_LT(first.stretch, 2e-3);  // nodes get equal forces, but not quite equal masses
    // The control: a rest shape that stays.
    EXPECT_GT(push(0.0, "fixed = [ { ball = { center = [0, 0, -0.1], radius = 0.06 } } ]").stretch, 1e-2);
}

TEST_F(HeatMistakes, ObtuseEdgesAreCountedOnce) {
    SurfaceMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.2, 0}, {0.5, -0.2, 0}};
    mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
    const std::string scene = scene_of(mesh, Format::ply);
    for (const char* command : {"run", "check"}) {
        const std::string text = run({command, scene}).out;
        const std::size_t first = text.find("1 edge is not Delaunay");
        EXPECT_NE(first, std::string::npos) << command << "\n" << text;
        EXPECT_EQ(text.find("Delaunay", first + 30), std::string::npos) << text;
    }
    EXPECT_EQ(expect_run(scene)["obtuse_edges"], 1);
    EXPECT_EQ(run_json({"check", scene})["notes"].size(), 1U);
    for (const char* command : {"run", "check"})
        EXPECT_FALSE(contains(run({command, scene_of(plane(), Format::ply)}).out, "Delaunay")) << command;
}

TEST_F(HeatMistakes, ValuesNameTheirLine) {
    expect_run(scene(""));
    for (const char* key : {"conductivity", "relaxation", "capacity", "density", "young", "radius"}) {
        for (const char* value : {"0", "-1", "nan", "inf"}) {
            expect_error(scene(fmt::format("{} = {}", key, value)),
                         {"scene.toml:7:", fmt::format("skin.{}: found {}", key, value), "above 0"});
        }
    }
    for (const char* key : {"drag", "anchor", "bulk", "coupling", "edge_damping"})
        expect_error(scene(fmt::format("{} = -1", key)), {"scene.toml:7:", key, "found -1"});
    expect_error(scene("[solver]\ndt = 0"), {"scene.toml:8:", "solver.dt", "found 0"});
    expect_error(scene("[solver]\ndt = -0.01"), {"scene.toml:8:", "solver.dt"});
}

TEST_F(HeatMistakes, NamesAreLookedUp) {
    expect_error(scene("conductivty = 1"), {"scene.toml:7:", "unknown key", "skin.conductivity?"});
    expect_error(scene("paint = [ { side = \"+z\", conductivty = 1 } ]"), {"scene.toml:7:", "unknown key"});
    expect_error(scene("", "shape = \"spere\""), {"scene.toml:6:", "spere", "\"sphere\"?"});
    expect_error(scene("mode = \"paper\""), {"scene.toml:7:", "skin.mode", "paper_literal"});
    expect_error(scene("columns = 3"), {"scene.toml:7:", "unknown key"});
    expect_error(scene("", "mesh = \"none.obj\""), {"none.obj"});
    expect_error(scene("shape = \"plane\"", "mesh = \"none.obj\""), {"scene.toml:7:", "together with mesh"});
}

TEST_F(HeatMistakes, EmptyPlacesAreNamed) {
    const std::string nowhere = "ball = { center = [9, 9, 9], radius = 0.1 }";
    expect_error(scene("fixed = [ { side = \"-z\" }, { " + nowhere + " } ]"), {"skin.fixed[1]", "no node"});
    expect_error(scene("cold = [ { " + nowhere + " } ]"), {"skin.cold[0]", "no node"});
    expect_error(scene("paint = [ { " + nowhere + ", conductivity = 1 } ]"), {"skin.paint[0]", "no node"});
    expect_error(scene("load = [ { force = [0, 0, 1], " + nowhere + " } ]"), {"skin.load[0]", "no node"});
    expect_error(scene("load = [ { pressure = 1, nearest = [0, 0, 1] } ]"), {"skin.load[0]", "no part of the surface"});
    expect_error(scene("fixed = [ { } ]"), {"scene.toml:7:", "found no places"});
}

TEST_F(HeatMistakes, TensorsNeedADirectionInTheSurface) {
    const auto paint = [&](const std::string& direction) {
        return scene("paint = [ { half = { }, conductivity = 1, across = 0.5" + direction + " } ]",
                     "shape = \"plane\"");
    };
    expect_run(paint(", direction = [1, 0, 0]"));
    expect_error(paint(""), {"scene.toml:7:", "across: found without direction"});
    expect_error(paint(", direction = [0, 0, 0]"), {"scene.toml:7:", "zero vector"});
    expect_error(paint(", direction = [0, 0, 1]"), {"skin", "face 0", "direction"});
}

// Rectangles left of the middle, right of it triangles without right angles.
TEST_F(HeatMistakes, MixedNetsComeFromFiles) {
    SurfaceMesh mesh = make_plane(2.0, 1.0, 8, 4);
    for (Vec3& p : mesh.nodes) p.x += p.x > 1e-9 && p.x < 0.999 ? 0.05 * std::sin(3.0 + 40.0 * p.y) : 0.0;
    const std::string pull = "load = [ { force = [0, 0, 1], nearest = [0, 0, 0] } ]\nfixed = [ { side = \"-x\" } ]\n";
    const Json net = run_json({"run", scene_of(mesh, Format::obj, pull + "quads = true")});
    EXPECT_EQ(net["bodies"][0]["quads"], 16);
    EXPECT_EQ(net["bodies"][0]["triangles"], 64);
    const Json split = run_json({"run", scene_of(mesh, Format::obj, pull)});
    EXPECT_FALSE(split["bodies"][0].contains("quads"));
    EXPECT_NE(net["hash"], split["hash"]) << "their diagonals pull";
}

TEST_F(HeatMistakes, ThePapersModesNameTheirLine) {
    expect_run(scene("cold = [ { side = \"-x\", temperature = 0.5 } ]\nconduction = \"printed\"", "shape = \"net\""));
    expect_run(scene("motion = \"explicit\"\ndrag = 2000", "shape = \"net\"\ncolumns = 4\nrows = 4"));
    expect_error(scene("conduction = \"printd\""), {"scene.toml:7:", "skin.conduction", "\"printed\"?"});
    expect_error(scene("motion = \"explict\""), {"scene.toml:7:", "skin.motion", "\"explicit\"?"});
    expect_error(scene("motion = \"explicit\"\ndrag = 0"), {"scene.toml:8:", "skin.drag", "found 0", "above 0"});
    expect_error(scene("cold = [ { side = \"-z\", temperature = \"warm\" } ]"),
                 {"scene.toml:7:", "temperature", "warm"});
    expect_error(scene("quads = 3"), {"scene.toml:7:", "skin.quads", "found"});
    expect_error(scene("nodes = 30", "shape = \"net\""), {"scene.toml:7:", "unknown key"});
    expect_error(
        scene("conduction = \"printed\"\npaint = [ { half = { }, conductivity = 1, across = 0.5, direction = [1, 0, "
              "0] } ]",
              "shape = \"plane\""),
        {"scene.toml:8:", "across: found with conduction"});
}

std::string as_vtk(const SurfaceMesh& mesh) {
    std::string text =
        fmt::format("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS {} double\n", mesh.nodes.size());
    for (const Vec3& p : mesh.nodes) text += fmt::format("{} {} {}\n", p.x, p.y, p.z);
    text += fmt::format("POLYGONS {} {}\n", mesh.triangles.size(), 4 * mesh.triangles.size());
    for (const auto& t : mesh.triangles) text += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
    text += fmt::format("POINT_DATA {}\n", mesh.nodes.size());
    for (const NodeValues& values : mesh.values) {
        text += fmt::format("SCALARS {} double 1\nLOOKUP_TABLE default\n", values.name);
        for (const double value : values.numbers) text += fmt::format("{}\n", value);
    }
    return text;
}

// The plane of figure 4: right of x = 0.25 it hardly conducts.
SurfaceMesh valued_plane() {
    SurfaceMesh mesh = make_plane(2.0, 2.0, 8, 8);
    mesh.values = {{"quality", {}}, {"k", {}}};
    for (const Vec3& p : mesh.nodes) {
        mesh.values[0].numbers.push_back(1.0 + p.x);
        mesh.values[1].numbers.push_back(p.x > 0.2 ? 0.001 : 0.4);
    }
    return mesh;
}

const std::string pulled =
    "load = [ { force = [0, 0, 1], nearest = [0, 0, 0] } ]\nfixed = [ { side = \"-x\" }, { side = \"+x\" } ]\n";

TEST_F(HeatMistakes, ConductivityFromTheFileIsThatOfPaint) {
    const SurfaceMesh mesh = valued_plane();
    const auto hash = [&](const std::string& more) {
        const Json json = run_json({"run", scene_of(mesh, Format::ply, pulled + more)});
        return json.value("hash", "");
    };
    const std::string painted =
        hash("conductivity = 0.4\npaint = [ { box = [[0.2, -9, -9], [9, 9, 9]], conductivity = 0.001 } ]");
    const std::string own = hash("conductivity = \"k\"");
    EXPECT_FALSE(own.empty());
    EXPECT_EQ(own, painted);
    EXPECT_NE(own, hash("conductivity = 0.4"));
    EXPECT_NE(own, hash("conductivity = \"k\"\npaint = [ { side = \"+y\", conductivity = 0.1 } ]"));
    spill(m_folder / "a.vtk", as_vtk(mesh));
    const Json json = run_json({"run", scene(pulled + "conductivity = \"k\"", "mesh = \"a.vtk\"")});
    EXPECT_EQ(json.value("hash", ""), own);
    EXPECT_EQ(json["bodies"][0]["material"]["conductivity"], 0.4);
}

TEST_F(HeatMistakes, ValuesStayWithTheirNodes) {
    const SurfaceMesh good = valued_plane();
    SurfaceMesh mesh = good;
    mesh.nodes.insert(mesh.nodes.begin() + 10, {0.1, 0.1, 0});  // of no triangle
    for (auto& t : mesh.triangles) {
        for (std::int32_t& n : t) n += n >= 10 ? 1 : 0;
    }
    for (NodeValues& values : mesh.values) values.numbers.insert(values.numbers.begin() + 10, 0.07);
    const auto hash = [&](const SurfaceMesh& each) {
        const std::string text = scene_of(each, Format::ply, pulled + "conductivity = \"k\"");
        return run_json({"run", text}).value("hash", "");
    };
    EXPECT_EQ(hash(mesh), hash(good));
    SurfaceMesh shifted = good;  // the control: values one node off
    std::rotate(shifted.values[1].numbers.begin(), shifted.values[1].numbers.begin() + 1,
                shifted.values[1].numbers.end());
    EXPECT_NE(hash(shifted), hash(good));
}

TEST_F(HeatMistakes, ConductivitiesThatAreNoneAreNamed) {
    SurfaceMesh mesh = valued_plane();
    const auto bad = [&](const char* name) {
        return scene_of(mesh, Format::ply, fmt::format("conductivity = \"{}\"", name));
    };
    expect_error(bad("kk"), {"skin", "a.ply", "no values \"kk\"", "quality or k"});
    expect_error(bad("quality"), {"skin", "a.ply", "quality of node 0 is 0"});
    expect_error(bad(""), {"scene.toml:7:", "skin.conductivity"});
    mesh.values[1].numbers[5] = -1.0;
    expect_error(bad("k"), {"a.ply", "k of node 5 is -1", "above 0"});
    mesh.values.clear();
    expect_error(bad("k"), {"a.ply", "no values \"k\"", "expected a file that has some"});
    expect_error(scene_of(valued_plane(), Format::stl, "conductivity = \"k\""), {"a.stl", "no values \"k\""});
    expect_error(scene("conductivity = \"k\""), {"scene.toml:7:", "skin.conductivity", "with mesh"});
    // Nodes listed twice, values in the second list alone.
    spill(m_folder / "a.ply",
          "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nelement "
          "vertex 2\nproperty float x\nproperty float y\nproperty float z\nproperty float k\nelement face 1\nproperty "
          "list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0 1\n9 9 9 1\n3 0 1 2\n");
    expect_error(scene("conductivity = \"k\"", "mesh = \"a.ply\""), {"a.ply", "no values \"k\""});
    expect_run(scene("", "mesh = \"a.ply\""));
    expect_error(scene("conductivity = true"), {"scene.toml:7:", "skin.conductivity", "found true"});
}

}  // namespace
}  // namespace plica::testing
