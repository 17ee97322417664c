#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/common/errata.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/johnsen/contact_trials.hpp"

// Eq. 9 and 13 part a gap in halves, whatever the two sides weigh, and gamma makes the master's forces add up to one to
// three times the slave's even where all weigh the same: what two bodies exert on each other is not opposite and equal.
namespace plica::experiments {
namespace {

constexpr std::array<double, 2> density_ratios{1.0, 4.0};  // densities

struct MomentumRow {
    double ratio;
    Meeting printed, ours;
};

Table momentum_table(const std::vector<MomentumRow>& rows) {
    Table t{
        "Two free blocks of 50 mm, one thrown at the other at 0.3 m/s, over 0.4 s: largest change of momentum, of "
        "angular "
        "momentum (over momentum x 50 mm), energy over the first, deepest penetration into the thickness",
        {"densities", "response", "momentum", "angular", "energy, most", "energy, last", "penetration, m", "passes"},
        {}};
    for (const MomentumRow& row : rows) {
        for (const bool printed : {true, false}) {
            const Meeting& m = printed ? row.printed : row.ours;
            t.rows.push_back({fmt::format("1 : {:g}", row.ratio), printed ? "eq. 9 and 13" : "ours",
                              fmt::format("{:.2g}", m.momentum), fmt::format("{:.2g}", m.angular),
                              number(m.most_energy, 3), number(m.last_energy, 3), fmt::format("{:.1g}", m.penetration),
                              number(m.passes, 2)});
        }
    }
    return t;
}

std::vector<std::string> plot_tracks(const std::vector<MomentumRow>& rows, const std::string& folder) {
    Table data{"", {"ms"}, {}};
    for (const MomentumRow& row : rows) {
        for (const char* of : {"printed", "ours"}) {
            data.columns.push_back(fmt::format("momentum {} 1:{:g}", of, row.ratio));
            data.columns.push_back(fmt::format("energy {} 1:{:g}", of, row.ratio));
        }
    }
    for (std::size_t i = 0; i < rows[0].ours.track.size(); ++i) {
        std::vector<std::string> cells{number(1e3 * rows[0].ours.track[i][0], 3)};
        for (const MomentumRow& row : rows) {
            for (const Meeting* m : {&row.printed, &row.ours}) {
                cells.push_back(fmt::format("{:.6g}", m->track[i][1]));
                cells.push_back(fmt::format("{:.6g}", m->track[i][2]));
            }
        }
        data.rows.push_back(std::move(cells));
    }
    constexpr const char* curves =
        "plot 'momentum.csv' using 1:{0} with lines lw 2 lc rgb '#d95f02' title 'as printed, densities 1:1', "
        "'' using 1:{1} with lines lw 2 dt 2 lc rgb '#d95f02' title 'as printed, 1:4', "
        "'' using 1:{2} with lines lw 2 lc rgb '#1b9e77' title 'ours, 1:1', "
        "'' using 1:{3} with lines lw 2 dt 2 lc rgb '#1b9e77' title 'ours, 1:4'\n";
    const std::string momentum = fmt::format(fmt::runtime(curves), 2, 6, 4, 8);
    const std::string energy = fmt::format(fmt::runtime(curves), 3, 7, 5, 9);
    return plot(folder, "momentum", data,
                fmt::format("set multiplot layout 1,2 title 'Two free blocks meet: all of their momentum and energy'\n"
                            "set grid lc rgb '#dddddd'\nset xlabel 'ms'\nset xrange [0:{}]\n"
                            "set ylabel 'momentum / first'\nset yrange [0:*]\nset key off\n{}"
                            "set ylabel 'energy / first'\nset key bottom right\n{}unset multiplot\n",
                            number(1e3 * rows[0].ours.track.back()[0], 0), momentum, energy));
}

Measurements meeting_json(const Meeting& m) {
    return {{"momentum", m.momentum},       {"most_energy", m.most_energy}, {"last_energy", m.last_energy},
            {"penetration", m.penetration}, {"thickness", m.thickness},     {"passes", m.passes}};
}

}  // namespace

void add_momentum(const ExperimentOptions& options, Result& result) {
    const int frames = options.quick ? 60 : 200;
    std::vector<MomentumRow> rows;
    for (const double ratio : density_ratios) {
        rows.push_back({ratio, meet_blocks(ResponseKind::johnsen, ratio, frames),
                        meet_blocks(ResponseKind::consistent, ratio, frames)});
        options.progress(static_cast<double>(rows.size()) / density_ratios.size());
    }
    result.tables.push_back(momentum_table(rows));
    add_plot(result, plot_tracks(rows, options.folder));
    for (const MomentumRow& row : rows) {
        result.measured["momentum"].push_back(
            {{"ratio", row.ratio}, {"printed", meeting_json(row.printed)}, {"ours", meeting_json(row.ours)}});
    }
}

std::vector<Claim> judge_momentum(const Measurements& rows) {
    std::vector<double> deep, change, energy, left;
    double worst = 0.0, most = 0.0;
    for (const auto& row : rows) {
        const Measurements &printed = row.at("printed"), &ours = row.at("ours");
        deep.push_back(100.0 * printed.at("penetration").get<double>() / printed.at("thickness").get<double>());
        change.push_back(100.0 * printed.at("momentum").get<double>());
        energy.push_back(printed.at("most_energy"));
        left.push_back(ours.at("last_energy"));
        worst = std::max(worst, ours.at("momentum").get<double>());
        most = std::max(most, ours.at("most_energy").get<double>());
    }
    return {
        judge({"Forces of eq. 9 and 13 push two bodies out of each other (two free blocks, densities 1:1 and 1:4).",
               "Johnsen 2012, sec. 2.3, eq. 9",
               "the factor \u03b3i distributes the gap function value over the master facet such that at the position "
               "xm the fraction of the gap assigned to the master surface is recovered.",
               "the gap is closed"},
              fmt::format("at most {} % of the thickness is left at the end of a step", joined(deep, 2)),
              "at the end of no step more than 1 % of the thickness is left",
              *std::max_element(deep.begin(), deep.end()) < 1.0,
              fmt::format("Of momentum the paper says nothing: what the two exert on each other is not opposite and "
                          "equal, and all of their momentum changes by {} %, their energy grows to {} times the first.",
                          joined(change, 0), joined(energy, 2))),
        promise("Ours keeps the momentum of the two blocks to 1e-12 and gives them no energy.",
                "momentum to 1e-12, energy never beyond 1.001 of the first",
                fmt::format("momentum to {:.1g}; {} of the energy are left", worst, joined(left, 2)),
                worst < 1e-12 && most < 1.001)};
}

}  // namespace plica::experiments
