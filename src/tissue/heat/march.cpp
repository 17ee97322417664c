#include "tissue/heat/march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"

namespace plica::heat {
namespace {

// Zero times infinity is not a number, and stays none.
bool is_finite(std::span<const double> values) {
    double sum = 0.0;
    for (const double v : values) sum += 0.0 * v;
    return sum == 0.0;
}

void check(const HeatStep& step) {
    const auto refuse = [](const char* name, double value) {
        throw Error(fmt::format("{} = {}, expected a positive number", name, value));
    };
    if (!(step.alpha > 0.0 && std::isfinite(step.alpha))) refuse("alpha", step.alpha);
    if (!(step.dt > 0.0 && std::isfinite(step.dt))) refuse("dt", step.dt);
    if (!(step.tau > 0.0)) refuse("tau", step.tau);
}

SymmetricMatrix make_matrix(const Conduction& conduction, const HeatStep& step, std::span<const char> held) {
    std::vector<Link> links;
    for (const SurfaceEdge& e : conduction.edges) {
        if (held[at(e.a)] == 0 && held[at(e.b)] == 0) links.push_back({e.a, e.b});
    }
    SymmetricMatrix matrix = make_pattern(held.size(), links);
    const double rate = step.alpha / step.dt + step.alpha / step.tau;
    const SymmetricMatrix& w = conduction.stiffness;
    for (std::size_t i = 0; i < held.size(); ++i) {
        const auto row = static_cast<std::int32_t>(i);
        if (held[i] != 0) {
            add_at(matrix, row, row, 1.0);
            continue;
        }
        add_at(matrix, row, row, rate * conduction.area[i]);
        for (std::int32_t p = w.first[i]; p < w.first[i + 1]; ++p) {
            if (held[at(w.column[at(p)])] == 0) add_at(matrix, row, w.column[at(p)], w.value[at(p)]);
        }
    }
    return matrix;
}

// As many that what a node keeps of its temperature, 1 - dt (W_ii / (alpha A_i) + 1 / tau), is not negative.
int count_substeps(const Conduction& conduction, const HeatStep& step) {
    const double rate = 1.0 / (step.alpha * conduction.explicit_limit) + 1.0 / step.tau;
    return std::max(1, static_cast<int>(std::ceil(step.dt * rate * (1.0 - 1e-12))));
}

}  // namespace

March::March(const Conduction& conduction, const HeatStep& step, std::span<const std::int32_t> held, Way way)
    : m_step(step), m_way(way), m_stiffness(conduction.stiffness), m_area(conduction.area) {
    check(step);
    const std::size_t n = m_area.size();
    m_held.assign(n, 0);
    for (const std::int32_t i : held) {
        if (i < 0 || at(i) >= n) throw Error(fmt::format("node {} is held, expected 0 to {}", i, n - 1));
        m_held[at(i)] = 1;
    }
    m_right.assign(n, 0.0);
    m_next.assign(n, 0.0);
    if (way == Way::stencil) {
        m_substeps = count_substeps(conduction, step);
        return;
    }
    m_matrix = make_matrix(conduction, step, m_held);
    if (way == Way::gradients) {
        m_gradients.reserve(n);
        return;
    }
    m_factor = Factor(m_matrix);
    if (!m_factor.factorize(m_matrix))
        throw Error(fmt::format("the heat of node {} cannot be solved for: the matrix is not positive definite",
                                m_factor.failed_row()));
}

// Right side: (alpha / dt) A T + Q, and what flows in from held neighbours.
void March::load(std::span<const double> source, std::span<const double> temperature) {
    const double rate = m_step.alpha / m_step.dt;
    for (std::size_t i = 0; i < m_area.size(); ++i) {
        if (m_held[i] != 0) {
            m_right[i] = temperature[i];
            continue;
        }
        double sum = rate * m_area[i] * temperature[i] + source[i];
        for (std::int32_t p = m_stiffness.first[i]; p < m_stiffness.first[i + 1]; ++p) {
            const std::size_t j = at(m_stiffness.column[at(p)]);
            if (m_held[j] != 0) sum -= m_stiffness.value[at(p)] * temperature[j];
        }
        m_right[i] = sum;
    }
}

void March::step_stencil(std::span<const double> source, std::span<double> temperature) {
    const double h = m_step.dt / m_substeps;
    for (int s = 0; s < m_substeps; ++s) {
        multiply(m_stiffness, temperature, m_next);
        for (std::size_t i = 0; i < m_area.size(); ++i) {
            if (m_held[i] != 0) continue;
            const double rate = (source[i] - m_next[i]) / (m_step.alpha * m_area[i]) - temperature[i] / m_step.tau;
            temperature[i] += h * rate;
        }
    }
}

bool March::step(std::span<const double> source, std::span<double> temperature) {
    if (!is_finite(source) || !is_finite(temperature)) return false;
    if (m_way == Way::stencil) {
        step_stencil(source, temperature);
        return true;
    }
    load(source, temperature);
    if (m_way == Way::implicit) {
        m_factor.solve(m_right);
        std::copy(m_right.begin(), m_right.end(), temperature.begin());
        return true;
    }
    std::copy(temperature.begin(), temperature.end(), m_next.begin());
    m_iterations = solve_by_gradients(m_matrix, m_right, tolerance, most_iterations, m_gradients, m_next);
    if (m_iterations < 0) return false;
    std::copy(m_next.begin(), m_next.end(), temperature.begin());
    return true;
}

double compute_heat(const Conduction& conduction, double alpha, std::span<const double> temperature) {
    double sum = 0.0;
    for (std::size_t i = 0; i < temperature.size(); ++i) sum += alpha * conduction.area[i] * temperature[i];
    return sum;
}

}  // namespace plica::heat
