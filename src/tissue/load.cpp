#include "tissue/load.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace plica {
double Ramp::at(double t) const {
    if (t >= end) return t >= begin ? 1.0 : 0.0;
    if (t <= begin || shape == RampShape::step) return 0.0;
    const double r = (t - begin) / (end - begin);
    return shape == RampShape::linear ? r : r * r * r * (10.0 + r * (-15.0 + 6.0 * r));
}

void add_loads(std::span<const Load> loads, double t, std::span<const Vec3> rest, std::span<const Vec3> x,
               std::span<Vec3> force) {
    for (const Load& load : loads) {
        const double share = load.ramp.at(t);
        if (share == 0.0) continue;
        const Vec3 value = load.value * share;
        if (load.kind == LoadKind::force) {
            for (const std::int32_t n : load.nodes) force[at(n)] += value / static_cast<double>(load.nodes.size());
            continue;
        }
        if (load.kind == LoadKind::acceleration) {
            for (std::size_t i = 0; i < load.nodes.size(); ++i) force[at(load.nodes[i])] += value * load.masses[i];
            continue;
        }
        const bool follows = load.kind == LoadKind::pressure;
        const std::span<const Vec3> where = load.kind == LoadKind::traction ? rest : x;
        for (const auto& [a, b, c] : load.triangles) {
            const Vec3 twice = cross(where[at(b)] - where[at(a)], where[at(c)] - where[at(a)]);
            const Vec3 each = follows ? twice * (-value.x / 6.0) : value * (norm(twice) / 6.0);
            for (const std::int32_t n : {a, b, c}) force[at(n)] += each;
        }
    }
}

void apply_motions(std::span<const Motion> motions, double t, std::span<const Vec3> rest, std::span<Vec3> p) {
    const auto set = [&](const Motion& motion, std::int32_t n, const Vec3& goal) {
        if (motion.axes[0]) p[at(n)].x = goal.x;
        if (motion.axes[1]) p[at(n)].y = goal.y;
        if (motion.axes[2]) p[at(n)].z = goal.z;
    };
    for (const Motion& motion : motions) {
        for (const std::int32_t n : motion.nodes) set(motion, n, rest[at(n)]);
    }
    for (const Motion& motion : motions) {
        const Vec3 moved = motion.displacement * motion.ramp.at(t);
        for (const std::int32_t n : motion.nodes) set(motion, n, p[at(n)] + moved);
    }
}

}  // namespace plica
