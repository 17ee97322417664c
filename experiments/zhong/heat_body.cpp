#include "experiments/zhong/heat_body.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/mesh/shapes.hpp"

namespace plica::experiments {

HeatBody::HeatBody(const SurfaceMesh& mesh, const HeatBodySetup& setup) {
    std::vector<std::uint8_t> fixed(mesh.nodes.size(), 0), none;
    std::vector<double> conductivity;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
        fixed[n] = setup.fixed && setup.fixed(mesh.nodes[n]) ? 1 : 0;
        if (setup.conductivity) conductivity.push_back(setup.conductivity(mesh.nodes[n]));
    }
    membrane = heat::build_membrane(mesh, conductivity, {}, setup.weld ? fixed : none, setup.cold ? fixed : none,
                                    setup.settings);
    x = mesh.nodes;
    v.resize(x.size());
    load.resize(x.size());
    m_next.resize(x.size());
    for (std::size_t n = 0; n < x.size(); ++n) w.push_back(fixed[n] != 0 ? 0.0 : 1.0 / membrane.mass[n]);
    heat::prepare(membrane, 0.01, work, state);
}

void HeatBody::step(double h) {
    fine = conduct(membrane, h, x, state, work) && fine;
    fine = step_membrane(membrane, {x, v, w, load, gravity, 0.0, h}, state, work, m_next) && fine;
    for (std::size_t n = 0; n < x.size(); ++n) {
        v[n] = (m_next[n] - x[n]) / h;
        x[n] = m_next[n];
    }
    state.touch = load;
}

void HeatBody::run(double seconds, double h) {
    const auto steps = std::lround(seconds / h);
    for (long i = 0; i < steps; ++i) step(h);
}

void HeatBody::clear_loads() {
    std::fill(load.begin(), load.end(), Vec3{});
}

std::size_t HeatBody::nearest(const Vec3& place) const {
    const auto nearer = [&](const Vec3& a, const Vec3& b) { return distance(a, place) < distance(b, place); };
    const auto& rest = membrane.rest;
    return static_cast<std::size_t>(std::min_element(rest.begin(), rest.end(), nearer) - rest.begin());
}

void HeatBody::push_patch(const Vec3& place, double sigma, const Vec3& force) {
    double sum = 0.0;
    const auto weight = [&](std::size_t n) {
        const double d = distance(membrane.rest[n], place) / sigma;
        return membrane.conduction.area[n] * std::exp(-0.5 * d * d);
    };
    for (std::size_t n = 0; n < x.size(); ++n) sum += weight(n);
    for (std::size_t n = 0; n < x.size(); ++n) load[n] = force * (weight(n) / sum);
}

double HeatBody::most_moved() const {
    double most = 0.0;
    for (std::size_t n = 0; n < x.size(); ++n) most = std::max(most, norm(moved(n)));
    return most;
}

int HeatBody::count_moved(double more_than) const {
    int count = 0;
    for (std::size_t n = 0; n < x.size(); ++n) count += norm(moved(n)) > more_than ? 1 : 0;
    return count;
}

double HeatBody::volume_ratio() const {
    const heat::Piece& piece = membrane.pieces[0];
    return heat::compute_volume(membrane, piece, x) / piece.volume;
}

heat::MembraneEnergy HeatBody::energy() const {
    return heat::compute_energy(membrane, x, v, state.temperature);
}

SurfaceMesh HeatBody::surface() const {
    return {x, membrane.triangles};
}

SurfaceMesh paper_superquadric(int nodes) {
    return make_superquadric(nodes, 0.5, {1.0, 1.0, 1.0});
}

HeatBodySetup paper_setup(const heat::Settings& settings) {
    return {.settings = settings, .fixed = [](const Vec3& p) { return p.z < -0.8; }, .conductivity = {}};
}

heat::Settings paper_settings(heat::Mode mode, double mass, double damping, const SurfaceMesh& mesh) {
    double area = 0.0;
    for (const auto& [i, j, k] : mesh.triangles) {
        const auto at = [&](std::int32_t n) { return mesh.nodes[static_cast<std::size_t>(n)]; };
        area += 0.5 * norm(cross(at(j) - at(i), at(k) - at(i)));
    }
    heat::Settings settings;
    const double nodes_per_area = static_cast<double>(mesh.nodes.size()) / area;
    settings.mode = mode;
    settings.even = true;
    settings.density = mass * nodes_per_area;
    settings.area_damping = damping * nodes_per_area;
    return settings;
}

}  // namespace plica::experiments
