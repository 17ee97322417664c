#include <fmt/format.h>

#include "geometry/mesh/formats/gmsh.hpp"

// Gmsh format 2.2. Counts are text in both encodings.
namespace plica::formats {

void GmshReader::read_nodes_2() {
    const std::size_t count = m_text.count(m_text.integer("the number of nodes"), m_binary ? 28 : 8, "nodes");
    m_text.line();
    m_builder.reserve_nodes(count);
    m_tag_list.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t tag = number<std::int32_t>("the number of a node");
        const double x = coordinate();
        const double y = coordinate();
        add_node(tag, {x, y, coordinate()});
    }
}

void GmshReader::read_elements_2() {
    const std::size_t count = m_text.count(m_text.integer("the number of elements"), 8, "elements");
    m_text.line();
    m_binary ? read_elements_2_binary(count) : read_elements_2_text(count);
}

void GmshReader::read_elements_2_text(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        m_text.integer("the number of an element");
        const GmshElement element = find_gmsh_element(m_text, m_text.integer("the type of an element"));
        const std::int64_t tags = m_text.integer("the number of tags of an element");
        if (tags < 0 || tags > 1000) m_text.fail(fmt::format("found an element with {} tags", tags));
        std::int64_t group = 0;
        for (std::int64_t k = 0; k < tags; ++k) {
            const std::int64_t tag = m_text.integer("a tag of an element");
            if (k == 0) group = tag;
        }
        add_element(element, find_target(element.dimension, group));
        if (m_text.skip_blanks()) {
            m_text.fail(fmt::format("found {}, expected the end of the line: a {} has {} nodes", quote(m_text.word()),
                                    element.name, element.corners));
        }
    }
}

void GmshReader::read_elements_2_binary(std::size_t count) {
    for (std::size_t done = 0; done < count;) {
        const auto type = m_text.take<std::int32_t>(m_swapped, "the type of elements");
        const GmshElement element = find_gmsh_element(m_text, type);
        const auto follow = m_text.take<std::int32_t>(m_swapped, "the number of elements");
        const auto tags = m_text.take<std::int32_t>(m_swapped, "the number of tags");
        if (tags < 0 || tags > 1000) m_text.fail(fmt::format("found elements with {} tags", tags));
        if (follow < 1 || static_cast<std::size_t>(follow) > count - done) {
            m_text.fail(fmt::format("found a block of {} elements, expected 1 to {}", follow, count - done));
        }
        for (std::int32_t i = 0; i < follow; ++i) {
            m_text.take<std::int32_t>(m_swapped, "elements");
            std::int64_t group = 0;
            for (std::int32_t k = 0; k < tags; ++k) {
                const auto tag = m_text.take<std::int32_t>(m_swapped, "elements");
                if (k == 0) group = tag;
            }
            add_element(element, find_target(element.dimension, group));
        }
        done += static_cast<std::size_t>(follow);
    }
}

}  // namespace plica::formats
