#include "scene/build_overlaps.hpp"

#include <algorithm>
#include <set>

#include "core/index.hpp"

namespace plica {
namespace {

bool overlap(const Model& model, std::size_t a, std::size_t b) {
    Pair pair;
    pair.a = static_cast<std::int32_t>(a);
    pair.b = static_cast<std::int32_t>(b);
    const Contact c = measure(model.surface, pair, model.rest, {});
    return c.distance < 1.1 * (c.distance - c.gap);
}

bool overlaps_what_it_may_touch(const Model& model, std::size_t tube) {
    const Surface& s = model.surface;
    for (std::size_t t = 0; t < s.triangles.size(); ++t) {
        if (s.triangles[t].chain != s.capsules[tube].chain || !can_touch(s, tube, t)) continue;
        if (overlap(model, tube, s.capsules.size() + t)) return true;
    }
    return false;
}

// The zone is known by its nodes: whoever reads a scene that was written takes a tube between two of them as exempt.
void widen_root_zone(Model& model) {
    Surface& s = model.surface;
    std::set<std::int32_t> graded;  // chains whose mesentery has triangles that hang on no column
    for (const Triangle& t : s.triangles) {
        if (t.column_min > t.column_max) graded.insert(t.chain);
    }
    std::set<std::int32_t> nodes;
    const auto is_tube = [&](const Capsule& c) { return !c.edge && !c.sheet && graded.count(c.chain) > 0; };
    for (std::size_t a = 0; a < s.capsules.size(); ++a) {
        const Capsule& tube = s.capsules[a];
        if (is_tube(tube) && (tube.exempt || overlaps_what_it_may_touch(model, a))) nodes.insert({tube.a, tube.b});
    }
    for (Capsule& c : s.capsules) {
        if (!is_tube(c) || nodes.count(c.a) == 0 || nodes.count(c.b) == 0) continue;
        c.exempt = true;
        std::vector<std::int32_t>& of_body = model.bodies[at(c.body)].exempt;
        of_body.insert(of_body.end(), {c.a, c.b});
        std::sort(of_body.begin(), of_body.end());
        of_body.erase(std::unique(of_body.begin(), of_body.end()), of_body.end());
    }
}

}  // namespace

void list_overlaps(Model& model) {
    widen_root_zone(model);
    Surface& surface = model.surface;
    const std::size_t capsules = surface.capsules.size();
    for (std::size_t a = 0; a < capsules; ++a) {
        const Capsule& tube = surface.capsules[a];
        if (!tube.exempt) continue;
        for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
            if (surface.triangles[t].chain != tube.chain || !overlap(model, a, capsules + t)) continue;
            surface.overlaps.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(t)});
        }
        for (std::size_t e = 0; e < capsules; ++e) {
            if (!surface.capsules[e].edge || surface.capsules[e].chain != tube.chain || !overlap(model, a, e)) continue;
            surface.edge_overlaps.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(e)});
        }
    }
}

}  // namespace plica
