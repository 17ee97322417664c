// FCL: the dynamic tree of boxes, updated from frame to frame.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>

#include "bench/peers/detector_peer.hpp"
#include "bench/peers/fcl_surface.hpp"

namespace {

using namespace plica;
using namespace plica::bench;

class FclDetector : public TimedDetector {
public:
    explicit FclDetector(const RopeCase& rope) : m_surface(rope_surface(rope)), m_margin(rope.margin) {
        std::vector<fcl::CollisionObjectd*> list;
        for (std::size_t i = 0; i < m_surface.capsules.size(); ++i) {
            m_shapes.push_back(std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0));
            m_objects.push_back(std::make_unique<fcl::CollisionObjectd>(m_shapes.back()));
            list.push_back(m_objects.back().get());
        }
        set_boxes(rope.nodes);
        m_manager.registerObjects(list);
        m_manager.setup();
    }

    std::int64_t detect(std::span<const Vec3> x) override {
        set_boxes(x);
        m_manager.update();
        m_found.clear();
        std::int64_t tests = 0;
        Query query{{m_surface, x, m_margin, m_found, tests}};
        m_manager.collide(&query, [](fcl::CollisionObjectd* p, fcl::CollisionObjectd* q, void* data) {
            const auto a = index_of(p), b = index_of(q);
            static_cast<Query*>(data)->test(std::min(a, b), std::max(a, b));
            return false;  // go on
        });
        return tests;
    }
    void collect(std::vector<PairIndices>& pairs) const override { pairs = m_found; }

private:
    struct Query {
        ExactTest test;
    };
    static std::int32_t index_of(const fcl::CollisionObjectd* object) {
        return static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(object->getUserData()));
    }

    // The boxes are set as they are, without a pose: tighter than what FCL derives from a turned capsule.
    void set_boxes(std::span<const Vec3> x) {
        for (std::size_t i = 0; i < m_objects.size(); ++i) {
            const CapsuleBox box = box_of(m_surface.capsules[i], x, m_margin);
            m_shapes[i]->aabb_local = fcl::AABBd(fcl::Vector3d(box.low.x, box.low.y, box.low.z),
                                                 fcl::Vector3d(box.high.x, box.high.y, box.high.z));
            m_objects[i]->computeAABB();
            m_objects[i]->setUserData(reinterpret_cast<void*>(static_cast<std::intptr_t>(i)));
        }
    }

    Surface m_surface;
    double m_margin;
    std::vector<std::shared_ptr<fcl::Boxd>> m_shapes;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> m_objects;
    fcl::DynamicAABBTreeCollisionManagerd m_manager;
    std::vector<PairIndices> m_found;
};

}  // namespace

int main(int argc, char** argv) {
    return detector_peer_main(
        argc, argv,
        {"fcl",
         FCL_VERSION,
         [](const RopeCase& rope) { return std::make_unique<FclDetector>(rope); },
         {{"fcl-bvh", [](const SurfaceCase& asked) { return std::make_unique<FclHierarchy>(asked); }},
          {"fcl-boxes", [](const SurfaceCase& asked) { return std::make_unique<FclBroadPhase>(asked); }}}});
}
