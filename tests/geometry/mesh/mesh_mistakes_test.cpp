#include "core/error.hpp"
#include "core/random.hpp"
#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "tests/geometry/mesh/mesh_files.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/texts.hpp"

namespace plica::testing {
namespace {

using MeshMistakes = TempFolderTest;

// Reads a file of whatever kind as a program would; Error is the only way out besides success.
void read_any(const std::string& path) {
    if (kind_of_mesh_file(path) == MeshFile::volume) {
        VolumeMesh mesh = read_volume_mesh(path);
        repair_mesh(mesh, path);
    } else {
        SurfaceMesh mesh = read_surface_mesh(path);
        repair_surface(mesh, path);
    }
}

std::string problem_of(const std::string& path) {
    try {
        read_any(path);
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input) << error.what();
        return error.what();
    }
    return "";
}

std::string replaced(std::string text, const std::string& old, const std::string& now) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), now);
}

struct Mistake {
    const char* what;
    const char* name;
    std::string bytes;
    std::string where;  // what follows the path: a line, or " byte"
    const char* says;
};

const std::string gmsh_head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string gmsh_nodes = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
const std::string gmsh_cells = "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
const std::string gmsh = gmsh_head + gmsh_nodes + gmsh_cells;
const std::string vtk =
    "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
    "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
const std::string inp = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n";
const std::string obj_text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const std::string ply_text =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
const std::string stl_text =
    "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";

std::string small_vtu(const std::string& connectivity = "0 1 2 3", const std::string& points = "4") {
    return "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"" + points +
           "\" NumberOfCells=\"1\">\n<Points>\n<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n"
           "0 0 0 1 0 0\n0 1 0 0 0 1\n</DataArray>\n</Points>\n<Cells>\n<DataArray type=\"Int32\" "
           "Name=\"connectivity\" "
           "format=\"ascii\">" +
           connectivity +
           "</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>\n<DataArray "
           "type=\"UInt8\" "
           "Name=\"types\" format=\"ascii\">10</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

std::vector<Mistake> list_mistakes() {
    const std::string garbage("\x01\x02\xFF\xFE\x00\x80 garbage", 13);
    const VolumeMesh sample = sample_volume();
    const std::string binary = gmsh_4(sample, true);
    const std::string long_gmsh = replaced(gmsh, "1 0 0 0", "1 0.000000 0.000000 0.000000");
    const std::string vtu64 = VtuWriter({"binary", false, false, false, false}).write(sample);
    const std::string packed = VtuWriter({"binary", true, false, false, false}).write(sample);
    std::string damaged = packed;
    damaged[damaged.find("</DataArray>") - 20] ^= 1;
    std::string not_base64 = vtu64;
    not_base64[not_base64.find("</DataArray>") - 20] = '!';
    Bytes huge_stl;
    huge_stl.text = std::string(80, 'x');
    huge_stl.put(std::uint32_t{4000000000U});
    huge_stl.text += std::string(100, '\0');
    return {
        {"empty", "a.msh", "", ":1:", "empty"},
        {"empty", "a.vtk", "", ":1:", "empty"},
        {"empty", "a.stl", " \n", ":2:", "empty"},
        {"binary garbage", "a.msh", garbage, ":1:", "expected $MeshFormat"},
        {"binary garbage", "a.vtk", garbage, ":1:", "expected \"# vtk DataFile"},
        {"binary garbage", "a.vtu", garbage, ":1:", "vtk DataFile"},
        {"binary garbage", "a.inp", garbage, ":1:", "expected a keyword"},
        {"binary garbage", "a.stl", garbage, ":1:", "neither"},
        {"binary garbage", "a.ply", garbage, ":1:", "expected \"ply\""},
        {"another version", "a.msh", replaced(gmsh, "2.2 0", "4.0 0"), ":2:", "expected 2.2 or 4.1"},
        {"truncated", "a.msh", long_gmsh.substr(0, long_gmsh.find("4 0 0 1") + 4), ":9:", "the file ends"},
        {"truncated binary", "a.msh", binary.substr(0, binary.find("$EndElements") - 30), ": byte", "the file ends"},
        {"too few nodes", "a.msh", replaced(gmsh, "$Nodes\n4", "$Nodes\n5"), ":10:", "found \"$EndNodes\""},
        {"too many nodes", "a.msh", replaced(gmsh, "$Nodes\n4", "$Nodes\n3"), ":9:", "expected $EndNodes"},
        {"absurd count", "a.msh", replaced(gmsh, "$Nodes\n4", "$Nodes\n1000000000000"), ":5:", "bytes are left"},
        {"negative count", "a.msh", replaced(gmsh, "$Elements\n1", "$Elements\n-1"), ":12:", "bytes are left"},
        {"no such node", "a.msh", replaced(gmsh, "1 2 3 4\n$End", "1 2 3 9\n$End"), ":13:", "found node 9"},
        {"NaN", "a.msh", replaced(gmsh, "3 0 1 0", "3 0 nan 0"), ":8:", "found \"nan\""},
        {"infinite", "a.msh", replaced(gmsh, "3 0 1 0", "3 0 1e999 0"), ":8:", "found \"1e999\""},
        {"node twice", "a.msh", replaced(gmsh, "3 0 1 0", "2 0 1 0"), ":9:", "node 2 is there twice"},
        {"second order", "a.msh", replaced(gmsh, "1 4 2", "1 11 2"), ":13:", "second-order tetrahedron"},
        {"prism", "a.msh", replaced(gmsh, "1 4 2", "1 6 2"), ":13:", "prism"},
        {"unknown type", "a.msh", replaced(gmsh, "1 4 2", "1 777 2"), ":13:", "Gmsh type 777"},
        {"no nodes", "a.msh", gmsh_head + gmsh_cells, ":5:", "before $Nodes"},
        {"no elements", "a.msh", gmsh_head + gmsh_nodes, ":11:", "expected the section $Elements"},
        {"no volume", "a.msh", replaced(gmsh, "1 4 2 0 1 1 2 3 4", "1 2 2 0 1 1 2 3"), ":", "no tetrahedra"},
        {"wrong count", "a.vtk", replaced(vtk, "CELLS 1 5", "CELLS 1 6"), ":11:", "missing"},
        {"absurd count", "a.vtk", replaced(vtk, "POINTS 4", "POINTS 999999999999"), ":6:", "bytes are left"},
        {"no such node", "a.vtk", replaced(vtk, "4 0 1 2 3", "4 0 1 2 4"), ":10:", "point 4, expected 0 to 3"},
        {"wedge", "a.vtk", replaced(vtk, "\n10\n", "\n13\n"), ":10:", "wedge"},
        {"quadratic", "a.vtk", replaced(vtk, "\n10\n", "\n24\n"), ":10:", "quadratic tetrahedron"},
        {"no types", "a.vtk", vtk.substr(0, vtk.find("CELL_TYPES")), ":12:", "expected CELL_TYPES"},
        {"grid", "a.vtk", replaced(vtk, "UNSTRUCTURED_GRID", "STRUCTURED_POINTS"), ":4:", "STRUCTURED_POINTS"},
        {"word for number", "a.vtk", replaced(vtk, "0 1 0", "0 l 0"), ":8:", "found \"l\""},
        {"bad XML", "a.vtu", replaced(small_vtu(), "</Points>", "</Pints>"), ":9:", "not XML"},
        {"unclosed XML", "a.vtu", small_vtu().substr(0, 200), ":", "not XML"},
        {"other XML", "a.vtu", "<svg></svg>\n", ":1:", "VTKFile"},
        {"no such node", "a.vtu", small_vtu("0 1 2 4"), ":10:", "the point 4"},
        {"wrong count", "a.vtu", small_vtu("0 1 2 3", "5"), ":5:", "12 coordinates, expected 15"},
        {"absurd count", "a.vtu", small_vtu("0 1 2 3", "5000000000000"), ":3:", "NumberOfPoints"},
        {"missing array", "a.vtu", replaced(small_vtu(), "Name=\"types\"", "Name=\"kinds\""), ":10:", "types"},
        {"bad base64", "a.vtu", not_base64, ":", "base64"},
        {"damaged block", "a.vtu", damaged, ":", ""},
        {"unknown compressor", "a.vtu", replaced(packed, "vtkZLibDataCompressor", "vtkLZ4DataCompressor"),
         ":2:", "vtkLZ4DataCompressor"},
        {"unknown element", "a.inp", replaced(inp, "C3D4", "C3D10"), ":6:", "\"C3D10\""},
        {"no such node", "a.inp", replaced(inp, "1, 1, 2, 3, 4", "1, 1, 2, 3, 5"), ":7:", "found node 5"},
        {"too few nodes", "a.inp", replaced(inp, "1, 1, 2, 3, 4", "1, 1, 2, 3"), ":7:", "the line ends"},
        {"too many nodes", "a.inp", replaced(inp, "1, 1, 2, 3, 4", "1, 1, 2, 3, 4, 4"), ":7:", "more than 4"},
        {"NaN", "a.inp", replaced(inp, "3, 0, 1", "3, 0, nan"), ":4:", "\"nan\""},
        {"include", "a.inp", "*INCLUDE, INPUT=b.inp\n" + inp, ":1:", "*INCLUDE"},
        {"absurd set", "a.inp", inp + "*NSET, NSET=x, GENERATE\n1, 1999999999, 1\n", ":9:", "more than there are"},
        {"no elements", "a.inp", inp.substr(0, inp.find("*ELEMENT")), ":", "no *ELEMENT"},
        {"no such node", "a.obj", replaced(obj_text, "f 1 2 3", "f 1 2 4"), ":4:", "found node 4"},
        {"line for face", "a.obj", replaced(obj_text, "f 1 2 3", "f 1 2"), ":4:", "2 nodes"},
        {"no faces", "a.obj", replaced(obj_text, "f 1 2 3\n", ""), ":4:", "no faces"},
        {"NaN", "a.obj", replaced(obj_text, "0 1 0", "0 NaN 0"), ":3:", "\"NaN\""},
        {"no such node", "a.ply", replaced(ply_text, "3 0 1 2", "3 0 1 3"), ":13:", "found node 3"},
        {"absurd count", "a.ply", replaced(ply_text, "vertex 3", "vertex 3000000000"), ":3:", "bytes are left"},
        {"truncated", "a.ply", ply_text.substr(0, ply_text.size() - 4), ":13:", "cut short"},
        {"unknown format", "a.ply", replaced(ply_text, "ascii", "latin"), ":2:", "\"latin\""},
        {"no header end", "a.ply", ply_text.substr(0, 60), ":", "expected"},
        {"truncated", "a.stl", stl_text.substr(0, 70), ":6:", "the file ends"},
        {"wrong word", "a.stl", replaced(stl_text, "endloop", "endlop"), ":7:", "expected endloop"},
        {"absurd count", "a.stl", huge_stl.text, ": byte 84:", "bytes are left"},
    };
}

TEST_F(MeshMistakes, EachGivesOneClearError) {
    const std::vector<Mistake> mistakes = list_mistakes();
    EXPECT_GE(mistakes.size(), 14U);
    for (const Mistake& mistake : mistakes) {
        SCOPED_TRACE(fmt::format("{}: {}", mistake.name, mistake.what));
        const std::string path = file(mistake.name);
        spill(path, mistake.bytes);
        const std::string problem = problem_of(path);
        EXPECT_EQ(problem.rfind(path + mistake.where, 0), 0U) << problem << "\nexpected " << mistake.where;
        EXPECT_TRUE(contains(problem, mistake.says)) << problem;
        EXPECT_FALSE(contains(problem, "\n")) << problem;
    }
}

// The texts that the mistakes are made in are right.
TEST_F(MeshMistakes, WithoutAMistakeThereIsNoError) {
    const std::vector<std::pair<const char*, std::string>> files{
        {"a.msh", gmsh},     {"a.vtk", vtk},      {"a.inp", inp},        {"a.obj", obj_text},
        {"a.ply", ply_text}, {"a.stl", stl_text}, {"a.vtu", small_vtu()}};
    for (const auto& [name, text] : files) {
        spill(file(name), text);
        EXPECT_EQ(problem_of(file(name)), "");
    }
}

TEST_F(MeshMistakes, TetgenPairs) {
    const TetgenFiles good = tetgen(tetrahedra_only(sample_volume()), 1);
    const auto problem = [&](const std::string& node, const std::string& ele) {
        spill(file("a.node"), node);
        spill(file("a.ele"), ele);
        return problem_of(file("a.ele"));
    };
    EXPECT_EQ(problem(good.node, good.ele), "");
    EXPECT_TRUE(contains(problem(replaced(good.node, "12 3 1 1", "13 3 1 1"), good.ele), "a.node:15: the file ends"));
    EXPECT_TRUE(contains(problem(replaced(good.node, "  2 ", "  3 "), good.ele), "a.node:4: found node 3"));
    EXPECT_TRUE(contains(problem(replaced(good.node, "12 3 1 1", "12000000000 3 1 1"), good.ele), "bytes are left"));
    EXPECT_TRUE(
        contains(problem(good.node, replaced(good.ele, "12 4 1", "12 10 1")), "a.ele:2: found tetrahedra of 10"));
    EXPECT_TRUE(contains(problem(good.node, replaced(good.ele, "\n2 1 ", "\n2 99 ")), "a.ele:3: found node 99"));
    EXPECT_TRUE(contains(problem(good.node, ""), "a.ele:1: the file ends"));
    std::filesystem::remove(file("a.ele"));
    EXPECT_TRUE(contains(problem_of(file("a.node")), "a.ele: there is no such file"));
}

TEST_F(MeshMistakes, FilesThatAreNotThere) {
    for (const char* name : {"a.msh", "a.vtk", "a.vtu", "a.inp", "a.node", "a.stl", "a.obj", "a.ply"}) {
        EXPECT_TRUE(contains(problem_of(file(name)), "there is no such file")) << name;
    }
    EXPECT_TRUE(contains(problem_of(m_folder.string() + ".msh"), "no such file"));
}

// Bytes changed, cut out and doubled at random: success or Error, nothing else.
TEST_F(MeshMistakes, DamagedFilesNeverCrash) {
    const VolumeMesh mesh = sample_volume();
    const SurfaceMesh skin = sample_surface();
    const TetgenFiles pair = tetgen(tetrahedra_only(mesh), 0);
    std::vector<std::pair<std::string, std::string>> files{{"a.msh", gmsh_2(mesh)},
                                                           {"a.msh", gmsh_2(mesh, true)},
                                                           {"a.msh", gmsh_4(mesh)},
                                                           {"a.msh", gmsh_4(mesh, true)},
                                                           {"a.vtk", vtk_legacy(mesh)},
                                                           {"a.vtk", vtk_legacy(mesh, true, true)},
                                                           {"a.vtk", vtk_legacy(mesh, false, true)},
                                                           {"a.vtk", vtk_legacy(mesh, true)},
                                                           {"a.inp", abaqus(mesh)},
                                                           {"a.node", pair.node},
                                                           {"a.ele", pair.ele},
                                                           {"a.stl", stl(skin, false)},
                                                           {"a.stl", stl(skin, true)},
                                                           {"a.obj", obj(skin, true)},
                                                           {"a.ply", ply(skin, "ascii")},
                                                           {"a.ply", ply(skin, "binary_big_endian")}};
    for (const char* format : {"ascii", "binary", "appended"}) {
        files.emplace_back("a.vtu", VtuWriter({format, false, false, false, true}).write(mesh));
        files.emplace_back("a.vtu", VtuWriter({format, true, true, true, false}).write(mesh));
    }
    files[files.size() - 6].second = VtuWriter({}).write(mesh);
    Random random{7};
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.next() % n); };
    std::size_t errors = 0, successes = 0;
    for (const auto& [name, good] : files) {
        SCOPED_TRACE(name);
        spill(file("a.node"), pair.node);
        spill(file("a.ele"), pair.ele);
        for (int round = 0; round < 200; ++round) {
            std::string bytes = good;
            for (std::size_t k = 0; k < 1 + below(3); ++k) {
                const std::size_t at = below(bytes.size());
                switch (below(5)) {
                    case 0:
                        bytes[at] = static_cast<char>(below(256));
                        break;
                    case 1:
                        bytes[at] = static_cast<char>('0' + below(10));
                        break;
                    case 2:
                        bytes.erase(at, 1 + below(8));
                        break;
                    case 3:
                        bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(16)));
                        break;
                    default:
                        bytes.resize(at + 1);
                        break;
                }
            }
            std::filesystem::remove(file(name));  // some file systems wait for the disk when a file is overwritten
            spill(file(name), bytes);
            try {
                read_any(file(name));
                ++successes;
            } catch (const Error& error) {
                EXPECT_FALSE(std::string(error.what()).empty());
                ++errors;
            }
        }
    }
    EXPECT_GT(errors, files.size() * 60);
    EXPECT_GT(successes, files.size());
}

}  // namespace
}  // namespace plica::testing
