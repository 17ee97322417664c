#include <fmt/format.h>

#include <charconv>

#include "core/error.hpp"
#include "geometry/mesh/formats/formats.hpp"
#include "geometry/mesh/formats/mesh_text.hpp"

// Wavefront OBJ: the lines v and f; everything else is about looks.
namespace plica::formats {
namespace {

class ObjReader {
public:
    ObjReader(const std::string& path, std::string_view bytes) : m_text(path, bytes) {}

    SurfaceMesh read() {
        while (m_text.skip_space()) {
            const std::string_view word = m_text.word_in_line();
            if (word == "v") {
                read_node();
            } else if (word == "f") {
                read_face();
            }
            m_text.line();
        }
        if (m_mesh.nodes.empty()) m_text.fail("found no nodes: expected lines as v 0 0 1");
        if (m_mesh.triangles.empty()) m_text.fail("found no faces: expected lines as f 1 2 3");
        if (m_largest >= static_cast<std::int64_t>(m_mesh.nodes.size())) {
            m_text.fail_at(m_largest_at,
                           fmt::format("found node {}, expected at most {}", m_largest + 1, m_mesh.nodes.size()));
        }
        return std::move(m_mesh);
    }

private:
    void read_node() {
        double c[3];
        for (double& value : c) {
            if (!m_text.skip_blanks()) m_text.fail("the line ends, expected three coordinates");
            value = m_text.real("a coordinate");
        }
        m_mesh.nodes.push_back({c[0], c[1], c[2]});
    }

    void read_face() {
        std::array<std::int32_t, 3> corners{};
        std::size_t count = 0;
        while (m_text.skip_blanks() && m_text.bytes()[m_text.position()] != '#') {
            const std::int32_t node = read_corner();
            if (count < 3) {
                corners[count] = node;
            } else {
                corners[1] = corners[2];
                corners[2] = node;
            }
            if (++count >= 3) m_mesh.triangles.push_back(corners);
        }
        if (count < 3) m_text.fail(fmt::format("found a face of {} nodes, expected at least 3", count));
    }

    // "7", "7/1/2" or "-1", the last node so far.
    std::int32_t read_corner() {
        const std::size_t at = m_text.position();
        const std::string_view word = m_text.word_in_line();
        std::int64_t value = 0;
        const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        const bool whole = stop == word.data() + word.size() || *stop == '/';
        const auto nodes = static_cast<std::int64_t>(m_mesh.nodes.size());
        if (code != std::errc() || !whole || value == 0 || value < -nodes || value > 2'000'000'000) {
            m_text.fail_at(at,
                           fmt::format("found {}, expected the number of a node, from 1 or from -1 back", quote(word)));
        }
        const std::int64_t node = value > 0 ? value - 1 : nodes + value;
        if (node > m_largest) {
            m_largest = node;
            m_largest_at = at;
        }
        return static_cast<std::int32_t>(node);
    }

    MeshText m_text;
    SurfaceMesh m_mesh;
    std::int64_t m_largest = -1;  // nodes may come after the faces that name them
    std::size_t m_largest_at = 0;
};

}  // namespace

SurfaceMesh read_obj(const std::string& path, std::string_view bytes, double scale) {
    SurfaceMesh mesh = ObjReader(path, bytes).read();
    for (Vec3& place : mesh.nodes) place *= scale;
    return mesh;
}

}  // namespace plica::formats
