#pragma once
#include <string>

#include "engine/world.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"

// Small worlds for the physics tests.
namespace plica::testing {

// One rope, no drag, no contact partners; gravity down.
inline SceneDescription rope_scene(double length, int segments, const Vec3& direction = {1, 0, 0}) {
    SceneDescription scene;
    BodyDescription body;
    body.name = "rope";
    body.anatomy = Anatomy::rope;
    body.rope.length = length;
    body.rope.radius = 0.005;
    body.rope.segments = segments;
    body.rope.direction = direction;
    body.mass_per_length = 0.5;
    body.axial_stiffness = 300.0;
    body.bending_stiffness = 0.0;
    body.viscosity = 0.005;
    scene.bodies.push_back(body);
    scene.contact.enabled = false;
    return scene;
}

inline World make_world(const SceneDescription& scene, std::uint64_t seed = 1, int threads = 1) {
    Built built = build_scene(scene, seed);
    return World(std::move(built.model), std::move(built.state), threads);
}

inline Inputs quiet_inputs(const SceneDescription& scene) {
    Inputs inputs;
    inputs.gravity = scene.gravity;
    inputs.tools.resize(scene.tools.size());
    return inputs;
}

inline void run_for(World& world, const Inputs& inputs, double seconds) {
    const auto steps = static_cast<int>(seconds / world.model().dt + 0.5);
    for (int i = 0; i < steps; ++i) world.step(inputs);
}

inline double mass(const World& world, std::size_t node) {
    return 1.0 / world.model().inverse_mass[node];
}

inline double kinetic_energy(const World& world) {
    double sum = 0.0;
    for (std::size_t i = 0; i < world.model().nodes(); ++i) {
        if (world.model().inverse_mass[i] > 0.0) sum += 0.5 * mass(world, i) * squared_norm(world.state().v[i]);
    }
    return sum;
}

inline double elastic_energy(const World& world) {
    double sum = 0.0;
    for (std::size_t b = 0; b < world.model().bodies.size(); ++b) {
        sum += mass_spring::compute_energy(world.model().of<Springs>(), world.state().x, static_cast<int>(b));
    }
    return sum;
}

inline double gravity_energy(const World& world, const Vec3& gravity) {
    double sum = 0.0;
    for (std::size_t i = 0; i < world.model().nodes(); ++i) {
        if (world.model().inverse_mass[i] > 0.0) sum -= mass(world, i) * dot(world.state().x[i], gravity);
    }
    return sum;
}

inline Vec3 momentum(const World& world) {
    Vec3 sum{};
    for (std::size_t i = 0; i < world.model().nodes(); ++i) {
        if (world.model().inverse_mass[i] > 0.0) sum += mass(world, i) * world.state().v[i];
    }
    return sum;
}

// About the centre of mass.
inline Vec3 angular_momentum(const World& world) {
    Vec3 centre{};
    Vec3 drift{};
    double total = 0.0;
    for (std::size_t i = 0; i < world.model().nodes(); ++i) {
        centre += mass(world, i) * world.state().x[i];
        drift += mass(world, i) * world.state().v[i];
        total += mass(world, i);
    }
    Vec3 sum{};
    for (std::size_t i = 0; i < world.model().nodes(); ++i) {
        sum += mass(world, i) * cross(world.state().x[i] - centre / total, world.state().v[i] - drift / total);
    }
    return sum;
}

}  // namespace plica::testing
