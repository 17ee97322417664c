#include "scene/build_sheets.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "core/index.hpp"

namespace plica {
namespace {

// Pairs of features and what they can touch whose gap is at most the sum of their nodes' margins.
void find_feature_pairs(const Model& model, const std::vector<double>& margin, std::vector<Pair>& pairs) {
    ThreadPool pool;
    DetectorScratch scratch;
    std::vector<std::uint8_t> enabled(model.surface.capsules.size(), 0);
    for (std::size_t i = 0; i < enabled.size(); ++i) enabled[i] = model.surface.capsules[i].sheet ? 1 : 0;
    find_pairs_bvh({model.surface, enabled, model.rest}, margin, pool, scratch, pairs);
}

}  // namespace

void add_sheets(Model& model) {
    Surface& surface = model.surface;
    const auto is_sheet = [](const Triangle& t) { return t.sheet; };
    const bool solids = std::any_of(surface.triangles.begin(), surface.triangles.end(),
                                    [](const Triangle& t) { return t.sheet && t.chain < 0; });
    for (Triangle& t : surface.triangles) {
        if (!solids || t.sheet) continue;
        t.sheet = true;  // what leaves itself alone touches solids
        t.own = false;
    }
    if (std::none_of(surface.triangles.begin(), surface.triangles.end(), is_sheet)) return;
    add_surface_features(surface, model.nodes());
    std::vector<double> margin(model.nodes(), 0.0);
    for (const Triangle& t : surface.triangles) {
        for (const std::int32_t n : {t.a, t.b, t.c}) {
            margin[at(n)] = (0.5 * std::numbers::pi - 1.0) * t.half_thickness;
        }
    }
    std::vector<Pair> pairs;
    find_feature_pairs(model, margin, pairs);
    std::vector<std::array<std::int32_t, 2>> near;
    for (const Pair& pair : pairs) near.push_back({pair.a, pair.b});
    list_near_features(surface, near);
}

void thin_out_solids(Model& model) {
    constexpr double share = 0.45;  // of the distance, for either of the two
    Surface& surface = model.surface;
    std::vector<Pair> pairs;
    if (surface.features.corners > 0) find_feature_pairs(model, std::vector<double>(model.nodes(), 0.0), pairs);
    const std::size_t capsules = surface.capsules.size();
    const std::vector<Capsule> features = surface.capsules;
    for (const Pair& pair : pairs) {
        const Capsule& feature = features[at(pair.a)];
        const bool triangle = at(pair.b) >= capsules;
        const std::int32_t body =
            triangle ? surface.triangles[at(pair.b) - capsules].body : surface.capsules[at(pair.b)].body;
        if (feature.chain >= 0 || feature.body != body) continue;
        double& a = surface.capsules[at(pair.a)].radius;
        double& b =
            triangle ? surface.triangles[at(pair.b) - capsules].half_thickness : surface.capsules[at(pair.b)].radius;
        const double apart = measure(surface, pair, model.rest, {}).distance;
        a = std::min(a, share * apart);
        b = std::min(b, share * apart);
    }
}

}  // namespace plica
