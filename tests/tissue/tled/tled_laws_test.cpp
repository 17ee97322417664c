#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/random.hpp"
#include "experiments/tled/tled_checks.hpp"
#include "experiments/tled/tled_trials.hpp"
#include "tissue/tled/laws.hpp"

// Laws of solid organs: stress is the derivative of the energy, turning a body changes nothing, fibres and relaxation
// do what their formulas say.
namespace plica::testing {
namespace {

using experiments::find_stress_error;
using experiments::Gradient;
using experiments::random_gradient;
using experiments::size_of;
using experiments::stress_of;
using tled::Constants;
using tled::Law;
using tled::Material;

Material plain() {
    Material material;
    tled::set_young(material, 3000.0, 0.45);
    return material;
}
Material venant() {
    Material material = plain();
    material.law = Law::st_venant_kirchhoff;
    return material;
}
Material fibrous_law(bool tension_only = false) {
    Material material = plain();
    material.fibre = {5000.0, normalized(Vec3{1, 2, -0.5}), tension_only};
    return material;
}

TEST(TledLaws, StressIsTheDerivativeOfTheEnergy) {
    EXPECT_LT(find_stress_error(plain()), 1e-8);
    EXPECT_LT(find_stress_error(venant()), 1e-8);
    EXPECT_LT(find_stress_error(fibrous_law()), 1e-8);
    // Where fibres buckle the second derivative jumps, which differences see when they step over it.
    EXPECT_LT(find_stress_error(fibrous_law(true)), 1e-4);
    EXPECT_GT(find_stress_error(plain(), 1.0001), 1e-8) << "one entry a ten-thousandth too large";
}

Gradient turn_by(const Vec3& axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), d = 1.0 - c;
    const Vec3 a = normalized(axis);
    return {{{c + a.x * a.x * d, a.x * a.y * d - a.z * s, a.x * a.z * d + a.y * s},
             {a.y * a.x * d + a.z * s, c + a.y * a.y * d, a.y * a.z * d - a.x * s},
             {a.z * a.x * d - a.y * s, a.z * a.y * d + a.x * s, c + a.z * a.z * d}}};
}
Gradient product(const Gradient& a, const Gradient& b) {
    Gradient c{};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) c.at[i][j] += a.at[i][k] * b.at[k][j];
        }
    }
    return c;
}
Gradient minus(Gradient a, const Gradient& b) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) a.at[i][j] -= b.at[i][j];
    }
    return a;
}

// W(Q F) = W(F), P(Q F) = Q P(F).
TEST(TledLaws, TurningChangesNoEnergyAndTurnsTheStress) {
    Random random;
    const Gradient one{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (const Material& material : {plain(), venant(), fibrous_law(), fibrous_law(true)}) {
        for (int i = 0; i < 20; ++i) {
            const Gradient h = random_gradient(random, 0.25);
            const Gradient turn = turn_by({random.uniform(-1, 1), random.uniform(-1, 1), 1.0}, random.uniform(0, 3));
            const Gradient turned = minus(product(turn, tled::add_identity(h)), one);
            const double energy = tled::energy_density(material, h, false);
            EXPECT_NEAR(tled::energy_density(material, turned, false), energy, 1e-11 * (1.0 + energy));
            const Gradient stress = stress_of(material, h);
            EXPECT_LT(size_of(minus(stress_of(material, turned), product(turn, stress))), 1e-11 * size_of(stress));
            // Turned before it is strained, a fibrous body is another one.
            const Gradient before = minus(product(tled::add_identity(h), turn), one);
            if (material.fibre.stiffness > 0.0 && !material.fibre.tension_only) {
                EXPECT_GT(std::abs(tled::energy_density(material, before, false) / energy - 1.0), 1e-9);
            }
        }
    }
}

TEST(TledLaws, NoStressAtRestAndSmallStrainsAreHookes) {
    const Gradient none{};
    for (const Material& material : {plain(), venant(), fibrous_law()}) {
        EXPECT_LT(size_of(stress_of(material, none)), 1e-10);
        EXPECT_EQ(tled::energy_density(material, none, false), 0.0);
    }
    Gradient h{};
    h.at[0][0] = 1e-6;
    for (const Material& material : {plain(), venant()}) {
        EXPECT_NEAR(stress_of(material, h).at[0][0], 1e-6 * (material.lame() + 2.0 * material.shear), 1e-4 * 3e-3);
        EXPECT_NEAR(stress_of(material, h).at[1][1], 1e-6 * material.lame(), 1e-4 * 3e-3);
    }
}

TEST(TledLaws, YoungAndPoissonComeBack) {
    Material material;
    tled::set_young(material, 12345.0, 0.37);
    EXPECT_NEAR(tled::young_of(material), 12345.0, 1e-8);
    EXPECT_NEAR(tled::poisson_of(material), 0.37, 1e-14);
}

// A cell without volume has a finite stress; the flag is the world's matter.
TEST(TledLaws, ACollapsedCellHasAStress) {
    for (const double stretch : {0.05, 0.0, -0.5}) {
        Gradient h{};
        h.at[2][2] = stretch - 1.0;
        for (const Material& material : {plain(), venant(), fibrous_law()}) {
            EXPECT_TRUE(std::isfinite(size_of(stress_of(material, h)))) << stretch;
        }
    }
}

// Relative error of one entry of the stress, by differences of the energy. `h` is added to before it is asked.
double find_entry_error(const Material& material, Gradient h, int i, int j) {
    constexpr double step = 1e-6;
    const double stress = stress_of(material, h).at[i][j], size = size_of(stress_of(material, h));
    h.at[i][j] += step;
    const double ahead = tled::energy_density(material, h, false);
    h.at[i][j] -= 2.0 * step;
    return std::abs((ahead - tled::energy_density(material, h, false)) / (2.0 * step) - stress) / size;
}

// From where a cell counts as crushed on, through no volume to less.
TEST(TledLaws, ACrushedCellPushesBackByTheDerivativeOfItsEnergy) {
    Random random;
    for (const double height : {0.31, 0.25, 0.05, 0.0, -0.2}) {
        for (const Material& material : {plain(), fibrous_law()}) {
            for (int n = 0; n < 10; ++n) {
                Gradient h = random_gradient(random, 0.02);
                h.at[2][2] = height - 1.0;
                for (int i = 0; i < 3; ++i) {
                    for (int j = 0; j < 3; ++j) EXPECT_LT(find_entry_error(material, h, i, j), 1e-6) << height;
                }
                EXPECT_LT(stress_of(material, h).at[2][2], 0.0) << "it wants to be higher " << height;
            }
        }
    }
}

// What the number of substeps goes with. Without an end, J^(-8/3), it would be 120 times as large at 0.04 as at 0.25.
TEST(TledLaws, TheStiffnessOfACrushedCellHasAnEnd) {
    const auto find_stiffness = [](double height) {
        Gradient h{};
        h.at[2][2] = height - 1.0;
        const double before = stress_of(plain(), h).at[2][2];
        h.at[2][2] += 1e-6;
        return (stress_of(plain(), h).at[2][2] - before) / 1e-6;
    };
    const double begin = find_stiffness(0.251);
    EXPECT_GT(begin, 3.0 * find_stiffness(1.0)) << "up to there it rises";
    for (const double height : {0.24, 0.15, 0.05, 0.0, -0.5}) {
        EXPECT_LT(find_stiffness(height), 2.5 * begin) << height;
        EXPECT_GT(find_stiffness(height), 0.0) << height;
    }
}

// Isochoric stretch s along the fibres: dW/ds = P11 - s^(-3/2) P22 is known. Through whole organs.
double find_fibre_error(tled::ElementKind kind, bool exact, double stretch, bool with_fibre) {
    Material material = plain();
    material.fibre = {with_fibre ? 5000.0 : 0.0, {1, 0, 0}, false};
    tled::OrganSettings settings;
    settings.exact = exact;
    if (kind != tled::ElementKind::h8) settings.tetrahedra = kind;
    experiments::Specimen block(experiments::make_specimen_block(kind, {0.1, 0.1, 0.1}, {2, 2, 2}), {material},
                                settings);
    const double across = 1.0 / std::sqrt(stretch);
    for (Vec3& p : block.x) p = {stretch * p.x, across * p.y, across * p.z};
    const std::vector<Vec3>& force = block.find_forces();
    Vec3 along, sideways;
    for (const std::int32_t n : block.side(0, true)) along += force[static_cast<std::size_t>(n)];
    for (const std::int32_t n : block.side(1, true)) sideways += force[static_cast<std::size_t>(n)];
    const double area = 0.01, s2 = stretch * stretch;
    const double theory = material.shear * (stretch - 1.0 / s2) + 2.0 * 5000.0 * (s2 - 1.0) * stretch;
    return std::abs((along.x - std::pow(stretch, -1.5) * sideways.y) / area / theory - 1.0);
}

TEST(TledLaws, FibresPullAsTheirFormula) {
    for (const auto kind : {tled::ElementKind::t4, tled::ElementKind::t4anp, tled::ElementKind::h8}) {
        for (const double stretch : {0.8, 1.1, 1.4}) {
            EXPECT_LT(find_fibre_error(kind, true, stretch, true), 1e-8) << element_name(kind);
            EXPECT_LT(find_fibre_error(kind, false, stretch, true), 1e-4) << element_name(kind);
        }
        EXPECT_GT(find_fibre_error(kind, true, 1.1, false), 0.5) << "without fibres";
    }
}

TEST(TledLaws, StressFadesAsTheExponentials) {
    for (const auto kind : {tled::ElementKind::t4, tled::ElementKind::t4anp, tled::ElementKind::h8}) {
        for (const bool exact : {true, false}) {
            for (const double h : {0.001, 0.02, 0.3}) {  // also steps longer than the shortest time
                double worst = 0.0, far = 0.0;
                for (const experiments::Fading& f : experiments::watch_stress_fade(kind, h, 60, exact)) {
                    worst = std::max(worst, std::abs(f.ours - f.theory));
                    far = std::max(far, std::abs(f.ours - 1.0));
                }
                EXPECT_LT(worst, exact ? 1e-10 : 1e-5) << element_name(kind) << " " << h;
                EXPECT_GT(far, 0.01) << "it does fade";
            }
        }
    }
}

}  // namespace
}  // namespace plica::testing
