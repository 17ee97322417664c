#include <algorithm>
#include <cmath>

#include "contact/batches.hpp"

namespace plica {
namespace {

// Share of the critical damping: enough to stop the bouncing in small steps. More would make the explicit dashpot, not
// the spring, the first to go unstable in large ones.
constexpr double damping_ratio = 0.2;

// Force on the pair along its normal, N; never pulling.
double compute_force(const ContactWorld& world, const Contact& c, std::span<const Vec3> v) {
    Vec3 speed{};
    double compliance = 0.0;
    for (int k = 0; k < c.count; ++k) {
        const auto n = static_cast<std::size_t>(c.node[k]);
        speed += v[n] * c.weight[k];
        compliance += c.weight[k] * c.weight[k] * world.w[n];
    }
    if (compliance == 0.0) return 0.0;
    const double stiffness = world.settings.penalty_stiffness;
    const double damping = 2.0 * damping_ratio * std::sqrt(stiffness / compliance);
    return std::max(0.0, -stiffness * c.gap - damping * dot(speed, c.normal));
}

}  // namespace

// A force F is a multiplier h^2 F that the rows bring along: applying it is what warm_start() does anyway.
void begin_penalty(ContactWorld& world, ContactScratch& scratch, std::span<const Vec3> v) {
    scratch.pairs.loaded.clear();
    std::vector<Pair>& pairs = world.candidates.pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        Pair& pair = pairs[i];
        pair.push = 0.0;
        pair.friction = {};
        if (!world.settings.enabled) continue;
        const Contact c = measure(world.surface, pair, world.x, pair.side);
        ++scratch.outcome.distance_tests;
        if (c.gap >= 0.0) continue;
        pair.push = world.h * world.h * compute_force(world, c, v);
        if (pair.push > 0.0) scratch.pairs.loaded.push_back(static_cast<std::int32_t>(i));
    }
    for (WallMemory& wall : world.wall_memory) wall = {};
    warm_start(world, scratch);
}

}  // namespace plica
