#pragma once
#include "audit/audit.hpp"
#include "bench/common/trajectory.hpp"
#include "bench/self_collision/rope_case.hpp"

// The one judge of every program's rope, ours included: the audit's own distances on the frames that were written.
namespace plica::bench {

struct Verdict {
    double worst = 0.0;      // depth / half the sum of the radii, over all frames
    double settled = 0.0;    // over the last two simulated seconds
    double frame_p99 = 0.0;  // 99th percentile over the frames
    int pass_throughs = 0;   // axes that cross between two frames, taken to move in straight lines
    double touching = 0.0;   // pairs closer than 1.02 x the sum of their radii, mean over the last two seconds
    double stretch = 0.0;    // largest length / rest length - 1 of a segment, at any frame
    double squeeze = 0.0;    // largest 1 - length / rest length
    double outside = 0.0;    // m, furthest that an axis went beyond the wall
};

// Takes the frames one after the other, the start first.
class Judge {
public:
    explicit Judge(const RopeCase& rope);
    // Returns the depth in this frame. Throws Error where a position is not finite.
    double add(std::span<const Vec3> positions);
    [[nodiscard]] Verdict verdict() const;

private:
    void measure(std::span<const Vec3> positions);

    RopeCase m_rope;
    audit::Audit m_audit;
    std::vector<Vec3> m_two;  // the frame before and this one
    std::vector<double> m_depths, m_touching;
    Verdict m_verdict;
};

Verdict judge(const Trajectory& trajectory, const RopeCase& rope);

}  // namespace plica::bench
