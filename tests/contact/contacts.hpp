#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "contact/contact.hpp"
#include "contact/respond.hpp"
#include "core/index.hpp"
#include "core/parallel.hpp"
#include "tests/engine/worlds.hpp"

// What the tests of contact share.
namespace plica::testing {

// Nodes, one or more primitives over them, and one substep of contact without anything else.
struct Bench {
    Surface surface;
    std::vector<double> w;
    std::vector<Vec3> x, p, v;
    CandidateList list;
    ContactSettings settings;
    ContactScratch scratch;

    void add_node(const Vec3& where, double inverse_mass, const Vec3& velocity = {}) {
        x.push_back(where);
        w.push_back(inverse_mass);
        v.push_back(velocity);
    }
    void add_capsule(std::int32_t a, std::int32_t b, double radius) {
        surface.capsules.push_back({a, b, radius, 0, -1, 0, 0, false});
    }
    // Lists every pair within `margin` of x; the prediction is x.
    void detect(double margin = 0.0) {
        ThreadPool pool(1);
        DetectorScratch detector;
        const std::vector<std::uint8_t> enabled(surface.capsules.size(), 1);
        list.margin.assign(x.size(), margin);
        rebuild(list, DetectorKind::brute, {surface, enabled, x}, pool, detector);
        p = x;
    }
    void respond_raghupathi(int sweeps = 1) {
        const std::vector<double> radius(x.size(), -1.0);
        ContactWorld world{surface, {}, radius, w, settings, 1e-3, x, p, list, {}, {}};
        forget_pairs(world, scratch);
        begin_raghupathi(world, scratch);
        for (int k = 0; k < sweeps; ++k) sweep_raghupathi(world, scratch, v);
        finish(world, scratch);
    }
};

// Thicker than the rope of rope_scene, and stiff in bending.
inline BodyDescription rope(const std::string& name, const Vec3& middle, const Vec3& direction, double length,
                            int segments) {
    BodyDescription body = rope_scene(length, segments, direction).bodies[0];
    body.name = name;
    body.rope.radius = 0.02;
    body.rope.from = middle - normalized(direction) * (0.5 * length);
    body.bending_stiffness = 3e-3;
    body.viscosity = 0.01;
    return body;
}

}  // namespace plica::testing
