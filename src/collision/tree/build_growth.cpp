#include <algorithm>

#include "collision/tree/build.hpp"
#include "collision/tree/cone.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

constexpr std::uint8_t waiting = 1, taken = 2;  // 2 and 3: by the first and the second child

std::int32_t farthest_from(const Facets& facets, std::span<const std::int32_t> set, const Vec3& from) {
    std::int32_t best = set[0];
    double most = -1.0;
    for (const std::int32_t f : set) {
        const double d = squared_norm(facets.centre[at(f)] - from);
        if (d > most) {
            most = d;
            best = f;
        }
    }
    return best;
}

// A child that grows facet by facet from its seed. What lies at its front waits in a heap by what it would cost.
class Front {
public:
    Front(const Division& division, double cone_weight, std::uint8_t number)
        : m_division(division), m_cone_weight(cone_weight), m_number(number) {}

    [[nodiscard]] std::size_t size() const { return m_size; }

    void take(std::int32_t f) {
        const Facets& facets = m_division.facets;
        const Grown grown = with(f);
        m_box = grown.box;
        m_sum += facets.normal[at(f)];
        m_cone = grown.cone;
        ++m_size;
        m_division.mark[at(f)] = static_cast<std::uint8_t>(taken + m_number);
        for (const std::int32_t n : facets.neighbour[at(f)]) {
            if (n >= 0 && m_division.mark[at(n)] == waiting) push({cost(n), n});
        }
    }

    // The cheapest facet at the front that is still free; -1: none. Costs only rise as a child grows; one that rose by
    // more than a twentieth since it was put there is put back.
    std::int32_t pop() {
        while (!m_heap.empty()) {
            std::pop_heap(m_heap.begin(), m_heap.end(), later);
            const Entry entry = m_heap.back();
            m_heap.pop_back();
            ++m_division.counts.heap_operations;
            if (m_division.mark[at(entry.facet)] != waiting) continue;
            const double now = cost(entry.facet);
            if (!(now > 1.05 * entry.cost)) return entry.facet;
            push({now, entry.facet});
        }
        return -1;
    }

private:
    struct Entry {
        double cost;
        std::int32_t facet;
    };
    static bool later(const Entry& a, const Entry& b) {
        return a.cost > b.cost || (a.cost == b.cost && a.facet > b.facet);
    }
    struct Grown {
        Bounds box;
        Cone cone;
    };

    // The cone is a bound in constant time: the old one around the new mean normal, and the new facet's.
    [[nodiscard]] Grown with(std::int32_t f) const {
        const Facets& facets = m_division.facets;
        const Vec3& n = facets.normal[at(f)];
        Cone cone{normalized(m_sum + n), 0.0};
        if (m_size > 0) {
            cone.half = std::min(std::numbers::pi, std::max(m_cone.half + angle_between(m_cone.axis, cone.axis),
                                                            angle_between(n, cone.axis)));
        }
        return {merge(m_box, facets.bounds[at(f)]), cone};
    }
    [[nodiscard]] double cost(std::int32_t f) const {
        const Grown grown = with(f);
        return volume_of(grown.box, m_division.facets.mean_edge) / m_division.cluster_volume +
               m_cone_weight * 2.0 * grown.cone.half / std::numbers::pi;
    }
    void push(const Entry& entry) {
        m_heap.push_back(entry);
        std::push_heap(m_heap.begin(), m_heap.end(), later);
        ++m_division.counts.heap_operations;
    }

    const Division& m_division;
    double m_cone_weight;
    std::uint8_t m_number;
    std::size_t m_size = 0;
    Bounds m_box;
    Vec3 m_sum;
    Cone m_cone;
    std::vector<Entry> m_heap;
};

}  // namespace

std::size_t divide_by_growth(const Division& division, std::span<std::int32_t> set, double cone_weight) {
    const Facets& facets = division.facets;
    for (const std::int32_t f : set) division.mark[at(f)] = waiting;
    const std::int32_t seed = farthest_from(facets, set, facets.centre[at(set[0])]);
    std::int32_t other = farthest_from(facets, set, facets.centre[at(seed)]);
    if (other == seed) other = set[0] == seed ? set[1] : set[0];  // all in one place
    Front front[2] = {{division, cone_weight, 0}, {division, cone_weight, 1}};
    front[0].take(seed);
    front[1].take(other);
    // The smaller one grows, or the other when nothing is left at its front.
    for (std::size_t left = set.size() - 2; left > 0; --left) {
        const int smaller = front[0].size() <= front[1].size() ? 0 : 1;
        int grows = smaller;
        std::int32_t f = front[grows].pop();
        if (f < 0) f = front[grows = 1 - smaller].pop();
        if (f < 0) break;  // the rest hangs on edges of more than two facets
        front[grows].take(f);
    }
    const auto middle = std::stable_partition(set.begin(), set.end(),
                                              [&](std::int32_t f) { return division.mark[at(f)] != taken + 1; });
    for (const std::int32_t f : set) division.mark[at(f)] = 0;
    return static_cast<std::size_t>(middle - set.begin());
}

}  // namespace plica
