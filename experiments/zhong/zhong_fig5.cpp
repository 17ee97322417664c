#include <fmt/format.h>

#include <algorithm>
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

Measurements fast_json(const std::vector<LoadCurve>& curves) {
    Measurements rows;
    for (std::size_t k = 0; k < curves.size(); ++k) {
        const LoadCurve& c = curves[k];
        rows.push_back({{"damping", dampings[k]},
                        {"depth", c.depth.back()},
                        {"low", slope(c, 0.5, 2.0)},
                        {"high", slope(c, 4.0, 9.9)},
                        {"rises", c.rises},
                        {"particle", null_depth(dampings[k], fast, 2.0) / depth_at(c, 2.0)}});
    }
    return rows;
}

Claim claim_nonlinear(const Measurements& rows, const char* by, const char* why) {
    bool rises = true, bends = true, ordered = true;
    double before = HUGE_VAL;
    for (const auto& row : rows) {
        const double depth = row.at("depth"), high = row.at("high");
        rises = rises && row.at("rises").get<bool>();
        bends = bends && std::abs(high - 1.0) > 0.1;
        ordered = ordered && depth < before;
        before = depth;
    }
    const auto at = [&](const Measurements& row, const char* what) { return row.at(what).get<double>(); };
    return judge(
        {fmt::format("Deformation varies non-linearly with the force: eq. 18 to 22 {}.", by),
         "Zhong 2005, sec. V, fig. 5",
         "The results in Fig. 5 demonstrate that deformation varies non-linearly with the applied force.", "by eye"},
        !rises ? "curves turn back"
               : fmt::format("every curve rises, {}; depth ~ force^{:.2f} to {:.2f} below 2 N and {:.2f} to "
                             "{:.2f} above 4 N",
                             ordered ? "ordered by damping from right to left" : "not in the order of damping",
                             at(rows.back(), "low"), at(rows.front(), "low"), at(rows.back(), "high"),
                             at(rows.front(), "high")),
        "all eight curves rise with the force, lie from right to left as in the figure, and above 4 N an "
        "exponent is off 1 by 0.1",
        rises && bends && ordered, why);
}

Claim claim_material(const Measurements& rows, const char* by) {
    double least = HUGE_VAL, most = 0.0;
    for (const auto& row : rows) {
        least = std::min(least, row.at("particle").get<double>());
        most = std::max(most, row.at("particle").get<double>());
    }
    return judge(
        {fmt::format("The curves of fig. 5 are those of materials: eq. 18 to 22 {}.", by), "Zhong 2005, sec. V, fig. 5",
         "Eight materials that are modelled with different damping constants (from right to left in Fig. 5, the "
         "damping is 1.0, 2.0, 4.0, 5.0, 6.0, 7.0, 9.0 and 10.0, respectively) are tested.",
         "by eye"},
        fmt::format("up to 2 N a free particle of the same mass and damping moves {:.2f} to {:.2f} times as far", least,
                    most),
        "a free particle moves at least twice as far at every damping, so that most of the load is the "
        "material's",
        least >= 2.0,
        "Inertia and drag make such curves without any material, and in that order; the material's is what "
        "remains when the force grows slowly.");
}

// The body under a force that grows forty times more slowly.
Claim claim_slow(const Measurements& rows) {
    double least = 1e9, most = 0.0;
    bool rise = true;
    std::string exponents;
    for (const auto& row : rows) {
        const double depth = row.at("depth"), exponent = row.at("exponent");
        least = std::min(least, depth);
        most = std::max(most, depth);
        rise = rise && row.at("rises").get<bool>() && exponent > 0.3 && exponent < 0.5;
        exponents += fmt::format("{}{:.2f}", exponents.empty() ? "" : " / ", exponent);
    }
    return with_plot(promise("Loaded slowly the body stiffens, whatever its damping.",
                             "exponents above 4 N between 0.3 and 0.5, depths within 3 %",
                             fmt::format("exponents above 4 N {}; depths at 9.9 N within {:.1f} %", exponents,
                                         100.0 * (most - least) / least),
                             rise && most - least < 0.03 * least),
                     "slow.png");
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
    result.measured["printed"] = fast_json(run_curves(all, fast, heat::Mode::paper_literal));
    result.measured["repaired"] = fast_json(attract);
    result.measured["complete"] = fast_json(curves);
    for (std::size_t k = 0; k < still.size(); ++k) {
        result.measured["slow"].push_back({{"damping", some[k]},
                                           {"depth", still[k].depth.back()},
                                           {"exponent", still[k].exponent},
                                           {"rises", still[k].rises}});
    }
    result.notes = {
        "Mass 1 kg per node (the paper does not say), step 5 ms (10 ms where slow), superquadric of fig. 3.",
        "By the paper's equations with their sign repaired the curves turn back where the net collapses."};
    options.progress(1.0);
    return result;
}

std::vector<Claim> judge_zhong_fig5(const Measurements& m) {
    return unless_quick(m, {with_plot(claim_nonlinear(m.at("printed"), "as printed",
                                                      "But nothing holds the body back: it runs away (zhong-errata)."),
                                      "paper.png"),
                            with_plot(claim_nonlinear(m.at("repaired"), "with the sign repaired",
                                                      "The curves turn back where the net collapses."),
                                      "paper.png"),
                            claim_nonlinear(m.at("complete"), "completed", "With our rest shape, not the paper's."),
                            with_plot(claim_material(m.at("repaired"), "with the sign repaired"), "paper.png"),
                            claim_material(m.at("complete"), "completed"), claim_slow(m.at("slow"))});
}

}  // namespace plica::experiments
