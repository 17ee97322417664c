#include <fmt/format.h>

#include <cmath>

#include "experiments/common/errata.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/zhong/heat_trials.hpp"

// Deformation under a force that grows at a constant rate, for eight dampings (Zhong 2005, figure 5); and the curves
// that tell a material from inertia and drag: a free particle, and the same body loaded forty times more slowly.
namespace plica::experiments {
namespace {

constexpr double fast = 2.0, slow = 0.05;  // N/s
constexpr double dampings[] = {1.0, 2.0, 4.0, 5.0, 6.0, 7.0, 9.0, 10.0};
constexpr double slow_dampings[] = {1.0, 4.0, 10.0};

double depth_at(const LoadCurve& curve, double force) {
    std::size_t i = 0;
    while (i + 1 < curve.force.size() && curve.force[i] < force) ++i;
    return curve.depth[i];
}

// d ln depth / d ln force.
double slope(const LoadCurve& curve, double from, double to) {
    return std::log(depth_at(curve, to) / depth_at(curve, from)) / std::log(to / from);
}

Table curve_data(const std::vector<LoadCurve>& curves, const std::vector<double>& labels, bool null) {
    Table t{"", {"force"}, {}};
    for (const double label : labels) t.columns.push_back(fmt::format("damping {:.0f}", label));
    if (null) {
        for (const double label : labels) t.columns.push_back(fmt::format("particle {:.0f}", label));
    }
    for (std::size_t i = 0; i < curves[0].force.size(); ++i) {
        const double force = curves[0].force[i];
        std::vector<std::string> row{number(force, 4)};
        for (const LoadCurve& c : curves) row.push_back(number(c.depth[std::min(i, c.depth.size() - 1)], 6));
        for (std::size_t k = 0; null && k < labels.size(); ++k)
            row.push_back(number(null_depth(labels[k], fast, force), 6));
        t.rows.push_back(row);
    }
    return t;
}

std::string curves_of(const std::string& name, const std::vector<double>& labels, bool null) {
    std::string text;
    for (std::size_t k = 0; k < labels.size(); ++k) {
        const std::size_t column = k + 2;
        text += fmt::format("{}'{}.csv' using {}:1 every ::1 with lines lw 2 lc palette cb {} title '{:.0f}'",
                            text.empty() ? "plot " : ", ", name, column, labels[k], labels[k]);
        if (null && (k == 0 || k + 1 == labels.size()))
            text +=
                fmt::format(", '' using {}:1 every ::1 with lines dt 3 lw 2 lc palette cb {} title 'particle {:.0f}'",
                            column + labels.size(), labels[k], labels[k]);
    }
    return text;
}

std::vector<std::string> plot_curves(const std::string& folder, const std::string& name, const std::string& title,
                                     const Table& data, const std::vector<double>& labels, bool null, double most) {
    return plot(folder, name, data,
                fmt::format("set terminal pngcairo size 900,620 font 'sans,13' background 'white'\n"
                            "set title '{}'\nset grid lc rgb '#dddddd'\nunset colorbox\n"
                            "set palette defined (1 '#d95f02', 5 '#7570b3', 10 '#1b9e77')\nset cbrange [1:10]\n"
                            "set xlabel 'deformation (m)'\nset ylabel 'force (N)'\nset xrange [0:{}]\n"
                            "set yrange [0:10]\nset key outside right title 'damping (N s/m)'\n{}\n",
                            title, most, curves_of(name, labels, null)));
}

std::vector<LoadCurve> run_curves(const std::vector<double>& labels, double rate, heat::Mode mode) {
    std::vector<LoadCurve> curves;
    for (const double damping : labels) curves.push_back(load_slowly(damping, rate, mode));
    return curves;
}

Table fig5_depth_table(const std::vector<LoadCurve>& curves, const std::vector<LoadCurve>& attract) {
    Table t{"At 2 N/s: depth at 9.9 N, and how it grows with the force (d ln depth / d ln force)",
            {"damping", "depth, m", "below 2 N", "above 4 N", "rises", "particle / body at 2 N",
             "paper, sign repaired: "
             "rises"},
            {}};
    for (std::size_t k = 0; k < curves.size(); ++k) {
        const LoadCurve& c = curves[k];
        t.rows.push_back({number(dampings[k], 0), number(c.depth.back(), 3), number(slope(c, 0.5, 2.0), 2),
                          number(slope(c, 4.0, 9.9), 2), c.rises ? "yes" : "no",
                          number(null_depth(dampings[k], fast, 2.0) / depth_at(c, 2.0), 2),
                          attract[k].rises ? "yes" : "no"});
    }
    return t;
}

bool is_ordered(const std::vector<LoadCurve>& curves) {
    for (std::size_t k = 1; k < curves.size(); ++k) {
        if (curves[k].depth.back() >= curves[k - 1].depth.back()) return false;
    }
    return true;
}

std::vector<Claim> find_claims(const std::vector<LoadCurve>& curves, const std::vector<LoadCurve>& still) {
    double least = 1e9, most = 0.0;
    bool rise = true;
    std::string exponents;
    for (const LoadCurve& c : still) {
        least = std::min(least, c.depth.back());
        most = std::max(most, c.depth.back());
        rise = rise && c.rises && c.exponent > 0.3 && c.exponent < 0.5;
        exponents += fmt::format("{}{:.2f}", exponents.empty() ? "" : " / ", c.exponent);
    }
    const double null_low = null_depth(1.0, fast, 2.0) / depth_at(curves.front(), 2.0);
    const double null_high = null_depth(10.0, fast, 2.0) / depth_at(curves.back(), 2.0);
    return {
        {"Deformation varies non-linearly with the force, curves ordered by damping from right to left.",
         "by eye (fig. 5)",
         fmt::format("ordered; exponents {:.1f} to {:.1f} below 2 N and {:.2f} to {:.2f} above 4 N",
                     slope(curves.back(), 0.5, 2.0), slope(curves.front(), 0.5, 2.0), slope(curves.back(), 4.0, 9.9),
                     slope(curves.front(), 4.0, 9.9)),
         is_ordered(curves), "", false},
        {"That is the behaviour of the material.", "text, sec. V",
         fmt::format("up to 2 N a free particle moves {:.2f} to {:.2f} times as far", null_high, null_low), false,
         "Inertia and drag make such curves without any material, and in that order; what is the material's is what "
         "remains when the force grows slowly.",
         false},
        {"Loaded slowly the body stiffens, whatever its damping.", "",
         fmt::format("exponents above 4 N {}; depths at 9.9 N within {:.1f} %", exponents,
                     100.0 * (most - least) / least),
         rise && most - least < 0.03 * least, "", true}};
}

}  // namespace

Result run_zhong_fig5(const ExperimentOptions& options) {
    const std::vector<double> all(std::begin(dampings), std::end(dampings));
    const std::vector<double> some(std::begin(slow_dampings), std::end(slow_dampings));
    const std::vector<LoadCurve> curves = run_curves(all, fast, heat::Mode::complete);
    options.progress(0.3);
    const std::vector<LoadCurve> attract = run_curves(all, fast, heat::Mode::paper_attract);
    options.progress(0.5);
    const std::vector<LoadCurve> still = run_curves(some, options.quick ? 1.0 : slow, heat::Mode::complete);
    Result result;
    result.tables = {fig5_depth_table(curves, attract)};
    add_plot(result, plot_curves(options.folder, "fast", "2 N/s: the body, and free particles (dotted)",
                                 curve_data(curves, all, true), all, true, 0.6));
    add_plot(result, plot_curves(options.folder, "slow", "0.05 N/s: what is left when inertia and drag are not",
                                 curve_data(still, some, false), some, false, 0.6));
    add_plot(result, plot_curves(options.folder, "paper", "2 N/s by the equations of the paper, their sign repaired",
                                 curve_data(attract, all, false), all, false, 0.6));
    result.claims = find_claims(curves, still);
    result.notes = {
        "Mass 1 kg per node (the paper does not say), step 5 ms (10 ms where slow), superquadric of fig. 3.",
        "By the paper's equations with their sign repaired the curves turn back where the net collapses."};
    // Too short for claims about ourselves.
    for (Claim& claim : result.claims) claim.own = claim.own && !options.quick;
    options.progress(1.0);
    return result;
}

}  // namespace plica::experiments
