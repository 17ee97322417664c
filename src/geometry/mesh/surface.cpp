#include "geometry/mesh/surface.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace plica {
namespace {

void check_nodes(const SurfaceMesh& surface, const std::string& whose) {
    for (std::size_t i = 0; i < surface.nodes.size(); ++i) {
        if (!is_finite(surface.nodes[i])) {
            throw Error(whose + ": node " + std::to_string(i) + " has a coordinate that is not finite");
        }
    }
    const auto nodes = static_cast<std::int64_t>(surface.nodes.size());
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
        for (const std::int32_t node : surface.triangles[i]) {
            if (node >= 0 && node < nodes) continue;
            throw Error(whose + ": triangle " + std::to_string(i) + " has node " + std::to_string(node) +
                        "; expected 0 to " + std::to_string(nodes - 1));
        }
    }
}

struct EdgeUse {
    std::int32_t low, high;
    int turn;  // +1: passed from low to high
};

}  // namespace

void check_closed(const SurfaceMesh& surface, const std::string& whose) {
    if (surface.triangles.empty()) throw Error(whose + " has no triangles");
    check_nodes(surface, whose);
    std::vector<EdgeUse> uses;
    uses.reserve(3 * surface.triangles.size());
    for (const auto& t : surface.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t a = t[k];
            const std::int32_t b = t[(k + 1) % 3];
            uses.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
        }
    }
    std::sort(uses.begin(), uses.end(),
              [](const EdgeUse& a, const EdgeUse& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
    for (std::size_t i = 0; i < uses.size();) {
        std::size_t next = i;
        int sum = 0;
        while (next < uses.size() && uses[next].low == uses[i].low && uses[next].high == uses[i].high) {
            sum += uses[next++].turn;
        }
        if (sum != 0 && uses[i].low != uses[i].high) {
            const bool open = next - i == 1;
            throw Error(whose + (open ? " is open" : " is not oriented the same way everywhere") +
                        " at the edge of nodes " + std::to_string(uses[i].low) + " and " +
                        std::to_string(uses[i].high) +
                        (open ? ", which has one triangle; expected two (join nodes that lie at one place, fill holes)"
                              : "; turn the triangles so that all are counterclockwise seen from outside"));
        }
        i = next;
    }
}

double compute_volume(const SurfaceMesh& surface) {
    if (surface.nodes.empty()) return 0.0;
    const Vec3 o = surface.nodes.front();  // near the surface, so that little cancels
    double sum = 0.0;
    for (const auto& t : surface.triangles) {
        const auto at = [&](std::size_t k) { return surface.nodes[static_cast<std::size_t>(t[k])] - o; };
        sum += dot(at(0), cross(at(1), at(2)));
    }
    return sum / 6.0;
}

}  // namespace plica
