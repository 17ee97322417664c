#pragma once
#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "experiments/zhong/heat_body.hpp"
#include "geometry/mesh/shapes.hpp"

// Membranes that tests look at.
namespace plica::testing {

inline Vec3 random_vector(Random& random, double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size);
    return {x, y, random.uniform(-size, size)};
}

// Free, out of shape, unevenly warm, of two conductivities.
inline experiments::HeatBody make_shaken_body() {
    experiments::HeatBody body(
        make_superquadric(60, 0.5, {1, 1, 1}),
        {.settings = {}, .fixed = {}, .conductivity = [](const Vec3& p) { return p.x > 0.3 ? 0.1 : 0.4; }});
    Random random{7};
    for (Vec3& p : body.x) p += random_vector(random, 0.05);
    for (double& t : body.state.temperature) t = random.uniform(0.0, 0.3);
    return body;
}

inline std::vector<Vec3> forces_of(experiments::HeatBody& body) {
    for (std::size_t p = 0; p < body.membrane.pieces.size(); ++p)
        body.work.frames[p] = find_frame(body.membrane, body.membrane.pieces[p], body.x);
    find_tensions(body.membrane, body.state.temperature, body.work.tension);
    std::vector<Vec3> force(body.x.size());
    add_forces(body.membrane, body.x, {}, body.work, force);
    return force;
}

// Of the forces times `factor`, relative to the largest; central differences.
inline double find_gradient_error(experiments::HeatBody& body, double factor = 1.0) {
    constexpr double step = 1e-5;
    const std::vector<Vec3> force = forces_of(body);
    double most = 0.0, error = 0.0;
    for (const Vec3& f : force) most = std::max(most, norm(f));
    for (std::size_t n = 0; n < body.x.size(); ++n) {
        for (double Vec3::* axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
            const double was = body.x[n].*axis;
            const auto potential = [&](double at) {
                body.x[n].*axis = at;
                const heat::MembraneEnergy energy = body.energy();
                return energy.stored() + energy.tension;
            };
            const double slope = (potential(was + step) - potential(was - step)) / (2.0 * step);
            body.x[n].*axis = was;
            error = std::max(error, std::abs(slope + factor * force[n].*axis));
        }
    }
    return error / most;
}

struct Totals {
    double force = 0.0, moment = 0.0, size = 0.0;
};
// With the frames that the body's workspace has.
inline Totals sum_forces(experiments::HeatBody& body) {
    if (body.work.frames[0].shift == Vec3{}) forces_of(body);
    find_tensions(body.membrane, body.state.temperature, body.work.tension);
    std::vector<Vec3> force(body.x.size());
    add_forces(body.membrane, body.x, {}, body.work, force);
    Vec3 sum, moment;
    Totals totals;
    for (std::size_t n = 0; n < force.size(); ++n) {
        sum += force[n];
        moment += cross(body.x[n], force[n]);
        totals.size += norm(force[n]);
    }
    totals.force = norm(sum);
    totals.moment = norm(moment);
    return totals;
}

// A parallelogram of 2 n n equilateral triangles.
inline SurfaceMesh make_equilateral_net(int n, double side) {
    SurfaceMesh mesh;
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) mesh.nodes.push_back({side * (i + 0.5 * j), side * std::sqrt(0.75) * j, 0.0});
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const std::int32_t a = i + (n + 1) * j, b = a + 1, c = a + n + 1, d = c + 1;
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({b, d, c});
        }
    }
    return mesh;
}

struct Momentum {
    Vec3 linear, angular;
};
inline Momentum momentum_of(const experiments::HeatBody& body) {
    Momentum sum;
    for (std::size_t n = 0; n < body.x.size(); ++n) {
        sum.linear += body.v[n] * body.membrane.mass[n];
        sum.angular += cross(body.x[n], body.v[n]) * body.membrane.mass[n];
    }
    return sum;
}

// Flies, spins and wobbles, unevenly warm.
inline experiments::HeatBody make_tumbling_body(double damping) {
    heat::Settings settings;
    settings.area_damping = damping;
    settings.edge_damping = 0.1;
    experiments::HeatBody body(make_superquadric(200, 0.5, {1, 0.8, 0.6}),
                               {.settings = settings, .fixed = {}, .conductivity = {}});
    Random random{11};
    for (std::size_t n = 0; n < body.x.size(); ++n) {
        body.v[n] = Vec3{1.0, 0.5, -0.2} + cross(Vec3{0.3, 1.0, 2.0}, body.x[n]) + random_vector(random, 0.2);
        body.state.temperature[n] = random.uniform(0.0, 0.1);
    }
    return body;
}

struct Drift {
    double momentum, angular;  // relative
};
inline Drift drift_of(experiments::HeatBody body) {
    const Momentum before = momentum_of(body);
    body.run(3.0, 0.01);
    const Momentum after = momentum_of(body);
    return {norm(after.linear - before.linear) / norm(before.linear),
            norm(after.angular - before.angular) / norm(before.angular)};
}

// Held at its south pole's side, pushed at the other, all of it placed by the pose; the force is as given.
inline experiments::HeatBody make_loaded_sphere(const Pose& pose, const Vec3& force) {
    SurfaceMesh mesh = make_superquadric(200, 1.0, {1, 1, 1});
    for (Vec3& p : mesh.nodes) p = apply(pose, p);
    experiments::HeatBody body(mesh, {.settings = {}, .fixed = {}, .conductivity = {}});
    body.push(0, force);
    body.w[150] = 0.0;
    return body;
}

// Share of the work of a load that the ledger does not find again; `active`: with the heat's work.
inline double find_ledger_residual(double force, double h, bool active = true) {
    experiments::HeatBody body(experiments::paper_superquadric(), experiments::paper_setup({}));
    body.push(body.nearest(experiments::paper_top), {0, 0, force});
    body.run(3.0, h);
    conduct(body.membrane, h, body.x, body.state, body.work);
    const auto& numbers = body.state.numbers;
    const heat::MembraneEnergy energy = body.energy();
    const double found = energy.kinetic + energy.stored() + numbers.damping_work + (active ? numbers.active_work : 0.0);
    return (numbers.external_work - found) / numbers.external_work;
}

// Presses a flat wall `depth` into the body from above the way contact does, nodes moved by their masses, until all is
// at rest. Returns the wall's force as contact knows it over the tissue's on its free nodes.
inline double press_flat(experiments::HeatBody& body, double top, double depth, double h) {
    std::vector<Vec3> p(body.x.size());
    double force = 0.0;
    for (long i = 0; i < std::lround(10.0 / h); ++i) {
        conduct(body.membrane, h, body.x, body.state, body.work);
        step_membrane(body.membrane, {body.x, body.v, body.w, {}, {}, 0.0, h}, body.state, body.work, p);
        const double wall = top - depth * std::min(1.0, h * static_cast<double>(i));
        force = 0.0;
        for (std::size_t n = 0; n < p.size(); ++n) {
            const double push = body.w[n] > 0.0 && p[n].z > wall ? (p[n].z - wall) / (body.w[n] * h * h) : 0.0;
            if (push > 0.0) p[n].z = wall;
            body.state.touch[n] = {0, 0, -push};
            force += push;
            body.v[n] = (p[n] - body.x[n]) / h;
        }
        body.x = p;
    }
    double tissue = 0.0;
    const std::vector<Vec3> forces = forces_of(body);
    for (std::size_t n = 0; n < forces.size(); ++n) tissue += body.w[n] > 0.0 ? forces[n].z : 0.0;
    return force / tissue;
}

}  // namespace plica::testing
