#include "geometry/mesh/formats/gmsh.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace plica::formats {
namespace {

// By number, from 1.
constexpr GmshElement elements[] = {{"line", 1, 2},
                                    {"triangle", 2, 3},
                                    {"quadrangle", 2, 4},
                                    {"tetrahedron", 3, 4},
                                    {"hexahedron", 3, 8},
                                    {"prism", 3, 0},
                                    {"pyramid", 3, 0},
                                    {"second-order line", 1, 0},
                                    {"second-order triangle", 2, 0},
                                    {"second-order quadrangle (9 nodes)", 2, 0},
                                    {"second-order tetrahedron (10 nodes)", 3, 0},
                                    {"second-order hexahedron (27 nodes)", 3, 0},
                                    {"second-order prism", 3, 0},
                                    {"second-order pyramid", 3, 0},
                                    {"point", 0, 1},
                                    {"second-order quadrangle (8 nodes)", 2, 0},
                                    {"second-order hexahedron (20 nodes)", 3, 0},
                                    {"second-order prism (15 nodes)", 3, 0},
                                    {"second-order pyramid (13 nodes)", 3, 0}};

}  // namespace

GmshElement find_gmsh_element(const MeshText& text, std::int64_t type) {
    if (type < 1 || type > static_cast<std::int64_t>(std::size(elements))) {
        text.fail(fmt::format("found an element of Gmsh type {}, expected linear tetrahedra or hexahedra", type));
    }
    const GmshElement element = elements[type - 1];
    if (element.corners == 0) {
        text.fail(
            fmt::format("found a {} (Gmsh type {}), expected linear tetrahedra or hexahedra", element.name, type));
    }
    return element;
}

VolumeMesh read_gmsh(const std::string& path, std::string_view bytes, double scale, Ignored& ignored) {
    return GmshReader(path, bytes).read(scale, ignored);
}

VolumeMesh GmshReader::read(double scale, Ignored& ignored) {
    if (!m_text.skip_space()) m_text.fail("the file is empty, expected $MeshFormat");
    m_text.expect("$MeshFormat");
    read_format();
    while (m_text.skip_space()) {
        const std::size_t at = m_text.position();
        const std::string_view word = m_text.word();
        if (word[0] != '$') m_text.fail_at(at, fmt::format("found {}, expected a section as $Nodes", quote(word)));
        m_text.line();
        read_section(std::string(word.substr(1)), ignored);
    }
    if (!m_have_nodes) m_text.fail("the file ends, expected the section $Nodes");
    if (!m_have_elements) m_text.fail("the file ends, expected the section $Elements");
    if (m_builder.cells() == 0) {
        throw Error(
            fmt::format("{}: found no tetrahedra or hexahedra; a volume must be meshed, and where there are "
                        "physical groups it must be in one",
                        m_text.path()));
    }
    return m_builder.finish(scale);
}

void GmshReader::read_format() {
    m_text.skip_space();
    const std::size_t at = m_text.position();
    const std::string_view version = m_text.word();
    m_version = version == "4.1"                                                             ? 4
                : version == "2" || version == "2.0" || version == "2.1" || version == "2.2" ? 2
                                                                                             : 0;
    if (m_version == 0) {
        m_text.fail_at(at,
                       fmt::format("found Gmsh format {}, expected 2.2 or 4.1; gmsh FILE -save -format msh41 writes it",
                                   quote(version)));
    }
    const std::int64_t kind = m_text.integer("0 (text) or 1 (binary)");
    if (kind != 0 && kind != 1) m_text.fail(fmt::format("found file type {}, expected 0 (text) or 1 (binary)", kind));
    const std::int64_t size = m_text.integer("the size of a number");
    if (size != 8) m_text.fail(fmt::format("found numbers of {} bytes, expected 8", size));
    m_text.line();
    m_binary = kind == 1;
    if (m_binary) {
        const auto one = m_text.take<std::int32_t>(false, "the number 1 that tells the byte order");
        m_swapped = MeshText::swap_bytes(one) == 1;
        if (one != 1 && !m_swapped) m_text.fail("the number that tells the byte order is not 1");
    }
    end_section("MeshFormat");
}

void GmshReader::read_section(const std::string& name, Ignored& ignored) {
    const bool encoded = name == "Entities" || name == "Nodes" || name == "Elements";
    m_text.binary(m_binary && encoded);
    if (name == "PhysicalNames") {
        read_names();
    } else if (name == "Entities" && m_version == 4) {
        read_entities_4();
    } else if (name == "Nodes") {
        if (m_have_nodes) m_text.fail("found a second section $Nodes");
        m_version == 2 ? read_nodes_2() : read_nodes_4();
        finish_nodes();
    } else if (name == "Elements") {
        if (!m_have_nodes) m_text.fail("found $Elements before $Nodes");
        m_version == 2 ? read_elements_2() : read_elements_4();
        m_have_elements = true;
    } else {
        skip_section(name);
        ignored.push_back("$" + name);
        return;
    }
    m_text.binary(false);
    end_section(name);
}

void GmshReader::skip_section(const std::string& name) {
    const std::size_t end = m_text.bytes().find("$End" + name, m_text.position());
    if (end == std::string_view::npos) m_text.fail(fmt::format("the file ends in ${0}, expected $End{0}", name));
    m_text.seek(end);
    m_text.line();
}

void GmshReader::end_section(const std::string& name) {
    m_text.expect("$End" + name);
}

void GmshReader::read_names() {
    const std::size_t count = m_text.count(m_text.integer("the number of physical groups"), 5, "physical groups");
    for (std::size_t i = 0; i < count; ++i) {
        const auto dimension = m_text.integer("the dimension of a physical group");
        const auto number = m_text.integer("the number of a physical group");
        const std::string_view line = m_text.line();
        const std::size_t open = line.find('"');
        const std::size_t close = line.rfind('"');
        if (dimension < 0 || dimension > 3 || open == close) {
            m_text.fail_at(m_text.position() - 1,
                           fmt::format("found {}, expected a physical group as 3 1 \"liver\"", quote(line)));
        }
        m_names[{static_cast<int>(dimension), number}] = std::string(line.substr(open + 1, close - open - 1));
    }
}

double GmshReader::coordinate() {
    if (!m_binary) return m_text.real("a coordinate");
    const auto value = m_text.take<double>(m_swapped, "coordinates");
    if (!std::isfinite(value)) m_text.fail_at(m_text.position() - 8, "found a coordinate that is no finite number");
    return value;
}

void GmshReader::add_node(std::int64_t tag, const Vec3& place) {
    m_tag_list.push_back(tag);
    m_builder.add_node(place);
}

void GmshReader::finish_nodes() {
    m_tags = NodeTags(m_tag_list);
    const std::int32_t twice = m_tags.repeated();
    if (twice >= 0) m_text.fail(fmt::format("node {} is there twice", m_tag_list[static_cast<std::size_t>(twice)]));
    m_tag_list = {};
    m_have_nodes = true;
}

std::int32_t GmshReader::find_node(std::int64_t tag) const {
    const std::int32_t node = m_tags.find(tag);
    if (node < 0) m_text.fail(fmt::format("found node {}, expected one of the {} in $Nodes", tag, m_builder.nodes()));
    return node;
}

std::int32_t GmshReader::corner() {
    if (m_version == 2) return find_node(number<std::int32_t>("a node of an element"));
    return find_node(number<std::uint64_t>("a node of an element"));
}

std::string GmshReader::group_name(const Group& group) const {
    const auto found = m_names.find(group);
    return found != m_names.end() && !found->second.empty() ? found->second : std::to_string(group.second);
}

std::int64_t GmshReader::find_target(int dimension, std::int64_t group) {
    if (group == 0) return -1;
    const auto [entry, added] = m_targets.emplace(Group{dimension, group}, 0);
    if (added) {
        const std::string name = group_name({dimension, group});
        entry->second = dimension == 3 ? m_builder.region(name) : static_cast<std::int64_t>(m_builder.node_set(name));
    }
    return entry->second;
}

void GmshReader::add_element(const GmshElement& element, std::int64_t target) {
    const auto region = static_cast<std::int32_t>(target);
    std::array<std::int32_t, 8> node{};
    for (int i = 0; i < element.corners; ++i) node[static_cast<std::size_t>(i)] = corner();
    if (element.dimension < 3) {
        if (target < 0) return;
        for (int i = 0; i < element.corners; ++i) {
            m_builder.add_to_set(static_cast<std::size_t>(target), node[static_cast<std::size_t>(i)]);
        }
    } else if (element.corners == 4) {
        m_builder.add_tetrahedron({node[0], node[1], node[2], node[3]}, region);
    } else {
        m_builder.add_hexahedron(node, region);
    }
}

}  // namespace plica::formats
