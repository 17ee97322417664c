#include "tissue/heat/spread.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

// How temperatures get through a step: by the factor, or in explicit steps as the paper has them.
namespace plica::heat {
namespace {

// What a temperature flows by, besides W: the conductivity where it stands inside the Laplacian.
double inside(const Membrane& membrane, std::size_t node) {
    return membrane.settings.spread == Spread::printed ? membrane.conductivity[node] : 1.0;
}

// J/s: what flows out of a node, (W k T)_i.
double flow_from(const Membrane& membrane, std::span<const double> temperature, std::size_t node) {
    const SymmetricMatrix& w = membrane.conduction.stiffness;
    double sum = 0.0;
    for (std::int32_t k = w.first[node]; k < w.first[node + 1]; ++k) {
        const std::size_t j = at(w.column[at(k)]);
        sum += w.value[at(k)] * inside(membrane, j) * temperature[j];
    }
    return sum;
}

// J/s, out of what is not held.
double find_loss(const Membrane& membrane, std::span<const double> temperature) {
    const Settings& s = membrane.settings;
    const SymmetricMatrix& w = membrane.conduction.stiffness;
    double loss = 0.0;
    for (std::size_t i = 0; i < membrane.size(); ++i) {
        if (membrane.cold[i] == 0) {
            loss += s.capacity / s.relaxation * membrane.conduction.area[i] * temperature[i];
            continue;
        }
        for (std::int32_t k = w.first[i]; k < w.first[i + 1]; ++k) {
            const std::size_t j = at(w.column[at(k)]);
            loss -= w.value[at(k)] * inside(membrane, j) * temperature[j];
        }
    }
    return loss;
}

double held_temperature(const Membrane& membrane, std::size_t node) {
    return membrane.held_at.empty() ? 0.0 : membrane.held_at[node];
}

// Right side (alpha / dt) A T + Q / tau, and what flows in from nodes that are held at another temperature than 0.
void load_right_side(const Membrane& membrane, double dt, std::span<const double> temperature, Workspace& work) {
    const SymmetricMatrix& w = membrane.conduction.stiffness;
    for (std::size_t i = 0; i < membrane.size(); ++i) {
        double& right = work.warmth[i];
        if (membrane.cold[i] != 0) {
            right = held_temperature(membrane, i);
            continue;
        }
        right = membrane.settings.capacity / dt * membrane.conduction.area[i] * temperature[i];
        if (work.source[i] != 0.0) right += work.source[i];
        if (membrane.held_at.empty()) continue;
        for (std::int32_t k = w.first[i]; k < w.first[i + 1]; ++k) {
            const std::size_t j = at(w.column[at(k)]);
            if (membrane.cold[j] != 0) right -= w.value[at(k)] * membrane.held_at[j];
        }
    }
}

// Zhong 2005, eq. 9 to 12 with the area on the right side and a sink; returns what left, J.
double step_explicitly(const Membrane& membrane, double dt, Workspace& work) {
    const Settings& s = membrane.settings;
    const int steps = count_heat_steps(membrane, dt);
    const double h = dt / steps;
    double lost = 0.0;
    for (int step = 0; step < steps; ++step) {
        lost += h * find_loss(membrane, work.warmth);
        for (std::size_t i = 0; i < membrane.size(); ++i) work.flow[i] = flow_from(membrane, work.warmth, i);
        for (std::size_t i = 0; i < membrane.size(); ++i) {
            if (membrane.cold[i] != 0) continue;
            const double own = s.capacity * membrane.conduction.area[i];
            work.warmth[i] += h * ((work.source[i] - work.flow[i]) / own - work.warmth[i] / s.relaxation);
        }
    }
    return lost;
}

}  // namespace

int count_heat_steps(const Membrane& membrane, double dt) {
    double most = 0.0;
    for (std::size_t i = 0; i < membrane.size(); ++i) {
        const SymmetricMatrix& w = membrane.conduction.stiffness;
        const auto row = static_cast<std::int32_t>(i);
        most = std::max(most, value_at(w, row, row) * inside(membrane, i) / membrane.conduction.area[i]);
    }
    const Settings& s = membrane.settings;
    return std::max(1, static_cast<int>(std::ceil(dt * (most / s.capacity + 1.0 / s.relaxation) * (1.0 - 1e-12))));
}

// A_T = (alpha / dt + alpha / tau) diag(A) + W; rows and columns of cold nodes are the identity's.
bool factor_heat(const Membrane& membrane, double dt, Workspace& work) {
    const Settings& s = membrane.settings;
    work.heat_dt = dt;
    if (s.spread != Spread::implicit) return true;
    const SymmetricMatrix& w = membrane.conduction.stiffness;
    std::copy(w.value.begin(), w.value.end(), work.heat_matrix.value.begin());
    const double rate = s.capacity / dt + s.capacity / s.relaxation;
    for (std::size_t i = 0; i < membrane.size(); ++i) {
        for (std::int32_t k = w.first[i]; k < w.first[i + 1]; ++k) {
            if (membrane.cold[i] != 0 || membrane.cold[at(w.column[at(k)])] != 0) work.heat_matrix.value[at(k)] = 0.0;
        }
        double& own = work.heat_matrix.value[at(work.diagonal[i])];
        own = membrane.cold[i] != 0 ? 1.0 : own + rate * membrane.conduction.area[i];
    }
    const bool done = work.heat.factorize(work.heat_matrix);
    work.heat_dt = done ? dt : 0.0;
    return done;
}

double spread_heat(const Membrane& membrane, double dt, std::span<const double> temperature, Workspace& work) {
    if (membrane.settings.spread == Spread::implicit) {
        load_right_side(membrane, dt, temperature, work);
        work.heat.solve(work.warmth);
        return dt * find_loss(membrane, work.warmth);
    }
    for (std::size_t i = 0; i < membrane.size(); ++i)
        work.warmth[i] = membrane.cold[i] != 0 ? held_temperature(membrane, i) : temperature[i];
    return step_explicitly(membrane, dt, work);
}

}  // namespace plica::heat
