#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "audit/crossing.hpp"
#include "tests/contact/contacts.hpp"

namespace plica::testing {
namespace {

// Whole steps of the consistent response.

double momentum_scale(const World& world) {
    double sum = 0.0;
    for (std::size_t n = 0; n < world.model().nodes(); ++n) {
        if (world.model().inverse_mass[n] > 0.0) sum += mass(world, n) * norm(world.state().v[n]);
    }
    return sum;
}

// Axes that pass through each other between two frames of nodes, each node on a straight line.
int count_passes(const Surface& surface, std::span<const Vec3> from, std::span<const Vec3> to) {
    const auto path = [&](std::int32_t n) { return audit::Path{from[at(n)], to[at(n)]}; };
    int count = 0;
    for (std::size_t i = 0; i < surface.capsules.size(); ++i) {
        const Capsule& p = surface.capsules[i];
        for (std::size_t j = i + 1; j < surface.capsules.size(); ++j) {
            const Capsule& q = surface.capsules[j];
            if (p.body == q.body) continue;
            count += audit::edges_cross(path(p.a), path(p.b), path(q.a), path(q.b)) ? 1 : 0;
        }
        for (const Triangle& t : surface.triangles) {
            count += audit::edge_crosses_face(path(p.a), path(p.b), path(t.a), path(t.b), path(t.c)) ? 1 : 0;
        }
    }
    return count;
}

struct Crash {
    bool met = false;         // there was contact
    int passes = 0;           // axes that went through each other
    bool wrong_side = false;  // the triple product of the crossing changed its sign before a rope can swing around
    double momentum = 0.0;    // change, kg m/s, and as a share of the sum of m |v| where that exceeds 1 kg m/s
    double energy = 0.0;      // largest growth of the kinetic energy, as a share of what there was
};

// (p2 - p1) x (q2 - q1) . (p1 - q1) where the segments cross as seen from above; 0 where none does. The sign says which
// one is on top.
double triple_product(const Surface& surface, std::span<const Vec3> x) {
    double result = 0.0;
    for (const Capsule& p : surface.capsules) {
        for (const Capsule& q : surface.capsules) {
            if (p.body != 0 || q.body != 1) continue;
            const Vec3 d = x[at(p.b)] - x[at(p.a)], e = x[at(q.b)] - x[at(q.a)], r = x[at(p.a)] - x[at(q.a)];
            const double area = d.x * e.y - d.y * e.x;
            if (area == 0.0) continue;
            const double s = (e.x * r.y - e.y * r.x) / area, t = (d.x * r.y - d.y * r.x) / area;
            if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) continue;
            const double product = dot(cross(d, e), r) * (area > 0.0 ? 1.0 : -1.0);
            if (result == 0.0 || product < result) result = product;
        }
    }
    return result;
}

// `swing`: from this time on an end may legally have come around to the other side.
Crash run(World& world, int frames, double swing = 1e9) {
    Crash crash;
    const Model& model = world.model();
    const double scale = momentum_scale(world);
    const Vec3 before = momentum(world);
    const double energy = kinetic_energy(world);
    const double side = triple_product(model.surface, world.state().x);
    const Inputs inputs{{}, {}};
    world.keep_trail(true);
    const std::size_t nodes = model.nodes();
    for (int frame = 0; frame < frames; ++frame) {
        const StepReport report = world.step(inputs);
        crash.met = crash.met || report.contacts > 0.0;
        if (!report.is_valid()) crash.passes += 1000;
        for (std::size_t k = 0; k + 1 < world.trail().size() / nodes; ++k) {
            const auto from = world.trail().subspan(k * nodes, nodes),
                       to = world.trail().subspan((k + 1) * nodes, nodes);
            crash.passes += count_passes(model.surface, from, to);
            const double time = (frame + static_cast<double>(k + 1) / report.substeps) * model.dt;
            if (side != 0.0 && time < swing && triple_product(model.surface, to) * side < 0.0) crash.wrong_side = true;
        }
        crash.momentum = std::max(crash.momentum, distance(momentum(world), before) / std::max(1.0, scale));
        crash.energy = std::max(crash.energy, kinetic_energy(world) / energy - 1.0);
    }
    return crash;
}

struct Encounter {
    std::string name;
    int segments;       // of each rope
    Vec3 offset;        // of the falling rope's middle
    Vec3 direction;     // of the falling rope
    Vec3 motion;        // its velocity for unit speed
    bool both = false;  // both move against each other
};

std::vector<Encounter> encounters() {
    return {{"rods, middle on middle", 1, {0, 0, 0}, {1, 0, 0}, {0, 0, -1}},
            {"rods, off centre", 1, {0.07, 0.05, 0}, {1, 0.3, 0}, {0, 0, -1}, true},
            {"ropes, segment on segment", 9, {0, 0, 0}, {1, 0, 0}, {0, 0, -1}},
            {"ropes, node on node", 10, {0, 0, 0}, {1, 0, 0}, {0, 0, -1}, true},
            {"ropes, off centre", 10, {0.07, 0.05, 0}, {1, 0.3, 0}, {0, 0, -1}},
            {"ropes, aslant", 10, {0.013, 0.021, 0}, {1, 0.3, 0.1}, {0.3, 0.2, -0.933}}};
}

World crossing_ropes(const Encounter& meet, double speed, double gap, int substeps) {
    SceneDescription scene;
    scene.dt = 0.033;
    scene.substeps = substeps;
    // Where the falling rope meets the other, its axis is 2 r + gap above it.
    const double lean = meet.direction.z / meet.direction.x * meet.offset.x;
    const Vec3 flat = meet.motion.z != 0.0 ? Vec3{meet.motion.x, meet.motion.y, 0} * (gap / -meet.motion.z) : Vec3{};
    const Vec3 middle = meet.offset - flat + Vec3{0, 0, 0.04 + gap + lean};
    scene.bodies.push_back(rope("falling", middle, meet.direction, 0.4, meet.segments));
    scene.bodies.push_back(rope("other", {0, 0, 0}, {0, 1, 0}, 0.4, meet.segments));
    Built built = build_scene(scene, 1);
    const Body& falling = built.model.bodies[0];
    for (std::size_t n = 0; n < built.model.nodes(); ++n) {
        const bool first = n < at(falling.nodes);
        const double share = meet.both ? (first ? 0.5 : -0.5) : (first ? 1.0 : 0.0);
        built.state.v[n] = meet.motion * (share * speed);
    }
    return {std::move(built.model), std::move(built.state)};
}

void expect_held(const Encounter& meet, int substeps, int stride) {
    SCOPED_TRACE(meet.name);
    std::string passed, below, grew, lost;
    int met = 0, runs = 0;
    double worst_energy = 0.0, worst_momentum = 0.0;
    for (int k = 1; k <= 1200; k += stride) {
        const double speed = 0.05 * k;
        const double gap = 0.001 + 0.0007 * (k % 17);
        World world = crossing_ropes(meet, speed, gap, substeps);
        const double touch = gap / speed;  // the time of impact
        const Crash crash = run(world, static_cast<int>(std::ceil(touch / 0.033)) + 3, touch + 0.05 / speed);
        ++runs;
        met += crash.met ? 1 : 0;
        const std::string what = std::to_string(speed).substr(0, 5) + " ";
        if (crash.passes > 0) passed += what;
        if (crash.wrong_side) below += what;
        if (crash.energy > 1e-9) grew += what;
        if (crash.momentum > 1e-12) lost += what;
        worst_energy = std::max(worst_energy, crash.energy);
        worst_momentum = std::max(worst_momentum, crash.momentum);
    }
    EXPECT_EQ(met, runs);
    EXPECT_EQ(passed, "") << "passed through at these speeds, m/s";
    EXPECT_EQ(below, "") << "on the other side at these speeds, m/s";
    EXPECT_EQ(grew, "") << "kinetic energy grew at these speeds, by a share of up to " << worst_energy;
    EXPECT_EQ(lost, "") << "momentum changed at these speeds, by up to " << worst_momentum;
}

TEST(CrossingRopes, MiddleOnMiddle) {
    expect_held(encounters()[0], 1, 1);
    expect_held(encounters()[0], 20, 1);
}

TEST(CrossingRopes, TwentySubsteps) {
    for (const Encounter& meet : encounters()) expect_held(meet, 20, 7);
}

TEST(CrossingRopes, OneSubstep) {
    for (const Encounter& meet : encounters()) expect_held(meet, 1, 7);
}

// Side by side and not quite above each other: what a long substep does to the direction of the push.
TEST(ParallelRopes, EnergyNeverGrows) {
    for (const int substeps : {1, 20}) {
        for (const int segments : {1, 8}) {
            std::string grew;
            double most = 0.0;
            for (const double aside : {0.0, 0.003, 0.01, 0.02, 0.03, 0.038}) {
                for (int k = 1; k <= 1200; k += k < 60 ? 3 : 19) {
                    SceneDescription scene;
                    scene.dt = 0.033;
                    scene.substeps = substeps;
                    scene.contact.friction = 0.0;
                    const double speed = 0.05 * k, gap = 0.002;
                    scene.bodies.push_back(rope("falling", {aside, 0, 0.04 + gap}, {0, 1, 0}, 0.4, segments));
                    scene.bodies.push_back(rope("other", {0, 0, 0}, {0, 1, 0}, 0.4, segments));
                    Built built = build_scene(scene, 1);
                    for (int n = 0; n <= segments; ++n) built.state.v[at(n)] = Vec3{0.1, 0, -1} * speed;
                    World world(std::move(built.model), std::move(built.state));
                    const Crash crash = run(world, static_cast<int>(std::ceil(0.05 / speed / 0.033)) + 2);
                    if (crash.energy > 1e-9) {
                        grew += std::to_string(aside).substr(0, 5) + "@" + std::to_string(speed).substr(0, 4) + " ";
                    }
                    most = std::max(most, crash.energy);
                    EXPECT_LT(crash.momentum, 1e-12);
                }
            }
            EXPECT_EQ(grew, "") << substeps << " substeps, " << segments
                                << " segments: energy grew at these offsets and speeds, by a share of up to " << most;
        }
    }
}

// A free patch of membrane, five by five nodes over 16 cm, below a rope.
World rope_over_patch(double speed, double gap, const Vec3& offset, int substeps) {
    SceneDescription scene;
    scene.dt = 0.033;
    scene.substeps = substeps;
    scene.bodies.push_back(rope("rope", offset + Vec3{0, 0, 0.025 + gap}, {1, 0.2, 0}, 0.4, 10));
    Built built = build_scene(scene, 1);
    Model& model = built.model;
    constexpr int n = 5;
    const auto first = static_cast<std::int32_t>(model.nodes());
    const auto node = [&](int i, int j) { return first + i * n + j; };
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            model.rest.push_back({0.04 * (i - 2), 0.04 * (j - 2), 0});
            model.inverse_mass.push_back(250.0);
            model.contact_radius.push_back(0.005);
            model.column.push_back(-1);
            built.state.x.push_back(model.rest.back());
            built.state.v.push_back({});
        }
    }
    model.bodies.push_back({"patch", TissueKind::mass_spring, first, n * n, {}});
    for (int i = 0; i + 1 < n; ++i) {
        for (int j = 0; j + 1 < n; ++j) {
            model.surface.triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1), 0.005, 1, -1, 0, 0});
            model.surface.triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1), 0.005, 1, -1, 0, 0});
        }
    }
    mass_spring::Sheet sheet{static_cast<std::int32_t>(model.of<Springs>().springs.size()), 0, n, n, {}, 0.01};
    const auto connect = [&](int i, int j, int next, int slot) {
        if (i + next >= n || slot >= n) return;
        const double rest = distance(model.rest[at(node(i, j))], model.rest[at(node(i + next, slot))]);
        model.of<Springs>().springs.push_back({node(i, j), node(i + next, slot), rest, 300.0, 0.2, 1,
                                               static_cast<std::int16_t>(j), static_cast<std::int16_t>(slot), i,
                                               next == 1});
        ++sheet.count;
    };
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            sheet.node.push_back(node(i, j));
            connect(i, j, 0, j + 1);
            connect(i, j, 1, j);
            connect(i, j, 1, j + 1);
        }
    }
    model.of<Springs>().sheets.push_back(std::move(sheet));
    model.tissue_nodes = model.nodes();
    for (std::size_t k = 0; k < at(first); ++k) built.state.v[k] = {0, 0, -speed};
    return {std::move(built.model), std::move(built.state)};
}

void expect_patch_held(int substeps, const std::vector<double>& speeds) {
    for (const Vec3& offset : {Vec3{}, Vec3{0.013, 0.007, 0}, Vec3{0.03, -0.05, 0}}) {
        std::string passed, grew, lost;
        double most = 0.0, off = 0.0;
        int met = 0;
        for (const double speed : speeds) {
            const double gap = 0.004;
            World world = rope_over_patch(speed, gap, offset, substeps);
            const Crash crash = run(world, static_cast<int>(std::ceil(gap / speed / 0.033)) + 3);
            met += crash.met ? 1 : 0;
            const std::string what = std::to_string(speed).substr(0, 5) + " ";
            if (crash.passes > 0) passed += what;
            if (crash.energy > 1e-9) grew += what;
            if (crash.momentum > 1e-12) lost += what;
            most = std::max(most, crash.energy);
            off = std::max(off, crash.momentum);
        }
        EXPECT_EQ(met, static_cast<int>(speeds.size()));
        EXPECT_EQ(passed, "") << "at " << offset.x << ": passed through at these speeds, m/s";
        EXPECT_EQ(grew, "") << "at " << offset.x << ": energy grew at these speeds, by up to " << most;
        EXPECT_EQ(lost, "") << "at " << offset.x << ": momentum changed at these speeds, by up to " << off;
    }
}

std::vector<double> patch_speeds() {
    std::vector<double> speeds;
    for (int k = 1; k <= 1200; k += 13) speeds.push_back(0.05 * k);
    return speeds;
}

TEST(RopeOnPatch, TwentySubsteps) {
    expect_patch_held(20, patch_speeds());
}

TEST(RopeOnPatch, OneSubstep) {
    expect_patch_held(1, patch_speeds());
}

}  // namespace
}  // namespace plica::testing
