#pragma once
#include <map>
#include <utility>

#include "geometry/mesh/formats/formats.hpp"
#include "geometry/mesh/formats/mesh_text.hpp"
#include "geometry/mesh/formats/node_tags.hpp"
#include "geometry/mesh/formats/volume_builder.hpp"

// Gmsh's own format, described in its manual; versions 2 and 4.1 share all but the way they number things.
namespace plica::formats {

// What a Gmsh element type is.
struct GmshElement {
    const char* name;
    int dimension;
    int corners;  // 0: not read
};
// Fails for types that cannot be read.
GmshElement find_gmsh_element(const MeshText& text, std::int64_t type);

class GmshReader {
public:
    GmshReader(const std::string& path, std::string_view bytes) : m_text(path, bytes) {}
    VolumeMesh read(double scale, Ignored& ignored);

private:
    using Group = std::pair<int, std::int64_t>;  // dimension and number

    void read_format();
    void read_names();
    void read_section(const std::string& name, Ignored& ignored);
    void skip_section(const std::string& name);
    void end_section(const std::string& name);

    void read_nodes_2();
    void read_elements_2();
    void read_elements_2_text(std::size_t count);
    void read_elements_2_binary(std::size_t count);
    void read_entities_4();
    void read_entity_4(int dimension);
    void read_nodes_4();
    void read_node_block_4(std::size_t most);
    void read_elements_4();
    void read_element_block_4(std::size_t& left);

    // A number of either encoding; Binary is its type there.
    template <class Binary>
    std::int64_t number(const char* what) {
        return m_binary ? static_cast<std::int64_t>(m_text.take<Binary>(m_swapped, what)) : m_text.integer(what);
    }
    double coordinate();
    void add_node(std::int64_t tag, const Vec3& place);
    void finish_nodes();
    std::int32_t corner();
    std::int32_t find_node(std::int64_t tag) const;
    std::string group_name(const Group& group) const;
    // Region of cells, set of lower elements; -1 without a group.
    std::int64_t find_target(int dimension, std::int64_t group);
    void add_element(const GmshElement& element, std::int64_t target);

    MeshText m_text;
    int m_version = 0;  // 2 or 4
    bool m_binary = false, m_swapped = false;
    bool m_have_nodes = false, m_have_elements = false;
    std::map<Group, std::string> m_names;
    std::map<Group, std::int64_t> m_groups;  // physical group of an entity (version 4)
    std::map<Group, std::int64_t> m_targets;
    std::vector<std::int64_t> m_tag_list;
    NodeTags m_tags;
    VolumeBuilder m_builder;
};

}  // namespace plica::formats
