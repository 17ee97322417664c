#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "core/index.hpp"
#include "tissue/tled/cell_numbers.hpp"
#include "tissue/tled/forces_kernel.hpp"
#include "tissue/tled/limit.hpp"
#include "tissue/tled/organ.hpp"

namespace plica::tled {
namespace {

constexpr std::size_t most_cells = 2048;  // of a block: its slots stay within the first cache

std::span<const std::int32_t> corners(const VolumeMesh& mesh, std::int32_t cell) {
    const std::size_t tetrahedra = mesh.tetrahedra.size();
    if (at(cell) < tetrahedra) return mesh.tetrahedra[at(cell)];
    return mesh.hexahedra[at(cell) - tetrahedra];
}

std::int32_t region_of(const VolumeMesh& mesh, std::int32_t cell) {
    return mesh.region.empty() ? 0 : mesh.region[at(cell)];
}

// Cuts cells into compact groups of equal size: in two where they reach furthest, again and again.
class Cutter {
public:
    explicit Cutter(const VolumeMesh& mesh) : m_mesh(mesh), m_center(mesh.cells()), m_seen(mesh.nodes.size(), -1) {
        for (std::size_t c = 0; c < m_center.size(); ++c) {
            Vec3 sum;
            const auto nodes = corners(mesh, static_cast<std::int32_t>(c));
            for (const std::int32_t n : nodes) sum += mesh.nodes[at(n)];
            sum = sum / static_cast<double>(nodes.size());
            m_center[c] = {static_cast<float>(sum.x), static_cast<float>(sum.y), static_cast<float>(sum.z)};
        }
    }

    // Calls emit(group) for each of them, in an order in which neighbours follow each other.
    template <class Emit>
    void cut(std::span<std::int32_t> cells, Emit&& emit) {
        if (cells.empty()) return;
        if (cells.size() <= most_cells && count_slots(cells) <= most_slots) {
            std::sort(cells.begin(), cells.end());
            emit(cells);
            return;
        }
        const std::size_t groups = std::max<std::size_t>(2, (cells.size() + most_cells - 1) / most_cells);
        const std::size_t batches = (cells.size() + batch_lanes - 1) / batch_lanes;
        const std::size_t half =
            std::clamp<std::size_t>(batches * (groups / 2) / groups * batch_lanes, 1, cells.size() - 1);
        const std::size_t axis = longest_axis(cells);
        std::nth_element(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(half), cells.end(),
                         [&](std::int32_t a, std::int32_t b) {
                             const float p = m_center[at(a)][axis], q = m_center[at(b)][axis];
                             return p != q ? p < q : a < b;
                         });
        cut(cells.subspan(0, half), emit);
        cut(cells.subspan(half), emit);
    }

private:
    std::size_t longest_axis(std::span<const std::int32_t> cells) const {
        std::array<float, 3> low = m_center[at(cells[0])], high = low;
        for (const std::int32_t c : cells) {
            for (std::size_t i = 0; i < 3; ++i) {
                low[i] = std::min(low[i], m_center[at(c)][i]);
                high[i] = std::max(high[i], m_center[at(c)][i]);
            }
        }
        std::size_t longest = 0;
        for (std::size_t i = 1; i < 3; ++i) longest = high[i] - low[i] > high[longest] - low[longest] ? i : longest;
        return longest;
    }

    int count_slots(std::span<const std::int32_t> cells) {
        ++m_round;
        int slots = 0;
        for (const std::int32_t c : cells) {
            for (const std::int32_t n : corners(m_mesh, c)) {
                slots += m_seen[at(n)] != m_round ? 1 : 0;
                m_seen[at(n)] = m_round;
            }
        }
        return slots;
    }

    const VolumeMesh& m_mesh;
    std::vector<std::array<float, 3>> m_center;
    std::vector<std::int32_t> m_seen;
    std::int32_t m_round = -1;
};

// The order of cells: tetrahedra before hexahedra, then by region, then by groups; blocks with their cells' range.
std::vector<std::int32_t> order_cells(const VolumeMesh& mesh, const OrganSettings& settings, Organ& organ) {
    const auto tetrahedra = static_cast<std::int32_t>(mesh.tetrahedra.size());
    std::vector<std::int32_t> order(mesh.cells());
    std::iota(order.begin(), order.end(), 0);
    const auto group = [&](std::int32_t c) { return std::pair(c >= tetrahedra, region_of(mesh, c)); };
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return group(a) < group(b); });
    Cutter cutter(mesh);
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        while (end < order.size() && group(order[end]) == group(order[begin])) ++end;
        const auto [hexahedron, region] = group(order[begin]);
        cutter.cut(std::span(order).subspan(begin, end - begin),
                   [&, kind_is_h8 = hexahedron, material = region](std::span<const std::int32_t> cells) {
                       Block block;
                       block.kind = kind_is_h8 ? ElementKind::h8 : settings.tetrahedra;
                       block.material = material;
                       block.first_cell = static_cast<std::int32_t>(cells.data() - order.data());
                       block.cells = static_cast<std::int32_t>(cells.size());
                       block.batches = (block.cells + batch_lanes - 1) / batch_lanes;
                       organ.blocks.push_back(block);
                   });
        begin = end;
    }
    return order;
}

// Reorders the mesh's cells; returns the order of nodes in which these cells touch them first.
std::vector<std::int32_t> reorder(VolumeMesh& mesh, const std::vector<std::int32_t>& order) {
    const std::size_t tetrahedra = mesh.tetrahedra.size();
    std::vector<std::int32_t> number(mesh.nodes.size(), -1), old;
    old.reserve(mesh.nodes.size());
    for (const std::int32_t c : order) {
        for (const std::int32_t n : corners(mesh, c)) {
            if (number[at(n)] >= 0) continue;
            number[at(n)] = static_cast<std::int32_t>(old.size());
            old.push_back(n);
        }
    }
    for (std::size_t n = 0; n < number.size(); ++n) {  // nodes of no cell come last
        if (number[n] >= 0) continue;
        number[n] = static_cast<std::int32_t>(old.size());
        old.push_back(static_cast<std::int32_t>(n));
    }
    const auto cells_before = std::pair(std::move(mesh.tetrahedra), std::move(mesh.hexahedra));
    const std::vector<std::int32_t> region_before = std::move(mesh.region);
    mesh.tetrahedra = {};
    mesh.hexahedra = {};
    mesh.region = {};
    mesh.tetrahedra.reserve(tetrahedra);
    mesh.hexahedra.reserve(order.size() - tetrahedra);
    for (const std::int32_t c : order) {
        const auto renumbered = [&](auto cell) {
            for (std::int32_t& n : cell) n = number[at(n)];
            return cell;
        };
        if (at(c) < tetrahedra) {
            mesh.tetrahedra.push_back(renumbered(cells_before.first[at(c)]));
        } else {
            mesh.hexahedra.push_back(renumbered(cells_before.second[at(c) - tetrahedra]));
        }
        if (!region_before.empty()) mesh.region.push_back(region_before[at(c)]);
    }
    std::vector<Vec3> nodes(old.size());
    for (std::size_t n = 0; n < old.size(); ++n) nodes[n] = mesh.nodes[at(old[n])];
    mesh.nodes = std::move(nodes);
    for (NodeSet& set : mesh.node_sets) {
        for (std::int32_t& n : set.nodes) n = number[at(n)];
        std::sort(set.nodes.begin(), set.nodes.end());
    }
    return old;
}

// Slots of each block, in the order of nodes, and the cells' corners in terms of them.
void add_slots(const VolumeMesh& mesh, Organ& organ) {
    std::vector<std::int32_t> slot(mesh.nodes.size());
    std::size_t indices = 0;
    for (const Block& block : organ.blocks) indices += at(block.batches * corners_of(block.kind) * batch_lanes);
    organ.index.reserve(indices);
    for (Block& block : organ.blocks) {
        const int count = corners_of(block.kind);
        block.first_slot = static_cast<std::int32_t>(organ.slot_node.size());
        block.first_index = organ.index.size();
        std::vector<std::int32_t> nodes;
        for (std::int32_t c = 0; c < block.cells; ++c) {
            const auto of_cell = corners(mesh, block.first_cell + c);
            nodes.insert(nodes.end(), of_cell.begin(), of_cell.end());
        }
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        block.slots = static_cast<std::int32_t>(nodes.size());
        for (std::size_t s = 0; s < nodes.size(); ++s) slot[at(nodes[s])] = static_cast<std::int32_t>(s);
        organ.slot_node.insert(organ.slot_node.end(), nodes.begin(), nodes.end());
        organ.index.resize(organ.index.size() + at(block.batches * count * batch_lanes), 0);
        for (std::int32_t c = 0; c < block.cells; ++c) {
            const CellPlace place = place_of(block, c);
            const auto of_cell = corners(mesh, block.first_cell + c);
            for (int k = 0; k < count; ++k) {
                organ.index[block.first_index + at((place.batch * count + k) * batch_lanes + place.lane)] =
                    static_cast<std::uint16_t>(slot[at(of_cell[at(k)])]);
            }
        }
    }
}

void list_slots_by_node(std::size_t nodes, Organ& organ) {
    organ.slot_node.shrink_to_fit();
    organ.first_slot.assign(nodes + 1, 0);
    for (const std::int32_t n : organ.slot_node) ++organ.first_slot[at(n) + 1];
    std::partial_sum(organ.first_slot.begin(), organ.first_slot.end(), organ.first_slot.begin());
    organ.slots.resize(organ.slot_node.size());
    std::vector<std::int32_t> next(organ.first_slot.begin(), organ.first_slot.end() - 1);
    for (std::size_t s = 0; s < organ.slot_node.size(); ++s) {
        organ.slots[at(next[at(organ.slot_node[s])]++)] = static_cast<std::int32_t>(s);
    }
}

template <class S>
void fill_numbers(const VolumeMesh& mesh, Organ& organ, CellData<S>& data) {
    std::size_t lines = 0;
    organ.least_altitude = std::numeric_limits<double>::infinity();
    for (Block& block : organ.blocks) {
        block.first_number = lines;
        lines += at(block.batches * numbers_of(block.kind));
    }
    data.number.assign(lines, Line<S>{});
    if (organ.settings.tetrahedra == ElementKind::t4anp) data.slot_volume.assign(organ.slot_node.size(), S(0));
    for (const Block& block : organ.blocks) {
        const Material& material = organ.materials[at(block.material)];
        for (std::int32_t c = 0; c < block.cells; ++c) {
            const CellPlace place = place_of(block, c);
            const auto nodes = corners(mesh, block.first_cell + c);
            const CellNumbers numbers = compute_cell_numbers(mesh.nodes, nodes, material, organ.settings.hourglass);
            const int count = numbers_of(block.kind);
            organ.least_altitude = std::min(organ.least_altitude, least_altitude(numbers, block.kind));
            for (int i = 0; i < count; ++i) {
                data.number[block.first_number + at(place.batch * count + i)].at[place.lane] =
                    static_cast<S>(numbers.at[at(i)]);
            }
            if (block.kind != ElementKind::t4anp) continue;
            for (int k = 0; k < 4; ++k) {
                const std::size_t index = block.first_index + at((place.batch * 4 + k) * batch_lanes + place.lane);
                data.slot_volume[at(block.first_slot) + organ.index[index]] += static_cast<S>(0.25 * numbers.at[9]);
            }
        }
    }
}

void check_materials(const VolumeMesh& mesh, const Organ& organ) {
    std::int32_t regions = 1;
    for (const std::int32_t r : mesh.region) regions = std::max(regions, r + 1);
    if (at(regions) > organ.materials.size()) {
        throw Error("the mesh has " + std::to_string(regions) + " regions; expected a material for each, found " +
                    std::to_string(organ.materials.size()));
    }
}

}  // namespace

Organ build_organ(VolumeMesh& mesh, std::vector<Material> materials, const OrganSettings& settings,
                  std::vector<std::int32_t>* node_order) {
    Organ organ;
    organ.settings = settings;
    organ.materials = std::move(materials);
    organ.nodes = static_cast<std::int32_t>(mesh.nodes.size());
    check_materials(mesh, organ);
    organ.source = order_cells(mesh, settings, organ);
    std::vector<std::int32_t> old = reorder(mesh, organ.source);
    if (node_order != nullptr) *node_order = std::move(old);
    add_slots(mesh, organ);
    list_slots_by_node(mesh.nodes.size(), organ);
    for (Block& block : organ.blocks) {
        block.first_history = organ.history;
        organ.history += at(block.batches * organ.materials[at(block.material)].relaxations * 6 * batch_lanes);
    }
    settings.exact ? fill_numbers(mesh, organ, organ.exact) : fill_numbers(mesh, organ, organ.single);
    organ.shortest_step = 0.25 * bound_step(organ).seconds;
    return organ;
}

std::vector<double> lump_masses(const VolumeMesh& mesh, std::span<const Material> materials) {
    std::vector<double> mass(mesh.nodes.size(), 0.0);
    for (std::size_t c = 0; c < mesh.cells(); ++c) {
        const auto nodes = corners(mesh, static_cast<std::int32_t>(c));
        const Material& material = materials[at(region_of(mesh, static_cast<std::int32_t>(c)))];
        const double share = material.density * compute_volume(mesh.nodes, nodes) / static_cast<double>(nodes.size());
        for (const std::int32_t n : nodes) mass[at(n)] += share;
    }
    return mass;
}

const Block& block_of(const Organ& organ, std::size_t cell) {
    const auto after = std::upper_bound(organ.blocks.begin(), organ.blocks.end(), cell,
                                        [](std::size_t c, const Block& b) { return c < at(b.first_cell); });
    return *(after - 1);
}

CellNodes nodes_of(const Organ& organ, std::size_t cell) {
    const Block& block = block_of(organ, cell);
    const CellPlace place = place_of(block, static_cast<std::int32_t>(cell) - block.first_cell);
    CellNodes nodes{{}, corners_of(block.kind)};
    for (int k = 0; k < nodes.count; ++k) {
        const std::size_t index = block.first_index + at((place.batch * nodes.count + k) * batch_lanes + place.lane);
        nodes.node[k] = organ.slot_node[at(block.first_slot) + organ.index[index]];
    }
    return nodes;
}

}  // namespace plica::tled
