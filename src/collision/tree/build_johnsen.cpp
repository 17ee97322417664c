#include <algorithm>

#include "collision/tree/build.hpp"
#include "collision/tree/cone.hpp"
#include "core/elementary.hpp"
#include "core/index.hpp"

// Johnsen et al. 2012, eq. 2 to 4, with the restriction to neighbours that its text asks for.
namespace plica {
namespace {

constexpr std::uint8_t unassigned = 1;

struct Child {
    std::vector<std::int32_t> facets{};
    Bounds box{};
    Vec3 sum{};
};

// Eq. 3: the opening around the mean normal.
double opening(const Division& division, const Child& child, std::int32_t added) {
    const std::vector<Vec3>& normal = division.facets.normal;
    const Vec3 axis = normalized(child.sum + normal[at(added)]);
    double least = dot(axis, normal[at(added)]);
    for (const std::int32_t f : child.facets) least = std::min(least, dot(axis, normal[at(f)]));
    division.counts.costs += static_cast<std::int64_t>(child.facets.size());
    return 2.0 * elementary::acos(std::clamp(least, -1.0, 1.0));
}

// Eq. 2 with the factor of eq. 4.
double cost(const Division& division, const Child& child, std::int32_t added) {
    const double factor = division.cluster_volume / std::numbers::pi * static_cast<double>(child.facets.size() + 1);
    const Bounds box = merge(child.box, division.facets.bounds[at(added)]);
    return volume_of(box, division.facets.mean_edge) + factor * opening(division, child, added);
}

void take(const Division& division, Child& child, std::int32_t f, std::uint8_t number) {
    child.facets.push_back(f);
    child.box = merge(child.box, division.facets.bounds[at(f)]);
    child.sum += division.facets.normal[at(f)];
    division.mark[at(f)] = number;
}

// The cheapest free neighbour; -1: none.
std::int32_t find_cheapest(const Division& division, const Child& child) {
    std::int32_t best = -1;
    double least = Bounds::nothing;
    for (const std::int32_t f : child.facets) {
        for (const std::int32_t n : division.facets.neighbour[at(f)]) {
            if (n < 0 || division.mark[at(n)] != unassigned || n == best) continue;
            const double c = cost(division, child, n);
            if (!(c < least)) continue;
            least = c;
            best = n;
        }
    }
    return best;
}

std::pair<std::int32_t, std::int32_t> farthest_apart(const Facets& facets, std::span<const std::int32_t> set) {
    std::pair<std::int32_t, std::int32_t> best{set[0], set[1]};
    double most = -1.0;
    for (std::size_t i = 0; i < set.size(); ++i) {
        for (std::size_t j = i + 1; j < set.size(); ++j) {
            const double d = squared_norm(facets.centre[at(set[i])] - facets.centre[at(set[j])]);
            if (!(d > most)) continue;
            most = d;
            best = {set[i], set[j]};
        }
    }
    return best;
}

}  // namespace

std::size_t divide_as_johnsen(const Division& division, std::span<std::int32_t> set) {
    for (const std::int32_t f : set) division.mark[at(f)] = unassigned;
    const auto [seed, other] = farthest_apart(division.facets, set);
    Child child[2];
    take(division, child[0], seed, 2);
    take(division, child[1], other, 3);
    bool stuck[2] = {false, false};
    for (int k = 0; !stuck[0] || !stuck[1]; k = 1 - k) {
        const std::int32_t f = find_cheapest(division, child[k]);
        stuck[k] = f < 0;
        if (f >= 0) take(division, child[k], f, static_cast<std::uint8_t>(2 + k));
    }
    const auto middle =
        std::stable_partition(set.begin(), set.end(), [&](std::int32_t f) { return division.mark[at(f)] != 3; });
    for (const std::int32_t f : set) division.mark[at(f)] = 0;
    return static_cast<std::size_t>(middle - set.begin());
}

}  // namespace plica
