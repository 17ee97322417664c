#include <fmt/format.h>

#include <pugixml.hpp>

#include "core/error.hpp"
#include "geometry/mesh/formats/binary_numbers.hpp"
#include "geometry/mesh/formats/vtk_grid.hpp"
#include "geometry/mesh/formats/vtk_stream.hpp"

// VTK's XML format: .vtu (UnstructuredGrid) and .vtp (PolyData).
namespace plica::formats {
namespace {

constexpr std::pair<std::string_view, NumberType> xml_types[] = {
    {"Float32", {4, true, true}}, {"Float64", {8, true, true}},  {"Int8", {1, false, true}},
    {"UInt8", {1, false, false}}, {"Int16", {2, false, true}},   {"UInt16", {2, false, false}},
    {"Int32", {4, false, true}},  {"UInt32", {4, false, false}}, {"Int64", {8, false, true}},
    {"UInt64", {8, false, false}}};

class XmlReader {
public:
    XmlReader(const std::string& path, std::string_view bytes) : m_text(path, bytes) {}

    VtkGrid read(Ignored& ignored) {
        parse();
        const pugi::xml_node root = m_document.child("VTKFile");
        if (!root) m_text.fail_at(0, "found no element VTKFile: not a VTK file");
        const std::string_view kind = root.attribute("type").value();
        if (kind != "UnstructuredGrid" && kind != "PolyData") {
            fail(root, fmt::format("found a file of type {}, expected UnstructuredGrid or PolyData", quote(kind)));
        }
        read_encoding(root);
        const pugi::xml_node grid = root.child(kind == "PolyData" ? "PolyData" : "UnstructuredGrid");
        for (const pugi::xml_node piece : grid.children("Piece")) read_piece(piece, kind == "PolyData", ignored);
        if (m_grid.points.empty()) fail(grid ? grid : root, "found no points");
        if (m_grid.offsets.empty()) fail(grid, "found no cells");
        if (m_grid.labels.size() != m_grid.types.size()) m_grid.labels.clear();
        return std::move(m_grid);
    }

private:
    // Appended data may be raw bytes, which are no XML: the document is what stands before.
    void parse() {
        const std::string_view bytes = m_text.bytes();
        std::string_view xml = bytes;
        std::string closed;
        const std::size_t appended = bytes.find("<AppendedData");
        if (appended != std::string_view::npos) {
            const std::size_t start = bytes.find('_', std::min(bytes.find('>', appended), bytes.size()));
            if (start == std::string_view::npos)
                m_text.fail_at(appended, "found AppendedData without the sign _ before the data");
            m_appended = start + 1;
            const std::string_view tag = bytes.substr(appended, start - appended);
            m_appended_base64 = tag.find("base64") != std::string_view::npos;
            closed = bytes.substr(0, appended);
            closed += "</VTKFile>";
            xml = closed;
        }
        const pugi::xml_parse_result result = m_document.load_buffer(xml.data(), xml.size(), pugi::parse_minimal);
        if (!result) {
            m_text.fail_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
                           fmt::format("not XML: {}", result.description()));
        }
    }

    void read_encoding(const pugi::xml_node& root) {
        const std::string_view order = root.attribute("byte_order").as_string("LittleEndian");
        if (order != "LittleEndian" && order != "BigEndian") {
            fail(root, fmt::format("found byte_order {}, expected LittleEndian or BigEndian", quote(order)));
        }
        m_encoding.swapped = must_swap(order == "LittleEndian");
        const std::string_view header = root.attribute("header_type").as_string("UInt32");
        if (header != "UInt32" && header != "UInt64") {
            fail(root, fmt::format("found header_type {}, expected UInt32 or UInt64", quote(header)));
        }
        m_encoding.wide_header = header == "UInt64";
        const std::string_view compressor = root.attribute("compressor").value();
        if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
            fail(root,
                 fmt::format("found the compressor {}, expected vtkZLibDataCompressor or none", quote(compressor)));
        }
        m_encoding.zlib = !compressor.empty();
    }

    void read_piece(const pugi::xml_node& piece, bool polydata, Ignored& ignored) {
        const auto first_point = static_cast<std::int64_t>(m_grid.points.size());
        const std::size_t point_count = promised(piece, "NumberOfPoints");
        const std::size_t cell_count = promised(piece, polydata ? "NumberOfPolys" : "NumberOfCells");
        if (point_count > 0) read_points(piece, point_count);
        if (cell_count == 0) return;
        const pugi::xml_node cells = piece.child(polydata ? "Polys" : "Cells");
        if (!cells) fail(piece, polydata ? "found no element Polys" : "found no element Cells");
        m_grid.cells_line = line_of(cells);
        std::vector<std::int64_t> connectivity = integers(find_array(cells, "connectivity"));
        std::vector<std::int64_t> offsets = integers(find_array(cells, "offsets"));
        const auto first = static_cast<std::int64_t>(m_grid.connectivity.size());
        expect_count(cells, "offsets", offsets.size(), cell_count);
        const auto last = static_cast<std::int64_t>(connectivity.size());
        for (const std::int64_t each : connectivity) {
            if (each < 0 || static_cast<std::uint64_t>(each) >= point_count) {
                fail(cells, fmt::format("found the point {}, expected one of {}, from 0", each, point_count));
            }
            m_grid.connectivity.push_back(first_point + each);
        }
        for (const std::int64_t each : offsets) m_grid.offsets.push_back(each < 0 || each > last ? -1 : first + each);
        if (polydata) {
            m_grid.types.resize(m_grid.offsets.size(), vtk_polygon);
            return;
        }
        const std::vector<std::int64_t> types = integers(find_array(cells, "types"));
        expect_count(cells, "types", types.size(), cell_count);
        m_grid.types.insert(m_grid.types.end(), types.begin(), types.end());
        read_labels(piece, cell_count, ignored);
    }

    void read_points(const pugi::xml_node& piece, std::size_t count) {
        const pugi::xml_node array = piece.child("Points").child("DataArray");
        if (!array) fail(piece, "found no element Points with a DataArray");
        if (array.attribute("NumberOfComponents").as_int(3) != 3) fail(array, "expected points of 3 components");
        const std::vector<double> values = reals(array);
        expect_count(array, "coordinates", values.size(), 3 * count);
        for (std::size_t i = 0; i < values.size(); i += 3) {
            const Vec3 place{values[i], values[i + 1], values[i + 2]};
            if (!is_finite(place)) fail(array, fmt::format("point {} is no finite place", i / 3));
            m_grid.points.push_back(place);
        }
    }

    void read_labels(const pugi::xml_node& piece, std::size_t count, Ignored& ignored) {
        for (const pugi::xml_node array : piece.child("CellData").children("DataArray")) {
            const std::string name = array.attribute("Name").value();
            const bool single = array.attribute("NumberOfComponents").as_int(1) == 1;
            const bool wanted = m_grid.label_name.empty() ? is_region_name(name) : name == m_grid.label_name;
            if (!single || !wanted || find_type(array).is_real) {
                ignored.push_back(fmt::format("the cell data {}", quote(name)));
                continue;
            }
            const std::vector<std::int64_t> values = integers(array);
            expect_count(array, "values", values.size(), count);
            m_grid.label_name = name;
            m_grid.labels.insert(m_grid.labels.end(), values.begin(), values.end());
            return;
        }
    }

    pugi::xml_node find_array(const pugi::xml_node& parent, const char* name) const {
        const pugi::xml_node array = parent.find_child_by_attribute("DataArray", "Name", name);
        if (!array) fail(parent, fmt::format("found no DataArray with the name {}", name));
        return array;
    }

    std::size_t promised(const pugi::xml_node& piece, const char* name) const {
        const pugi::xml_attribute attribute = piece.attribute(name);
        const long long value = attribute.as_llong(-1);
        // A compressed point can be small, but not that small.
        if (value >= 0 && static_cast<std::uint64_t>(value) <= 400 * m_text.bytes().size())
            return static_cast<std::size_t>(value);
        fail(piece, fmt::format("found {}={}, expected a number of things that the file can hold", name,
                                quote(attribute.value())));
    }

    void expect_count(const pugi::xml_node& node, const char* what, std::size_t found, std::size_t wanted) const {
        if (found != wanted) fail(node, fmt::format("found {} {}, expected {} as the Piece says", found, what, wanted));
    }

    NumberType find_type(const pugi::xml_node& array) const {
        const std::string_view name = array.attribute("type").value();
        for (const auto& [known, type] : xml_types) {
            if (known == name) return type;
        }
        fail(array, fmt::format("found numbers of type {}, expected Float32, Float64, Int32, Int64 ...", quote(name)));
    }

    // Calls store(text) for numbers in text, or store(bytes, type) for each of the binary ones.
    template <class FromText, class FromBytes>
    void for_each_number(const pugi::xml_node& array, FromText&& from_text, FromBytes&& from_bytes) {
        const NumberType type = find_type(array);
        const std::string_view format = array.attribute("format").as_string("ascii");
        if (format == "ascii") {
            MeshText text(m_text.path(), array.child_value(), line_of(array));
            while (text.skip_space()) from_text(text);
            return;
        }
        const std::string bytes = read_binary(array, format);
        if (bytes.size() % type.width != 0) {
            fail(array, fmt::format("found {} bytes, expected numbers of {} bytes", bytes.size(), type.width));
        }
        for (std::size_t i = 0; i < bytes.size(); i += type.width) from_bytes(bytes.data() + i, type);
    }

    std::string read_binary(const pugi::xml_node& array, std::string_view format) {
        VtkEncoding encoding = m_encoding;
        if (format == "binary") {
            MeshText text(m_text.path(), array.child_value(), line_of(array));
            return read_vtk_array(text, encoding);
        }
        if (format != "appended")
            fail(array, fmt::format("found the format {}, expected ascii, binary or appended", quote(format)));
        if (m_appended == 0) fail(array, "found the format appended, but there is no AppendedData");
        const long long offset = array.attribute("offset").as_llong(-1);
        if (offset < 0 || static_cast<std::uint64_t>(offset) >= m_text.bytes().size() - m_appended) {
            fail(array, fmt::format("found the offset {}, expected a place within AppendedData", offset));
        }
        encoding.base64 = m_appended_base64;
        m_text.seek(m_appended + static_cast<std::size_t>(offset));
        m_text.binary(true);
        std::string bytes = read_vtk_array(m_text, encoding);
        m_text.binary(false);
        return bytes;
    }

    std::vector<double> reals(const pugi::xml_node& array) {
        std::vector<double> values;
        for_each_number(
            array, [&](MeshText& text) { values.push_back(text.real("a number")); },
            [&](const char* bytes, const NumberType& type) {
                values.push_back(load_real(bytes, type, m_encoding.swapped));
            });
        return values;
    }

    std::vector<std::int64_t> integers(const pugi::xml_node& array) {
        std::vector<std::int64_t> values;
        for_each_number(
            array, [&](MeshText& text) { values.push_back(text.integer("a number")); },
            [&](const char* bytes, const NumberType& type) {
                values.push_back(load_integer(bytes, type, m_encoding.swapped));
            });
        return values;
    }

    [[nodiscard]] std::size_t line_of(const pugi::xml_node& node) const {
        return m_text.line_of(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
    }
    [[noreturn]] void fail(const pugi::xml_node& node, const std::string& problem) const {
        throw Error(fmt::format("{}:{}: {}", m_text.path(), line_of(node), problem));
    }

    MeshText m_text;
    pugi::xml_document m_document;
    VtkEncoding m_encoding;
    std::size_t m_appended = 0;  // where appended data starts; 0: there is none
    bool m_appended_base64 = false;
    VtkGrid m_grid;
};

}  // namespace

VtkGrid read_vtk_xml(const std::string& path, std::string_view bytes, Ignored& ignored) {
    return XmlReader(path, bytes).read(ignored);
}

}  // namespace plica::formats
