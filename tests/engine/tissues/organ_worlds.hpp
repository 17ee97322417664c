#pragma once
#include "experiments/tled/tled_trials.hpp"
#include "tests/engine/worlds.hpp"

// Worlds with one solid block, for the tests of organs.
namespace plica::testing {

inline NodeSelection side(int axis, bool high) {
    NodeSelection where;
    where.kind = NodeSelection::Kind::side;
    where.axis = axis;
    where.towards_high = high;
    return where;
}

// A block of 0.1 m, no gravity, nothing to touch.
inline SceneDescription block_scene(tled::ElementKind kind, double dt, int cells = 4) {
    SceneDescription scene;
    scene.dt = dt;
    scene.substeps = 1;
    scene.contact.enabled = false;
    scene.gravity = {};
    BodyDescription body;
    body.name = "block";
    body.tissue = TissueKind::tled;
    body.organ.shape = "block";
    body.organ.cells = {cells, cells, cells};
    body.organ.hexahedra = kind == tled::ElementKind::h8;
    if (!body.organ.hexahedra) body.organ.settings.tetrahedra = kind;
    body.organ.material = experiments::make_neo_hookean(3000.0, 0.45);
    scene.bodies.push_back(body);
    return scene;
}

inline void hold(SceneDescription& scene, const NodeSelection& where, const Vec3& by = {}, double until = 0.0,
                 std::array<bool, 3> axes = {true, true, true}) {
    MotionDescription motion;
    motion.where = where;
    motion.motion.axes = axes;
    motion.motion.displacement = by;
    motion.motion.ramp = {RampShape::linear, 0.0, until};
    scene.bodies[0].organ.motions.push_back(motion);
}

}  // namespace plica::testing
