// Bullet: rigid capsules joined at their ends by point-to-point constraints. (Its soft-body rope does not collide with
// itself, so it cannot take part.)
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "bench/peers/bowl.hpp"
#include "bench/peers/bullet_bowl.hpp"
#include "bench/peers/rope_peer.hpp"

namespace {

using namespace plica;
using namespace plica::bench;

// Bullet's advice for small bodies is to scale the world: its tolerances are made for sizes from 0.05 to 10 units. Ten
// units to the metre make the rope 0.2 units thick.
constexpr double units = 10.0;

// Neighbours closer along the rope than a U-turn do not collide.
class Filter : public btOverlapFilterCallback {
public:
    explicit Filter(int exclude) : m_exclude(exclude) {}
    bool needBroadphaseCollision(btBroadphaseProxy* p, btBroadphaseProxy* q) const override {
        const int a = static_cast<btCollisionObject*>(p->m_clientObject)->getUserIndex();
        const int b = static_cast<btCollisionObject*>(q->m_clientObject)->getUserIndex();
        return a < 0 || b < 0 || std::abs(a - b) > m_exclude;
    }

private:
    int m_exclude;
};

class BulletRope : public SimulatedRope {
public:
    BulletRope(const RopeCase& rope, const Json& setting)
        : m_dt(static_cast<btScalar>(1.0 / rope.frames_per_second / setting.at("steps").get<int>())),
          m_filter(rope_surface(rope).capsules.front().exclude) {
        m_world.getPairCache()->setOverlapFilterCallback(&m_filter);
        m_world.setGravity(to_bullet(rope.gravity * units));
        m_world.setForceUpdateAllAabbs(false);  // the walls stay
        btContactSolverInfo& solver = m_world.getSolverInfo();
        solver.m_numIterations = setting.at("iterations").get<int>();
        solver.m_erp = setting.at("erp").get<btScalar>();   // joints
        solver.m_erp2 = setting.at("erp").get<btScalar>();  // contacts
        solver.m_splitImpulse = setting.at("split_impulse").get<bool>() ? 1 : 0;
        solver.m_splitImpulsePenetrationThreshold = 0;
        add_bowl(rope);
        for (int i = 0; i < rope.segments(); ++i) add_capsule(rope, static_cast<std::size_t>(i));
        for (std::size_t i = 0; i + 1 < m_bodies.size(); ++i) add_joint(i);
    }
    ~BulletRope() override {
        for (const auto& joint : m_joints) m_world.removeConstraint(joint.get());
        for (const auto& body : m_bodies) m_world.removeRigidBody(body.get());
        m_world.removeRigidBody(m_wall.get());
    }
    BulletRope(const BulletRope&) = delete;
    BulletRope& operator=(const BulletRope&) = delete;
    BulletRope(BulletRope&&) = delete;
    BulletRope& operator=(BulletRope&&) = delete;

    void step() override { m_world.stepSimulation(m_dt, 0); }

    void read(std::span<Ends> ends) const override {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const btTransform& pose = m_bodies[i]->getWorldTransform();
            const btVector3 half(0, 0, m_half[i]);
            ends[i] = {to_plica(pose * -half) / units, to_plica(pose * half) / units};
        }
    }

private:
    std::unique_ptr<btRigidBody> make_body(double mass, btCollisionShape* shape, const btTransform& pose, int index,
                                           double friction) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0.0) shape->calculateLocalInertia(static_cast<btScalar>(mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape, inertia);
        info.m_startWorldTransform = pose;
        info.m_friction = static_cast<btScalar>(std::sqrt(friction));  // Bullet multiplies the two bodies'
        auto body = std::make_unique<btRigidBody>(info);
        body->setUserIndex(index);
        body->setActivationState(DISABLE_DEACTIVATION);
        m_world.addRigidBody(body.get());
        return body;
    }

    void add_bowl(const RopeCase& rope) {
        m_dispatcher.registerCollisionCreateFunc(CAPSULE_SHAPE_PROXYTYPE, CUSTOM_CONCAVE_SHAPE_TYPE, &m_meet_bowl);
        m_dispatcher.registerCollisionCreateFunc(CUSTOM_CONCAVE_SHAPE_TYPE, CAPSULE_SHAPE_PROXYTYPE, &m_meet_bowl);
        m_shapes.push_back(std::make_unique<BulletBowl>(make_bowl(rope, units)));
        m_wall = make_body(0.0, m_shapes.back().get(), btTransform::getIdentity(), -1, rope.friction);
    }

    void add_capsule(const RopeCase& rope, std::size_t i) {
        const Vec3 along = rope.nodes[i + 1] - rope.nodes[i];
        const double h = norm(along);
        m_half.push_back(static_cast<btScalar>(0.5 * h * units));
        m_shapes.push_back(std::make_unique<btCapsuleShapeZ>(static_cast<btScalar>(rope.radius * units),
                                                             static_cast<btScalar>(h * units)));
        const btTransform pose(shortestArcQuat(btVector3(0, 0, 1), to_bullet(along / h)),
                               to_bullet((rope.nodes[i] + along * 0.5) * units));
        m_bodies.push_back(
            make_body(rope.mass_per_length * h, m_shapes.back().get(), pose, static_cast<int>(i), rope.friction));
        btRigidBody& body = *m_bodies.back();
        body.setLinearVelocity(to_bullet(0.5 * units * (rope.velocities[i] + rope.velocities[i + 1])));
        body.setAngularVelocity(to_bullet(cross(along, rope.velocities[i + 1] - rope.velocities[i]) / (h * h)));
        const auto lost = static_cast<btScalar>(1.0 - std::exp(-rope.drag));  // in one second
        body.setDamping(lost, lost);
    }

    void add_joint(std::size_t i) {
        m_joints.push_back(std::make_unique<btPoint2PointConstraint>(
            *m_bodies[i], *m_bodies[i + 1], btVector3(0, 0, m_half[i]), btVector3(0, 0, -m_half[i + 1])));
        m_world.addConstraint(m_joints.back().get(), true);
    }

    btScalar m_dt;
    Filter m_filter;
    MeetBowl m_meet_bowl;
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    btSequentialImpulseConstraintSolver m_solver;
    btDiscreteDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_solver, &m_configuration};
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::unique_ptr<btRigidBody> m_wall;
    std::vector<std::unique_ptr<btPoint2PointConstraint>> m_joints;
    std::vector<btScalar> m_half;
};

Json settings(int) {
    constexpr int base = 30;  // iterations that cost as much as the rest of a step
    Json list = Json::array();
    for (const int steps : {2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 80}) {  // of 1/60 s, Bullet's own choice, to 1/2400 s
        for (const int iterations : {5, 10, 20, 50}) {
            for (const bool split : {false, true}) {
                if (split && iterations != 10) continue;
                list.push_back({{"steps", steps},
                                {"iterations", iterations},
                                {"erp", 0.2},
                                {"split_impulse", split},
                                {"work", steps * (base + iterations)}});
            }
        }
    }
    return list;
}

}  // namespace

int main(int argc, char** argv) {
    return rope_peer_main(
        argc, argv,
        {"bullet", std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100),
         "rigid capsules, point-to-point joints, ten units to the metre, exact bowl", settings,
         [](const RopeCase& rope, const Json& setting) { return std::make_unique<BulletRope>(rope, setting); }});
}
