#include "geometry/mesh/formats/volume_builder.hpp"

#include <algorithm>

namespace plica::formats {

std::int32_t VolumeBuilder::region(const std::string& name) {
    const auto next = static_cast<std::int32_t>(m_mesh.region_names.size());
    const auto [entry, added] = m_regions.emplace(name, next);
    if (added) m_mesh.region_names.push_back(name);
    return entry->second;
}

std::size_t VolumeBuilder::node_set(const std::string& name) {
    const auto [entry, added] = m_sets.emplace(name, m_mesh.node_sets.size());
    if (added) m_mesh.node_sets.push_back({name, {}});
    return entry->second;
}

void VolumeBuilder::number_regions() {
    std::vector<std::int32_t>& region = m_mesh.region;
    region = std::move(m_tetrahedron_region);
    region.insert(region.end(), m_hexahedron_region.begin(), m_hexahedron_region.end());
    const bool none = std::all_of(region.begin(), region.end(), [](std::int32_t r) { return r == no_region; });
    if (none) {
        region.clear();
        m_mesh.region_names.clear();
        return;
    }
    if (std::find(region.begin(), region.end(), no_region) != region.end()) {
        std::replace(region.begin(), region.end(), no_region, this->region("unnamed"));
    }
    std::vector<char> used(m_mesh.region_names.size(), 0);
    for (const std::int32_t r : region) used[static_cast<std::size_t>(r)] = 1;
    std::vector<std::int32_t> number(used.size(), 0);
    std::vector<std::string> names;
    for (std::size_t r = 0; r < used.size(); ++r) {
        number[r] = static_cast<std::int32_t>(names.size());
        if (used[r] != 0) names.push_back(m_mesh.region_names[r]);
    }
    for (std::int32_t& r : region) r = number[static_cast<std::size_t>(r)];
    m_mesh.region_names = std::move(names);
}

VolumeMesh VolumeBuilder::finish(double scale) {
    number_regions();
    for (Vec3& place : m_mesh.nodes) place *= scale;
    for (NodeSet& set : m_mesh.node_sets) {
        std::sort(set.nodes.begin(), set.nodes.end());
        set.nodes.erase(std::unique(set.nodes.begin(), set.nodes.end()), set.nodes.end());
    }
    std::erase_if(m_mesh.node_sets, [](const NodeSet& set) { return set.nodes.empty(); });
    return std::move(m_mesh);
}

}  // namespace plica::formats
