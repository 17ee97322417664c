#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "geometry/mesh/formats/binary_numbers.hpp"
#include "geometry/mesh/formats/vtk_grid.hpp"

// VTK's legacy format, versions 1 to 5.1; binary numbers are big-endian.
namespace plica::formats {
namespace {

constexpr std::pair<std::string_view, NumberType> legacy_types[] = {
    {"float", {4, true, true}},           {"double", {8, true, true}},           {"int", {4, false, true}},
    {"unsigned_int", {4, false, false}},  {"vtkIdType", {4, false, true}},       {"vtktypeint64", {8, false, true}},
    {"long", {8, false, true}},           {"unsigned_long", {8, false, false}},  {"vtktypeuint64", {8, false, false}},
    {"short", {2, false, true}},          {"unsigned_short", {2, false, false}}, {"char", {1, false, true}},
    {"unsigned_char", {1, false, false}}, {"vtktypeint32", {4, false, true}},    {"vtktypeuint32", {4, false, false}}};
constexpr NumberType plain_int{4, false, true};

class LegacyReader {
public:
    LegacyReader(const std::string& path, std::string_view bytes) : m_text(path, bytes) {}
    VtkGrid read(Ignored& ignored) {
        read_header();
        while (m_text.skip_space()) {
            m_at = m_text.position();
            const std::string keyword = to_upper(m_text.word());
            if (read_geometry(keyword) || read_attribute(keyword)) continue;
            if (m_grid.offsets.empty())
                m_text.fail_at(m_at, fmt::format("found {}, expected POINTS, CELLS or CELL_TYPES", quote(keyword)));
            ignored.push_back(fmt::format("everything from line {} on", m_text.line_of(m_at)));
            break;
        }
        if (m_grid.points.empty()) m_text.fail("the file ends, expected POINTS");
        if (m_grid.offsets.empty()) m_text.fail("the file ends, expected CELLS or POLYGONS");
        if (!m_polydata && m_grid.types.empty()) m_text.fail("the file ends, expected CELL_TYPES");
        if (m_polydata) m_grid.types.assign(m_grid.offsets.size(), vtk_polygon);
        if (m_grid.labels.size() != m_grid.types.size()) m_grid.labels.clear();
        return std::move(m_grid);
    }

private:
    void read_header() {
        const std::string_view first = m_text.line();
        if (first.rfind("# vtk DataFile Version", 0) != 0) {
            m_text.fail_at(0, fmt::format("found {}, expected \"# vtk DataFile Version 3.0\"", quote(first)));
        }
        m_text.line();  // the title
        const std::size_t at = m_text.position();
        const std::string encoding = to_upper(m_text.word());
        if (encoding != "ASCII" && encoding != "BINARY") {
            m_text.fail_at(at, fmt::format("found {}, expected ASCII or BINARY", quote(encoding)));
        }
        m_binary = encoding == "BINARY";
        m_text.expect("DATASET");
        const std::string kind = to_upper(m_text.word());
        m_polydata = kind == "POLYDATA";
        if (!m_polydata && kind != "UNSTRUCTURED_GRID") {
            m_text.fail(fmt::format("found the dataset {}, expected UNSTRUCTURED_GRID or POLYDATA", quote(kind)));
        }
    }

    bool read_geometry(const std::string& keyword) {
        if (keyword == "POINTS") {
            read_points();
        } else if (keyword == "CELLS" || keyword == "POLYGONS") {
            read_cells();
        } else if (keyword == "CELL_TYPES") {
            const std::int64_t count = m_text.integer("the number of cell types");
            if (count < 0 || static_cast<std::uint64_t>(count) != m_grid.offsets.size()) {
                m_text.fail(
                    fmt::format("found {} cell types, expected {} as CELLS says", count, m_grid.offsets.size()));
            }
            m_text.line();
            read_integers(static_cast<std::size_t>(count), plain_int, m_grid.types);
        } else if (keyword == "VERTICES" || keyword == "LINES" || keyword == "TRIANGLE_STRIPS") {
            VtkGrid other;
            std::swap(other, m_grid);
            read_cells();
            std::swap(other, m_grid);
        } else {
            return false;
        }
        return true;
    }

    void read_points() {
        const std::int64_t promised = m_text.integer("the number of points");
        const NumberType type = read_type();
        m_text.line();
        const std::size_t count = m_text.count(promised, m_binary ? 3 * type.width : 6, "points");
        m_grid.points.clear();
        m_grid.points.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const double x = real(type);
            const double y = real(type);
            m_grid.points.push_back({x, y, real(type)});
        }
        m_text.binary(false);
    }

    // Both ways: "count of numbers, numbers" per cell, and the two lists of version 5.
    void read_cells() {
        m_grid.cells_line = m_text.line_of(m_at);
        const std::int64_t cells = m_text.integer("the number of cells");
        const std::int64_t size = m_text.integer("the size of the list of cells");
        m_text.line();
        m_grid.offsets.clear();
        m_grid.connectivity.clear();
        const std::size_t start = m_text.position();
        if (m_text.word() == "OFFSETS") {
            read_lists(cells, size);
        } else {
            m_text.seek(start);
            read_counted(cells, size);
        }
        m_text.binary(false);
    }

    void read_lists(std::int64_t cells, std::int64_t size) {
        NumberType type = read_type();
        m_text.line();
        std::vector<std::int64_t> offsets;
        read_integers(m_text.count(cells, m_binary ? type.width : 2, "offsets"), type, offsets);
        m_text.binary(false);
        m_text.expect("CONNECTIVITY");
        type = read_type();
        m_text.line();
        read_integers(m_text.count(size, m_binary ? type.width : 2, "points of cells"), type, m_grid.connectivity);
        if (offsets.empty()) return;
        if (offsets.front() != 0)
            m_text.fail(fmt::format("the first of the OFFSETS is {}, expected 0", offsets.front()));
        m_grid.offsets.assign(offsets.begin() + 1, offsets.end());
    }

    void read_counted(std::int64_t cells, std::int64_t size) {
        const std::size_t count = m_text.count(cells, m_binary ? 4 : 2, "cells");
        std::size_t left = m_text.count(size, m_binary ? 4 : 2, "numbers in cells");
        m_grid.offsets.reserve(count);
        m_grid.connectivity.reserve(left);
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t corners = integer(plain_int);
            if (corners < 0 || static_cast<std::uint64_t>(corners) + 1 > left) {
                m_text.fail(fmt::format("found a cell of {} points, expected at most {}: CELLS says {} numbers in all",
                                        corners, left == 0 ? 0 : left - 1, size));
            }
            for (std::int64_t k = 0; k < corners; ++k) m_grid.connectivity.push_back(integer(plain_int));
            left -= static_cast<std::size_t>(corners) + 1;
            m_grid.offsets.push_back(static_cast<std::int64_t>(m_grid.connectivity.size()));
        }
        if (left != 0) m_text.fail(fmt::format("{} numbers of the cells are missing, as CELLS says", left));
    }

    // Data on points and cells; regions are kept. False: unknown.
    bool read_attribute(const std::string& keyword) {
        if (keyword == "POINT_DATA" || keyword == "CELL_DATA") {
            m_on_cells = keyword == "CELL_DATA";
            m_tuples = m_text.count(m_text.integer("the number of values"), 0, "values");
            return true;
        }
        if (keyword == "METADATA") {  // up to an empty line
            m_text.line();
            while (m_text.remaining() > 0 && m_text.line().find_first_not_of(" \t") != std::string_view::npos) {
            }
            return true;
        }
        if (keyword == "SCALARS") return read_scalars();
        if (keyword == "VECTORS" || keyword == "NORMALS") return read_plain(3);
        if (keyword == "TENSORS") return read_plain(9);
        if (keyword == "FIELD") return read_field();
        return false;
    }

    bool read_scalars() {
        const std::string name(m_text.word_in_line());
        const NumberType type = read_type();
        const std::int64_t components = m_text.skip_blanks() ? m_text.integer("the number of components") : 1;
        m_text.line();
        const std::size_t at = m_text.position();
        if (to_upper(m_text.word()) == "LOOKUP_TABLE") {
            m_text.line();
        } else {
            m_text.seek(at);
        }
        return read_array(name, type, m_tuples, components);
    }

    bool read_plain(std::int64_t components) {
        const std::string name(m_text.word_in_line());
        const NumberType type = read_type();
        m_text.line();
        return read_array(name, type, m_tuples, components);
    }

    bool read_field() {
        m_text.word_in_line();
        const std::size_t arrays = m_text.count(m_text.integer("the number of arrays"), 8, "arrays");
        for (std::size_t i = 0; i < arrays; ++i) {
            const std::string name(m_text.word());
            if (name == "METADATA") {
                read_attribute(name);
                --i;
                continue;
            }
            const std::int64_t components = m_text.integer("the number of components");
            const std::size_t tuples = m_text.count(m_text.integer("the number of values"), 0, "values");
            const NumberType type = read_type();
            m_text.line();
            if (!read_array(name, type, tuples, components)) return false;
        }
        return true;
    }

    bool read_array(const std::string& name, const NumberType& type, std::size_t tuples, std::int64_t components) {
        if (components < 1 || components > 1000) m_text.fail(fmt::format("found {} components", components));
        const auto numbers = static_cast<std::int64_t>(tuples) * components;
        const std::size_t count = m_text.count(numbers, m_binary ? type.width : 2, "values");
        if (m_on_cells && !type.is_real && components == 1 && is_region_name(name) && m_grid.labels.empty()) {
            m_grid.label_name = name;
            read_integers(count, type, m_grid.labels);
        } else if (!m_on_cells && components == 1 && count == m_grid.points.size()) {
            m_grid.values.push_back({name, read_values(count, type)});
        } else if (m_binary) {
            m_text.take_bytes(count * type.width, "values");
        } else {
            for (std::size_t i = 0; i < count; ++i) m_text.word();
        }
        m_text.binary(false);
        return true;
    }

    // What is no number is kept as such: only who asks for the values needs them.
    std::vector<double> read_values(std::size_t count, const NumberType& type) {
        std::vector<double> values;
        values.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (m_binary) {
                m_text.binary(true);
                values.push_back(load_real(m_text.take_bytes(type.width, "values").data(), type, must_swap(false)));
                continue;
            }
            const std::string_view word = m_text.word();
            double value = std::nan("");
            std::from_chars(word.data(), word.data() + word.size(), value);
            values.push_back(value);
        }
        return values;
    }

    void read_integers(std::size_t count, const NumberType& type, std::vector<std::int64_t>& values) {
        if (m_binary && count > m_text.remaining() / type.width) {
            m_text.fail(fmt::format("the file ends, expected {} numbers", count));
        }
        values.clear();
        values.reserve(m_binary ? count : std::min(count, m_text.remaining()));
        for (std::size_t i = 0; i < count; ++i) values.push_back(integer(type));
        m_text.binary(false);
    }

    std::int64_t integer(const NumberType& type) {
        if (!m_binary) return m_text.integer("a whole number");
        m_text.binary(true);
        return load_integer(m_text.take_bytes(type.width, "numbers").data(), type, must_swap(false));
    }

    double real(const NumberType& type) {
        if (!m_binary) return m_text.real("a coordinate");
        m_text.binary(true);
        const double value = load_real(m_text.take_bytes(type.width, "coordinates").data(), type, must_swap(false));
        if (!std::isfinite(value)) m_text.fail("found a coordinate that is no finite number");
        return value;
    }

    NumberType read_type() {
        const std::string_view name = m_text.word_in_line();
        for (const auto& [known, type] : legacy_types) {
            if (known == name) return type;
        }
        m_text.fail(
            fmt::format("found numbers of type {}, expected float, double, int, vtktypeint64 ...", quote(name)));
    }

    MeshText m_text;
    VtkGrid m_grid;
    bool m_binary = false, m_polydata = false, m_on_cells = false;
    std::size_t m_tuples = 0;
    std::size_t m_at = 0;  // of the keyword
};

}  // namespace

VtkGrid read_vtk_legacy(const std::string& path, std::string_view bytes, Ignored& ignored) {
    return LegacyReader(path, bytes).read(ignored);
}

}  // namespace plica::formats
