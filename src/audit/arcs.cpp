#include "audit/arcs.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <queue>
#include <utility>

namespace plica::audit {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

// Lengths at rest between nodes, and which primitives are at a node.
class Web {
public:
    explicit Web(std::size_t nodes) : m_links(nodes), m_primitives(nodes), m_arc(nodes, unreached) {}

    void link(std::size_t a, std::size_t b, double length) {
        m_links[a].push_back({b, length});
        m_links[b].push_back({a, length});
    }
    void place(const Primitive& p, std::int32_t number) {
        for (std::size_t k = 0; k < 3; ++k)
            if (k == 0 || p.nodes[k] != p.nodes[k - 1]) m_primitives[p.nodes[k]].push_back(number);
    }

    // Calls `found` with every primitive at a node of p, or at one less than `limit` away from its nearest end; with
    // some more than once.
    template <class Found>
    void spread(const Primitive& p, double limit, const Found& found) {
        for (const std::size_t start : p.nodes) reach(start, 0.0);
        while (!m_front.empty()) {
            const auto [arc, node] = m_front.top();
            m_front.pop();
            if (arc > m_arc[node]) continue;
            for (const std::int32_t number : m_primitives[node]) found(number);
            for (const Link& l : m_links[node])
                if (arc + l.length < limit) reach(l.node, arc + l.length);
        }
        for (const std::size_t node : m_touched) m_arc[node] = unreached;
        m_touched.clear();
    }

private:
    struct Link {
        std::size_t node;
        double length;
    };
    using Front = std::pair<double, std::size_t>;

    void reach(std::size_t node, double arc) {
        if (arc >= m_arc[node]) return;
        m_arc[node] = arc;
        m_touched.push_back(node);
        m_front.push({arc, node});
    }

    std::vector<std::vector<Link>> m_links;
    std::vector<std::vector<std::int32_t>> m_primitives;
    std::vector<double> m_arc;
    std::vector<std::size_t> m_touched;
    std::priority_queue<Front, std::vector<Front>, std::greater<>> m_front;
};

}  // namespace

// Two webs: a membrane between two loops does not make them neighbours, but it is one of the tube that it hangs on.
void find_near_by_arc(std::span<const Primitive> primitives, std::span<const Vec3> rest,
                      std::vector<std::array<std::int32_t, 2>>& pairs) {
    const auto concerned = [](const Primitive& p) { return p.chain >= 0 && p.column_min < 0; };
    if (std::none_of(primitives.begin(), primitives.end(), concerned)) return;
    Web tubes(rest.size()), all(rest.size());
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const Primitive& p = primitives[i];
        if (!concerned(p)) continue;
        const auto number = static_cast<std::int32_t>(i);
        (p.capsule ? tubes : all).place(p, number);
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t a = p.nodes[k], b = p.nodes[(k + 1) % 3];
            if (a == b || (p.capsule && k > 0)) continue;
            all.link(a, b, distance(rest[a], rest[b]));
            if (p.capsule) tubes.link(a, b, distance(rest[a], rest[b]));
        }
    }
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const Primitive& p = primitives[i];
        if (!concerned(p) || !p.capsule) continue;
        const auto number = static_cast<std::int32_t>(i);
        const auto add = [&](std::int32_t other) {
            if (other != number) pairs.push_back({std::min(number, other), std::max(number, other)});
        };
        tubes.spread(p, std::numbers::pi * p.radius, add);
        all.spread(p, std::numbers::pi * p.radius, add);
    }
}

}  // namespace plica::audit
