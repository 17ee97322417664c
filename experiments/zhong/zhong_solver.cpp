#include <algorithm>
#include <cmath>

#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/raghupathi/detection.hpp"
#include "experiments/zhong/ordering_trials.hpp"
#include "experiments/zhong/solver_trials.hpp"

namespace plica::experiments {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SolverRow, nodes, dense, blocked, band, band_solve, order, factor, solve,
                                   explicit_one, explicit_all, gradients, network, worst_difference, loose_difference)

namespace {

using Rows = std::vector<SolverRow>;
using Get = double SolverRow::*;

struct Method {
    const char* name;
    Get seconds;
};
constexpr std::array<Method, 10> methods{{{"dense elimination, plain loops", &SolverRow::dense},
                                          {"dense LU, blocked", &SolverRow::blocked},
                                          {"banded elimination", &SolverRow::band},
                                          {"banded, prefactored", &SolverRow::band_solve},
                                          {"network sweeps, 1e-6", &SolverRow::network},
                                          {"explicit, same time", &SolverRow::explicit_all},
                                          {"explicit, one step", &SolverRow::explicit_one},
                                          {"gradients, warm, 1e-8", &SolverRow::gradients},
                                          {"sparse factor, made", &SolverRow::factor},
                                          {"sparse factor, solve", &SolverRow::solve}}};

std::string seconds_text(double seconds) {
    return std::isnan(seconds) ? "" : fmt::format("{:.2g}", seconds);
}

// NaN with fewer than two sizes.
double exponent(const Rows& rows, Get get) {
    std::vector<double> x;
    std::vector<double> y;
    for (const SolverRow& r : rows) {
        if (std::isnan(r.*get)) continue;
        x.push_back(r.nodes);
        y.push_back(r.*get);
    }
    return x.size() < 2 ? not_measured : fit_exponent(x, y);
}

// At the size nearest to `nodes` within 10 %; NaN: not measured.
double ratio_at(const Rows& rows, double nodes, Get over) {
    for (const SolverRow& r : rows) {
        if (std::abs(r.nodes - nodes) < 0.1 * nodes) return r.*over / r.solve;
    }
    return not_measured;
}

Table solver_time_table(const Rows& rows, const std::string& title) {
    Table t{title, {"nodes"}, {}};
    for (const Method& m : methods) t.columns.emplace_back(m.name);
    t.columns.insert(t.columns.end(), {"three right sides", "ordering, once", "sweeps", "iterations"});
    for (const SolverRow& r : rows) {
        std::vector<std::string> cells{count(r.nodes)};
        for (const Method& m : methods) cells.push_back(seconds_text(r.*m.seconds));
        cells.insert(cells.end(), {seconds_text(r.solve_three), seconds_text(r.order), count(r.network_count),
                                   count(r.gradient_count)});
        t.rows.push_back(std::move(cells));
    }
    return t;
}

Table exponent_table(const Rows& small, const Rows& large) {
    Table t{"Exponents b of seconds ~ N^b", {"", "dt 10 x limit", "dt 1000 x limit"}, {}};
    for (const Method& m : methods) {
        const auto text = [&](const Rows& rows) {
            const double b = exponent(rows, m.seconds);
            return std::isnan(b) ? std::string() : number(b, 2);
        };
        t.rows.push_back({m.name, text(small), text(large)});
    }
    return t;
}

Table ratio_table(const Rows& rows) {
    Table t{"How many times as long as a solve with the factor (dt 10 x limit)", {"nodes"}, {}};
    for (const Method& m : methods) t.columns.emplace_back(m.name);
    for (const SolverRow& r : rows) {
        std::vector<std::string> cells{count(r.nodes)};
        for (const Method& m : methods)
            cells.push_back(
                std::isnan(r.*m.seconds) ? "" : number(r.*m.seconds / r.solve, r.*m.seconds < 10 * r.solve ? 1 : 0));
        t.rows.push_back(std::move(cells));
    }
    return t;
}

std::string with_dense(const Rows& rows) {
    const double b = exponent(rows, &SolverRow::blocked);
    return std::isnan(b) ? "" : fmt::format("; dense ~ N^{:.2f}", b);
}

std::vector<Claim> paper_claims(const Rows& rows, const Rows& fixed) {
    const double band = exponent(rows, &SolverRow::band);
    const double network = exponent(rows, &SolverRow::network);
    const double grown = exponent(fixed, &SolverRow::network);
    return {
        judge({"The heat equation by refined Gaussian elimination is O(N^2).", "Zhong 2005, sec. V",
               "With the deformable modelling examples, it is observed that most of the deformation simulation time "
               "is spent on solving the heat conduction equation by the refined Gaussian elimination whose "
               "calculation speed is O(N2).",
               "N^2"},
              fmt::format("banded ~ N^{:.2f}{}", band, with_dense(rows)), "an exponent of 2, to 0.3",
              std::abs(band - 2.0) < 0.3,
              "N b^2 with a band b ~ sqrt(N). The equations as printed are explicit, so that there is nothing to "
              "eliminate; this is the implicit step."),
        judge({"A neural network makes it O(N).", "Zhong 2005, sec. V",
               "The efficiency of solving the heat equation could be further improved to O(N) by a neural network "
               "algorithm [19].",
               "N"},
              fmt::format("~ N^{:.2f} where the step shrinks with the spacing; ~ N^{:.2f} with one step in seconds",
                          network, grown),
              "an exponent of at most 1.2 with one step in seconds, which is what a simulator has", grown < 1.2,
              "A sweep is O(N), but heat goes one neighbour a sweep: the finer the mesh, the more sweeps a step "
              "takes.")};
}

Claim at_least(const Rows& rows, double nodes, Get over, double least, const char* than) {
    const double found = ratio_at(rows, nodes, over);
    return promise(fmt::format("A solve with the factor is at least {:.0f} times as fast as {} at {:.0f} nodes.", least,
                               than, nodes),
                   "", fmt::format("{:.0f} times", found), found >= least);
}

std::vector<Claim> solver_claims(const Rows& small, const Rows& large) {
    double worst = 0.0;
    double loose = 0.0;
    for (const Rows* rows : {&small, &large}) {
        for (const SolverRow& r : *rows) {
            worst = std::max(worst, r.worst_difference);
            loose = std::max(loose, r.loose_difference);
        }
    }
    std::vector<Claim> claims{promise(
        "Eliminations and the factor give the same temperatures (relative).", "1e-9; gradients and network 1e-3",
        fmt::format("{:.1e}; gradients and network {:.1e}", worst, loose), worst < 1e-9 && loose < 1e-3)};
    const auto add = [&](double nodes, Get over, double least, const char* than) {
        if (!std::isnan(ratio_at(small, nodes, over))) claims.push_back(at_least(small, nodes, over, least, than));
    };
    add(2025, &SolverRow::blocked, 1000.0, "blocked dense LU");
    add(10000, &SolverRow::blocked, 10000.0, "blocked dense LU");
    add(10000, &SolverRow::band, 10.0, "banded elimination");
    add(199809, &SolverRow::band, 80.0, "banded elimination");
    if (small.back().nodes < 100000) return claims;  // too few sizes for a slope
    for (const Rows* rows : {&small, &large}) {
        const double b = exponent(*rows, &SolverRow::solve);
        claims.push_back(promise(
            fmt::format("The time of a solve grows no faster than N^1.4 (dt {} x limit).", rows == &small ? 10 : 1000),
            "", fmt::format("N^{:.2f}", b), b <= 1.4));
    }
    const double b = exponent(small, &SolverRow::explicit_one);
    claims.push_back(
        promise("The time of an explicit step grows no faster than N^1.2.", "", fmt::format("N^{:.2f}", b), b <= 1.2));
    return claims;
}

std::vector<std::string> plot_times(const Rows& rows, const std::string& folder) {
    Table data{"", {"nodes"}, {}};
    for (const Method& m : methods) data.columns.emplace_back(m.name);
    for (std::string& name : data.columns) std::replace(name.begin(), name.end(), ',', ';');
    for (const SolverRow& r : rows) {
        std::vector<std::string> cells{count(r.nodes)};
        for (const Method& m : methods) cells.push_back(fmt::format("{:.6g}", r.*m.seconds));
        data.rows.push_back(std::move(cells));
    }
    constexpr std::array colours{"#222222", "#666666", "#1f5fae", "#88bbee", "#2a8f5a",
                                 "#b58900", "#e0c060", "#8a4fae", "#e8a080", "#c04000"};
    std::string commands =
        "set logscale xy\nset format y '10^{%T}'\nset xlabel 'nodes N'\nset ylabel 'CPU seconds'\nset grid\n"
        "set key outside right Left reverse samplen 2\nset datafile missing 'nan'\n"
        "set xtics (400,2025,10000,50176,199809)\nset xrange [300:280000]\n"
        "set title 'One implicit step of heat, ten times the explicit limit'\nplot ";
    for (std::size_t i = 0; i < methods.size(); ++i) {
        commands += fmt::format("{}'time.csv' u 1:{} skip 1 w lp pt 7 lw {} lc rgb '{}' t '{}'", i == 0 ? "" : ", ",
                                i + 2, i + 1 == methods.size() ? 3 : 2, colours[i], methods[i].name);
    }
    return plot(folder, "time", data, commands + "\n");
}

}  // namespace

Result run_zhong_solver(const ExperimentOptions& options) {
    const std::vector<int> sides = options.quick ? std::vector<int>{20, 45} : std::vector<int>{20, 45, 100, 224, 447};
    SolverLimits limits;
    if (options.quick) limits.dense = limits.blocked = 400;
    SolverLimits iterative{0, 0, 0, limits.most_sweeps};
    Rows small;
    Rows large;
    Rows fixed;
    const double fixed_step = 10.0 * 0.25 / (21.0 * 21.0);  // s: ten times the limit of the smallest plane
    for (std::size_t i = 0; i < sides.size(); ++i) {
        small.push_back(measure_solvers(sides[i], 10.0, limits));
        options.progress((static_cast<double>(i) + 0.5) / static_cast<double>(sides.size()));
        large.push_back(measure_solvers(sides[i], 1000.0, iterative));
        if (small.back().nodes < 100000) fixed.push_back(measure_network(sides[i], fixed_step));
        options.progress((static_cast<double>(i) + 1.0) / static_cast<double>(sides.size()));
    }
    Result result;
    result.tables = {solver_time_table(small, "CPU seconds of one implicit step, dt 10 x the explicit limit"),
                     solver_time_table(large, "The same, dt 1000 x the limit: nearly steady"), ratio_table(small),
                     exponent_table(small, large)};
    std::vector<OrderingTrial> orders;
    for (const int side : sides) orders.push_back(measure_ordering(side));
    if (!options.quick) orders.push_back(measure_ordering(1000));
    result.tables.push_back(ordering_table(orders));
    result.measured = {{"small", small}, {"large", large}, {"fixed", fixed}, {"orders", orders}};
    result.plots = plot_times(small, options.folder);
    result.notes = {
        "A unit square, nodes moved by up to 0.15 of their spacing, rim held at zero; one thread, CPU time, the best "
        "of "
        "some rounds. The limit is h^2 alpha / (4 k); explicit steps take 0.8 of it.",
        "Dense elimination ends at 10,000 nodes: 200,000 would need 320 GB. Plain loops end at 2,025.",
        "Blocked LU: Eigen's PartialPivLU, for this machine's vectors. Prefactored band: its two triangular solves "
        "alone.",
        "Gradients and network start from the last step's temperatures; between the steps the sources move by a node. "
        "A cell of the "
        "network goes nine tenths of the way its neighbours ask for."};
    return result;
}

std::vector<Claim> judge_zhong_solver(const Measurements& m) {
    const Rows small = m.at("small"), large = m.at("large"), fixed = m.at("fixed");
    std::vector<Claim> claims = paper_claims(small, fixed);
    for (Claim& claim : solver_claims(small, large)) claims.push_back(std::move(claim));
    claims.push_back(judge_ordering(m.at("orders")));
    return claims;
}

}  // namespace plica::experiments
