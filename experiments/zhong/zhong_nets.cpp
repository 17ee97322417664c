#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/zhong/net_trials.hpp"

// What rectangular nets do that are flat, curved and sheared (Zhong 2005, eq. 9 and 10).
namespace plica::experiments {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FlatNet, even, difference, triangles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CurvedNet, lines, printed, triangles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ShearedNet, angle, quads, triangles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NetTrials, flat, curved, sheared)

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

// On the finest net, 0 where all of the Laplacian is found.
double miss_printed(const std::vector<CurvedNet>& curved) {
    return std::abs(curved.back().printed - 1.0);
}

Claim claim_printed(const std::vector<CurvedNet>& curved) {
    return with_plot(
        judge({"Eq. 9 is the heat equation on an object surface that is a rectangular net.",
               "Zhong 2005, sec. III.B, eq. 9",
               "If the object surface model is a rectangular net, the heat conduction equation for each internal node "
               "can be established using a finite-difference scheme.",
               "a finite-difference scheme"},
              fmt::format("on a sphere it finds {:.3f} of the Laplacian with {} lines from the pole to the equator, "
                          "{:.3f} with {}",
                          curved.front().printed, curved.front().lines, curved.back().printed, curved.back().lines),
              "on the finest net of latitudes and longitudes the Laplacian is found to 1 %",
              miss_printed(curved) < 0.01,
              "It holds where the net is flat. Eq. 9 knows distances alone; that a curved net's lines part and meet is "
              "not in it. Triangles on the same nodes find it."),
        "sphere.png");
}

Claim claim_flat(const std::vector<FlatNet>& nets) {
    double flat = 0.0, apart = 1e9;
    for (const FlatNet& f : nets) {
        flat = std::max(flat, f.difference);
        if (!f.even) apart = f.triangles;
    }
    return promise("A body that is a flat net conducts as eq. 9 and 10 have it.",
                   "temperatures to 1e-12; those of div(k grad T) are off by more than 1e-4",
                   fmt::format("to {:.0e}; div(k grad T) is off by {:.0e}", flat, apart), flat < 1e-12 && apart > 1e-4,
                   "div(k grad T), the default, is not eq. 10.");
}

Claim claim_shear(const std::vector<ShearedNet>& sheared) {
    double quads = 0.0, triangles = 1e9;
    for (const ShearedNet& s : sheared) {
        quads = std::max(quads, s.quads);
        triangles = std::min(triangles, s.triangles);
    }
    return promise("Four neighbours leave a net without stiffness in shear; triangles have it.",
                   "below 1e-9 J and above 1e-4 J",
                   fmt::format("at most {:.0e} J of quads, at least {:.0e} J of triangles", quads, triangles),
                   quads < 1e-9 && triangles > 1e-4);
}

}  // namespace

std::vector<Claim> judge_zhong_nets(const Measurements& m) {
    const NetTrials trials = m.at("nets");
    const CurvedNet& finest = trials.curved.back();
    return {claim_printed(trials.curved), claim_flat(trials.flat),
            promise("The same nodes as triangles find the whole Laplacian (1 %).", "",
                    fmt::format("{:.4f} of it at {} lines", finest.triangles, finest.lines),
                    std::abs(finest.triangles - 1.0) < 0.01),
            claim_shear(trials.sheared)};
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
    result.measured["nets"] = trials;
    result.notes = {
        "shape = \"net\" makes such a body; quads = true those of a mesh file. Curved nets stay quads for the "
        "forces only if their cells are flat rectangles; heat always goes by triangles there."};
    options.progress(1.0);
    return result;
}

}  // namespace plica::experiments
