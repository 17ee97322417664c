#pragma once
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/detail/traversal/collision/bvh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/traversal_recurse.h>

#include <memory>
#include <vector>

#include "bench/contact/feature_filter.hpp"
#include "bench/contact/feature_run.hpp"

// FCL on the surfaces of solids. It has no search for triangles that are near, only for such as intersect, so its two
// trees get boxes that are larger by half of what is near.
namespace plica::bench {

// The dynamic tree of boxes, one a triangle, updated from substep to substep.
class FclBroadPhase : public TimedDetector {
public:
    explicit FclBroadPhase(const SurfaceCase& asked) : m_filter(asked) {
        std::vector<fcl::CollisionObjectd*> list;
        for (std::size_t i = 0; i < asked.surface.triangles.size(); ++i) {
            m_shapes.push_back(std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0));
            m_objects.push_back(std::make_unique<fcl::CollisionObjectd>(m_shapes.back()));
            m_objects.back()->setUserData(reinterpret_cast<void*>(static_cast<std::intptr_t>(i)));
            list.push_back(m_objects.back().get());
        }
        set_boxes(asked.rest);
        m_manager.registerObjects(list);
        m_manager.setup();
    }

    // As if the substep before had been searched.
    void restart(std::span<const Vec3> before) override {
        set_boxes(before);
        m_manager.update();
    }
    std::int64_t detect(std::span<const Vec3> x) override {
        set_boxes(x);
        m_manager.update();
        m_manager.collide(&m_filter, [](fcl::CollisionObjectd* p, fcl::CollisionObjectd* q, void* data) {
            static_cast<FacetFilter*>(data)->consider(index_of(p), index_of(q));
            return false;  // go on
        });
        m_filter.finish();
        return m_filter.tests();
    }
    void collect(std::vector<PairIndices>& pairs) const override { pairs = m_filter.found(); }

private:
    static std::int32_t index_of(const fcl::CollisionObjectd* object) {
        return static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(object->getUserData()));
    }
    void set_boxes(std::span<const Vec3> x) {
        m_filter.begin(x);
        for (std::size_t i = 0; i < m_objects.size(); ++i) {
            const Bounds& b = m_filter.boxes()[i];
            m_shapes[i]->aabb_local =
                fcl::AABBd(fcl::Vector3d(b.lo.x, b.lo.y, b.lo.z), fcl::Vector3d(b.hi.x, b.hi.y, b.hi.z));
            m_objects[i]->computeAABB();
        }
    }

    FacetFilter m_filter;
    std::vector<std::shared_ptr<fcl::Boxd>> m_shapes;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> m_objects;
    fcl::DynamicAABBTreeCollisionManagerd m_manager;
};

// A hierarchy of axis-aligned boxes for each body, refitted bottom up, traversed as FCL does but with a tolerance.
class FclHierarchy : public TimedDetector {
public:
    explicit FclHierarchy(const SurfaceCase& asked) : m_filter(asked) {
        m_filter.begin(asked.rest);
        for (std::size_t body = 0; body < asked.bodies.size(); ++body)
            add_model(asked, static_cast<std::int32_t>(body));
    }

    std::int64_t detect(std::span<const Vec3> x) override {
        m_filter.begin(x);
        for (Body& body : m_bodies) refit(body, x);
        for (std::size_t a = 0; a < m_bodies.size(); ++a) {
            for (std::size_t b = a; b < m_bodies.size(); ++b) search(m_bodies[a], m_bodies[b]);
        }
        m_filter.finish();
        return m_filter.tests();
    }
    void collect(std::vector<PairIndices>& pairs) const override { pairs = m_filter.found(); }

private:
    using Model = fcl::BVHModel<fcl::AABBd>;
    struct Body {
        std::unique_ptr<Model> model;
        std::vector<std::int32_t> node, triangle;  // of the surface
        std::vector<fcl::Vector3d> place;
        double reach = 0.0;  // m
        bool own = false;
    };
    class Traversal : public fcl::detail::BVHCollisionTraversalNode<fcl::AABBd> {
    public:
        Traversal(const Body& a, const Body& b, FacetFilter& filter)
            : m_a(a), m_b(b), m_near(a.reach + b.reach), m_filter(filter) {
            model1 = a.model.get();
            model2 = b.model.get();
        }
        void enableStatistics(bool) override {}
        bool canStop() const override { return false; }
        bool BVTesting(int i, int j) const override {
            const fcl::AABBd& p = model1->getBV(i).bv;
            const fcl::AABBd& q = model2->getBV(j).bv;
            for (int k = 0; k < 3; ++k) {
                if (p.min_[k] > q.max_[k] + m_near || q.min_[k] > p.max_[k] + m_near) return true;
            }
            return false;
        }
        void leafTesting(int i, int j) const override {
            m_filter.consider(m_a.triangle[static_cast<std::size_t>(model1->getBV(i).primitiveId())],
                              m_b.triangle[static_cast<std::size_t>(model2->getBV(j).primitiveId())]);
        }

    private:
        const Body& m_a;
        const Body& m_b;
        double m_near;  // m
        FacetFilter& m_filter;
    };

    static fcl::Vector3d to_fcl(const Vec3& v) { return {v.x, v.y, v.z}; }

    void add_model(const SurfaceCase& asked, std::int32_t number) {
        Body body;
        std::vector<std::int32_t> place(asked.rest.size(), -1);
        std::vector<fcl::Triangle> triangles;
        const auto corner = [&](std::int32_t node) {
            std::int32_t& at = place[static_cast<std::size_t>(node)];
            if (at < 0) {
                at = static_cast<std::int32_t>(body.node.size());
                body.node.push_back(node);
                body.place.push_back(to_fcl(asked.rest[static_cast<std::size_t>(node)]));
            }
            return static_cast<std::size_t>(at);
        };
        for (std::size_t i = 0; i < asked.surface.triangles.size(); ++i) {
            const plica::Triangle& t = asked.surface.triangles[i];
            if (t.body != number) continue;
            triangles.emplace_back(corner(t.a), corner(t.b), corner(t.c));
            body.triangle.push_back(static_cast<std::int32_t>(i));
            body.own = t.own;
            body.reach = std::max(body.reach, m_filter.reach(i));
        }
        if (triangles.empty()) return;
        body.model = std::make_unique<Model>();
        body.model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(body.place.size()));
        body.model->addSubModel(body.place, triangles);
        body.model->endModel();
        m_bodies.push_back(std::move(body));
    }
    static void refit(Body& body, std::span<const Vec3> x) {
        for (std::size_t i = 0; i < body.node.size(); ++i) {
            body.place[i] = to_fcl(x[static_cast<std::size_t>(body.node[i])]);
        }
        body.model->beginReplaceModel();
        body.model->replaceSubModel(body.place);
        body.model->endReplaceModel(true, true);
    }
    void search(const Body& a, const Body& b) {
        if (&a == &b && !a.own) return;
        Traversal traversal(a, b, m_filter);
        if (&a == &b) {
            fcl::detail::selfCollisionRecurse(static_cast<Base*>(&traversal), 0, nullptr);
        } else {
            fcl::detail::collisionRecurse(static_cast<Base*>(&traversal), 0, 0, nullptr);
        }
    }
    using Base = fcl::detail::CollisionTraversalNodeBase<double>;

    FacetFilter m_filter;
    std::vector<Body> m_bodies;
};

}  // namespace plica::bench
