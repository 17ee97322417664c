#include "audit/chains.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

#include "audit/primitive.hpp"

namespace plica::audit {
namespace {

// Nodes that hang together.
class Groups {
public:
    explicit Groups(std::size_t nodes) : m_parent(nodes) { std::iota(m_parent.begin(), m_parent.end(), 0); }
    std::int32_t of(std::int32_t node) {
        while (m_parent[index(node)] != node) {
            m_parent[index(node)] = m_parent[index(m_parent[index(node)])];
            node = m_parent[index(node)];
        }
        return node;
    }
    void join(std::int32_t a, std::int32_t b) { m_parent[index(of(a))] = of(b); }

private:
    std::vector<std::int32_t> m_parent;
};

}  // namespace

void set_chains(Surface& surface, std::span<const std::int32_t> columns) {
    Groups groups(columns.size());
    for (const Capsule& c : surface.capsules) groups.join(c.a, c.b);
    for (const Triangle& t : surface.triangles) {
        groups.join(t.a, t.b);
        groups.join(t.a, t.c);
    }
    std::vector<std::uint8_t> known(columns.size(), 1);  // by group
    const auto note = [&](std::int32_t node) {
        if (columns[index(node)] < 0) known[index(groups.of(node))] = 0;
    };
    for (const Capsule& c : surface.capsules) {
        note(c.a);
        note(c.b);
    }
    for (const Triangle& t : surface.triangles) {
        note(t.a);
        note(t.b);
        note(t.c);
    }
    for (Capsule& c : surface.capsules) {
        c.chain = groups.of(c.a);
        c.column = known[index(c.chain)] != 0 ? std::min(columns[index(c.a)], columns[index(c.b)]) : -1;
    }
    for (Triangle& t : surface.triangles) {
        t.chain = groups.of(t.a);
        const auto [lo, hi] = std::minmax({columns[index(t.a)], columns[index(t.b)], columns[index(t.c)]});
        t.column_min = known[index(t.chain)] != 0 ? lo : -1;
        t.column_max = known[index(t.chain)] != 0 ? hi : -1;
    }
}

std::vector<ChainKind> find_chain_kinds(const Surface& surface) {
    std::vector<std::array<std::int32_t, 3>> edges;  // with the chain last
    std::map<std::int32_t, ChainKind> kinds;
    for (const Triangle& t : surface.triangles) {
        for (const auto& [a, b] : {std::minmax(t.a, t.b), std::minmax(t.b, t.c), std::minmax(t.c, t.a)})
            edges.push_back({a, b, t.chain});
        kinds[t.chain] = ChainKind::closed;
    }
    std::sort(edges.begin(), edges.end());
    for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
        while (end < edges.size() && edges[end] == edges[i]) ++end;
        if ((end - i) % 2 != 0) kinds[edges[i][2]] = ChainKind::open;
    }
    for (const Capsule& c : surface.capsules) kinds[c.chain] = ChainKind::mixed;
    std::vector<ChainKind> of_triangles;
    for (const Triangle& t : surface.triangles) of_triangles.push_back(kinds[t.chain]);
    return of_triangles;
}

}  // namespace plica::audit
