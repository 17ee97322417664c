#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "core/random.hpp"
#include "experiments/tled/tled_checks.hpp"
#include "experiments/tled/tled_trials.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tissue/load.hpp"
#include "tissue/tled/fields.hpp"

// Forces of whole organs: the derivative of their energy, exact for even strains, the same on every machine; loads.
namespace plica::testing {
namespace {

using experiments::find_force_error;
using experiments::find_patch_residual;
using experiments::make_neo_hookean;
using experiments::make_perturbed_box;
using experiments::make_specimen_block;
using experiments::settings_of;
using experiments::shake;
using experiments::Specimen;
using tled::ElementKind;
using tled::Material;

constexpr ElementKind kinds[] = {ElementKind::t4, ElementKind::t4anp, ElementKind::h8};

Material fibrous() {
    Material material = make_neo_hookean(4000.0, 0.4);
    material.fibre = {3000.0, normalized(Vec3{1, 1, 0}), false};
    return material;
}

TEST(TledForces, AreTheDerivativeOfTheEnergy) {
    for (const ElementKind kind : kinds) {
        for (const Material& material : {make_neo_hookean(3000.0, 0.45), fibrous()}) {
            Specimen specimen(make_perturbed_box(kind, 3), {material}, settings_of(kind, true));
            shake(specimen, 0.004);
            EXPECT_LT(find_force_error(specimen), 1e-8) << element_name(kind);
            EXPECT_GT(find_force_error(specimen, 1.001), 1e-7) << "one force a thousandth too large";
        }
    }
}

TEST(TledForces, OfStVenantKirchhoffToo) {
    Material material = make_neo_hookean(3000.0, 0.3);
    material.law = tled::Law::st_venant_kirchhoff;
    for (const ElementKind kind : {ElementKind::t4, ElementKind::h8}) {
        Specimen specimen(make_perturbed_box(kind, 3), {material}, settings_of(kind, true));
        shake(specimen, 0.003);
        EXPECT_LT(find_force_error(specimen), 1e-8) << element_name(kind);
    }
}

// Two materials share nodes, each with its own pressure there.
TEST(TledForces, WhereTwoMaterialsMeet) {
    for (const ElementKind kind : kinds) {
        VolumeMesh mesh = make_perturbed_box(kind, 3);
        mesh.region_names = {"soft", "stiff"};
        const std::size_t cells = mesh.cells();
        for (std::size_t c = 0; c < cells; ++c) mesh.region.push_back(c % 3 == 0 ? 1 : 0);
        Specimen specimen(mesh, {make_neo_hookean(1000.0, 0.3), make_neo_hookean(9000.0, 0.49)},
                          settings_of(kind, true));
        shake(specimen, 0.003);
        EXPECT_LT(find_force_error(specimen), 1e-8) << element_name(kind);
    }
}

TEST(TledForces, PatchTest) {
    for (const ElementKind kind : kinds) {
        EXPECT_LT(find_patch_residual(kind, true, 0.0), 1e-12) << element_name(kind);
        EXPECT_LT(find_patch_residual(kind, false, 0.0), 1e-5) << element_name(kind);
        EXPECT_GT(find_patch_residual(kind, true, 0.1), 1e-4) << "not affine";
    }
}

TEST(TledForces, StretchedBlockFollowsTheScalarEquation) {
    for (const ElementKind kind : kinds) {
        for (const double poisson : {0.3, 0.49}) {
            const Material material = make_neo_hookean(3000.0, poisson);
            const experiments::Stretching theory = experiments::solve_stretching(material, 1.3);
            const experiments::Stretching ours = experiments::stretch_block(kind, material, 1.3, true);
            EXPECT_NEAR(ours.force / theory.force, 1.0, 1e-8) << element_name(kind) << " " << poisson;
            EXPECT_NEAR(ours.lateral / theory.lateral, 1.0, 1e-8) << element_name(kind) << " " << poisson;
            const experiments::Stretching other =
                experiments::solve_stretching(make_neo_hookean(3000.0, poisson - 0.001), 1.3);
            EXPECT_GT(std::abs(other.lateral / theory.lateral - 1.0), 1e-5) << "a little more compressible";
        }
    }
}

// The same bits from every instruction set and number of threads.
TEST(TledForces, DependOnNeitherInstructionsNorThreads) {
    for (const ElementKind kind : kinds) {
        for (const bool exact : {false, true}) {
            std::vector<Material> materials{fibrous(), make_neo_hookean(2000.0, 0.48)};
            materials[0].relaxation[0] = {0.4, 0.1};
            materials[0].relaxations = 1;
            VolumeMesh mesh = make_specimen_block(kind, {0.1, 0.1, 0.1}, {12, 9, 10});
            for (std::size_t c = 0; c < mesh.cells(); ++c) mesh.region.push_back(c * 2 > mesh.cells() ? 1 : 0);
            std::vector<Vec3> first;
            for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
                if (!is_available(isa)) continue;
                for (const int threads : {1, 2, 4}) {
                    Specimen specimen(mesh, materials, settings_of(kind, exact), isa, threads);
                    shake(specimen, 0.001);
                    specimen.wait(0.01);
                    const std::vector<Vec3> force = specimen.wait(0.01);
                    if (first.empty()) first = force;
                    EXPECT_TRUE(std::equal(force.begin(), force.end(), first.begin()))
                        << element_name(kind) << " " << exact << " " << isa_name(isa) << " " << threads;
                }
            }
            Specimen other(mesh, materials, settings_of(kind, exact));
            shake(other, 0.001);
            other.x[3].x += 1e-6;
            other.wait(0.01);
            const std::vector<Vec3> force = other.wait(0.01);
            EXPECT_FALSE(std::equal(force.begin(), force.end(), first.begin())) << "one node a micrometre away";
        }
    }
}

Vec3 sum_of(const std::vector<Vec3>& force) {
    Vec3 sum;
    for (const Vec3& f : force) sum += f;
    return sum;
}

std::vector<Vec3> load_at(const Load& load, double t, const Specimen& specimen) {
    std::vector<Vec3> force(specimen.rest.size());
    add_loads({&load, 1}, t, specimen.rest, specimen.x, force);
    return force;
}

// Pressure on a closed surface: no resultant, no moment, and its work is -p dV for small moves of any kind.
TEST(TledLoads, PressureOnAClosedSurface) {
    Specimen specimen(make_perturbed_box(ElementKind::t4, 4), {Material{}}, settings_of(ElementKind::t4, true));
    shake(specimen, 0.004);
    Load load{LoadKind::pressure, {200.0, 0, 0}, {}, {}, specimen.surface};
    const std::vector<Vec3> force = load_at(load, 1.0, specimen);
    double largest = 0.0;
    for (const Vec3& f : force) largest = std::max(largest, norm(f));
    EXPECT_LT(norm(sum_of(force)), 1e-12 * largest);
    Vec3 moment;
    for (std::size_t n = 0; n < force.size(); ++n) moment += cross(specimen.x[n], force[n]);
    EXPECT_LT(norm(moment), 1e-12 * largest * 0.1);

    Random random{3};
    double work = 0.0;
    const double before = tled::compute_present_volume(specimen.organ, specimen.x);
    const double size = 1e-7;
    for (std::size_t n = 0; n < force.size(); ++n) {
        const Vec3 move{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
        work += dot(force[n], move);
        specimen.x[n] += move;
    }
    const double grown = tled::compute_present_volume(specimen.organ, specimen.x) - before;
    EXPECT_NEAR(work / (-200.0 * grown), 1.0, 1e-4);

    load.triangles.pop_back();
    EXPECT_GT(norm(sum_of(load_at(load, 1.0, specimen))), 0.1 * largest) << "a surface with a hole";
}

TEST(TledLoads, TractionAndForceAddUp) {
    Specimen specimen(make_perturbed_box(ElementKind::h8, 4), {Material{}}, settings_of(ElementKind::h8, true));
    for (Vec3& p : specimen.x) p.y *= 1.5;  // a traction is over the area at rest
    const std::vector<std::int32_t> end = specimen.side(0, true);
    Load load{LoadKind::traction, {30.0, -10.0, 5.0}, {}, {}, specimen.triangles_on(end)};
    EXPECT_LT(norm(sum_of(load_at(load, 0.0, specimen)) - Vec3{0.3, -0.1, 0.05}), 1e-14);
    load = {LoadKind::force, {3.0, -1.0, 0.5}, {}, end, {}};
    const std::vector<Vec3> force = load_at(load, 0.0, specimen);
    EXPECT_LT(norm(sum_of(force) - Vec3{3.0, -1.0, 0.5}), 1e-14);
    EXPECT_EQ(force[at(specimen.side(0, false)[0])], Vec3{});
    load = {LoadKind::pressure, {30.0, 0, 0}, {}, {}, specimen.triangles_on(end)};
    EXPECT_NEAR(sum_of(load_at(load, 0.0, specimen)).x, -0.45, 1e-14) << "a pressure is over the area as it is";
}

TEST(TledLoads, Ramps) {
    const Ramp smooth{RampShape::smooth, 1.0, 3.0};
    const Ramp linear{RampShape::linear, 1.0, 3.0};
    const Ramp jump{RampShape::step, 1.0, 3.0};
    for (const Ramp& ramp : {smooth, linear, jump}) {
        EXPECT_EQ(ramp.at(0.5), 0.0);
        EXPECT_EQ(ramp.at(3.0), 1.0);
        EXPECT_EQ(ramp.at(9.0), 1.0);
    }
    EXPECT_DOUBLE_EQ(smooth.at(2.0), 0.5);
    EXPECT_DOUBLE_EQ(linear.at(1.5), 0.25);
    EXPECT_EQ(jump.at(2.999), 0.0);
    // A load that is there at once, from the first step on.
    EXPECT_EQ(Ramp{}.at(0.0), 1.0);
    // Value and two derivatives are continuous at both ends; those of a linear ramp are not.
    const double d = 1e-3;
    for (const double end : {1.0, 3.0}) {
        const auto slope = [&](const Ramp& r) { return (r.at(end + d) - r.at(end - d)) / (2.0 * d); };
        const auto bend = [&](const Ramp& r) { return (r.at(end + d) - 2.0 * r.at(end) + r.at(end - d)) / (d * d); };
        EXPECT_LT(std::abs(slope(smooth)), 1e-5);
        EXPECT_LT(std::abs(bend(smooth)), 1e-2);
        EXPECT_GT(std::abs(slope(linear)), 0.1);
        EXPECT_GT(std::abs(bend(linear)), 100.0);
    }
}

TEST(TledLoads, MotionsAlongSingleAxes) {
    const std::vector<Vec3> rest{{0, 0, 0}, {1, 2, 3}};
    std::vector<Vec3> p{{9, 9, 9}, {9, 9, 9}};
    Motion motion;
    motion.nodes = {1};
    motion.axes = {false, true, false};
    motion.displacement = {5, 6, 7};
    motion.ramp = {RampShape::linear, 0.0, 2.0};
    apply_motions({&motion, 1}, 1.0, rest, p);
    EXPECT_EQ(p[0], (Vec3{9, 9, 9}));
    EXPECT_EQ(p[1], (Vec3{9, 5, 9}));
    motion.axes = {true, true, true};
    apply_motions({&motion, 1}, 2.0, rest, p);
    EXPECT_EQ(p[1], (Vec3{6, 8, 10}));
}

}  // namespace
}  // namespace plica::testing
