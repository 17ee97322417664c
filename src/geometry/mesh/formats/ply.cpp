#include <fmt/format.h>

#include "core/error.hpp"
#include "geometry/mesh/formats/binary_numbers.hpp"
#include "geometry/mesh/formats/formats.hpp"

// PLY: a head that lists elements and their properties, then their values.
namespace plica::formats {
namespace {

constexpr std::pair<std::string_view, NumberType> ply_types[] = {
    {"char", {1, false, true}},    {"int8", {1, false, true}},    {"uchar", {1, false, false}},
    {"uint8", {1, false, false}},  {"short", {2, false, true}},   {"int16", {2, false, true}},
    {"ushort", {2, false, false}}, {"uint16", {2, false, false}}, {"int", {4, false, true}},
    {"int32", {4, false, true}},   {"uint", {4, false, false}},   {"uint32", {4, false, false}},
    {"float", {4, true, true}},    {"float32", {4, true, true}},  {"double", {8, true, true}},
    {"float64", {8, true, true}}};

struct Property {
    std::string name;
    bool is_list = false;
    NumberType count_type, type;
};
struct PlyElement {
    std::string name;
    std::size_t count = 0;
    std::vector<Property> properties;
};

class PlyReader {
public:
    PlyReader(const std::string& path, std::string_view bytes) : m_text(path, bytes) {}

    SurfaceMesh read() {
        read_head();
        m_text.binary(m_binary);
        for (const PlyElement& element : m_elements) {
            if (element.properties.empty()) continue;
            check_room(element);
            const bool vertices = element.name == "vertex";
            const bool faces = element.name == "face";
            if (vertices) name_values(element);
            for (std::size_t i = 0; i < element.count; ++i) {
                vertices ? read_vertex(element) : read_face(element, faces);
            }
        }
        if (m_mesh.nodes.empty()) throw Error(m_text.path() + ": found no element vertex");
        if (m_mesh.triangles.empty()) throw Error(m_text.path() + ": found no faces: a cloud of points has no surface");
        check_faces();
        return std::move(m_mesh);
    }

private:
    void read_head() {
        const std::string_view first = m_text.word();
        if (first != "ply") m_text.fail_at(0, fmt::format("found {}, expected \"ply\"", quote(first)));
        m_text.expect("format");
        const std::size_t at = m_text.position();
        const std::string_view format = m_text.word();
        m_binary = format != "ascii";
        if (m_binary && format != "binary_little_endian" && format != "binary_big_endian") {
            m_text.fail_at(at + 1,
                           fmt::format("found the format {}, expected ascii, binary_little_endian or binary_big_endian",
                                       quote(format)));
        }
        m_swapped = must_swap(format == "binary_little_endian");
        m_text.line();
        for (;;) {
            if (!m_text.skip_space()) m_text.fail("the file ends, expected end_header");
            const std::size_t start = m_text.position();
            const std::string_view word = m_text.word();
            if (word == "end_header") break;
            if (word == "element") {
                PlyElement element{std::string(m_text.word_in_line()), 0, {}};
                element.count = m_text.count(m_text.integer("the number of elements"), 0, "elements");
                m_elements.push_back(std::move(element));
            } else if (word == "property") {
                read_property();
            } else if (word != "comment" && word != "obj_info") {
                m_text.fail_at(start, fmt::format("found {}, expected element, property or end_header", quote(word)));
            }
            m_text.line();
        }
        m_text.line();
    }

    void read_property() {
        if (m_elements.empty()) m_text.fail("found a property before the first element");
        Property property;
        std::string_view word = m_text.word_in_line();
        property.is_list = word == "list";
        if (property.is_list) {
            property.count_type = find_type(m_text.word_in_line());
            word = m_text.word_in_line();
        }
        property.type = find_type(word);
        property.name = m_text.word_in_line();
        m_elements.back().properties.push_back(std::move(property));
    }

    NumberType find_type(std::string_view name) const {
        for (const auto& [known, type] : ply_types) {
            if (known == name) return type;
        }
        m_text.fail(fmt::format("found numbers of type {}, expected float, double, int, uchar ...", quote(name)));
    }

    void check_room(const PlyElement& element) const {
        std::size_t each = 0;
        for (const Property& p : element.properties) each += m_binary ? (p.is_list ? p.count_type : p.type).width : 2;
        const std::string what = fmt::format("elements {}", quote(element.name));
        m_text.count(static_cast<std::int64_t>(element.count), each, what.c_str());
    }

    double real(const NumberType& type) {
        if (!m_binary) return m_text.real("a number");
        return load_real(m_text.take_bytes(type.width, "numbers").data(), type, m_swapped);
    }
    std::int64_t integer(const NumberType& type) {
        if (!m_binary) return m_text.integer("a number");
        return load_integer(m_text.take_bytes(type.width, "numbers").data(), type, m_swapped);
    }
    std::size_t list_length(const Property& property) {
        const std::int64_t length = integer(property.count_type);
        return m_text.count(length, m_binary ? property.type.width : 2, "numbers in a list");
    }

    static bool is_coordinate(const Property& p) { return p.name == "x" || p.name == "y" || p.name == "z"; }

    void name_values(const PlyElement& element) {
        m_mesh.values.clear();
        for (const Property& p : element.properties) {
            if (!p.is_list && !is_coordinate(p)) m_mesh.values.push_back({p.name, {}});
        }
    }

    void read_vertex(const PlyElement& element) {
        Vec3 place{};
        std::size_t next = 0;  // of the values
        for (const Property& p : element.properties) {
            if (p.is_list) {
                const std::size_t length = list_length(p);
                for (std::size_t i = 0; i < length; ++i) real(p.type);
                continue;
            }
            const double value = real(p.type);
            if (p.name == "x") place.x = value;
            if (p.name == "y") place.y = value;
            if (p.name == "z") place.z = value;
            if (!is_coordinate(p)) m_mesh.values[next++].numbers.push_back(value);
        }
        if (!is_finite(place)) m_text.fail("found a coordinate that is no finite number");
        m_mesh.nodes.push_back(place);
    }

    // Also goes over elements that are no faces.
    void read_face(const PlyElement& element, bool keep) {
        for (const Property& p : element.properties) {
            if (!p.is_list) {
                real(p.type);
                continue;
            }
            const std::size_t length = list_length(p);
            const bool corners = keep && (p.name == "vertex_indices" || p.name == "vertex_index");
            if (corners && length < 3)
                m_text.fail(fmt::format("found a face of {} nodes, expected at least 3", length));
            std::int32_t first = 0, before = 0;
            for (std::size_t i = 0; i < length; ++i) {
                if (!corners) {
                    real(p.type);
                    continue;
                }
                const std::int32_t node = corner(integer(p.type));
                if (i == 0) first = node;
                if (i >= 2) m_mesh.triangles.push_back({first, before, node});
                before = node;
            }
        }
    }

    std::int32_t corner(std::int64_t value) {
        if (value < 0 || value > 2'000'000'000)
            m_text.fail(fmt::format("found node {}, expected a number from 0", value));
        if (value > m_largest) {
            m_largest = value;
            m_largest_at = m_text.position();
        }
        return static_cast<std::int32_t>(value);
    }

    void check_faces() const {
        if (m_largest < static_cast<std::int64_t>(m_mesh.nodes.size())) return;
        m_text.fail_at(m_largest_at,
                       fmt::format("found node {}, expected 0 to {}", m_largest, m_mesh.nodes.size() - 1));
    }

    MeshText m_text;
    bool m_binary = false, m_swapped = false;
    std::vector<PlyElement> m_elements;
    SurfaceMesh m_mesh;
    std::int64_t m_largest = -1;  // faces may come before the vertices
    std::size_t m_largest_at = 0;
};

}  // namespace

SurfaceMesh read_ply(const std::string& path, std::string_view bytes, double scale) {
    SurfaceMesh mesh = PlyReader(path, bytes).read();
    for (Vec3& place : mesh.nodes) place *= scale;
    return mesh;
}

}  // namespace plica::formats
