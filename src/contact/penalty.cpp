#include <algorithm>
#include <cmath>

#include "contact/batches.hpp"
#include "contact/row_passes.hpp"

namespace plica {
namespace {

// Share of the critical damping: enough to stop the bouncing in small steps. More would make the explicit dashpot, not
// the spring, the first to go unstable in large ones.
constexpr double damping_ratio = 0.2;

Vec3 sum_at(const Contact& c, std::span<const Vec3> values) {
    Vec3 sum{};
    for (int k = 0; k < c.count; ++k) sum += values[static_cast<std::size_t>(c.node[k])] * c.weight[k];
    return sum;
}

double compliance_of(const ContactWorld& world, const Contact& c) {
    double sum = 0.0;
    for (int k = 0; k < c.count; ++k) sum += c.weight[k] * c.weight[k] * world.w[static_cast<std::size_t>(c.node[k])];
    return sum;
}

// kg m, of a spring and a dashpot; never pulling.
double push_by_spring(const ContactWorld& world, const Contact& c, double compliance, std::span<const Vec3> v) {
    const double stiffness = world.settings.penalty_stiffness;
    const double damping = 2.0 * damping_ratio * std::sqrt(stiffness / compliance);
    const double force = -stiffness * c.gap - damping * dot(sum_at(c, v), c.normal);
    return world.h * world.h * std::max(0.0, force);
}

// kg m: against what other forces do in this substep to close the gap, and for critically damped motion to the surface.
// What parts while it still overlaps is slowed down. Beyond rate h = 0.83 a pair by itself swings up.
double push_by_reaction(const ContactWorld& world, const Contact& c, double compliance, std::span<const Vec3> v) {
    const double part = world.settings.reaction_rate * world.h;
    const double before = world.h * dot(sum_at(c, v), c.normal);
    const double forced = dot(sum_at(c, world.p) - sum_at(c, world.x), c.normal) - before;
    return (-std::min(0.0, forced) - 2.0 * part * before - part * part * c.gap) / compliance;
}

using PushLaw = double (*)(const ContactWorld&, const Contact&, double, std::span<const Vec3>);

// A force F is a multiplier h^2 F that the rows bring along.
void load_pairs(ContactWorld& world, ContactScratch& scratch, std::span<const Vec3> v, PushLaw law) {
    scratch.pairs.loaded.clear();
    std::vector<Pair>& pairs = world.candidates.pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        Pair& pair = pairs[i];
        pair.push = 0.0;
        pair.friction = {};
        if (!world.settings.enabled) continue;
        const Contact c = measure(world.surface, pair, world.x, pair.side);
        ++scratch.outcome.distance_tests;
        const double compliance = c.gap < 0.0 ? compliance_of(world, c) : 0.0;
        if (compliance > 0.0) pair.push = law(world, c, compliance, v);
        if (pair.push != 0.0) scratch.pairs.loaded.push_back(static_cast<std::int32_t>(i));
    }
}

}  // namespace

void begin_penalty(ContactWorld& world, ContactScratch& scratch, std::span<const Vec3> v) {
    load_pairs(world, scratch, v, push_by_spring);
    for (WallMemory& wall : world.wall_memory) wall = {};
    warm_start(world, scratch);
}

void react(ContactWorld& world, ContactScratch& scratch, std::span<const Vec3> v) {
    load_pairs(world, scratch, v, push_by_reaction);
    begin_batches(world, scratch);
    apply_rows(world, scratch);
}

}  // namespace plica
