#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "geometry/mesh/formats/formats.hpp"
#include "geometry/mesh/formats/mesh_text.hpp"
#include "geometry/mesh/formats/volume_builder.hpp"

// TetGen's pair of files, described in its manual: NAME.node has the nodes, NAME.ele the tetrahedra.
namespace plica::formats {
namespace {

// A line with something on it that is no comment; numbers are read from it.
bool next_line(MeshText& text) {
    while (text.skip_space()) {
        if (text.bytes()[text.position()] != '#') return true;
        text.line();
    }
    return false;
}

void need_line(MeshText& text, const char* what) {
    if (!next_line(text)) text.fail(fmt::format("the file ends, expected {}", what));
}

double real_in_line(MeshText& text, const char* what) {
    if (!text.skip_blanks()) text.fail(fmt::format("the line ends, expected {}", what));
    return text.real(what);
}

std::int64_t integer_in_line(MeshText& text, const char* what) {
    if (!text.skip_blanks()) text.fail(fmt::format("the line ends, expected {}", what));
    return text.integer(what);
}

// The numbers at the head of a file, of which the last may be missing.
std::vector<std::int64_t> read_head(MeshText& text, std::size_t least, std::size_t most, const char* what) {
    need_line(text, what);
    std::vector<std::int64_t> numbers;
    while (numbers.size() < most && text.skip_blanks() && text.bytes()[text.position()] != '#') {
        numbers.push_back(text.integer(what));
    }
    if (numbers.size() < least) text.fail(fmt::format("the line ends, expected {}", what));
    numbers.resize(most, 0);
    text.line();
    return numbers;
}

class TetgenReader {
public:
    TetgenReader(FileSource& files, std::string stem) : m_files(files), m_stem(std::move(stem)) {}

    VolumeMesh read(double scale) {
        read_nodes();
        read_cells();
        if (m_builder.cells() == 0) throw Error(fmt::format("{}.ele: found no tetrahedra", m_stem));
        return m_builder.finish(scale);
    }

private:
    void read_nodes() {
        const std::string& bytes = m_files.read(m_stem + ".node");
        MeshText text(m_stem + ".node", bytes);
        const auto head = read_head(text, 1, 4, "number of nodes, dimension (3), attributes, markers");
        if (head[1] != 3 && head[1] != 0) text.fail(fmt::format("found dimension {}, expected 3", head[1]));
        if (head[2] < 0 || head[2] > 1000) text.fail(fmt::format("found {} attributes", head[2]));
        const std::size_t count = text.count(head[0], 8, "nodes");
        m_builder.reserve_nodes(count);
        for (std::size_t i = 0; i < count; ++i) {
            need_line(text, "a node");
            const std::int64_t number = text.integer("the number of a node");
            if (i == 0) m_first = number;
            if (number != m_first + static_cast<std::int64_t>(i) || m_first < 0 || m_first > 1) {
                text.fail(fmt::format("found node {}, expected numbers in order from 0 or 1", number));
            }
            const double x = real_in_line(text, "a coordinate");
            const double y = real_in_line(text, "a coordinate");
            m_builder.add_node({x, y, real_in_line(text, "a coordinate")});
            for (std::int64_t k = 0; k < head[2]; ++k) text.word_in_line();
            const std::int64_t marker = head[3] > 0 ? integer_in_line(text, "a boundary marker") : 0;
            if (marker != 0)
                m_builder.add_to_set(m_builder.node_set(std::to_string(marker)), static_cast<std::int32_t>(i));
            text.line();
        }
    }

    void read_cells() {
        const std::string& bytes = m_files.read(m_stem + ".ele");
        MeshText text(m_stem + ".ele", bytes);
        const auto head = read_head(text, 1, 3, "number of tetrahedra, nodes of each (4), attributes");
        if (head[1] != 4) {
            text.fail(fmt::format("found tetrahedra of {} nodes, expected 4{}", head[1],
                                  head[1] == 10 ? ": second-order ones are not read" : ""));
        }
        const std::size_t count = text.count(head[0], 8, "tetrahedra");
        for (std::size_t i = 0; i < count; ++i) {
            need_line(text, "a tetrahedron");
            text.integer("the number of a tetrahedron");
            std::array<std::int32_t, 4> corners{};
            for (std::int32_t& corner : corners) corner = node(text, integer_in_line(text, "a node"));
            m_builder.add_tetrahedron(corners, head[2] > 0 ? region(text) : VolumeBuilder::no_region);
            text.line();
        }
    }

    std::int32_t node(const MeshText& text, std::int64_t number) const {
        const std::int64_t last = m_first + static_cast<std::int64_t>(m_builder.nodes()) - 1;
        if (number >= m_first && number <= last) return static_cast<std::int32_t>(number - m_first);
        text.fail(fmt::format("found node {}, expected {} to {}", number, m_first, last));
    }

    // The first attribute, which is a number: "2" and "2.0" are the same.
    std::int32_t region(MeshText& text) {
        const double value = real_in_line(text, "an attribute");
        if (m_region == VolumeBuilder::no_region || value != m_attribute) {
            m_attribute = value;
            m_region = m_builder.region(fmt::format("{:g}", value));
        }
        return m_region;
    }

    FileSource& m_files;
    std::string m_stem;
    std::int64_t m_first = 0;
    double m_attribute = 0.0;
    std::int32_t m_region = VolumeBuilder::no_region;
    VolumeBuilder m_builder;
};

}  // namespace

VolumeMesh read_tetgen(FileSource& files, const std::string& stem, double scale, Ignored&) {
    return TetgenReader(files, stem).read(scale);
}

}  // namespace plica::formats
