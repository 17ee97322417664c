#include <fmt/format.h>

#include "geometry/mesh/formats/gmsh.hpp"

// Gmsh format 4.1: nodes and elements in blocks, each of one entity (a point, curve, surface or volume of the model);
// entities are in physical groups.
namespace plica::formats {

void GmshReader::read_entities_4() {
    std::size_t counts[4];
    for (std::size_t& count : counts) {
        const std::int64_t promised = number<std::uint64_t>("the number of entities");
        count = m_text.count(promised, 8, "entities");
    }
    for (int dimension = 0; dimension < 4; ++dimension) {
        for (std::size_t i = 0; i < counts[dimension]; ++i) read_entity_4(dimension);
    }
}

void GmshReader::read_entity_4(int dimension) {
    const std::int64_t tag = number<std::int32_t>("the number of an entity");
    for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) {  // the box around it, which nobody needs
        m_binary ? static_cast<void>(m_text.take<double>(m_swapped, "entities")) : static_cast<void>(m_text.word());
    }
    const std::int64_t groups = number<std::uint64_t>("the number of physical groups of an entity");
    const std::size_t group_count = m_text.count(groups, 2, "physical groups");
    for (std::size_t i = 0; i < group_count; ++i) {
        const std::int64_t group = number<std::int32_t>("a physical group");
        // A reversed group is negative.
        if (i == 0) m_groups[{dimension, tag}] = group < 0 && group > -(std::int64_t{1} << 62) ? -group : group;
    }
    if (dimension == 0) return;
    const std::int64_t around = number<std::uint64_t>("the number of bounding entities");
    const std::size_t around_count = m_text.count(around, 2, "bounding entities");
    for (std::size_t i = 0; i < around_count; ++i) number<std::int32_t>("a bounding entity");
}

void GmshReader::read_nodes_4() {
    const std::int64_t block_number = number<std::uint64_t>("the number of blocks");
    const std::int64_t node_number = number<std::uint64_t>("the number of nodes");
    number<std::uint64_t>("the least node number");
    number<std::uint64_t>("the largest node number");
    const std::size_t blocks = m_text.count(block_number, 8, "blocks");
    const std::size_t count = m_text.count(node_number, m_binary ? 32 : 8, "nodes");
    m_builder.reserve_nodes(count);
    m_tag_list.reserve(count);
    for (std::size_t i = 0; i < blocks; ++i) read_node_block_4(count - m_builder.nodes());
    if (m_builder.nodes() != count) {
        m_text.fail(fmt::format("found {} nodes, expected {} as $Nodes says", m_builder.nodes(), count));
    }
}

void GmshReader::read_node_block_4(std::size_t most) {
    const std::int64_t dimension = number<std::int32_t>("the dimension of an entity");
    number<std::int32_t>("the number of an entity");
    const std::int64_t parametric = number<std::int32_t>("0 or 1 (parametric)");
    const std::int64_t promised = number<std::uint64_t>("the number of nodes of a block");
    if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1) {
        m_text.fail(fmt::format("found a block of dimension {} and parametric {}", dimension, parametric));
    }
    if (promised < 0 || static_cast<std::uint64_t>(promised) > most) {
        m_text.fail(fmt::format("found a block of {} nodes, expected at most {} as $Nodes says", promised, most));
    }
    const auto count = static_cast<std::size_t>(promised);
    for (std::size_t i = 0; i < count; ++i) m_tag_list.push_back(number<std::uint64_t>("the number of a node"));
    for (std::size_t i = 0; i < count; ++i) {
        const double x = coordinate();
        const double y = coordinate();
        m_builder.add_node({x, y, coordinate()});
        for (std::int64_t k = 0; k < parametric * dimension; ++k) coordinate();
    }
}

void GmshReader::read_elements_4() {
    const std::int64_t block_number = number<std::uint64_t>("the number of blocks");
    const std::int64_t element_number = number<std::uint64_t>("the number of elements");
    number<std::uint64_t>("the least element number");
    number<std::uint64_t>("the largest element number");
    const std::size_t blocks = m_text.count(block_number, 8, "blocks");
    std::size_t left = m_text.count(element_number, m_binary ? 16 : 4, "elements");
    for (std::size_t i = 0; i < blocks; ++i) read_element_block_4(left);
    if (left != 0) m_text.fail(fmt::format("{} elements are missing, as $Elements says", left));
}

void GmshReader::read_element_block_4(std::size_t& left) {
    const std::int64_t dimension = number<std::int32_t>("the dimension of an entity");
    const std::int64_t entity = number<std::int32_t>("the number of an entity");
    const GmshElement element = find_gmsh_element(m_text, number<std::int32_t>("the type of elements"));
    const std::int64_t promised = number<std::uint64_t>("the number of elements of a block");
    if (dimension != element.dimension) {
        m_text.fail(fmt::format("found a block of dimension {} with elements of type {}", dimension, element.name));
    }
    if (promised < 0 || static_cast<std::uint64_t>(promised) > left) {
        m_text.fail(fmt::format("found a block of {} elements, expected at most {} as $Elements says", promised, left));
    }
    const auto group = m_groups.find({element.dimension, entity});
    const std::int64_t target = find_target(element.dimension, group != m_groups.end() ? group->second : 0);
    for (std::int64_t i = 0; i < promised; ++i) {
        number<std::uint64_t>("the number of an element");
        add_element(element, target);
    }
    left -= static_cast<std::size_t>(promised);
}

}  // namespace plica::formats
