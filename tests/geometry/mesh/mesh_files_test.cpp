#include "tests/geometry/mesh/mesh_files.hpp"

#include "core/error.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "geometry/mesh/write_mesh.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/texts.hpp"

namespace plica::testing {
namespace {

class MeshFiles : public TempFolderTest {
protected:
    VolumeMesh volume(const std::string& name, const std::string& bytes, double scale = 1.0) {
        spill(file(name), bytes);
        return read_volume_mesh(file(name), scale, &m_ignored);
    }
    SurfaceMesh surface(const std::string& name, const std::string& bytes, double scale = 1.0) {
        spill(file(name), bytes);
        return read_surface_mesh(file(name), scale);
    }
    Texts m_ignored;
};

Texts names_of(const std::vector<NodeSet>& sets) {
    Texts names;
    for (const NodeSet& set : sets) names.push_back(set.name);
    std::sort(names.begin(), names.end());
    return names;
}

// Bit for bit; regions and sets by name.
void expect_same_cells(const VolumeMesh& found, const VolumeMesh& wanted) {
    EXPECT_EQ(found.nodes, wanted.nodes);
    EXPECT_EQ(found.tetrahedra, wanted.tetrahedra);
    EXPECT_EQ(found.hexahedra, wanted.hexahedra);
}

void expect_same(const VolumeMesh& found, const VolumeMesh& wanted) {
    expect_same_cells(found, wanted);
    ASSERT_EQ(found.region.size(), wanted.region.size());
    for (std::size_t i = 0; i < wanted.region.size(); ++i) {
        EXPECT_EQ(found.region_names.at(static_cast<std::size_t>(found.region[i])),
                  wanted.region_names.at(static_cast<std::size_t>(wanted.region[i])));
    }
    EXPECT_EQ(names_of(found.node_sets), names_of(wanted.node_sets));
    for (const NodeSet& set : found.node_sets) {
        for (const NodeSet& other : wanted.node_sets) {
            EXPECT_TRUE(other.name != set.name || set.nodes == other.nodes) << set.name;
        }
    }
}

TEST_F(MeshFiles, Gmsh) {
    const VolumeMesh mesh = sample_volume();
    for (const bool binary : {false, true}) {
        for (const bool big : {false, true}) {
            SCOPED_TRACE(fmt::format("binary {} big {}", binary, big));
            expect_same(volume("a.msh", gmsh_2(mesh, binary, big)), mesh);
            expect_same(volume("b.MSH", gmsh_4(mesh, binary, big)), mesh);
            EXPECT_EQ(m_ignored.back(), "$Periodic");
        }
    }
    EXPECT_EQ(kind_of_mesh_file(file("a.msh")), MeshFile::volume);
}

TEST_F(MeshFiles, GmshWithoutGroupsHasNoRegions) {
    const VolumeMesh found =
        volume("a.msh",
               "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
               "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n");
    EXPECT_TRUE(found.region.empty());
    EXPECT_TRUE(found.region_names.empty());
    EXPECT_TRUE(found.node_sets.empty());
}

TEST_F(MeshFiles, LegacyVtk) {
    VolumeMesh mesh = sample_volume();
    mesh.region_names = {"1", "2"};
    mesh.node_sets.clear();
    for (const bool lists : {false, true}) {
        for (const bool binary : {false, true}) {
            SCOPED_TRACE(fmt::format("lists {} binary {}", lists, binary));
            expect_same(volume("a.vtk", vtk_legacy(mesh, lists, binary)), mesh);
            EXPECT_EQ(kind_of_mesh_file(file("a.vtk")), MeshFile::volume);
        }
    }
}

TEST_F(MeshFiles, VtkVoxelsAndPolygons) {
    const std::string points =
        "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n"
        "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\n";
    const VolumeMesh voxel = volume("a.vtk", points + "CELLS 2 13\n8 0 1 2 3 4 5 6 7\n3 0 1 2\nCELL_TYPES 2\n11 5\n");
    ASSERT_EQ(voxel.hexahedra.size(), 1U);
    EXPECT_EQ(voxel.hexahedra[0], (std::array<std::int32_t, 8>{0, 1, 3, 2, 4, 5, 7, 6}));
    EXPECT_EQ(m_ignored.size(), 1U);  // the triangle
    const SurfaceMesh square = surface("b.vtk", points + "CELLS 1 5\n4 0 1 3 2\nCELL_TYPES 1\n9\n");
    EXPECT_EQ(square.triangles, (std::vector<std::array<std::int32_t, 3>>{{0, 1, 3}, {0, 3, 2}}));
    EXPECT_EQ(kind_of_mesh_file(file("b.vtk")), MeshFile::surface);
    EXPECT_THROW(read_volume_mesh(file("b.vtk")), Error);
    EXPECT_THROW(read_surface_mesh(file("a.vtk")), Error);
    const SurfaceMesh polygon = surface("c.vtk",
                                        "# vtk DataFile Version 4.2\nx\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n"
                                        "0 0 0 1 0 0 1 1 0 0.5 2 0 0 1 0\nPOLYGONS 1 6\n5 0 1 2 3 4\n");
    EXPECT_EQ(polygon.triangles.size(), 3U);
    EXPECT_EQ(kind_of_mesh_file(file("c.vtk")), MeshFile::surface);
}

TEST_F(MeshFiles, XmlVtk) {
    VolumeMesh mesh = sample_volume();
    mesh.region_names = {"1", "2"};
    mesh.node_sets.clear();
    int forms = 0;
    for (const char* format : {"ascii", "binary", "appended"}) {
        for (int bits = 0; bits < 16; ++bits) {
            const VtuForm form{format, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
            if (form.raw && form.format != "appended") continue;
            SCOPED_TRACE(
                fmt::format("{} zlib {} wide {} big {} raw {}", format, form.zlib, form.wide, form.big, form.raw));
            expect_same(volume("a.vtu", VtuWriter(form).write(mesh)), mesh);
            EXPECT_EQ(kind_of_mesh_file(file("a.vtu")), MeshFile::volume);
            ++forms;
        }
    }
    EXPECT_EQ(forms, 32);
}

TEST_F(MeshFiles, XmlVtkInPieces) {
    VolumeMesh mesh = sample_volume();
    std::string text = VtuWriter({}).write(mesh);
    const std::size_t start = text.find("<Piece");
    const std::size_t end = text.find("</UnstructuredGrid>");
    text.insert(end, text.substr(start, end - start));
    const VolumeMesh found = volume("a.vtu", text);
    EXPECT_EQ(found.nodes.size(), 2 * mesh.nodes.size());
    ASSERT_EQ(found.tetrahedra.size(), 2 * mesh.tetrahedra.size());
    EXPECT_EQ(found.tetrahedra[12][0], mesh.tetrahedra[0][0] + static_cast<std::int32_t>(mesh.nodes.size()));
    EXPECT_EQ(found.region.size(), found.cells());
}

TEST_F(MeshFiles, XmlPolygons) {
    const SurfaceMesh found = surface(
        "a.vtp",
        "<VTKFile type=\"PolyData\">\n<PolyData><Piece NumberOfPoints=\"4\" NumberOfPolys=\"1\"><Points><DataArray "
        "type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 1 1 0 0 1 "
        "0</DataArray></Points>\n<Polys>"
        "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray><DataArray type=\"Int32\" "
        "Name=\"offsets\" format=\"ascii\">4</DataArray></Polys></Piece></PolyData></VTKFile>");
    EXPECT_EQ(found.triangles.size(), 2U);
    EXPECT_EQ(kind_of_mesh_file(file("a.vtp")), MeshFile::surface);
}

TEST_F(MeshFiles, Tetgen) {
    VolumeMesh mesh = tetrahedra_only(sample_volume());
    for (const int base : {0, 1}) {
        const TetgenFiles files = tetgen(mesh, base);
        spill(file("organ.1.node"), files.node);
        spill(file("organ.1.ele"), files.ele);
        VolumeMesh wanted = mesh;
        wanted.region_names = {"4", "7"};
        wanted.node_sets = {mesh.node_sets[1]};
        for (const char* name : {"organ.1", "organ.1.node", "organ.1.ele"}) {
            SCOPED_TRACE(name);
            expect_same(read_volume_mesh(file(name)), wanted);
            EXPECT_EQ(kind_of_mesh_file(file(name)), MeshFile::volume);
        }
    }
}

TEST_F(MeshFiles, Abaqus) {
    VolumeMesh mesh = sample_volume();
    mesh.node_sets[0].name = "Fixed";
    expect_same(volume("a.inp", abaqus(mesh)), mesh);
    EXPECT_EQ(m_ignored, (Texts{"*MATERIAL", "*ELASTIC", "*STEP", "*END STEP"}));
}

TEST_F(MeshFiles, AbaqusPartsHaveTheirOwnNumbers) {
    VolumeMesh mesh = sample_volume();
    mesh.node_sets[0].name = "Fixed";
    const std::string parts =
        "*Part, name=A\n" + abaqus_body(mesh) + "*End Part\n*Part, name=B\n*Node\n2, 9, 9, 9\n*End Part\n";
    const std::string assembly =
        "*Assembly, name=x\n*Instance, name=A-1, part=a\n*End Instance\n*Nset, nset=top, instance=A-1\n2, Fixed\n*End "
        "Assembly\n";
    const VolumeMesh found = volume("a.inp", parts + assembly);
    VolumeMesh wanted = mesh;
    wanted.node_sets.push_back({"top", {0, 2, 5}});
    expect_same(found, wanted);  // part B is in no instance
    const std::string moved =
        "*Assembly, name=x\n*Instance, name=A-1, part=a\n0, 0.5, 0\n*End Instance\n*End Assembly\n";
    EXPECT_THROW(volume("a.inp", parts + moved), Error);
}

TEST_F(MeshFiles, Stl) {
    const SurfaceMesh mesh = sample_surface();
    for (const bool binary : {false, true}) {
        const SurfaceMesh found = surface("a.stl", stl(mesh, binary));
        EXPECT_EQ(found.nodes.size(), mesh.nodes.size());  // merged
        ASSERT_EQ(found.triangles.size(), mesh.triangles.size());
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_EQ(found.nodes[static_cast<std::size_t>(found.triangles[i][k])],
                          mesh.nodes[static_cast<std::size_t>(mesh.triangles[i][k])]);
            }
        }
    }
    EXPECT_EQ(kind_of_mesh_file(file("a.stl")), MeshFile::surface);
}

TEST_F(MeshFiles, ObjAndPly) {
    const SurfaceMesh mesh = sample_surface();
    for (const bool negative : {false, true}) {
        const SurfaceMesh found = surface("a.obj", obj(mesh, negative));
        EXPECT_EQ(found.nodes, mesh.nodes);
        EXPECT_EQ(found.triangles, mesh.triangles);
    }
    for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
        SCOPED_TRACE(format);
        const SurfaceMesh found = surface("a.ply", ply(mesh, format));
        EXPECT_EQ(found.nodes, mesh.nodes);
        EXPECT_EQ(found.triangles, mesh.triangles);
    }
    const SurfaceMesh fan = surface("b.obj", "f 1 2 3 4 5\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv .5 2 0\nv 0 1 0\n");
    EXPECT_EQ(fan.triangles, (std::vector<std::array<std::int32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST_F(MeshFiles, ScaleMultipliesEveryCoordinate) {
    const VolumeMesh mesh = sample_volume();
    const VolumeMesh tetrahedra = tetrahedra_only(mesh);
    spill(file("t.node"), tetgen(tetrahedra, 0).node);
    spill(file("t.ele"), tetgen(tetrahedra, 0).ele);
    const Vec3 wanted = mesh.nodes[7] * 0.001;
    EXPECT_EQ(volume("a.msh", gmsh_2(mesh), 0.001).nodes[7], wanted);
    EXPECT_EQ(volume("a.msh", gmsh_4(mesh), 0.001).nodes[7], wanted);
    EXPECT_EQ(volume("a.vtk", vtk_legacy(mesh), 0.001).nodes[7], wanted);
    EXPECT_EQ(volume("a.vtu", VtuWriter({}).write(mesh), 0.001).nodes[7], wanted);
    EXPECT_EQ(volume("a.inp", abaqus(mesh), 0.001).nodes[7], wanted);
    EXPECT_EQ(read_volume_mesh(file("t"), 0.001).nodes[7], wanted);
    const SurfaceMesh skin = sample_surface();
    EXPECT_EQ(surface("a.obj", obj(skin, false), 0.001).nodes[7], skin.nodes[7] * 0.001);
    EXPECT_EQ(surface("a.ply", ply(skin, "ascii"), 0.001).nodes[7], skin.nodes[7] * 0.001);
    EXPECT_EQ(surface("a.stl", stl(skin, true), 0.5).nodes[0], surface("a.stl", stl(skin, true)).nodes[0] * 0.5);
    for (const double bad : {0.0, -1.0, std::nan("")}) EXPECT_THROW(read_volume_mesh(file("a.msh"), bad), Error);
}

TEST_F(MeshFiles, WhatIsWrittenReadsBack) {
    VolumeMesh mesh = sample_volume();
    write_gmsh(mesh, file("a.msh"));
    expect_same(read_volume_mesh(file("a.msh")), mesh);
    write_vtk(mesh, file("a.vtk"));
    mesh.region_names = {"0", "1"};
    mesh.node_sets.clear();
    expect_same(read_volume_mesh(file("a.vtk")), mesh);
    const SurfaceMesh skin = sample_surface();
    write_obj(skin, file("a.obj"));
    EXPECT_EQ(read_surface_mesh(file("a.obj")).nodes, skin.nodes);
    EXPECT_EQ(read_surface_mesh(file("a.obj")).triangles, skin.triangles);
    mesh.region.clear();
    mesh.region_names.clear();
    write_gmsh(mesh, file("b.msh"));
    expect_same(read_volume_mesh(file("b.msh")), mesh);
}

// The comparison can fail.
TEST_F(MeshFiles, AWrongDigitIsSeen) {
    const VolumeMesh mesh = sample_volume();
    std::string text = gmsh_2(mesh);
    text[text.find("0.2") + 2] = '3';
    EXPECT_NE(volume("a.msh", text).nodes, mesh.nodes);
}

TEST_F(MeshFiles, UnknownEndings) {
    for (const auto& [name, nearest] : {std::pair{"liver.mhs", "did you mean .msh?"},
                                        {"liver.stll", "did you mean .stl?"},
                                        {"liver", "expected .msh"}}) {
        try {
            kind_of_mesh_file(file(name));
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_TRUE(contains(error.what(), nearest)) << error.what();
            EXPECT_TRUE(contains(error.what(), ".msh, .vtk, .vtu, .node, .ele, .inp, .stl, .obj, .ply or .vtp"))
                << error.what();
        }
    }
}

}  // namespace
}  // namespace plica::testing
