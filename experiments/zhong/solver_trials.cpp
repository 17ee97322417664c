#include "experiments/zhong/solver_trials.hpp"

#include <algorithm>

#include "core/clock.hpp"
#include "experiments/zhong/elimination.hpp"
#include "experiments/zhong/heat_plane.hpp"
#include "tissue/heat/factor.hpp"
#include "tissue/heat/gradients.hpp"

namespace plica::experiments {
namespace {

constexpr double gradient_tolerance = 1e-8;
constexpr double network_tolerance = 1e-6;
constexpr double trial_damping = 0.9;
constexpr double explicit_share = 0.8;  // of the even spacing's limit: nodes are moved

// CPU seconds of one call: the best of some rounds of calls, each long enough to be timed.
template <class Work>
double solver_time_of(Work&& work) {
    double began = thread_cpu_seconds();
    work();
    double best = thread_cpu_seconds() - began;
    if (best > 0.5) return best;
    const int calls = std::clamp(static_cast<int>(0.02 / std::max(best, 1e-7)), 1, 10000);
    for (int round = 0; round < 4; ++round) {
        began = thread_cpu_seconds();
        for (int i = 0; i < calls; ++i) work();
        best = std::min(best, (thread_cpu_seconds() - began) / calls);
    }
    return best;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(a[i] - b[i]));
        size = std::max(size, std::abs(b[i]));
    }
    return worst / size;
}

// A cellular network (Chua and Yang 1988): every cell goes nine tenths of the way to what its neighbours' last values
// ask for, all at once, until the residual is small; going all the way diverges where an edge's weight is negative.
// Returns the sweeps, -1 for too many.
int sweep_network(const HeatPlane& plane, int most, std::vector<double>& x, std::vector<double>& next) {
    const heat::SymmetricMatrix& a = plane.matrix;
    double size = 0.0;
    for (const double b : plane.right) size += b * b;
    for (int sweep = 0; sweep < most; ++sweep) {
        double residual = 0.0;
        for (std::size_t i = 0; i < plane.nodes(); ++i) {
            double sum = plane.right[i];
            double diagonal = 1.0;
            for (auto p = static_cast<std::size_t>(a.first[i]); p < static_cast<std::size_t>(a.first[i + 1]); ++p) {
                const auto j = static_cast<std::size_t>(a.column[p]);
                if (j == i) diagonal = a.value[p];
                sum -= a.value[p] * x[j];
            }
            residual += sum * sum;
            next[i] = x[i] + trial_damping * sum / diagonal;
        }
        if (residual <= network_tolerance * network_tolerance * size) return sweep;
        x.swap(next);
    }
    return -1;
}

void measure_network(const HeatPlane& plane, int most, const std::vector<double>& exact, SolverRow& row) {
    std::vector<double> x;
    std::vector<double> next(plane.nodes());
    row.network = solver_time_of([&] {
        x = plane.before;
        row.network_count = sweep_network(plane, most, x, next);
    });
    if (row.network_count < 0) row.network = not_measured;
    if (row.network_count >= 0 && !exact.empty())
        row.loose_difference = std::max(row.loose_difference, difference(x, exact));
}

void measure_elimination(const HeatPlane& plane, const SolverLimits& limits, const std::vector<double>& exact,
                         SolverRow& row) {
    const auto n = static_cast<int>(plane.nodes());
    const auto compare = [&](const std::vector<double>& x) {
        row.worst_difference = std::max(row.worst_difference, difference(x, exact));
    };
    std::vector<double> x;
    if (n <= limits.dense) {
        row.dense = solver_time_of([&] { x = eliminate_plainly(plane.matrix, plane.right); });
        compare(x);
    }
    if (n <= limits.blocked) {
        x = eliminate_blocked(plane.matrix, plane.right, &row.blocked);
        for (int again = 0; again < 3 && row.blocked < 1.0; ++again) {
            double seconds = 0.0;
            x = eliminate_blocked(plane.matrix, plane.right, &seconds);
            row.blocked = std::min(row.blocked, seconds);
        }
        compare(x);
    }
    if (n > limits.band) return;
    for (int again = 0; again < (n < 20000 ? 3 : 1); ++again) {
        Band band(plane.matrix);
        const double began = thread_cpu_seconds();
        band.eliminate();
        const double seconds = thread_cpu_seconds() - began;
        row.band_solve = solver_time_of([&] {
            x = plane.right;
            band.solve(x);
        });
        row.band = again == 0 ? seconds + row.band_solve : std::min(row.band, seconds + row.band_solve);
    }
    compare(x);
}

void measure_explicit(const HeatPlane& plane, SolverRow& row) {
    std::vector<double> x = plane.before;
    std::vector<double> flow(plane.nodes());
    const double h = explicit_share * plane.limit;
    row.explicit_one = solver_time_of([&] {
        heat::multiply(plane.stiffness, x, flow);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] += h * (plane.right[i] - plane.area[i] / plane.dt * plane.before[i] - flow[i]) / plane.area[i];
    });
    row.explicit_all = row.explicit_one * std::ceil(plane.dt / h);
}

std::vector<double> measure_factor(const HeatPlane& plane, SolverRow& row) {
    heat::Factor factor;
    row.order = solver_time_of([&] { factor = heat::Factor(plane.matrix); });
    row.factor = solver_time_of([&] { factor.factorize(plane.matrix); });
    row.entries = static_cast<double>(factor.entries());
    std::vector<double> x;
    row.solve = solver_time_of([&] {
        x = plane.right;
        factor.solve(x);
    });
    std::vector<Vec3> three(plane.nodes());
    row.solve_three = solver_time_of([&] {
        for (std::size_t i = 0; i < three.size(); ++i) three[i] = {plane.right[i], plane.before[i], 1.0};
        factor.solve(three);
    });
    return x;
}

}  // namespace

SolverRow measure_solvers(int side, double steps, const SolverLimits& limits) {
    const HeatPlane plane = make_heat_plane(side, steps);
    SolverRow row;
    row.nodes = static_cast<double>(plane.nodes());
    const std::vector<double> exact = measure_factor(plane, row);
    measure_explicit(plane, row);
    heat::GradientScratch work;
    std::vector<double> x;
    row.gradients = solver_time_of([&] {
        x = plane.before;
        row.gradient_count = heat::solve_by_gradients(plane.matrix, plane.right, gradient_tolerance, 10000, work, x);
    });
    row.loose_difference = difference(x, exact);
    measure_network(plane, limits.most_sweeps, exact, row);
    measure_elimination(plane, limits, exact, row);
    return row;
}

SolverRow measure_network(int side, double dt) {
    HeatPlane plane = make_heat_plane(side, 10.0);
    change_step(plane, dt);
    SolverRow row;
    row.nodes = static_cast<double>(plane.nodes());
    measure_network(plane, 1000000, {}, row);
    return row;
}

}  // namespace plica::experiments
