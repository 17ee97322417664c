#include "bench/common/audit_trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "geometry/wall.hpp"

namespace plica::bench {

Judge::Judge(const RopeCase& rope) : m_rope(rope), m_audit(rope_surface(rope), rope.nodes, 1) {}

void Judge::measure(std::span<const Vec3> x) {
    Wall bowl;
    bowl.kind = WallKind::bowl;
    bowl.center = m_rope.bowl_center;
    bowl.radii.x = m_rope.bowl_radius;
    for (std::size_t i = 0; i < x.size(); ++i) {
        m_verdict.outside = std::max(m_verdict.outside, -sample_wall(bowl, x[i]).distance);
        if (i == 0) continue;
        const double longer = distance(x[i - 1], x[i]) / distance(m_rope.nodes[i - 1], m_rope.nodes[i]) - 1.0;
        m_verdict.stretch = std::max(m_verdict.stretch, longer);
        m_verdict.squeeze = std::max(m_verdict.squeeze, -longer);
    }
}

double Judge::add(std::span<const Vec3> positions) {
    if (positions.size() != m_rope.nodes.size()) throw Error("the trajectory is not one of this rope");
    if (m_two.size() > positions.size()) {
        m_two.erase(m_two.begin(), m_two.begin() + static_cast<std::ptrdiff_t>(positions.size()));
    }
    m_two.insert(m_two.end(), positions.begin(), positions.end());
    if (m_two.size() == positions.size()) return 0.0;  // the start
    const audit::StepFindings& found = m_audit.examine(m_two, 1);
    m_depths.push_back(found.worst);
    m_touching.push_back(found.touching);
    m_verdict.pass_throughs += found.pass_throughs;
    measure(positions);
    return found.worst;
}

Verdict Judge::verdict() const {
    Verdict verdict = m_verdict;
    if (m_depths.empty()) return verdict;
    verdict.worst = largest(m_depths);
    verdict.frame_p99 = percentile(m_depths, 0.99);
    const std::size_t frames = std::min(m_depths.size(), static_cast<std::size_t>(2 * m_rope.frames_per_second));
    for (std::size_t i = m_depths.size() - frames; i < m_depths.size(); ++i) {
        verdict.settled = std::max(verdict.settled, m_depths[i]);
        verdict.touching += m_touching[i] / static_cast<double>(frames);
    }
    return verdict;
}

Verdict judge(const Trajectory& trajectory, const RopeCase& rope) {
    Judge judge(rope);
    for (std::size_t i = 0; i < trajectory.frames(); ++i) judge.add(trajectory.frame(i));
    return judge.verdict();
}

}  // namespace plica::bench
