#include "tissue/mass_spring/network.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/index.hpp"
#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {
void add_rope(Network& network, const Rope& rope, std::span<const Vec3> positions, std::span<const double> w) {
    const auto [first_node, count, stiffness, body, viscosity] = rope;
    const auto slot = [&](std::int32_t n) { return static_cast<std::int16_t>(w[at(n)] > 0.0 ? 0 : -1); };
    Sheet sheet{
        static_cast<std::int32_t>(network.springs.size()), count - 1, count, 1, {}, viscosity, first_node, 0.0, body};
    for (std::int32_t n = first_node; n < first_node + count; ++n) {
        sheet.node.push_back(slot(n) == 0 ? n : -1);
        if (n + 1 == first_node + count) break;
        const double rest = distance(positions[at(n)], positions[at(n + 1)]);
        network.springs.push_back({n, n + 1, rest, stiffness, 1.0, body, slot(n), slot(n + 1), n - first_node, true});
    }
    network.sheets.push_back(std::move(sheet));
}

void step_network(const Network& network, const NetworkStep& step, Workspace& work, std::span<Vec3> p) {
    for (std::size_t i = 0; i < network.sheets.size(); ++i) solve_sheet(network, i, step, work, p);
    solve_limits(network, step.w, p);
}

namespace {

// Calls use(node, before, after, share) for each carried node: its carriers, and how far it is from the first of them
// on the way to the second.
template <class Use>
void for_each_carried(const Sheet& sheet, Use&& use) {
    for (std::int32_t c = 0; sheet.carrier > 1 && c + 1 < sheet.columns; c += sheet.carrier) {
        const std::int32_t next = std::min(c + sheet.carrier, sheet.columns - 1);
        for (std::int32_t i = c + 1; i < next; ++i) {
            use(at(sheet.first_node + i), at(sheet.first_node + c), at(sheet.first_node + next),
                static_cast<double>(i - c) / (next - c));
        }
    }
}

// Calls use(other, share) for the nodes beside one that is held: they come along, the less the further they are.
template <class Use>
void for_each_beside(const Sheet& sheet, std::size_t node, Use&& use) {
    const std::int32_t here = static_cast<std::int32_t>(node) - sheet.first_node;
    for (std::int32_t i = std::max(0, here - sheet.carrier + 1); i < std::min(sheet.columns, here + sheet.carrier);
         ++i) {
        const double share = 1.0 - static_cast<double>(std::abs(i - here)) / sheet.carrier;
        if (i != here) use(at(sheet.first_node + i), share);
    }
}

}  // namespace

std::vector<double> lump_carried(const Network& network, std::span<const double> w) {
    const auto carries = [](const Sheet& sheet) { return sheet.carrier > 1; };
    if (std::none_of(network.sheets.begin(), network.sheets.end(), carries)) return {};
    std::vector<double> mass(w.size());
    for (std::size_t n = 0; n < w.size(); ++n) mass[n] = w[n] > 0.0 ? 1.0 / w[n] : 0.0;
    std::vector<double> lumped = mass;
    for (const Sheet& sheet : network.sheets) {
        for_each_carried(sheet, [&](std::size_t n, std::size_t before, std::size_t after, double share) {
            lumped[before] += (1.0 - share) * mass[n];
            lumped[after] += share * mass[n];
            for_each_beside(sheet, n, [&](std::size_t i, double part) { lumped[n] += part * mass[i]; });
        });
    }
    for (std::size_t n = 0; n < w.size(); ++n) lumped[n] = w[n] > 0.0 ? 1.0 / lumped[n] : 0.0;
    return lumped;
}

void follow_carriers(const Network& network, std::span<const Vec3> from, std::vector<Vec3>& moved, std::span<Vec3> p) {
    for (const Sheet& sheet : network.sheets) {
        if (sheet.carrier == 1) continue;
        moved.resize(p.size());
        const std::size_t first = at(sheet.first_node);
        for (std::size_t n = first; n < first + at(sheet.columns); ++n) moved[n] = p[n] - from[n];
        for_each_carried(sheet, [&](std::size_t n, std::size_t before, std::size_t after, double share) {
            p[n] += moved[before] * (1.0 - share) + moved[after] * share;
            if (moved[n] == Vec3{}) return;
            for_each_beside(sheet, n, [&](std::size_t i, double part) { p[i] += moved[n] * part; });
        });
    }
}

double compute_energy(const Network& network, std::span<const Vec3> x, int body) {
    double energy = 0.0;
    for (const Spring& s : network.springs) {
        if (s.body != body) continue;
        const double c = resisted_part(s, distance(x[at(s.a)], x[at(s.b)]) - s.rest);
        energy += 0.5 * effective_stiffness(s, c) * c * c;
    }
    for (const Sheet& s : network.sheets) {
        if (s.bending_body != body || s.bending == 0.0) continue;
        for (std::size_t n = at(s.first_node) + 1; n + 1 < at(s.first_node + s.columns); ++n) {
            energy += 0.5 * s.bending * squared_norm(x[n - 1] - 2.0 * x[n] + x[n + 1]);
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

bool is_longer_than(const Network& network, std::span<const Vec3> x, int body, double times) {
    bool any = false;
    for (const Spring& s : network.springs) {
        const double most = times * s.rest;
        any |= s.body == body && squared_norm(x[at(s.a)] - x[at(s.b)]) > most * most;
    }
    return any;
}

void add_forces(const Network& network, std::span<const Vec3> x, std::span<Vec3> force) {
    for (const Spring& s : network.springs) {
        const Vec3 d = x[at(s.b)] - x[at(s.a)];
        const double length = norm(d);
        const double c = resisted_part(s, length - s.rest);
        const Vec3 pull = d * (effective_stiffness(s, c) * c / length);
        force[at(s.a)] += pull;
        force[at(s.b)] -= pull;
    }
    for (const Sheet& s : network.sheets) {
        if (s.bending == 0.0) continue;
        for (std::size_t n = at(s.first_node) + 1; n + 1 < at(s.first_node + s.columns); ++n) {
            const Vec3 b = s.bending * (x[n - 1] - 2.0 * x[n] + x[n + 1]);
            force[n - 1] -= b;
            force[n] += 2.0 * b;
            force[n + 1] -= b;
        }
    }
}

}  // namespace plica::mass_spring
