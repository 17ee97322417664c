#include "bench/detection/our_detectors.hpp"

#ifdef PLICA_BENCH_SCALAR
// What search.cpp defines when it is compiled as scalar code.
namespace plica_scalar {
std::unique_ptr<search::Search> make_search(search::Method method, const search::Rope& rope);
}
#endif

namespace plica::bench {
namespace {

std::unique_ptr<search::Search> make(search::Method method, Kernels kernels, const RopeCase& rope) {
    const search::Rope asked{rope.segments(),
                             rope.radius,
                             rope_surface(rope).capsules.front().exclude,
                             rope.margin,
                             1.0 / rope.frames_per_second,
                             norm(rope.gravity)};
    if (kernels == Kernels::best) return make_search(method, asked);
#ifdef PLICA_BENCH_SCALAR
    return plica_scalar::make_search(method, asked);
#else
    return nullptr;
#endif
}

std::span<const double> to_numbers(std::span<const Vec3> x) {
    return {&x[0].x, 3 * x.size()};
}

class PlicaDetector : public TimedDetector {
public:
    explicit PlicaDetector(std::unique_ptr<search::Search> search) : m_search(std::move(search)) {}

    void restart(std::span<const Vec3> before) override { m_search->restart(to_numbers(before)); }
    std::int64_t detect(std::span<const Vec3> x) override { return m_search->find(to_numbers(x)); }
    void collect(std::vector<PairIndices>& pairs) const override { m_search->collect(pairs); }
    [[nodiscard]] std::int64_t rebuilds() const override { return m_search->rebuilds(); }

private:
    std::unique_ptr<search::Search> m_search;
};

class ScalarDetector : public TimedDetector {
public:
    explicit ScalarDetector(const RopeCase& rope) : m_surface(rope_surface(rope)), m_margin(rope.margin) {}

    std::int64_t detect(std::span<const Vec3> x) override {
        m_found.clear();
        std::int64_t tests = 0;
        const ExactTest test{m_surface, x, m_margin, m_found, tests};
        const auto count = static_cast<std::int32_t>(m_surface.capsules.size());
        for (std::int32_t a = 0; a < count; ++a) {
            for (std::int32_t b = a + 1; b < count; ++b) test(a, b);
        }
        return tests;
    }
    void collect(std::vector<PairIndices>& pairs) const override { pairs = m_found; }

private:
    Surface m_surface;
    double m_margin;
    std::vector<PairIndices> m_found;
};

}  // namespace

std::unique_ptr<TimedDetector> make_plica_detector(search::Method method, Kernels kernels, const RopeCase& rope) {
    std::unique_ptr<search::Search> search = make(method, kernels, rope);
    return search == nullptr ? nullptr : std::make_unique<PlicaDetector>(std::move(search));
}

std::unique_ptr<TimedDetector> make_scalar_detector(const RopeCase& rope) {
    return std::make_unique<ScalarDetector>(rope);
}

}  // namespace plica::bench
