#include "scene/build_sheets.hpp"

#include <algorithm>
#include <array>

namespace plica {
namespace {

constexpr double pi = 3.14159265358979323846;

}  // namespace

void add_sheets(Model& model) {
    Surface& surface = model.surface;
    const auto is_sheet = [](const Triangle& t) { return t.sheet; };
    if (std::none_of(surface.triangles.begin(), surface.triangles.end(), is_sheet)) return;
    add_sheet_parts(surface, model.nodes());
    std::vector<double> margin(model.nodes(), 0.0);
    for (const Triangle& t : surface.triangles) {
        for (const std::int32_t n : {t.a, t.b, t.c}) {
            margin[static_cast<std::size_t>(n)] = (0.5 * pi - 1.0) * t.half_thickness;
        }
    }
    ThreadPool pool;
    DetectorScratch scratch;
    std::vector<Pair> pairs;
    std::vector<std::uint8_t> enabled(surface.capsules.size(), 0);
    for (std::size_t i = 0; i < enabled.size(); ++i) enabled[i] = surface.capsules[i].sheet ? 1 : 0;
    find_pairs_bvh(surface, enabled, model.rest, margin, pool, scratch, pairs);
    std::vector<std::array<std::int32_t, 2>> near;
    for (const Pair& pair : pairs) near.push_back({pair.a, pair.b});
    list_near_parts(surface, near);
}

}  // namespace plica
