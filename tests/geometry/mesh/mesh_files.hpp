#pragma once
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "geometry/mesh/boundary.hpp"
#include "geometry/mesh/mesh.hpp"
#include "geometry/mesh/shapes.hpp"

// Files of all the formats that are read, written by the tests themselves.
namespace plica::testing {

// Numbers as bytes, of either byte order.
class Bytes {
public:
    explicit Bytes(bool big = false) : m_swap(big != (std::endian::native == std::endian::big)) {}
    template <class T>
    void put(T value) {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        if (m_swap) std::reverse(raw, raw + sizeof(T));
        text.append(raw, sizeof(T));
    }
    void places(const std::vector<Vec3>& nodes) {
        for (const Vec3& p : nodes) {
            for (const double c : {p.x, p.y, p.z}) put(c);
        }
    }
    std::string text;

private:
    bool m_swap;
};

// Tetrahedra and, beside them, a hexahedron; two regions, two sets. No number in it is round.
inline VolumeMesh sample_volume() {
    VolumeMesh mesh = make_tetrahedral_block({0.1, 0.2, 0.3}, {0.2, 0.27, 0.41}, {2, 1, 1});
    const VolumeMesh brick = make_hexahedral_block({1.0 / 3, 0, 0}, {0.5, 0.1, 0.1}, {1, 1, 1});
    const auto first = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.insert(mesh.nodes.end(), brick.nodes.begin(), brick.nodes.end());
    for (auto cell : brick.hexahedra) {
        for (std::int32_t& node : cell) node += first;
        mesh.hexahedra.push_back(cell);
    }
    for (std::size_t i = 0; i < mesh.cells(); ++i) mesh.region.push_back(i < 5 ? 0 : 1);
    mesh.region_names = {"liver", "7"};
    mesh.node_sets = {{"fixed", {0, 2, 5}}, {"3", {1, 2, 9}}};
    return mesh;
}
inline VolumeMesh tetrahedra_only(VolumeMesh mesh) {
    mesh.hexahedra.clear();
    mesh.region.resize(mesh.tetrahedra.size());
    mesh.nodes.resize(12);
    return mesh;
}

inline SurfaceMesh sample_surface() {
    VolumeMesh block = make_tetrahedral_block({0.5, 0.25, 0.125}, {1, 2, 3}, {2, 1, 1});
    return {block.nodes, find_boundary(block)};
}

// Cells as the formats see them: regions from 1, all corners.
struct AnyCell {
    std::vector<std::int32_t> corners;
    std::int32_t region;
};
inline std::vector<AnyCell> list_cells(const VolumeMesh& mesh) {
    std::vector<AnyCell> cells;
    for (const auto& t : mesh.tetrahedra) cells.push_back({{t.begin(), t.end()}, mesh.region[cells.size()] + 1});
    for (const auto& h : mesh.hexahedra) cells.push_back({{h.begin(), h.end()}, mesh.region[cells.size()] + 1});
    return cells;
}

inline std::string gmsh_names() {
    return "$PhysicalNames\n3\n3 1 \"liver\"\n3 2 \"7\"\n2 1 \"fixed\"\n$EndPhysicalNames\n";
}

// Node i has the number 10 i + 3. Set "fixed" is a triangle, "3" a line and a point of a group without name.
inline std::string gmsh_2(const VolumeMesh& mesh, bool binary = false, bool big = false) {
    Bytes one(big);
    one.put(std::int32_t{1});
    std::string text = fmt::format("$MeshFormat\n2.2 {} 8\n{}$EndMeshFormat\n{}$Nodes\n{}\n", binary ? 1 : 0,
                                   binary ? one.text + "\n" : "", gmsh_names(), mesh.nodes.size());
    Bytes nodes(big);
    std::int32_t tag = 3;
    for (const Vec3& p : mesh.nodes) {
        if (!binary) text += fmt::format("{} {} {} {}\n", tag, p.x, p.y, p.z);
        nodes.put(tag);
        nodes.places({p});
        tag += 10;
    }
    if (binary) text += nodes.text;
    std::vector<std::pair<int, AnyCell>> elements{{2, {{0, 2, 5}, 1}}, {1, {{1, 2}, 3}}, {15, {{9}, 3}}};
    for (const AnyCell& cell : list_cells(mesh)) elements.emplace_back(cell.corners.size() == 4 ? 4 : 5, cell);
    text += fmt::format("{}$EndNodes\n$Elements\n{}\n", binary ? "\n" : "", elements.size());
    std::int32_t number = 0;
    for (const auto& [type, cell] : elements) {
        Bytes raw(big);
        for (const std::int32_t n : {type, 1, 2, ++number, cell.region, 1}) raw.put(n);
        std::string line = fmt::format("{} {} 2 {} 1", number, type, cell.region);
        for (const std::int32_t node : cell.corners) {
            raw.put(10 * node + 3);
            line += fmt::format(" {}", 10 * node + 3);
        }
        text += binary ? raw.text : line + "\n";
    }
    return text + (binary ? "\n$EndElements\n" : "$EndElements\n");
}

// Text, or the binary form: `i` 32-bit, `u` 64-bit, `d` double.
class GmshNumbers {
public:
    GmshNumbers(bool binary, bool big) : m_binary(binary), m_bytes(big) {}
    GmshNumbers& i(std::int32_t v) { return add(v); }
    GmshNumbers& u(std::uint64_t v) { return add(v); }
    GmshNumbers& d(double v) { return add(v); }
    void end_line() {
        if (!m_binary) m_bytes.text += "\n";
    }
    [[nodiscard]] const std::string& text() const { return m_bytes.text; }

private:
    template <class T>
    GmshNumbers& add(T value) {
        if (m_binary) {
            m_bytes.put(value);
        } else {
            m_bytes.text += fmt::format("{} ", value);
        }
        return *this;
    }
    bool m_binary;
    Bytes m_bytes;
};

inline std::string gmsh_4(const VolumeMesh& mesh, bool binary = false, bool big = false) {
    Bytes one(big);
    one.put(std::int32_t{1});
    std::string text = fmt::format("$MeshFormat\n4.1 {} 8\n{}$EndMeshFormat\n{}", binary ? 1 : 0,
                                   binary ? one.text + "\n" : "", gmsh_names());
    GmshNumbers entities(binary, big);
    entities.u(1).u(1).u(1).u(2).end_line();
    entities.i(1).d(0).d(0).d(0).u(1).i(3).end_line();
    const auto box = [&](std::int32_t tag) { entities.i(tag).d(0).d(0).d(0).d(1).d(1).d(1); };
    box(1);
    entities.u(1).i(3).u(2).i(1).i(-1).end_line();
    box(1);
    entities.u(1).i(-1).u(1).i(1).end_line();
    box(1);
    entities.u(1).i(1).u(0).end_line();
    box(2);
    entities.u(2).i(2).i(1).u(0).end_line();
    GmshNumbers nodes(binary, big);
    const std::size_t half = mesh.nodes.size() / 2;
    nodes.u(2).u(mesh.nodes.size()).u(3).u(10 * mesh.nodes.size() - 7).end_line();
    for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{0, half}, {half, mesh.nodes.size()}}) {
        nodes.i(3).i(1).i(from == 0 ? 1 : 0).u(to - from).end_line();
        for (std::size_t k = from; k < to; ++k) nodes.u(10 * k + 3).end_line();
        for (std::size_t k = from; k < to; ++k) {
            nodes.d(mesh.nodes[k].x).d(mesh.nodes[k].y).d(mesh.nodes[k].z);
            if (from == 0) nodes.d(0.5).d(0.5).d(0.5);
            nodes.end_line();
        }
    }
    GmshNumbers elements(binary, big);
    const std::vector<AnyCell> cells = list_cells(mesh);
    elements.u(cells.size() + 3).u(cells.size() + 3).u(1).u(cells.size() + 3).end_line();
    std::uint64_t number = 0;
    const auto block = [&](int dimension, int entity, int type, const std::vector<std::int32_t>& corners) {
        elements.i(dimension).i(entity).i(type).u(1).end_line();
        elements.u(++number);
        for (const std::int32_t node : corners) elements.u(static_cast<std::uint64_t>(10 * node + 3));
        elements.end_line();
    };
    block(2, 1, 2, {0, 2, 5});
    block(1, 1, 1, {1, 2});
    block(0, 1, 15, {9});
    for (const AnyCell& cell : cells) block(3, cell.region, cell.corners.size() == 4 ? 4 : 5, cell.corners);
    const std::string end = binary ? "\n" : "";
    return text + "$Entities\n" + entities.text() + end + "$EndEntities\n$Nodes\n" + nodes.text() + end +
           "$EndNodes\n$Elements\n" + elements.text() + end + "$EndElements\n$Periodic\n0\n$EndPeriodic\n";
}

// Version 3.0, or 5.1 with its two lists. Regions are the data "material".
inline std::string vtk_legacy(const VolumeMesh& mesh, bool lists = false, bool binary = false) {
    std::string text = fmt::format("# vtk DataFile Version {}\na title\n{}\nDATASET UNSTRUCTURED_GRID\n",
                                   lists ? "5.1" : "3.0", binary ? "BINARY" : "ASCII");
    const auto add = [&](const auto& values) {
        Bytes raw(true);
        for (const auto value : values) raw.put(value);
        if (!binary) raw.text.clear();
        for (const auto value : values) {
            if (!binary) raw.text += fmt::format("{} ", value);
        }
        text += raw.text + "\n";
    };
    std::vector<double> places;
    for (const Vec3& p : mesh.nodes) places.insert(places.end(), {p.x, p.y, p.z});
    text += fmt::format("POINTS {} double\n", mesh.nodes.size());
    add(places);
    std::vector<std::int32_t> counted, types, regions;
    std::vector<std::int64_t> offsets{0}, connectivity;
    for (const AnyCell& cell : list_cells(mesh)) {
        counted.push_back(static_cast<std::int32_t>(cell.corners.size()));
        counted.insert(counted.end(), cell.corners.begin(), cell.corners.end());
        connectivity.insert(connectivity.end(), cell.corners.begin(), cell.corners.end());
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
        types.push_back(cell.corners.size() == 4 ? 10 : 12);
        regions.push_back(cell.region);
    }
    if (lists) {
        text += fmt::format("CELLS {} {}\nOFFSETS vtktypeint64\n", offsets.size(), connectivity.size());
        add(offsets);
        text += "CONNECTIVITY vtktypeint64\n";
        add(connectivity);
    } else {
        text += fmt::format("CELLS {} {}\n", types.size(), counted.size());
        add(counted);
    }
    text += fmt::format("CELL_TYPES {}\n", types.size());
    add(types);
    text += fmt::format("POINT_DATA {}\nVECTORS v double\n", mesh.nodes.size());
    add(places);
    text += fmt::format("METADATA\nINFORMATION 0\n\nCELL_DATA {}\nFIELD FieldData 1\nmaterial 1 {} int\n", types.size(),
                        types.size());
    add(regions);
    return text;
}

inline std::string base64(const std::string& bytes) {
    static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            value = value << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += i + k > bytes.size() ? '=' : digits[value >> (18U - 6U * k) & 63U];
        }
    }
    return text;
}

struct VtuForm {
    std::string format = "ascii";  // or binary, appended
    bool zlib = false, wide = false, big = false, raw = false;
};

class VtuWriter {
public:
    explicit VtuWriter(VtuForm form) : m_form(std::move(form)) {}

    std::string write(const VolumeMesh& mesh) {
        std::vector<double> places;
        for (const Vec3& p : mesh.nodes) places.insert(places.end(), {p.x, p.y, p.z});
        std::vector<std::int64_t> connectivity;
        std::vector<std::int32_t> offsets;
        std::vector<std::uint8_t> types;
        std::vector<std::int16_t> regions;
        for (const AnyCell& cell : list_cells(mesh)) {
            connectivity.insert(connectivity.end(), cell.corners.begin(), cell.corners.end());
            offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
            types.push_back(cell.corners.size() == 4 ? 10 : 12);
            regions.push_back(static_cast<std::int16_t>(cell.region));
        }
        std::string text = fmt::format(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" "
            "header_type=\"{}\"{}>\n"
            "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
            m_form.big ? "BigEndian" : "LittleEndian", m_form.wide ? "UInt64" : "UInt32",
            m_form.zlib ? " compressor=\"vtkZLibDataCompressor\"" : "", mesh.nodes.size(), types.size());
        text += array("Float64", "Points", places) + "</Points>\n<Cells>\n" +
                array("Int64", "connectivity", connectivity) + array("Int32", "offsets", offsets) +
                array("UInt8", "types", types) + "</Cells>\n<CellData>\n" + array("Int16", "Region", regions) +
                "</CellData>\n</Piece>\n</UnstructuredGrid>\n";
        if (m_form.format == "appended") {
            text += fmt::format("<AppendedData encoding=\"{}\">\n_{}\n</AppendedData>\n", m_form.raw ? "raw" : "base64",
                                m_appended);
        }
        return text + "</VTKFile>\n";
    }

private:
    template <class T>
    std::string array(const char* type, const char* name, const std::vector<T>& values) {
        std::string head = fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"{}\"",
                                       type, name, std::string(name) == "Points" ? 3 : 1, m_form.format);
        std::string body;
        if (m_form.format == "ascii") {
            for (const T value : values) body += fmt::format("{} ", +value);
        } else if (m_form.format == "binary") {
            body = encode(values);
        } else {
            head += fmt::format(" offset=\"{}\"", m_appended.size());
            m_appended += encode(values);
        }
        return head + ">\n" + body + "\n</DataArray>\n";
    }

    void put_word(Bytes& bytes, std::size_t value) const {
        m_form.wide ? bytes.put(static_cast<std::uint64_t>(value)) : bytes.put(static_cast<std::uint32_t>(value));
    }

    template <class T>
    std::string encode(const std::vector<T>& values) const {
        Bytes data(m_form.big);
        for (const T value : values) data.put(value);
        Bytes head(m_form.big);
        if (!m_form.zlib) {
            put_word(head, data.text.size());
            return m_form.raw ? head.text + data.text : base64(head.text + data.text);
        }
        constexpr std::size_t block = 100;
        const std::size_t blocks = (data.text.size() + block - 1) / block;
        std::string packed;
        put_word(head, blocks);
        put_word(head, block);
        put_word(head, data.text.size() % block);
        for (std::size_t i = 0; i < blocks; ++i) {
            const std::string part = data.text.substr(i * block, block);
            uLongf length = compressBound(static_cast<uLong>(part.size()));
            std::string out(length, '\0');
            compress(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(part.data()),
                     static_cast<uLong>(part.size()));
            put_word(head, length);
            packed.append(out, 0, length);
        }
        return m_form.raw ? head.text + packed : base64(head.text) + base64(packed);
    }

    VtuForm m_form;
    std::string m_appended;
};

struct TetgenFiles {
    std::string node, ele;
};
// Tetrahedra alone; sets are boundary markers, so the first alone is kept: 3.
inline TetgenFiles tetgen(const VolumeMesh& mesh, int base) {
    TetgenFiles files;
    files.node = fmt::format("# nodes\n{} 3 1 1\n", mesh.nodes.size());
    const auto& marked = mesh.node_sets[1].nodes;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        const Vec3& p = mesh.nodes[i];
        const bool on = std::find(marked.begin(), marked.end(), static_cast<std::int32_t>(i)) != marked.end();
        files.node +=
            fmt::format("  {} {} {} {} 0.5 {}\n", i + static_cast<std::size_t>(base), p.x, p.y, p.z, on ? 3 : 0);
    }
    files.ele = fmt::format("{} 4 1\n", mesh.tetrahedra.size());
    for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
        const auto& t = mesh.tetrahedra[i];
        files.ele += fmt::format("{} {} {} {} {} {}.0 # x\n", i + static_cast<std::size_t>(base), t[0] + base,
                                 t[1] + base, t[2] + base, t[3] + base, mesh.region[i] == 0 ? 4 : 7);
    }
    return files;
}

inline std::string abaqus_body(const VolumeMesh& mesh) {
    std::string text = "*Node\n";
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        text += fmt::format("{}, {}, {}, {}\n", 5 * i + 2, mesh.nodes[i].x, mesh.nodes[i].y, mesh.nodes[i].z);
    }
    std::size_t number = 0;
    for (const AnyCell& cell : list_cells(mesh)) {
        const bool tetrahedron = cell.corners.size() == 4;
        text += fmt::format("*ELEMENT, type={}, ELSET={}\n{}", tetrahedron ? "C3D4" : "c3d8r",
                            mesh.region_names[static_cast<std::size_t>(cell.region - 1)], ++number);
        // A hexahedron goes on in a second line.
        for (std::size_t i = 0; i < cell.corners.size(); ++i)
            text += fmt::format("{}{}", i == 6 ? ",\n" : ", ", 5 * cell.corners[i] + 2);
        text += "\n";
    }
    return text +
           "*NSET, NSET=Fixed\n2, 12\n27,\n** a comment\n*nset, nset=3, generate\n7, 12, 5\n*Nset, nset=3\n 47\n";
}
inline std::string abaqus(const VolumeMesh& mesh) {
    return "*HEADING\nfree text\n** comment\n" + abaqus_body(mesh) +
           "*Material, name=soft\n*Elastic\n1000., 0.45\n*Step\n*End Step\n";
}

inline std::string stl(const SurfaceMesh& mesh, bool binary) {
    Bytes bytes;
    bytes.text = std::string("solid, which a binary file may start with too").append(80, ' ').substr(0, 80);
    bytes.put(static_cast<std::uint32_t>(mesh.triangles.size()));
    std::string text = "solid name\n";
    for (const auto& t : mesh.triangles) {
        text += "facet normal 0 0 0\n outer loop\n";
        for (int k = 0; k < 3; ++k) bytes.put(0.0F);
        for (const std::int32_t node : t) {
            const Vec3& p = mesh.nodes[static_cast<std::size_t>(node)];
            text += fmt::format("  vertex {} {} {}\n", p.x, p.y, p.z);
            for (const double c : {p.x, p.y, p.z}) bytes.put(static_cast<float>(c));
        }
        text += " endloop\nendfacet\n";
        bytes.put(std::uint16_t{0});
    }
    return binary ? bytes.text : text + "endsolid name\n";
}

inline std::string obj(const SurfaceMesh& mesh, bool negative) {
    std::string text = "# a comment\nmtllib x.mtl\n";
    for (const Vec3& p : mesh.nodes) text += fmt::format("v {} {} {}\nvt 0 0\n", p.x, p.y, p.z);
    const auto count = static_cast<std::int32_t>(mesh.nodes.size());
    for (const auto& t : mesh.triangles) {
        text += "f";
        for (const std::int32_t node : t) text += fmt::format(" {}/1/1", negative ? node - count : node + 1);
        text += "\n";
    }
    return text;
}

inline std::string ply(const SurfaceMesh& mesh, const std::string& format) {
    std::string text = fmt::format(
        "ply\nformat {} 1.0\ncomment x\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n"
        "property uchar red\nelement face {}\nproperty uchar flags\nproperty list uchar int "
        "vertex_indices\nend_header\n",
        format, mesh.nodes.size(), mesh.triangles.size());
    Bytes bytes(format == "binary_big_endian");
    std::string lines;
    for (const Vec3& p : mesh.nodes) {
        lines += fmt::format("{} {} {} 200\n", p.x, p.y, p.z);
        bytes.places({p});
        bytes.put(std::uint8_t{200});
    }
    for (const auto& t : mesh.triangles) {
        lines += fmt::format("0 3 {} {} {}\n", t[0], t[1], t[2]);
        bytes.put(std::uint8_t{0});
        bytes.put(std::uint8_t{3});
        for (const std::int32_t node : t) bytes.put(node);
    }
    return text + (format == "ascii" ? lines : bytes.text);
}

}  // namespace plica::testing
