#include "tissue/mass_spring/graded_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/index.hpp"
#include "tissue/mass_spring/elimination.hpp"

namespace plica::mass_spring {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

constexpr std::int32_t graded_chunks = 8;

class GradedBuilder {
public:
    GradedBuilder(const Network& network, const Sheet& sheet)
        : m_network(network), m_sheet(sheet), m_shape{sheet.slots} {
        find_places();
        const std::int32_t period = std::max(1, sheet.period);
        m_length = std::max(3, (sheet.columns / graded_chunks / period + 1) * period);
        while (m_length <= sheet.columns && !fits()) m_length += period;  // cut elsewhere; at last, one chunk for all
    }

    GradedTable build() {
        number_unknowns();
        add_springs();
        add_bending();
        eliminate();
        add_nodes();
        add_targets();
        return std::move(m_table);
    }

private:
    struct Place {
        std::int32_t column = -1, slot = -1;
    };
    [[nodiscard]] Place place_of(std::int32_t node) const {
        return at(node) < m_place.size() ? m_place[at(node)] : Place{};
    }
    void find_places() {
        for (std::int32_t c = 0; c < m_sheet.columns; ++c) {
            for (std::int32_t slot = 0; slot < m_sheet.slots; ++slot) {
                const std::int32_t node = m_sheet.node[at(c * m_sheet.slots + slot)];
                if (node < 0) continue;
                if (m_place.size() <= at(node)) m_place.resize(at(node) + 1);
                m_place[at(node)] = {c, slot};
                m_any_node = node;
            }
        }
    }
    [[nodiscard]] std::int32_t chunk_of(const Spring& s) const {
        const std::int32_t a = place_of(s.a).column, b = place_of(s.b).column;
        return (a < 0 ? b : b < 0 ? a : std::min(a, b)) / m_length;
    }
    // Does no spring reach across the first column of a chunk?
    [[nodiscard]] bool fits() const {
        for (std::int32_t k = m_sheet.first; k < m_sheet.first + m_sheet.count; ++k) {
            const Spring& s = m_network.springs[at(k)];
            const std::int32_t furthest = std::max(place_of(s.a).column, place_of(s.b).column);
            if (furthest > (chunk_of(s) + 1) * m_length) return false;
        }
        return true;
    }

    [[nodiscard]] std::int32_t node_at(std::int32_t chunk, std::int32_t t, std::int32_t slot) const {
        const std::int32_t column = chunk * m_length + t;
        if (column < 0 || column >= m_sheet.columns) return -1;
        return m_sheet.node[at(column * m_sheet.slots + slot)];
    }
    [[nodiscard]] bool in_any_chunk(std::int32_t t, std::int32_t slot) const {
        for (std::int32_t chunk = 0; chunk < graded_chunks; ++chunk) {
            if (node_at(chunk, t, slot) >= 0) return true;
        }
        return slot == 0;
    }
    std::int32_t& unknown(std::int32_t t, std::int32_t slot) { return m_unknown[at((t + 1) * m_sheet.slots + slot)]; }
    void number(std::int32_t t, std::int32_t slot) {
        unknown(t, slot) = static_cast<std::int32_t>(m_where.size());
        m_where.push_back({t, slot});
    }
    // First those of each chunk alone, then the separator on the right, then on the left, as in FrontShape.
    void number_unknowns() {
        const std::int32_t slots = m_sheet.slots, last = m_length - 1;
        m_unknown.assign(at((m_length + 2) * slots), -1);
        for (std::int32_t t = 1; t <= last; ++t) {
            for (std::int32_t slot = t == last ? 1 : 0; slot < slots; ++slot) {
                if (in_any_chunk(t, slot)) number(t, slot);
            }
        }
        m_table.pivots = static_cast<std::int32_t>(m_where.size());
        number(last, 0);
        for (std::int32_t slot = slots - 1; slot >= 0; --slot) number(m_length, slot);
        number(-1, 0);
        for (std::int32_t slot = slots - 1; slot >= 0; --slot) number(0, slot);
        m_neighbours.resize(m_where.size());
    }

    void couple(std::int32_t a, std::int32_t b) {
        if (a < 0 || b < 0 || a == b) return;
        insert_sorted(m_neighbours[at(a)], b);
        insert_sorted(m_neighbours[at(b)], a);
    }

    [[nodiscard]] std::int32_t unknown_of(std::int32_t node, std::int32_t chunk) {
        const Place place = place_of(node);
        return place.column < 0 ? -1 : unknown(place.column - chunk * m_length, place.slot);
    }
    // Springs that lie alike in all chunks share a batch.
    void add_springs() {
        std::map<Pair, std::vector<std::int32_t>> batches;
        for (std::int32_t k = m_sheet.first; k < m_sheet.first + m_sheet.count; ++k) {
            const Spring& s = m_network.springs[at(k)];
            const std::int32_t chunk = chunk_of(s);
            const Pair ends{unknown_of(s.a, chunk), unknown_of(s.b, chunk)};
            couple(ends.first, ends.second);
            std::vector<std::int32_t>& alike = batches[ends];
            const auto has_room = [&](std::int32_t batch) {
                return m_table.stiffness[at(graded_chunks * batch + chunk)] == 0.0;
            };
            auto batch = std::find_if(alike.begin(), alike.end(), has_room);
            if (batch == alike.end()) {
                add_batch(ends, s);
                batch = alike.insert(alike.end(), static_cast<std::int32_t>(m_table.row_a.size()) - 1);
            }
            const std::size_t i = at(graded_chunks * *batch + chunk);
            m_table.a[i] = s.a;
            m_table.b[i] = s.b;
            m_table.rest[i] = s.rest;
            m_table.slack[i] = s.slack;
            m_table.stiffness[i] = s.stiffness;
            m_table.compression[i] = s.compression;
        }
    }
    void add_batch(const Pair& ends, const Spring& s) {
        m_table.row_a.push_back(ends.first);
        m_table.row_b.push_back(ends.second);
        m_table.a.insert(m_table.a.end(), graded_chunks, s.a);
        m_table.b.insert(m_table.b.end(), graded_chunks, s.b);
        for (auto* reals : {&m_table.rest, &m_table.slack, &m_table.stiffness, &m_table.compression}) {
            reals->insert(reals->end(), graded_chunks, 0.0);
        }
    }

    void add_bending() {
        for (std::int32_t t = -1; t + 1 < m_length; ++t) {
            const std::int32_t nodes[3] = {unknown(t, 0), unknown(t + 1, 0), unknown(t + 2, 0)};
            m_table.bent.insert(m_table.bent.end(), nodes, nodes + 3);
            for (std::int32_t chunk = 0; chunk < graded_chunks; ++chunk) {
                const std::int32_t column = chunk * m_length + t;
                m_table.bending.push_back(column >= 0 && column + 2 < m_sheet.columns ? m_sheet.bending : 0.0);
            }
            couple(nodes[0], nodes[1]);
            couple(nodes[0], nodes[2]);
            couple(nodes[1], nodes[2]);
        }
    }

    void eliminate() {
        const auto kept = static_cast<std::int32_t>(m_where.size()) - m_table.pivots;
        m_plan = plan_elimination(m_neighbours, kept);
        for (std::vector<std::int32_t>* list : {&m_table.row_a, &m_table.row_b, &m_table.bent}) {
            for (std::int32_t& i : *list) i = i < 0 ? -1 : m_plan.order[at(i)];
        }
        std::vector<Place> where(m_where.size());
        for (std::size_t i = 0; i < where.size(); ++i) where[at(m_plan.order[i])] = m_where[i];
        m_where = where;
        for (const std::vector<std::int32_t>& row : m_plan.pattern) {
            const auto first = static_cast<std::int32_t>(m_table.columns.size());
            m_table.columns.insert(m_table.columns.end(), row.begin(), row.end());
            m_table.rows.push_back({m_table.row_blocks, first, static_cast<std::int32_t>(m_table.columns.size())});
            m_table.row_blocks += static_cast<std::int32_t>(row.size()) + 2;
        }
    }

    // Of an unknown that stays: its place in FrontShape.
    [[nodiscard]] std::int32_t front_of(std::int32_t i) const {
        const std::int32_t k = i - m_table.pivots, right = m_sheet.slots + 1;
        return k < right ? m_shape.here(0) + k : m_shape.left_slot() + k - right;
    }
    [[nodiscard]] std::int32_t block_between(std::int32_t i, std::int32_t j) const {
        if (i > j) std::swap(i, j);
        if (i >= m_table.pivots) return m_table.row_blocks + front_of(i) * (m_shape.nodes() + 1) + front_of(j);
        if (i == j) return m_table.rows[at(i)].block;
        const std::vector<std::int32_t>& row = m_plan.pattern[at(i)];
        const auto place = std::lower_bound(row.begin(), row.end(), j) - row.begin();
        return m_table.rows[at(i)].block + 1 + static_cast<std::int32_t>(place);
    }
    [[nodiscard]] std::int32_t load_of(std::int32_t i) const {
        if (i >= m_table.pivots) {
            return m_table.row_blocks + front_of(i) * (m_shape.nodes() + 1) + m_shape.nodes();
        }
        return m_table.rows[at(i)].block + 1 + static_cast<std::int32_t>(m_plan.pattern[at(i)].size());
    }

    void add_nodes() {
        const auto count = static_cast<std::int32_t>(m_where.size());
        for (std::int32_t i = 0; i < count; ++i) {
            const Place& where = m_where[at(i)];
            for (std::int32_t chunk = 0; chunk < graded_chunks; ++chunk) {
                const std::int32_t node = node_at(chunk, where.column, where.slot);
                const std::int32_t column = chunk * m_length + where.column;
                const bool gut = where.slot == 0 && column >= 0 && column < m_sheet.columns;  // held ones bend too
                m_table.node.push_back(node >= 0 ? node : gut ? m_sheet.first_node + column : m_any_node);
                m_table.there.push_back(node >= 0 ? 1.0 : 0.0);
            }
            const bool ours = where.column >= 0 && where.column < m_length;
            m_table.own_of.push_back(block_between(i, i));
            m_table.own.push_back(ours ? m_table.own_of.back() : -1);
            m_table.load.push_back(load_of(i));
        }
        for (std::size_t k = 0; k < m_table.row_a.size(); ++k) {
            const std::int32_t a = m_table.row_a[k], b = m_table.row_b[k];
            m_table.between.push_back(a < 0 || b < 0 ? -1 : block_between(a, b));
        }
        std::vector<std::int32_t> bent;
        for (std::size_t k = 0; k < m_table.bent.size(); k += 3) {
            const std::int32_t* n = &m_table.bent[k];
            bent.insert(bent.end(), n, n + 3);
            for (int i = 0; i < 3; ++i) {
                for (int j = i; j < 3; ++j) bent.push_back(block_between(n[i], n[j]));
            }
        }
        m_table.bent = std::move(bent);
    }

    // Whose rows have this unknown, in turn.
    [[nodiscard]] std::vector<std::vector<std::int32_t>> find_users() const {
        std::vector<std::vector<std::int32_t>> users(m_where.size());
        for (std::int32_t p = 0; p < m_table.pivots; ++p) {
            for (const std::int32_t i : m_plan.pattern[at(p)]) users[at(i)].push_back(p);
        }
        return users;
    }
    void add_target(GradedTarget::Kind kind, std::int32_t block, std::int32_t pivot, std::vector<Pair>& terms) {
        const auto first = static_cast<std::int32_t>(m_table.terms.size() / 2);
        for (const auto& [a, b] : terms) m_table.terms.insert(m_table.terms.end(), {a, b});
        m_table.targets.push_back({kind, block, pivot, first, static_cast<std::int32_t>(m_table.terms.size() / 2)});
        terms.clear();
    }
    void add_targets() {
        using Kind = GradedTarget::Kind;
        const std::vector<std::vector<std::int32_t>> users = find_users();
        const auto count = static_cast<std::int32_t>(m_where.size());
        std::vector<Pair> terms;
        for (std::int32_t i = 0; i < count; ++i) {
            const bool stays = i >= m_table.pivots;
            const std::int32_t pivot = stays ? -1 : m_table.rows[at(i)].block;
            std::vector<std::int32_t> row{i};
            if (stays) {
                for (std::int32_t j = i + 1; j < count; ++j) row.push_back(j);
            } else {
                row.insert(row.end(), m_plan.pattern[at(i)].begin(), m_plan.pattern[at(i)].end());
            }
            for (const std::int32_t j : row) {
                for (const std::int32_t p : users[at(i)]) {
                    const std::vector<std::int32_t>& of = m_plan.pattern[at(p)];
                    if (!std::binary_search(of.begin(), of.end(), j)) continue;
                    terms.emplace_back(block_between(p, i), block_between(p, j));
                }
                const Kind own = stays ? Kind::left_own : Kind::pivot;
                const Kind other = stays ? Kind::left_between : Kind::across;
                add_target(i == j ? own : other, block_between(i, j), pivot, terms);
            }
            for (const std::int32_t p : users[at(i)]) terms.emplace_back(block_between(p, i), load_of(p));
            add_target(stays ? Kind::left_load : Kind::load, load_of(i), pivot, terms);
        }
    }

    const Network& m_network;
    const Sheet& m_sheet;
    FrontShape m_shape;
    std::int32_t m_length = 3;  // columns of a chunk
    std::int32_t m_any_node = 0;
    std::vector<Place> m_place;           // per node of the world
    std::vector<std::int32_t> m_unknown;  // of (t, slot) from t = -1 on
    std::vector<Place> m_where;           // per unknown: column in its chunk, and slot
    std::vector<std::vector<std::int32_t>> m_neighbours;
    Elimination m_plan;
    GradedTable m_table;
};

}  // namespace

GradedTable build_graded_table(const Network& network, const Sheet& sheet) {
    return GradedBuilder(network, sheet).build();
}

}  // namespace plica::mass_spring
