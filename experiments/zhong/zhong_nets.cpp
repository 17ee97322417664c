#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/zhong/net_trials.hpp"

// What rectangular nets do that are flat, curved and sheared (Zhong 2005, eq. 9 and 10).
namespace plica::experiments {
namespace {

std::vector<Table> net_tables(const NetTrials& trials) {
    Table flat{"A flat uneven net of 6 x 5 lines, rim held: temperatures beside eq. 9 and 10 after 50 explicit steps",
               {"conductivities", "conduction = \"printed\", difference", "\"explicit\", div(k grad T): difference"},
               {}};
    for (const FlatNet& f : trials.flat)
        flat.rows.push_back({f.even ? "0.4: eq. 9" : "0.4 and 0.05: eq. 10", fmt::format("{:.1e}", f.difference),
                             fmt::format("{:.1e}", f.triangles)});
    Table curved{"Latitudes and longitudes on the unit sphere: share of the Laplacian of z that is found",
                 {"lines from pole to equator", "eq. 9", "the same nodes as triangles"},
                 {}};
    for (const CurvedNet& c : trials.curved)
        curved.rows.push_back({count(c.lines), number(c.printed, 4), number(c.triangles, 4)});
    Table sheared{"A square of 2 m with 20 x 20 cells whose lines turn against each other: energy of the edges, J",
                  {"angle, rad", "quads", "triangles"},
                  {}};
    for (const ShearedNet& s : trials.sheared)
        sheared.rows.push_back(
            {number(s.angle, 2), fmt::format("{:.1e}", s.quads), fmt::format("{:.1e}", s.triangles)});
    return {flat, curved, sheared};
}

}  // namespace

std::vector<Claim> judge_nets(const NetTrials& trials) {
    double flat = 0.0, apart = 1e9, printed = 0.0, quads = 0.0, triangles = 1e9;
    for (const FlatNet& f : trials.flat) {
        flat = std::max(flat, f.difference);
        if (!f.even) apart = f.triangles;
    }
    for (const CurvedNet& c : trials.curved) printed = std::max(printed, std::abs(c.printed - 1.0));
    for (const ShearedNet& s : trials.sheared) {
        quads = std::max(quads, s.quads);
        triangles = std::min(triangles, s.triangles);
    }
    const CurvedNet& finest = trials.curved.back();
    return {{"Heat on a rectangular net follows eq. 9 and 10.", "eq. 9, 10",
             fmt::format("on flat nets; wrong by {:.0f} % on a sphere, however fine the net", 100.0 * printed),
             printed < 0.01,
             "Eq. 9 knows distances alone; what a curved net's lines do to each other is not in it. Triangles on the "
             "same nodes find it.",
             false},
            {"A body that is a flat net conducts as eq. 9 and 10 have it.", "", fmt::format("to {:.0e}", flat),
             flat < 1e-12 && apart > 1e-4, "div(k grad T), the default, is not eq. 10.", true},
            {"The same nodes as triangles find the whole Laplacian (1 %).", "",
             fmt::format("{:.4f} of it at {} lines", finest.triangles, finest.lines),
             std::abs(finest.triangles - 1.0) < 0.01, "", true},
            {"Four neighbours leave a net without stiffness in shear; triangles have it.", "",
             fmt::format("at most {:.0e} J of quads, at least {:.0e} J of triangles", quads, triangles),
             quads < 1e-9 && triangles > 1e-4, "", true}};
}

Result run_zhong_nets(const ExperimentOptions& options) {
    NetTrials trials;
    for (const bool even : {true, false}) trials.flat.push_back(compare_flat_net(even));
    for (const int lines : {20, 40, 80, 160}) trials.curved.push_back(compare_curved_net(lines));
    for (const double angle : {0.05, 0.1, 0.2}) trials.sheared.push_back(shear_net(angle));
    Result result;
    result.tables = net_tables(trials);
    result.plots =
        plot(options.folder, "sphere", result.tables[1],
             "set logscale x\nset xlabel 'lines of the net on a sphere'\nset ylabel 'share of the Laplacian'\n"
             "set yrange [0:1.1]\nset key bottom right\n"
             "plot 'sphere.csv' u 1:2 skip 1 w lp pt 7 t 'eq. 9', '' u 1:3 skip 1 w lp pt 7 t 'triangles'\n");
    result.claims = judge_nets(trials);
    result.notes = {
        "shape = \"net\" makes such a body; quads = true those of a mesh file. Curved nets stay quads for the "
        "forces only if their cells are flat rectangles; heat always goes by triangles there."};
    options.progress(1.0);
    return result;
}

}  // namespace plica::experiments
