#include "bench/contact/feature_detectors.hpp"

#include <algorithm>
#include <numeric>

namespace plica::bench {
namespace {

double along(const Vec3& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

class SweepDetector : public TimedDetector {
public:
    explicit SweepDetector(const SurfaceCase& asked) : m_filter(asked), m_order(asked.surface.triangles.size()) {
        std::iota(m_order.begin(), m_order.end(), 0);
    }

    std::int64_t detect(std::span<const Vec3> x) override {
        m_filter.begin(x);
        const int axis = longest_axis();
        const auto box = [&](std::int32_t t) -> const Bounds& { return m_filter.boxes()[static_cast<std::size_t>(t)]; };
        const auto low = [&](std::int32_t t) { return along(box(t).lo, axis); };
        std::sort(m_order.begin(), m_order.end(), [&](std::int32_t a, std::int32_t b) { return low(a) < low(b); });
        for (auto i = m_order.begin(); i != m_order.end(); ++i) {
            const double high = along(box(*i).hi, axis);
            for (auto k = i + 1; k != m_order.end() && low(*k) <= high; ++k) {
                if (overlap(box(*i), box(*k))) m_filter.consider(*i, *k);
            }
        }
        m_filter.finish();
        return m_filter.tests();
    }
    void collect(std::vector<PairIndices>& pairs) const override { pairs = m_filter.found(); }

private:
    [[nodiscard]] int longest_axis() const {
        Bounds all;
        for (const Bounds& box : m_filter.boxes()) all = merge(all, box);
        const Vec3 size = all.hi - all.lo;
        return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    }

    FacetFilter m_filter;
    std::vector<std::int32_t> m_order;
};

}  // namespace

TreeDetector::TreeDetector(const SurfaceCase& asked, bool cones)
    : m_tree(asked.surface, asked.bodies, asked.rest, {.cones = cones, .layer = asked.gap}),
      m_filter(asked),
      m_poses(asked.bodies.size()) {}

void TreeDetector::restart(std::span<const Vec3> before) {
    m_tree.forget();
    m_tree.update(before, before, m_poses, m_poses);
    m_last = before;
}

std::int64_t TreeDetector::detect(std::span<const Vec3> x) {
    m_tree.update(m_last, x, m_poses, m_poses);
    m_last = x;
    m_filter.begin(x);
    for (const auto& [a, b] : m_tree.pairs()) m_filter.measure(a, b);
    m_filter.finish();
    return m_filter.tests();
}

std::unique_ptr<TimedDetector> make_sweep_detector(const SurfaceCase& asked) {
    return std::make_unique<SweepDetector>(asked);
}

}  // namespace plica::bench
