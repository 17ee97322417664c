#include "tissue/mass_spring/network.hpp"

#include <algorithm>

#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

void add_rope(Network& network, std::int32_t first_node, std::int32_t count, std::span<const Vec3> positions,
              std::span<const double> w, double stiffness, int body, double viscosity) {
    const auto slot = [&](std::int32_t n) { return static_cast<std::int16_t>(w[at(n)] > 0.0 ? 0 : -1); };
    Sheet sheet{static_cast<std::int32_t>(network.springs.size()), count - 1, count, 1, {}, viscosity};
    for (std::int32_t n = first_node; n < first_node + count; ++n) {
        sheet.node.push_back(slot(n) == 0 ? n : -1);
        if (n + 1 == first_node + count) break;
        const double rest = distance(positions[at(n)], positions[at(n + 1)]);
        network.springs.push_back({n, n + 1, rest, stiffness, 1.0, body, slot(n), slot(n + 1), n - first_node, true});
    }
    network.sheets.push_back(std::move(sheet));
}

void prepare(const Network& network, Workspace& work) {
    std::size_t bending = 0;
    std::size_t longest_chain = 0;
    for (const BendChain& c : network.chains) {
        bending += at(c.nodes);
        longest_chain = std::max(longest_chain, at(c.nodes));
    }
    work.band.assign(3 * bending, 0.0);
    work.load.resize(longest_chain);
    work.factored_h = 0.0;
    std::size_t blocks = 0;
    std::size_t rows = 0;
    for (const Sheet& s : network.sheets) {
        const std::size_t size = 3 * at(s.slots);
        blocks = std::max(blocks, at(s.columns) * size * size);
        rows = std::max(rows, at(s.columns) * size);
    }
    work.block.resize(blocks);
    work.coupling.resize(blocks);
    work.column_load.resize(rows);
}

void step_network(const Network& network, Workspace& work, std::span<const Vec3> x, std::span<const double> w, double h,
                  std::span<Vec3> p) {
    if (work.factored_h != h) factor_bending(network, work, w, h);
    solve_bending(network, work, x, w, h, p);
    for (const Sheet& sheet : network.sheets) solve_sheet(network, sheet, work, x, w, h, p);
    solve_limits(network, w, p);
}

double compute_energy(const Network& network, std::span<const Vec3> x, int body) {
    double energy = 0.0;
    for (const Spring& s : network.springs) {
        if (s.body != body) continue;
        const double c = distance(x[at(s.a)], x[at(s.b)]) - s.rest;
        energy += 0.5 * effective_stiffness(s, c) * c * c;
    }
    for (const BendChain& chain : network.chains) {
        if (chain.body != body) continue;
        for (std::size_t n = at(chain.first_node) + 1; n + 1 < at(chain.first_node + chain.nodes); ++n) {
            energy += 0.5 * chain.stiffness * squared_norm(x[n - 1] - 2.0 * x[n] + x[n + 1]);
        }
    }
    return energy;
}

double compute_max_stretch(const Network& network, std::span<const Vec3> x, int body) {
    double most = 0.0;
    for (const Spring& s : network.springs) {
        if (s.body == body) most = std::max(most, distance(x[at(s.a)], x[at(s.b)]) / s.rest - 1.0);
    }
    return most;
}

void add_forces(const Network& network, std::span<const Vec3> x, std::span<Vec3> force) {
    for (const Spring& s : network.springs) {
        const Vec3 d = x[at(s.b)] - x[at(s.a)];
        const double length = norm(d);
        const double c = length - s.rest;
        const Vec3 pull = d * (effective_stiffness(s, c) * c / length);
        force[at(s.a)] += pull;
        force[at(s.b)] -= pull;
    }
    for (const BendChain& chain : network.chains) {
        for (std::size_t n = at(chain.first_node) + 1; n + 1 < at(chain.first_node + chain.nodes); ++n) {
            const Vec3 b = chain.stiffness * (x[n - 1] - 2.0 * x[n] + x[n + 1]);
            force[n - 1] -= b;
            force[n] += 2.0 * b;
            force[n + 1] -= b;
        }
    }
}

}  // namespace plica::mass_spring
