#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "geometry/mesh/cell_shape.hpp"
#include "geometry/mesh/quality.hpp"

namespace plica {
namespace {

// Six times a volume over the cube of the longest edge, below which nothing is left of it but rounding.
constexpr double flat_volume = 1e-14;

class Repair {
public:
    Repair(VolumeMesh& mesh, const std::string& name) : m_mesh(mesh), m_name(name) {}

    MeshReport run() {
        if (m_mesh.cells() == 0) throw Error(m_name + ": the mesh has no tetrahedra and no hexahedra");
        check_places();
        check_corners(m_mesh.tetrahedra, "tetrahedron");
        check_corners(m_mesh.hexahedra, "hexahedron");
        check_lists();
        for (std::size_t i = 0; i < m_mesh.tetrahedra.size(); ++i) turn_tetrahedron(i);
        for (std::size_t i = 0; i < m_mesh.hexahedra.size(); ++i) turn_hexahedron(i);
        remove_duplicates();
        remove_unreferenced();
        MeshReport report = measure_mesh(m_mesh);
        report.inverted_repaired = m_turned;
        report.duplicates_removed = m_duplicates;
        report.unreferenced_removed = m_unreferenced;
        return report;
    }

private:
    [[noreturn]] void fail(const std::string& problem) const { throw Error(m_name + ": " + problem); }

    void check_places() const {
        for (std::size_t i = 0; i < m_mesh.nodes.size(); ++i) {
            const Vec3& p = m_mesh.nodes[i];
            // Volumes of cells must not overflow.
            const bool good = std::abs(p.x) < 1e90 && std::abs(p.y) < 1e90 && std::abs(p.z) < 1e90;
            if (!good) fail(fmt::format("node {} is at ({}, {}, {}), expected finite numbers", i, p.x, p.y, p.z));
        }
    }

    template <std::size_t Corners>
    void check_corners(const std::vector<std::array<std::int32_t, Corners>>& cells, const char* kind) const {
        const auto count = static_cast<std::int64_t>(m_mesh.nodes.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            auto sorted = cells[i];
            std::sort(sorted.begin(), sorted.end());
            for (const std::int32_t node : {sorted.front(), sorted.back()}) {
                if (node >= 0 && node < count) continue;
                fail(fmt::format("{} {} has the node {}, expected 0 to {}", kind, i, node, count - 1));
            }
            const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
            if (twice != sorted.end())
                fail(fmt::format("{} {} has the node {} twice: it has no volume", kind, i, *twice));
        }
    }

    void check_lists() const {
        if (!m_mesh.region.empty() && m_mesh.region.size() != m_mesh.cells()) {
            fail(fmt::format("found {} regions of cells, expected {}", m_mesh.region.size(), m_mesh.cells()));
        }
        const auto names = static_cast<std::int64_t>(m_mesh.region_names.size());
        for (std::size_t i = 0; i < m_mesh.region.size(); ++i) {
            if (m_mesh.region[i] >= 0 && m_mesh.region[i] < names) continue;
            fail(fmt::format("cell {} is in the region {}, expected one of {}", i, m_mesh.region[i], names));
        }
        for (const NodeSet& set : m_mesh.node_sets) {
            for (const std::int32_t node : set.nodes) {
                if (node >= 0 && static_cast<std::size_t>(node) < m_mesh.nodes.size()) continue;
                fail(fmt::format("the node set \"{}\" has the node {}, expected 0 to {}", set.name, node,
                                 static_cast<std::int64_t>(m_mesh.nodes.size()) - 1));
            }
        }
    }

    void turn_tetrahedron(std::size_t i) {
        auto& cell = m_mesh.tetrahedra[i];
        const TetrahedronPlaces x = places_of(m_mesh.nodes, cell);
        double longest = 0.0;
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = a + 1; b < 4; ++b) longest = std::max(longest, squared_norm(x[b] - x[a]));
        }
        const double volume = compute_volume(x);
        if (!(6.0 * std::abs(volume) > flat_volume * longest * std::sqrt(longest))) {
            fail(fmt::format("tetrahedron {} (nodes {}, {}, {}, {}) has no volume", i, cell[0], cell[1], cell[2],
                             cell[3]));
        }
        if (volume > 0.0) return;
        std::swap(cell[2], cell[3]);
        ++m_turned;
    }

    void turn_hexahedron(std::size_t i) {
        auto& cell = m_mesh.hexahedra[i];
        const HexahedronPlaces x = places_of(m_mesh.nodes, cell);
        double longest = 0.0;
        for (std::size_t a = 1; a < 8; ++a) longest = std::max(longest, squared_norm(x[a] - x[0]));
        const double least = flat_volume * longest * std::sqrt(longest);
        const std::array<double, 8> jacobians = compute_gauss_jacobians(x);
        const auto positive = std::count_if(jacobians.begin(), jacobians.end(), [&](double j) { return j > least; });
        const auto negative = std::count_if(jacobians.begin(), jacobians.end(), [&](double j) { return j < -least; });
        if (positive == 8) return;
        if (negative != 8) {
            fail(fmt::format("hexahedron {} is folded or flat: its Jacobian is positive at {} of 8 Gauss points", i,
                             positive));
        }
        std::rotate(cell.begin(), cell.begin() + 4, cell.end());  // bottom and top change places
        ++m_turned;
    }

    // Of cells with the same corners the first stays.
    template <std::size_t Corners>
    void mark_duplicates(const std::vector<std::array<std::int32_t, Corners>>& cells, std::size_t first,
                         std::vector<char>& drop) {
        std::vector<std::pair<std::array<std::int32_t, Corners>, std::uint32_t>> keys(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            keys[i] = {cells[i], static_cast<std::uint32_t>(i)};
            std::sort(keys[i].first.begin(), keys[i].first.end());
        }
        std::sort(keys.begin(), keys.end());
        for (std::size_t i = 1; i < keys.size(); ++i) {
            if (keys[i].first != keys[i - 1].first) continue;
            drop[first + keys[i].second] = 1;
            ++m_duplicates;
        }
    }

    void remove_duplicates() {
        std::vector<char> drop(m_mesh.cells(), 0);
        mark_duplicates(m_mesh.tetrahedra, 0, drop);
        mark_duplicates(m_mesh.hexahedra, m_mesh.tetrahedra.size(), drop);
        if (m_duplicates == 0) return;
        const std::size_t tetrahedra = m_mesh.tetrahedra.size();
        remove_marked(m_mesh.region, drop, 0);
        remove_marked(m_mesh.tetrahedra, drop, 0);
        remove_marked(m_mesh.hexahedra, drop, tetrahedra);
    }

    template <class T>
    static void remove_marked(std::vector<T>& list, const std::vector<char>& drop, std::size_t first) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (drop[first + i] == 0) list[kept++] = list[i];
        }
        list.resize(kept);
    }

    void remove_unreferenced() {
        std::vector<std::int32_t> number(m_mesh.nodes.size(), -1);
        for (const auto& cell : m_mesh.tetrahedra) {
            for (const std::int32_t node : cell) number[static_cast<std::size_t>(node)] = 0;
        }
        for (const auto& cell : m_mesh.hexahedra) {
            for (const std::int32_t node : cell) number[static_cast<std::size_t>(node)] = 0;
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < number.size(); ++i) {
            if (number[i] < 0) continue;
            m_mesh.nodes[kept] = m_mesh.nodes[i];
            number[i] = static_cast<std::int32_t>(kept++);
        }
        m_unreferenced = number.size() - kept;
        m_mesh.nodes.resize(kept);
        if (m_unreferenced == 0) return;
        const auto renumber = [&](std::int32_t& node) { node = number[static_cast<std::size_t>(node)]; };
        for (auto& cell : m_mesh.tetrahedra) std::for_each(cell.begin(), cell.end(), renumber);
        for (auto& cell : m_mesh.hexahedra) std::for_each(cell.begin(), cell.end(), renumber);
        for (NodeSet& set : m_mesh.node_sets) {
            std::for_each(set.nodes.begin(), set.nodes.end(), renumber);
            std::erase(set.nodes, -1);
        }
        std::erase_if(m_mesh.node_sets, [](const NodeSet& set) { return set.nodes.empty(); });
    }

    VolumeMesh& m_mesh;
    const std::string& m_name;
    std::size_t m_turned = 0, m_duplicates = 0, m_unreferenced = 0;
};

}  // namespace

MeshReport repair_mesh(VolumeMesh& mesh, const std::string& name) {
    return Repair(mesh, name).run();
}

}  // namespace plica
