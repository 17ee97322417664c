#include "experiments/tled/tled_checks.hpp"

#include <algorithm>
#include <cmath>

namespace plica::experiments {

using tled::Constants;
using tled::ElementKind;
using tled::Material;

namespace {

Vec3 random_vector(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// Fourth-order differences.
double find_slope_error(const Material& material, const Gradient& h, const Gradient& stress) {
    Gradient difference{};
    const double step = 1e-3;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const auto energy = [&](double by) {
                Gradient moved = h;
                moved.at[i][j] += by * step;
                return tled::energy_density(material, moved, false);
            };
            const double slope = (8.0 * (energy(1) - energy(-1)) - (energy(2) - energy(-2))) / (12.0 * step);
            difference.at[i][j] = stress.at[i][j] - slope;
        }
    }
    return size_of(difference) / size_of(stress);
}

void disturb(Specimen& specimen, double by) {
    Random random{11};
    for (Vec3& p : specimen.x) {
        p += Vec3{random.uniform(-by, by), random.uniform(-by, by), random.uniform(-by, by)};
    }
}

}  // namespace

tled::OrganSettings settings_of(ElementKind kind, bool exact) {
    tled::OrganSettings settings;
    if (kind != ElementKind::h8) settings.tetrahedra = kind;
    settings.exact = exact;
    return settings;
}

Gradient random_gradient(Random& random, double size) {
    Gradient h{};
    for (auto& row : h.at) {
        for (double& each : row) each = random.uniform(-size, size);
    }
    return h;
}

Gradient stress_of(const Material& material, const Gradient& h) {
    const Constants<double> k(material, 0.0);
    const tled::Strain<double> s = tled::strain_of(h, 1.0);
    return tled::elastic_stress(k, h, s, tled::own_pressure(k, s.j));
}

double size_of(const Gradient& a) {
    return std::sqrt(tled::contract(a, a));
}

double find_stress_error(const Material& material, double spoil) {
    Random random;
    double worst = 0.0;
    for (int i = 0; i < 50; ++i) {
        const Gradient h = random_gradient(random, 0.25);
        Gradient stress = stress_of(material, h);
        stress.at[0][1] *= spoil;
        worst = std::max(worst, find_slope_error(material, h, stress));
    }
    return worst;
}

VolumeMesh make_perturbed_box(ElementKind kind, int n) {
    VolumeMesh mesh = make_specimen_block(kind, {0.1, 0.1, 0.1}, {n, n, n});
    Random random;
    const double by = 0.15 * 0.1 / n;
    for (Vec3& p : mesh.nodes) {
        const bool inside = std::min({p.x, p.y, p.z}) > 1e-6 && std::max({p.x, p.y, p.z}) < 0.1 - 1e-6;
        if (inside) p += random_vector(random, by);
    }
    return mesh;
}

void shake(Specimen& specimen, double by) {
    Random random{7};
    for (Vec3& p : specimen.x) p += random_vector(random, by);
}

double find_force_error(Specimen& specimen, double spoil) {
    std::vector<Vec3> force = specimen.find_forces();
    force[5].y *= spoil;
    double worst = 0.0, largest = 0.0;
    const double step = 1e-6;
    for (std::size_t n = 0; n < force.size(); ++n) {
        largest = std::max(largest, norm(force[n]));
        for (double Vec3::* axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
            const double place = specimen.x[n].*axis;
            const auto energy = [&](double by) {
                specimen.x[n].*axis = place + by * step;
                return specimen.elastic();
            };
            const double slope = (8.0 * (energy(1) - energy(-1)) - (energy(2) - energy(-2))) / (12.0 * step);
            specimen.x[n].*axis = place;
            worst = std::max(worst, std::abs(slope - force[n].*axis));
        }
    }
    return worst / largest;
}

double find_patch_residual(ElementKind kind, bool exact, double curved) {
    Specimen specimen(make_perturbed_box(kind, 5), {make_neo_hookean(3000.0, 0.45)}, settings_of(kind, exact));
    for (Vec3& p : specimen.x) {
        p += Vec3{0.10 * p.x + 0.05 * p.y, -0.04 * p.y + 0.08 * p.z, 0.03 * p.x - 0.06 * p.z + curved * p.x * p.x};
    }
    const std::vector<Vec3>& force = specimen.find_forces();
    double inside = 0.0, outside = 0.0;
    for (std::size_t n = 0; n < force.size(); ++n) {
        const Vec3& p = specimen.rest[n];
        const bool inner = std::min({p.x, p.y, p.z}) > 1e-6 && std::max({p.x, p.y, p.z}) < 0.1 - 1e-6;
        (inner ? inside : outside) = std::max(inner ? inside : outside, norm(force[n]));
    }
    return inside / outside;
}

double find_growth(Specimen& specimen, double h, int steps) {
    const double by = 1e-4 * specimen.organ.least_altitude;
    disturb(specimen, by);
    for (int i = 0; i < steps; ++i) {
        specimen.step(h);
        if (i % 100 == 0 && !is_finite(specimen.x[0])) return HUGE_VAL;
    }
    double furthest = 0.0;
    for (std::size_t n = 0; n < specimen.x.size(); ++n) {
        const double moved = distance(specimen.x[n], specimen.rest[n]);
        if (!std::isfinite(moved)) return HUGE_VAL;
        furthest = std::max(furthest, moved);
    }
    return furthest / by;
}

double find_single_error(ElementKind kind, double poisson_of_single) {
    const auto run = [&](bool exact) {
        Specimen bar(make_specimen_block(kind, {0.2, 0.05, 0.05}, {8, 2, 2}),
                     {make_neo_hookean(3000.0, exact ? 0.45 : poisson_of_single)}, settings_of(kind, exact));
        bar.hold(bar.side(0, false), {true, true, true});
        for (int i = 0; i < 1000; ++i) bar.step(5e-4, {0, 0, -1.0});
        return bar;
    };
    const Specimen single = run(false), exact = run(true);
    double worst = 0.0, largest = 0.0;
    for (std::size_t n = 0; n < exact.x.size(); ++n) {
        worst = std::max(worst, distance(single.x[n], exact.x[n]));
        largest = std::max(largest, distance(exact.x[n], exact.rest[n]));
    }
    return worst / largest;
}

}  // namespace plica::experiments
