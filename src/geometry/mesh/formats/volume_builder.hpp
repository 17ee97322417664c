#pragma once
#include <map>

#include "geometry/mesh/mesh.hpp"

namespace plica::formats {

// A volume mesh as it comes out of a file: cells in any order of kinds, regions and sets by name.
class VolumeBuilder {
public:
    static constexpr std::int32_t no_region = -1;

    void reserve_nodes(std::size_t count) { m_mesh.nodes.reserve(count); }
    void add_node(const Vec3& place) { m_mesh.nodes.push_back(place); }
    [[nodiscard]] std::size_t nodes() const { return m_mesh.nodes.size(); }

    void add_tetrahedron(const std::array<std::int32_t, 4>& corners, std::int32_t region) {
        m_mesh.tetrahedra.push_back(corners);
        m_tetrahedron_region.push_back(region);
    }
    void add_hexahedron(const std::array<std::int32_t, 8>& corners, std::int32_t region) {
        m_mesh.hexahedra.push_back(corners);
        m_hexahedron_region.push_back(region);
    }
    [[nodiscard]] std::size_t cells() const { return m_mesh.cells(); }

    // Number of the region or set with that name; a new one where there is none.
    std::int32_t region(const std::string& name);
    std::size_t node_set(const std::string& name);
    void add_to_set(std::size_t set, std::int32_t node) { m_mesh.node_sets[set].nodes.push_back(node); }

    // Lengths times scale; sets in order and without repetition; regions and sets without members are left out; cells
    // of no region where others have one are in the region "unnamed".
    VolumeMesh finish(double scale);

private:
    void number_regions();

    VolumeMesh m_mesh;
    std::vector<std::int32_t> m_tetrahedron_region, m_hexahedron_region;
    std::map<std::string, std::int32_t> m_regions;
    std::map<std::string, std::size_t> m_sets;
};

}  // namespace plica::formats
