#pragma once
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <btBulletDynamicsCommon.h>

#include "geometry/wall.hpp"

// A bowl as a collision shape of Bullet, and the algorithm that meets capsules with it: Bullet's own way of adding
// shapes. Lengths in Bullet's units.
namespace plica::bench {

inline btVector3 to_bullet(const Vec3& v) {
    return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

inline Vec3 to_plica(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}

class BulletBowl : public btConcaveShape {
public:
    explicit BulletBowl(const Wall& wall) : m_wall(wall) { m_shapeType = CUSTOM_CONCAVE_SHAPE_TYPE; }
    [[nodiscard]] const Wall& wall() const { return m_wall; }

    // Everywhere: what is on its way out must not be missed.
    void getAabb(const btTransform&, btVector3& low, btVector3& high) const override {
        low.setValue(-1e6F, -1e6F, -1e6F);
        high.setValue(1e6F, 1e6F, 1e6F);
    }
    void processAllTriangles(btTriangleCallback*, const btVector3&, const btVector3&) const override {}
    void setLocalScaling(const btVector3&) override {}
    [[nodiscard]] const btVector3& getLocalScaling() const override { return m_scaling; }
    void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setValue(0, 0, 0); }
    [[nodiscard]] const char* getName() const override { return "bowl"; }

private:
    Wall m_wall;
    btVector3 m_scaling{1, 1, 1};
};

class CapsuleInBowl : public btActivatingCollisionAlgorithm {
public:
    CapsuleInBowl(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* a,
                  const btCollisionObjectWrapper* b)
        : btActivatingCollisionAlgorithm(info, a, b),
          m_manifold(info.m_dispatcher1->getNewManifold(a->getCollisionObject(), b->getCollisionObject())) {}
    ~CapsuleInBowl() override { m_dispatcher->releaseManifold(m_manifold); }
    CapsuleInBowl(const CapsuleInBowl&) = delete;
    CapsuleInBowl& operator=(const CapsuleInBowl&) = delete;
    CapsuleInBowl(CapsuleInBowl&&) = delete;
    CapsuleInBowl& operator=(CapsuleInBowl&&) = delete;

    void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b, const btDispatcherInfo&,
                          btManifoldResult* result) override {
        const bool bowl_first = a->getCollisionShape()->getShapeType() == CUSTOM_CONCAVE_SHAPE_TYPE;
        const btCollisionObjectWrapper& capsule = bowl_first ? *b : *a;
        const auto& shape = *static_cast<const btCapsuleShape*>(capsule.getCollisionShape());
        const auto& bowl = *static_cast<const BulletBowl*>((bowl_first ? *a : *b).getCollisionShape());
        result->setPersistentManifold(m_manifold);
        for (const btScalar side : {btScalar(-1), btScalar(1)}) {
            const btVector3 end = capsule.getWorldTransform() * btVector3(0, 0, side * shape.getHalfHeight());
            const SurfaceSample sample = sample_wall(bowl.wall(), to_plica(end));
            const auto gap = static_cast<btScalar>(sample.distance) - shape.getRadius();
            if (gap > m_manifold->getContactBreakingThreshold()) continue;
            // Bullet wants the normal on the second body, pointing to the first, and a point on the second.
            const btVector3 inward = to_bullet(sample.normal);
            const btVector3 on_wall = end - inward * static_cast<btScalar>(sample.distance);
            const btVector3 on_capsule = end - inward * shape.getRadius();
            result->addContactPoint(bowl_first ? -inward : inward, bowl_first ? on_capsule : on_wall, gap);
        }
        result->refreshContactPoints();
    }
    btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                   btManifoldResult*) override {
        return 1;
    }
    void getAllContactManifolds(btManifoldArray& list) override { list.push_back(m_manifold); }

private:
    btPersistentManifold* m_manifold;
};

struct MeetBowl : public btCollisionAlgorithmCreateFunc {
    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                   const btCollisionObjectWrapper* a,
                                                   const btCollisionObjectWrapper* b) override {
        void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(CapsuleInBowl));
        return new (memory) CapsuleInBowl(info, a, b);
    }
};

}  // namespace plica::bench
