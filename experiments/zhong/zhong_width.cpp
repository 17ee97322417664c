#include <fmt/format.h>

#include <algorithm>

#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/zhong/width_trials.hpp"

// Whether heat widens a dimple, on a liver and on the superquadric, over three meshes; and why a count of nodes that
// moved says the opposite on a liver (Zhong 2005, figure 3).
namespace plica::experiments {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Width, nodes, depth, half, mean, moved, along, volume)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WidthTrial, liver, level, force, patch, coupling, bulk)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WidthPair, trial, warm, cold)

namespace {

using Pairs = std::vector<WidthPair>;

std::string both(double hot, double cold) {
    return fmt::format("{:.3f} / {:.3f}", hot, cold);
}
std::string both(int hot, int cold) {
    return fmt::format("{} / {}", hot, cold);
}

Table width_table(const Pairs& pairs) {
    Table table{"Dimples with heat / without, over the half size; patches are Gaussians",
                {"body", "nodes", "force, N", "patch", "bulk", "depth", "radius at half the depth", "mean radius",
                 "nodes moved > 0.05", "of these along the load", "V/V0"},
                {}};
    for (const auto& [trial, hot, cold] : pairs) {
        table.rows.push_back({trial.liver ? "liver" : "superquadric", count(hot.nodes), number(trial.force, 0),
                              trial.patch > 0.0 ? number(trial.patch, 1) : "one node", fmt::format("{:g}", trial.bulk),
                              both(hot.depth, cold.depth), both(hot.half, cold.half), both(hot.mean, cold.mean),
                              both(hot.moved, cold.moved), both(hot.along, cold.along), both(hot.volume, cold.volume)});
    }
    return table;
}

constexpr const char* width_commands = R"gp(
set terminal pngcairo size 1100,480 font 'sans,13' background 'white'
set multiplot layout 1,2 title 'How wide a dimple is under a patch of 0.2 half sizes'
set logscale x
set xrange [500:13000]
set xtics (642, 2562, 10242)
set yrange [0.3:0.5]
set grid lc rgb '#dddddd'
set xlabel 'nodes'
set ylabel 'radius at half the depth, half sizes'
set key below maxcols 2 samplen 2
of(l, f) = column(1) == l && column(2) == f ? column(3) : 1/0
do for [l = 1:0:-1] {
    set title (l == 1 ? 'liver' : 'superquadric')
    plot 'width.csv' u (of(l, -1)):4 skip 1 w lp pt 7 lc rgb '#d95f02' t 'pushed, with heat', \
        '' u (of(l, -1)):5 skip 1 w lp pt 6 dt 2 lc rgb '#d95f02' t 'without', \
        '' u (of(l, 1)):4 skip 1 w lp pt 5 lc rgb '#4b5fc4' t 'pulled, with heat', \
        '' u (of(l, 1)):5 skip 1 w lp pt 4 dt 2 lc rgb '#4b5fc4' t 'without'
}
unset multiplot
)gp";

// Radii at half the depth, on patches with the settings' bulk.
std::vector<std::string> plot_widths(const Pairs& pairs, const std::string& folder) {
    Table data{"", {"liver", "force", "nodes", "with heat", "without"}, {}};
    for (const double force : {-1.0, 1.0}) {  // a line's points in a row
        for (const auto& [trial, hot, cold] : pairs) {
            if (trial.force != force || trial.patch == 0.0 || trial.bulk != 1.0) continue;
            data.rows.push_back({trial.liver ? "1" : "0", number(force, 0), count(hot.nodes), number(hot.half, 4),
                                 number(cold.half, 4)});
        }
    }
    return plot(folder, "width", data, width_commands);
}

// The least of warm over cold among the patches whose bulk is the settings'.
template <class Get>
double least_widening(const Pairs& pairs, bool liver, Get&& get) {
    double least = 1e9;
    for (const auto& [trial, hot, cold] : pairs) {
        if (trial.liver != liver || trial.bulk != 1.0 || trial.patch == 0.0) continue;
        least = std::min(least, get(hot) / get(cold));
    }
    return least;
}

// Of a width between the coarsest and the finest mesh of the same load.
double most_change(const Pairs& pairs) {
    double most = 0.0;
    for (const WidthPair& a : pairs) {
        for (const WidthPair& b : pairs) {
            const bool same = a.trial.liver == b.trial.liver && a.trial.force == b.trial.force &&
                              a.trial.patch == b.trial.patch && a.trial.bulk == b.trial.bulk;
            if (!same || a.trial.patch == 0.0) continue;
            most = std::max({most, a.warm.mean / b.warm.mean - 1.0, a.cold.mean / b.cold.mean - 1.0});
        }
    }
    return most;
}

Claim claim_body(const Pairs& pairs, bool liver) {
    const double half = least_widening(pairs, liver, [](const Width& w) { return w.half; });
    const double mean = least_widening(pairs, liver, [](const Width& w) { return w.mean; });
    return promise(fmt::format("Heat widens the dimple of a {}, pushed and pulled, on every mesh.",
                               liver ? "liver" : "superquadric"),
                   "radius at half the depth and mean radius are larger than without heat",
                   fmt::format("radius at half the depth at least {:.2f} times, mean radius {:.2f} times", half, mean),
                   half > 1.0 && mean > 1.0);
}

// On a liver that is pushed: nodes that moved, with the volume kept and not.
Claim claim_count(const Pairs& pairs) {
    std::string ours;
    bool holds = true;
    for (const auto& [trial, hot, cold] : pairs) {
        if (!trial.liver || trial.force > 0.0 || trial.patch == 0.0 || trial.level != pairs[0].trial.level) continue;
        const bool keeps = trial.bulk == 1.0;
        ours += fmt::format("{}{} {} / {}", ours.empty() ? "" : "; ", keeps ? "volume kept" : "not kept", hot.moved,
                            cold.moved);
        holds = holds && (keeps ? hot.moved < cold.moved : hot.moved > cold.moved);
    }
    return promise(
        "Nodes that moved by more than 0.05 are fewer with heat because what a dimple displaces comes out elsewhere "
        "and is counted as well.",
        "fewer with heat where the volume is kept, more where it is not", ours, holds,
        "Without the bulk modulus the same count is larger with heat.");
}

}  // namespace

std::vector<Claim> judge_zhong_width(const Measurements& m) {
    const Pairs pairs = m.at("pairs");
    const double change = most_change(pairs);
    return {
        claim_body(pairs, true), claim_body(pairs, false), claim_count(pairs),
        promise("Finer meshes have the same width under a patch (5 %).", "", fmt::format("{:.1f} %", 100.0 * change),
                change < 0.05, "One node's load is another load on every mesh.")};
}

Result run_zhong_width(const ExperimentOptions& options) {
    const int finest = options.quick ? 3 : 5;
    std::vector<WidthTrial> trials;
    for (const bool liver : {true, false}) {
        for (int level = 3; level <= finest; ++level) {
            for (const double patch : {0.2, 0.0}) {
                if (patch == 0.0 && level > 4) continue;
                for (const double force : {-1.0, 1.0})
                    trials.push_back({.liver = liver, .level = level, .force = force, .patch = patch});
            }
        }
    }
    trials.push_back({.bulk = 1e-4});
    Pairs pairs;
    for (const WidthTrial& trial : trials) {
        pairs.push_back(compare_widths(trial));
        options.progress(static_cast<double>(pairs.size()) / static_cast<double>(trials.size()));
    }
    Result result;
    result.tables = {width_table(pairs)};
    result.plots = plot_widths(pairs, options.folder);
    result.measured["pairs"] = pairs;
    result.notes = {
        "1 N, the settings of the superquadric of fig. 3 scaled to the body's size, 15 s.",
        "The smaller a node, the further its load is beyond the envelope: there a spike remains with heat.",
        "Mean radius: sum of the displacement along the load over the root of pi times that of its square, by "
        "area. Both radii are of the dimple's shape: a dimple twice as deep has the same.",
        "A count of nodes that moved by some distance, whichever way, grows with the depth, and with all "
        "that the displaced volume pushes aside; for its size a liver has a third of the superquadric's "
        "volume."};
    return result;
}

}  // namespace plica::experiments
