#include "audit_trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "geometry/solid.hpp"
#include "scene/audit/audit.hpp"
#include "statistics.hpp"

namespace plica::bench {
namespace {

void measure_frame(const RopeCase& rope, std::span<const Vec3> x, Verdict& verdict) {
    Solid bowl;
    bowl.kind = SolidKind::bowl;
    bowl.center = rope.bowl_center;
    bowl.radii.x = rope.bowl_radius;
    for (std::size_t i = 0; i < x.size(); ++i) {
        verdict.outside = std::max(verdict.outside, -sample_solid(bowl, x[i]).distance);
        if (i == 0) continue;
        const double longer = distance(x[i - 1], x[i]) / distance(rope.nodes[i - 1], rope.nodes[i]) - 1.0;
        verdict.stretch = std::max(verdict.stretch, longer);
        verdict.squeeze = std::max(verdict.squeeze, -longer);
    }
}

}  // namespace

Verdict judge(const Trajectory& trajectory, const RopeCase& rope) {
    if (trajectory.nodes != rope.nodes.size() || trajectory.frames() < 2) {
        throw Error("the trajectory is not one of this rope");
    }
    audit::Audit audit(rope_surface(rope), rope.nodes, 1);
    Verdict verdict;
    std::vector<double> depths, touching;
    for (std::size_t i = 1; i < trajectory.frames(); ++i) {
        const auto two = std::span(trajectory.positions).subspan((i - 1) * trajectory.nodes, 2 * trajectory.nodes);
        const audit::StepFindings& found = audit.examine(two, 1);
        depths.push_back(found.worst);
        touching.push_back(found.touching);
        verdict.pass_throughs += found.pass_throughs;
        measure_frame(rope, trajectory.frame(i), verdict);
    }
    verdict.worst = largest(depths);
    verdict.frame_p99 = percentile(depths, 0.99);
    const auto last = static_cast<std::ptrdiff_t>(
        std::min<std::size_t>(depths.size(), static_cast<std::size_t>(2 * rope.frames_per_second)));
    verdict.settled = largest({depths.end() - last, depths.end()});
    verdict.touching = sum({touching.end() - last, touching.end()}) / static_cast<double>(last);
    return verdict;
}

}  // namespace plica::bench
