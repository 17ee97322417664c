#pragma once
#include <memory>

#include "bench/contact/feature_filter.hpp"
#include "bench/contact/feature_run.hpp"

namespace plica::bench {

// Plica's tree as the simulator uses it, its list measured anew at each substep.
class TreeDetector : public TimedDetector {
public:
    TreeDetector(const SurfaceCase& asked, bool cones);

    void restart(std::span<const Vec3> before) override;
    std::int64_t detect(std::span<const Vec3> x) override;
    void collect(std::vector<PairIndices>& pairs) const override { pairs = m_filter.found(); }

    [[nodiscard]] const SurfaceTree& tree() const { return m_tree; }

private:
    SurfaceTree m_tree;
    FeatureFilter m_filter;
    std::vector<Pose> m_poses;     // rigid bodies stand
    std::span<const Vec3> m_last;  // where the substep begins
};

// The reference: triangles sorted along the axis that they spread on most, and all that overlap there looked at.
std::unique_ptr<TimedDetector> make_sweep_detector(const SurfaceCase& asked);

}  // namespace plica::bench
