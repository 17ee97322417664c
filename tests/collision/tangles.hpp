#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collision/recall.hpp"
#include "geometry/closest.hpp"
#include "tests/engine/worlds.hpp"

// Tangled tubes for the papers' detector, and what a double loop says of them.
namespace plica::testing {

using Key = std::pair<std::int32_t, std::int32_t>;

// Capsules at places of their own.
struct Tangle {
    Surface surface;
    Neighbours neighbours;
    std::vector<std::uint8_t> enabled;
    std::vector<Vec3> x;

    [[nodiscard]] TrackedView view() const { return {surface, neighbours, enabled, x}; }
    [[nodiscard]] const Capsule& capsule(std::int32_t i) const { return surface.capsules[static_cast<std::size_t>(i)]; }
    [[nodiscard]] double distance(std::int32_t a, std::int32_t b) const {
        const auto at = [&](std::int32_t n) { return x[static_cast<std::size_t>(n)]; };
        const Capsule& p = capsule(a);
        const Capsule& q = capsule(b);
        return std::sqrt(closest_segment_segment(at(p.a), at(p.b), at(q.a), at(q.b)).squared_distance);
    }
    [[nodiscard]] double radii(std::int32_t a, std::int32_t b) const { return capsule(a).radius + capsule(b).radius; }
    [[nodiscard]] bool is_edge_pair(std::int32_t a, std::int32_t b) const { return capsule(a).edge || capsule(b).edge; }
};

inline Tangle make_tangle(const Model& model, std::vector<Vec3> x) {
    return {model.surface, find_neighbours(model.surface), std::vector<std::uint8_t>(model.surface.capsules.size(), 1),
            std::move(x)};
}

// A pile that has fallen for a while, from an exact run.
inline Tangle make_pile(int segments, int frames) {
    const SceneDescription scene =
        read_scene(find_scene("intestine-pile", {"gut.segments=" + std::to_string(segments)}));
    World world = make_world(scene);
    const Inputs inputs = quiet_inputs(scene);
    for (int i = 0; i < frames; ++i) world.step(inputs);
    return make_tangle(world.model(), world.state().x);
}

// Gut and mesentery by edges, the nodes shaken by up to `shake`.
inline Tangle make_mesentery(const std::string& preset, double shake, std::uint64_t seed = 5) {
    const SceneDescription scene =
        read_scene(find_scene("intestine", {"gut.preset=" + preset, "gut.mesentery_contact=edges",
                                            "gut.segments=" + std::to_string(intestine_preset(preset).segments)}));
    const Built built = build_scene(scene, 1);
    Tangle tangle = make_tangle(built.model, built.state.x);
    Random random{seed};
    for (Vec3& p : tangle.x) {
        const double a = random.uniform(-shake, shake);
        const double b = random.uniform(-shake, shake);
        p += Vec3{a, b, random.uniform(-shake, shake)};
    }
    return tangle;
}

inline std::set<Key> keys(const std::vector<Pair>& pairs) {
    std::set<Key> result;
    for (const Pair& p : pairs) result.insert({p.a, p.b});
    return result;
}

// All pairs that may touch and are closer than `factor` sums of their radii.
inline std::set<Key> closer_than(const Tangle& tangle, double factor) {
    std::set<Key> result;
    const auto count = static_cast<std::int32_t>(tangle.surface.capsules.size());
    for (std::int32_t a = 0; a < count; ++a) {
        for (std::int32_t b = a + 1; b < count; ++b) {
            if (!capsules_can_touch(tangle.surface, static_cast<std::size_t>(a), static_cast<std::size_t>(b))) continue;
            if (tangle.distance(a, b) < factor * tangle.radii(a, b)) result.insert({a, b});
        }
    }
    return result;
}

// Next to each other, by columns and shared nodes.
inline bool are_neighbours(const Tangle& tangle, std::int32_t i, std::int32_t j) {
    const Capsule& p = tangle.capsule(i);
    const Capsule& q = tangle.capsule(j);
    if (p.edge != q.edge || p.chain != q.chain || p.chain < 0) return false;
    if (!p.edge) return std::abs(p.column - q.column) == 1;
    return p.a == q.a || p.a == q.b || p.b == q.a || p.b == q.b;
}

// The connected parts of a set of pairs; each pair has the number of its part.
inline std::map<Key, int> find_parts(const Tangle& tangle, const std::set<Key>& pairs) {
    std::map<Key, int> part;
    const auto meets = [&](std::int32_t i, std::int32_t j) { return i == j || are_neighbours(tangle, i, j); };
    int count = 0;
    for (const Key& start : pairs) {
        if (part.count(start) > 0) continue;
        std::vector<Key> open{start};
        part[start] = count;
        while (!open.empty()) {
            const Key from = open.back();
            open.pop_back();
            for (const Key& to : pairs) {
                const bool straight = meets(from.first, to.first) && meets(from.second, to.second);
                const bool crossed = meets(from.first, to.second) && meets(from.second, to.first);
                if ((straight || crossed) && part.emplace(to, count).second) open.push_back(to);
            }
        }
        ++count;
    }
    return part;
}

}  // namespace plica::testing
