#include "our_detectors.hpp"

namespace plica::bench {
namespace {

class PlicaDetector : public TimedDetector {
public:
    PlicaDetector(DetectorKind kind, const RopeCase& rope)
        : m_kind(kind),
          m_surface(rope_surface(rope)),
          m_enabled(m_surface.capsules.size(), 1),
          m_margin(rope.nodes.size(), rope.margin) {}

    std::int64_t detect(std::span<const Vec3> x) override {
        const auto find = m_kind == DetectorKind::brute ? find_pairs_brute : find_pairs_grid;
        return find(m_surface, m_enabled, x, m_margin, m_pool, m_scratch, m_found);
    }
    void collect(std::vector<PairIndices>& pairs) const override {
        for (const Pair& pair : m_found) pairs.push_back({pair.a, pair.b});
    }

private:
    DetectorKind m_kind;
    Surface m_surface;
    std::vector<std::uint8_t> m_enabled;
    std::vector<double> m_margin;
    ThreadPool m_pool{1};
    DetectorScratch m_scratch;
    std::vector<Pair> m_found;
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

std::unique_ptr<TimedDetector> make_plica_detector(DetectorKind kind, const RopeCase& rope) {
    return std::make_unique<PlicaDetector>(kind, rope);
}

std::unique_ptr<TimedDetector> make_scalar_detector(const RopeCase& rope) {
    return std::make_unique<ScalarDetector>(rope);
}

}  // namespace plica::bench
