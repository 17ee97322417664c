#include "experiments/zhong/net_trials.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/zhong/heat_body.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tissue/heat/net.hpp"

namespace plica::experiments {
namespace {

constexpr double net_step = 1e-3;  // s

// Two triangles a cell.
SurfaceMesh split(std::vector<Vec3> nodes, int columns, int rows) {
    SurfaceMesh mesh{std::move(nodes), {}};
    for (int j = 0; j + 1 < rows; ++j) {
        for (int i = 0; i + 1 < columns; ++i) {
            const std::int32_t a = i + columns * j, b = a + 1, c = b + columns, d = a + columns;
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
        }
    }
    return mesh;
}

heat::Net make_uneven_net() {
    heat::Net net;
    double u = 0.0, v = -0.2;
    for (const double gap : {0.0, 0.1, 0.25, 0.05, 0.3, 0.12}) net.u.push_back(u += gap);
    for (const double gap : {0.0, 0.2, 0.07, 0.15, 0.21}) net.v.push_back(v += gap);
    return net;
}

heat::Settings net_settings(heat::Spread spread) {
    heat::Settings settings;
    settings.spread = spread;
    settings.quads = true;
    settings.relaxation = 1e30;  // s: the paper has no sink
    return settings;
}

double differ(const heat::Net& net, heat::Spread spread, bool even) {
    std::vector<Vec3> nodes;
    std::vector<double> k, t;
    for (const double v : net.v) {
        for (const double u : net.u) {
            nodes.push_back({u, v, 0.0});
            k.push_back(even || u < 0.4 ? 0.4 : 0.05);
            t.push_back(1.0 + u * v + (u - 0.3) * (u - 0.3) * 4.0);
        }
    }
    const auto rim = [&net](const Vec3& p) {
        return p.x == net.u.front() || p.x == net.u.back() || p.y == net.v.front() || p.y == net.v.back();
    };
    HeatBody body(split(nodes, static_cast<int>(net.columns()), static_cast<int>(net.rows())),
                  {.settings = net_settings(spread), .fixed = rim, .conductivity = [even](const Vec3& p) {
                       return even || p.x < 0.4 ? 0.4 : 0.05;
                   }});
    body.membrane.held_at = body.state.temperature = t;
    const std::vector<double> none(t.size(), 0.0);
    std::vector<double> scratch(t.size());
    for (int i = 0; i < 50; ++i) {
        conduct(body.membrane, net_step, body.x, body.state, body.work);
        heat::step_net(net, {heat::Placement::inside, k, 1.0, net_step}, none, scratch, t);
    }
    double most = 0.0;
    for (std::size_t n = 0; n < t.size(); ++n) most = std::max(most, std::abs(t[n] - body.state.temperature[n]));
    return most;
}

// Eq. 9 along a meridian; along a circle of latitude z is even, whatever the distances.
double share_of_printed(int lines) {
    heat::Net net;
    net.u = {0.0, 0.1, 0.2};
    std::vector<double> t;
    for (int j = 0; j <= lines; ++j) {
        net.v.push_back(j * 0.5 * std::numbers::pi / lines);
        t.insert(t.end(), 3, std::cos(net.v.back()));
    }
    std::vector<double> rate(net.nodes());
    heat::compute_net_rate(net, heat::Placement::inside, std::vector<double>(net.nodes(), 1.0), t, rate);
    const auto middle = static_cast<std::size_t>(lines / 2);
    return rate[1 + 3 * middle] / (-2.0 * std::cos(net.v[middle]));
}

// A strip of three longitudes around the same place.
double share_of_triangles(int lines) {
    const double turn = 0.5 * std::numbers::pi / lines;
    const int middle = lines / 2;
    std::vector<Vec3> nodes;
    for (int j = middle - 1; j <= middle + 1; ++j) {
        for (int i = -1; i <= 1; ++i) {
            const double a = j * turn, b = i * turn;
            nodes.push_back({std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)});
        }
    }
    const SurfaceMesh mesh = split(nodes, 3, 3);
    const heat::Conduction c =
        heat::build_conduction(mesh, std::vector<heat::FaceConductivity>(mesh.triangles.size(), {1.0, 1.0, {}}));
    std::vector<double> z, flow(nodes.size());
    for (const Vec3& p : nodes) z.push_back(p.z);
    heat::multiply(c.stiffness, z, flow);
    return flow[4] / c.area[4] / (2.0 * z[4]);
}

}  // namespace

FlatNet compare_flat_net(bool even) {
    const heat::Net net = make_uneven_net();
    return {even, differ(net, heat::Spread::printed, even), differ(net, heat::Spread::stencil, even)};
}

CurvedNet compare_curved_net(int lines) {
    return {lines, share_of_printed(lines), share_of_triangles(lines)};
}

ShearedNet shear_net(double angle) {
    const SurfaceMesh mesh = make_plane(2.0, 2.0, 20, 20);
    const auto energy = [&](bool quads) {
        heat::Settings settings;
        settings.quads = quads;
        const heat::Membrane membrane = heat::build_membrane(mesh, {}, {}, {}, {}, settings);
        std::vector<Vec3> x = membrane.rest;
        for (Vec3& p : x) p = {p.x + std::sin(angle) * p.y, std::cos(angle) * p.y, 0.0};
        return heat::compute_energy(membrane, x, {}, std::vector<double>(x.size(), 0.0)).edges;
    };
    return {angle, energy(true), energy(false)};
}

}  // namespace plica::experiments
