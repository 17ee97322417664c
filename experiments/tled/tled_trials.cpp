#include "experiments/tled/tled_trials.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "engine/world.hpp"
#include "experiments/tled/tled_checks.hpp"
#include "scene/build.hpp"
#include "tissue/tled/limit.hpp"

namespace plica::experiments {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double young = 3000.0, density = 1000.0;  // Pa, kg/m^3

double force_along_x(const std::vector<Vec3>& force, const std::vector<std::int32_t>& nodes) {
    double sum = 0.0;
    for (const std::int32_t n : nodes) sum += force[at(n)].x;
    return sum;
}

// Stresses of a stretched neo-Hookean body, along and across.
struct Stresses {
    double along, across;
};
Stresses stresses(const tled::Material& m, double stretch, double lateral) {
    const double j = stretch * lateral * lateral, y = 1.0 / std::cbrt(j);
    const double i1 = stretch * stretch + 2.0 * lateral * lateral;
    const double pressure = m.bulk * (j - 1.0) - m.shear / 3.0 * i1 * std::pow(y, 5);
    return {m.shear * y * y * stretch + pressure * lateral * lateral,
            m.shear * y * y * lateral + pressure * stretch * lateral};
}

}  // namespace

Stretching solve_stretching(const tled::Material& material, double stretch) {
    double low = 0.2, high = 5.0;  // the stress across grows with the stretch across
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        (stresses(material, stretch, middle).across < 0.0 ? low : high) = middle;
    }
    const double lateral = 0.5 * (low + high);
    return {0.01 * stresses(material, stretch, lateral).along, lateral};
}

Stretching stretch_block(tled::ElementKind kind, const tled::Material& material, double stretch, bool exact) {
    const double size = 0.1;
    Specimen block(make_specimen_block(kind, {size, size, size}, {3, 2, 2}), {material}, settings_of(kind, exact));
    const double guess = std::pow(stretch, -tled::poisson_of(material));
    for (Vec3& p : block.x) p = {stretch * p.x, guess * p.y, guess * p.z};
    block.hold(block.side(0, false), {true, false, false});
    block.hold(block.side(1, false), {false, true, false});
    block.hold(block.side(2, false), {false, false, true});
    const std::vector<std::int32_t> drawn = block.side(0, true), across = block.side(1, true);
    block.hold(drawn, {true, false, false}, {(stretch - 1.0) * size, 0, 0});
    // The slowest mode is about that of a rod; it is damped a little less than best, which is fast as well.
    const double slowest = 0.5 * pi / size * std::sqrt(tled::young_of(material) / material.density);
    const double h = 0.6 * block.find_limit(1e-2);
    block.settle(h, 2.0 * slowest, exact ? 1e-13 : 1e-6, static_cast<int>(60.0 / (slowest * h)));
    return {force_along_x(block.find_forces(), drawn), block.x[at(across[0])].y / size};
}

double find_tip_ratio(tled::ElementKind kind, double poisson, int across) {
    const double width = 0.05, length = 5.0 * width, load = 1e-5;  // m, m, N
    const tled::Material material = make_neo_hookean(young, poisson, density);
    const VolumeMesh mesh = make_specimen_block(kind, {length, width, width}, {5 * across, across, across});
    Specimen bar(mesh, {material}, settings_of(kind, false));
    bar.hold(bar.side(0, false), {true, true, true});
    const std::vector<std::int32_t> end = bar.side(0, true);
    const double area = width * width, inertia = area * area / 12.0;
    Load traction;
    traction.kind = LoadKind::traction;
    traction.value = {0, 0, -load / area};
    traction.triangles = bar.triangles_on(end);
    bar.organ.loads.push_back(traction);
    const double shear_factor = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);  // of a rectangle
    const double theory =
        load * std::pow(length, 3) / (3.0 * young * inertia) + load * length / (shear_factor * material.shear * area);
    const double slowest = 3.516 / (length * length) * std::sqrt(young * inertia / (density * area));
    bar.organ.damping = 2.0 * slowest;
    const double h = 0.9 * bar.find_limit(1e-2);
    const auto steps = static_cast<int>(14.0 / (slowest * h));
    for (int i = 0; i < steps; ++i) bar.step(h);
    double tip = 0.0;
    for (const std::int32_t n : end) tip += (bar.rest[at(n)].z - bar.x[at(n)].z) / static_cast<double>(end.size());
    return tip / theory;
}

Vibration vibrate_block(tled::ElementKind kind, double share, double seconds, bool exact, bool thrown) {
    Specimen block(make_specimen_block(kind, {0.2, 0.1, 0.1}, {8, 4, 4}), {make_neo_hookean(young, 0.49, density)},
                   settings_of(kind, exact));
    const double h = share * tled::bound_step(block.organ).seconds;
    for (std::size_t n = 0; n < block.rest.size(); ++n) {
        const Vec3 r = block.rest[n] - Vec3{0.1, 0.05, 0.05};
        block.x[n] = block.rest[n] + Vec3{0.05 * r.x, -0.025 * r.y, -0.025 * r.z + 0.005 * std::cos(pi * r.x / 0.2)};
        if (thrown) block.v[n] = Vec3{1.0, -0.6, 0.4} + cross(Vec3{1.0, 3.0, -2.0}, r);
    }
    double first_energy = 0.0;
    Vec3 first_momentum, first_angular;
    std::vector<double> energy;
    Vibration seen;
    const auto steps = static_cast<int>(seconds / h);
    std::vector<Vec3> before, mean(block.x.size());
    for (int i = 0; i < steps; ++i) {
        before = block.v;
        const double elastic = block.elastic();
        const bool start = i == 0;
        block.step(h);
        for (std::size_t n = 0; n < mean.size(); ++n) mean[n] = start ? before[n] : 0.5 * (before[n] + block.v[n]);
        energy.push_back(elastic + block.kinetic(mean));
        if (start) {
            first_energy = energy[0];
            first_momentum = block.momentum();
            first_angular = block.angular_momentum();
        }
        seen.deviation = std::max(seen.deviation, std::abs(energy.back() / first_energy - 1.0));
        if (!thrown) continue;
        seen.momentum = std::max(seen.momentum, norm(block.momentum() - first_momentum) / norm(first_momentum));
        seen.angular = std::max(seen.angular, norm(block.angular_momentum() - first_angular) / norm(first_angular));
    }
    const auto tenth = static_cast<std::ptrdiff_t>(energy.size() / 10);
    double early = 0.0, late = 0.0;
    for (std::ptrdiff_t i = 0; i < tenth; ++i) {
        early += energy[static_cast<std::size_t>(i)];
        late += energy[energy.size() - 1 - static_cast<std::size_t>(i)];
    }
    seen.drift = std::abs(late / early - 1.0);
    return seen;
}

double fall_freely(double dt, bool exact) {
    SceneDescription scene;
    scene.dt = dt;
    scene.substeps = 1;
    scene.exact = exact;
    scene.contact.enabled = false;
    scene.gravity = {0, 0, -1};
    BodyDescription body;
    body.name = "block";
    body.tissue = TissueKind::tled;
    body.organ.shape = "block";
    body.organ.cells = {2, 2, 2};
    body.organ.material = make_neo_hookean(young, 0.45, density);
    scene.bodies.push_back(body);
    Built built = build_scene(scene, 1);
    World world(std::move(built.model), std::move(built.state));
    Inputs inputs;
    inputs.gravity = scene.gravity;
    const auto steps = static_cast<int>(std::lround(0.2 / dt));
    for (int i = 0; i < steps; ++i) world.step(inputs);
    double fallen = 0.0;
    const std::size_t nodes = world.model().nodes();
    for (std::size_t n = 0; n < nodes; ++n) fallen += world.model().rest[n].z - world.state().x[n].z;
    return fallen / static_cast<double>(nodes);
}

double fall_freely_late(double dt) {
    Specimen block(make_specimen_block(tled::ElementKind::t4, {0.1, 0.1, 0.1}, {2, 2, 2}),
                   {make_neo_hookean(young, 0.45, density)}, settings_of(tled::ElementKind::t4, true));
    block.last_h = dt;
    const auto steps = static_cast<int>(std::lround(0.2 / dt));
    for (int i = 0; i < steps; ++i) block.step(dt, {0, 0, -1});
    return block.rest[0].z - block.x[0].z;
}

std::vector<Fading> watch_stress_fade(tled::ElementKind kind, double h, int steps, bool exact) {
    tled::Material material = make_neo_hookean(young, 0.45, density);
    material.relaxation[0] = {0.3, 0.05};
    material.relaxation[1] = {0.4, 0.5};
    material.relaxations = 2;
    Specimen block(make_specimen_block(kind, {0.1, 0.1, 0.1}, {2, 2, 2}), {material}, settings_of(kind, exact));
    for (Vec3& p : block.x) p.x *= 1.2;
    const std::vector<std::int32_t> drawn = block.side(0, true);
    const double at_once = force_along_x(block.find_forces(), drawn);
    std::vector<Fading> fading{{}};
    for (int i = 1; i <= steps; ++i) {
        const double t = i * h;
        double theory = 1.0;
        for (int r = 0; r < material.relaxations; ++r) {
            const tled::Relaxation& each = material.relaxation[at(r)];
            theory -= each.share * (1.0 - std::exp(-t / each.time));
        }
        fading.push_back({t, theory, force_along_x(block.wait(h), drawn) / at_once});
    }
    return fading;
}

}  // namespace plica::experiments
