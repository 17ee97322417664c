// CGAL: box_self_intersection_d finds the pairs of boxes that overlap.
#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <array>

#include "bench/peers/cgal_surface.hpp"
#include "bench/peers/detector_peer.hpp"

namespace {

using namespace plica;
using namespace plica::bench;

class CgalDetector : public TimedDetector {
public:
    explicit CgalDetector(const RopeCase& rope) : m_surface(rope_surface(rope)), m_margin(rope.margin) {}

    std::int64_t detect(std::span<const Vec3> x) override {
        m_boxes.clear();
        for (std::size_t i = 0; i < m_surface.capsules.size(); ++i) {
            const CapsuleBox box = box_of(m_surface.capsules[i], x, m_margin);
            std::array low{box.low.x, box.low.y, box.low.z};
            std::array high{box.high.x, box.high.y, box.high.z};
            m_boxes.emplace_back(low.data(), high.data(), static_cast<std::int32_t>(i));
        }
        m_found.clear();
        std::int64_t tests = 0;
        const ExactTest test{m_surface, x, m_margin, m_found, tests};
        CGAL::box_self_intersection_d(m_boxes.begin(), m_boxes.end(), [&](const Box& p, const Box& q) {
            test(std::min(p.info(), q.info()), std::max(p.info(), q.info()));
        });
        return tests;
    }
    void collect(std::vector<PairIndices>& pairs) const override { pairs = m_found; }

private:
    using Box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, std::int32_t>;
    Surface m_surface;
    double m_margin;
    std::vector<Box> m_boxes;
    std::vector<PairIndices> m_found;
};

}  // namespace

int main(int argc, char** argv) {
    return detector_peer_main(
        argc, argv,
        {"cgal",
         CGAL_VERSION_STR,
         [](const RopeCase& rope) { return std::make_unique<CgalDetector>(rope); },
         {{"cgal-boxes", [](const SurfaceCase& asked) { return std::make_unique<CgalBoxes>(asked); }},
          {"cgal-tree", [](const SurfaceCase& asked) { return std::make_unique<CgalTree>(asked); }}}});
}
