#include "experiments/johnsen/contact_trials.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "experiments/tled/specimen.hpp"
#include "scene/build.hpp"
#include "tissue/tled/fields.hpp"

namespace plica::experiments {
namespace {

SceneDescription make_scene(ResponseKind response, double dt) {
    SceneDescription scene;
    scene.dt = dt;
    scene.substeps = 1;
    scene.exact = true;
    scene.gravity = {};
    scene.contact.friction = 0.0;
    scene.contact.response = response;
    return scene;
}

BodyDescription make_block(const char* name, const Vec3& size, const std::array<int, 3>& cells, const Vec3& center,
                           double density) {
    BodyDescription body;
    body.name = name;
    body.tissue = TissueKind::tled;
    body.organ.shape = "block";
    body.organ.size = size;
    body.organ.cells = cells;
    body.organ.material = make_neo_hookean(3000.0, 0.3, density);
    body.organ.center = center;
    return body;
}

World make_world(const SceneDescription& scene) {
    Built built = build_scene(scene, 1);
    return World(std::move(built.model), std::move(built.state), 1);
}

struct Box {
    Vec3 low, high;

    [[nodiscard]] bool meets(const Box& o) const {
        return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y && low.z <= o.high.z &&
               o.low.z <= high.z;
    }
};
Box box_around(std::initializer_list<Vec3> points, double radius) {
    Box box{*points.begin(), *points.begin()};
    for (const Vec3& p : points) {
        box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
        box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
    }
    const Vec3 around{radius, radius, radius};
    return {box.low - around, box.high + around};
}

struct Motion {
    Vec3 momentum, angular;
    double energy = 0.0;
};
Motion measure_motion(const World& world) {
    Motion m;
    const Model& model = world.model();
    for (std::size_t n = 0; n < model.nodes(); ++n) {
        if (model.inverse_mass[n] == 0.0) continue;
        const double mass = 1.0 / model.inverse_mass[n];
        const Vec3 v = world.state().v[n];
        m.momentum += v * mass;
        m.angular += cross(world.state().x[n], v) * mass;
        m.energy += 0.5 * mass * squared_norm(v);
    }
    for (const tled::Organ& organ : model.of<Solids>()) {
        const auto part = [&](auto& values) {
            return std::span(values).subspan(at(organ.first_node), at(organ.nodes));
        };
        m.energy += tled::compute_energy(organ, part(model.rest), part(world.state().x));
    }
    return m;
}

constexpr double patch_side = 0.1, patch_height = 0.05, patch_gap = 1e-4;  // m
constexpr double patch_stretch = 0.95;
constexpr double patch_push = 2.0 * (1.0 - patch_stretch) * patch_height + patch_gap;  // m

void hold(OrganDescription& organ, int axis, bool high, const Vec3& by = {}) {
    MotionDescription motion;
    motion.where.kind = NodeSelection::Kind::side;
    motion.where.axis = axis;
    motion.where.towards_high = high;
    motion.motion.axes = {axis == 0, axis == 1, axis == 2};
    motion.motion.displacement = by;
    motion.motion.ramp = {RampShape::smooth, 0.0, 1.0};
    organ.motions.push_back(motion);
}

SceneDescription make_patch_scene(ResponseKind response, double thickness) {
    SceneDescription scene = make_scene(response, 0.01);
    const Vec3 size{patch_side, patch_side, patch_height};
    const double above = 0.5 * patch_height + thickness + patch_gap;
    scene.bodies.push_back(make_block("lower", size, {4, 4, 2}, {0, 0, -0.5 * patch_height}, 1000.0));
    scene.bodies.push_back(make_block("upper", size, {6, 6, 3}, {0, 0, above}, 1000.0));
    for (BodyDescription& body : scene.bodies) {
        body.organ.thickness = thickness;
        body.organ.damping = 60.0;  // near critical for the slowest mode
        for (const int axis : {0, 1}) {
            for (const bool high : {false, true}) hold(body.organ, axis, high);
        }
    }
    hold(scene.bodies[0].organ, 2, false);
    hold(scene.bodies[1].organ, 2, true, {0, 0, -patch_push});
    return scene;
}

// Of a node of the patch from its place at rest: both blocks shrink towards their far sides.
Vec3 theory_of(const Vec3& rest, bool upper, double thickness) {
    const double top = patch_height + thickness + patch_gap;
    const double z = upper ? top - patch_push - patch_stretch * (top - rest.z)
                           : -patch_height + patch_stretch * (rest.z + patch_height);
    return {rest.x, rest.y, z};
}

// First Piola stress of a neo-Hookean block that is shortened along z between walls, times its area.
double find_patch_force(const tled::Material& material) {
    const double j = patch_stretch, i1 = 2.0 + j * j;
    const double stress = material.shear * std::pow(j, -2.0 / 3.0) * j + material.bulk * (j - 1.0) -
                          material.shear / 3.0 * i1 * std::pow(j, -5.0 / 3.0);
    return -stress * patch_side * patch_side;
}

// What the lower block's support carries, N.
double find_support(const World& world) {
    const tled::Organ& organ = world.model().of<Solids>()[0];
    double sum = 0.0;
    for (std::int32_t n = 0; n < organ.nodes; ++n) {
        const Vec3 rest = world.model().rest[at(organ.first_node + n)];
        if (rest.z < -patch_height + 1e-6) sum += world.work<Solids>().organs[0].force[at(n)].z;
    }
    return sum;
}

void compare_with_theory(const World& world, double thickness, Patch& patch) {
    const Model& model = world.model();
    double squares = 0.0;
    for (std::size_t n = 0; n < model.nodes(); ++n) {
        const bool upper = n >= at(model.of<Solids>()[1].first_node);
        const Vec3 x = world.state().x[n], wanted = theory_of(model.rest[n], upper, thickness);
        const double error = distance(x, wanted) / patch_push;
        patch.nodal_error = std::max(patch.nodal_error, error);
        squares += error * error;
        patch.speed = std::max(patch.speed, norm(world.state().v[n]));
        patch.nodes.push_back({x, wanted});
    }
    patch.mean_error = std::sqrt(squares / static_cast<double>(model.nodes()));
    patch.force_error = patch.force / find_patch_force(model.of<Solids>()[0].materials[0]) - 1.0;
}

}  // namespace

double find_penetration(const World& world) {
    const Surface& surface = world.model().surface;
    const std::span<const Vec3> x = world.state().x;
    std::vector<Box> boxes;
    for (const Capsule& c : surface.capsules) boxes.push_back(box_around({x[at(c.a)], x[at(c.b)]}, c.radius));
    for (const Triangle& t : surface.triangles) {
        boxes.push_back(box_around({x[at(t.a)], x[at(t.b)], x[at(t.c)]}, t.half_thickness));
    }
    double deepest = 0.0;
    const std::size_t capsules = surface.capsules.size();
    for (std::size_t a = at(plain_capsules(surface)); a < capsules; ++a) {
        for (std::size_t b = a + 1; b < boxes.size(); ++b) {
            if (!boxes[a].meets(boxes[b])) continue;
            if (!(b < capsules ? capsules_can_touch(surface, a, b) : can_touch(surface, a, b - capsules))) continue;
            Pair pair;
            pair.a = static_cast<std::int32_t>(a);
            pair.b = static_cast<std::int32_t>(b);
            deepest = std::max(deepest, -measure(surface, pair, x, {}).gap);
        }
    }
    return deepest;
}

double mean_edge(const Model& model) {
    double sum = 0.0;
    std::size_t count = 0;
    for (const Triangle& t : model.surface.triangles) {
        const Vec3 a = model.rest[at(t.a)], b = model.rest[at(t.b)], c = model.rest[at(t.c)];
        sum += distance(a, b) + distance(b, c) + distance(c, a);
        count += 3;
    }
    return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

Meeting meet_blocks(ResponseKind response, double density_ratio, int frames, NormalKind normals) {
    SceneDescription scene = make_scene(response, 0.002);
    scene.contact.normals = normals;
    const Vec3 size{0.05, 0.05, 0.05};
    scene.bodies.push_back(make_block("one", size, {3, 3, 3}, {}, 1000.0));
    scene.bodies.push_back(make_block("two", size, {4, 4, 4}, {0.012, 0.007, 0.062}, 1000.0 * density_ratio));
    scene.bodies[0].organ.turn = {0.1, 0.2, 0.0};
    scene.bodies[0].velocity = {0, 0, 0.3};
    World world = make_world(scene);
    const Motion before = measure_motion(world);
    const double carried = norm(before.momentum);
    Meeting m;
    m.edge = mean_edge(world.model());
    m.thickness = 2.0 * world.model().surface.triangles.front().half_thickness;
    m.track.push_back({0.0, 1.0, 1.0});
    double sweeps = 0.0, substeps = 0.0;
    for (int k = 1; k <= frames; ++k) {
        const StepReport report = world.step(Inputs{});
        m.valid = m.valid && report.is_valid();
        m.held += report.held;
        m.contacts = std::max(m.contacts, report.contacts);
        sweeps += report.sweeps;
        substeps += report.substeps;
        const Motion now = measure_motion(world);
        m.momentum = std::max(m.momentum, norm(now.momentum - before.momentum) / carried);
        m.angular = std::max(m.angular, norm(now.angular - before.angular) / (carried * 0.05));
        m.last_energy = now.energy / before.energy;
        m.most_energy = std::max(m.most_energy, m.last_energy);
        m.least_energy = std::min(m.least_energy, m.last_energy);
        m.penetration = std::max(m.penetration, find_penetration(world));
        m.track.push_back({k * scene.dt, norm(now.momentum) / carried, m.last_energy});
    }
    m.passes = sweeps / substeps;
    return m;
}

Patch press_patch(ResponseKind response, double thickness, double seconds, NormalKind normals) {
    SceneDescription scene = make_patch_scene(response, thickness);
    scene.contact.normals = normals;
    World world = make_world(scene);
    Patch patch;
    double sweeps = 0.0, substeps = 0.0;
    const auto frames = static_cast<int>(std::lround(seconds / scene.dt));
    const int looks = std::min(frames, 50);
    for (int k = 0; k < frames; ++k) {
        const StepReport report = world.step(Inputs{});
        patch.valid = patch.valid && report.is_valid();
        patch.held += report.held;
        patch.most_passes = std::max(patch.most_passes, static_cast<double>(report.sweeps) / report.substeps);
        sweeps += report.sweeps;
        substeps += report.substeps;
        if (k < frames - looks) continue;
        patch.force += find_support(world) / looks;
        patch.penetration = std::max(patch.penetration, find_penetration(world));
    }
    patch.passes = sweeps / substeps;
    compare_with_theory(world, thickness, patch);
    return patch;
}

}  // namespace plica::experiments
