#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/errata.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/johnsen/contact_trials.hpp"

// Algorithm 1 repeats eq. 9 with changing roles until nothing intersects. Nothing it has pushed can come back, so where
// two meshes press on each other without matching, it pushes too far.
namespace plica::experiments {
namespace {

constexpr double thick = 0.006, thin = 0.001;  // m

struct PatchRow {
    const char* name;
    double thickness;
    Patch patch;
};

std::string signed_share(double share) {
    return std::abs(share) < 1e-5 ? fmt::format("{:+.0e}", share) : fmt::format("{:+.2f} %", 100.0 * share);
}
std::string share(double value) {
    return value < 1e-5 ? fmt::format("{:.0e}", value) : fmt::format("{:.2f} %", 100.0 * value);
}

Table patch_table(const std::vector<PatchRow>& rows) {
    Table t{
        "A block of 6 x 6 cells pressed on one of 4 x 4 by 5 %, side walls that slide, after it came to rest or 3 s: "
        "force "
        "on the support (mean of the last 0.5 s) and places of nodes against theory, these in shares of the applied "
        "displacement",
        {"response", "thickness, mm", "force", "places, most", "places, rms", "fastest node, mm/s", "passes"},
        {}};
    for (const PatchRow& row : rows) {
        const Patch& p = row.patch;
        t.rows.push_back({row.name, number(1e3 * row.thickness, 0), signed_share(p.force_error), share(p.nodal_error),
                          share(p.mean_error), fmt::format("{:.2g}", 1e3 * p.speed), number(p.passes, 2)});
    }
    return t;
}

// Nodes of the two faces that touch: where they are across, and how far above their place, mm.
void list_interface(const Patch& patch, const std::string& of, Table& data) {
    double lowest = 1.0, highest = -1.0;  // of the theory's: bottom and top of the pile
    for (const auto& node : patch.nodes) {
        lowest = std::min(lowest, node[1].z);
        highest = std::max(highest, node[1].z);
    }
    const double middle = 0.5 * (lowest + highest);
    for (const auto& node : patch.nodes) {
        if (std::abs(std::abs(node[1].z - middle) - 0.5 * thick) > 1e-6) continue;
        const char* side = node[1].z > middle ? "upper" : "lower";
        data.rows.push_back(
            {of, side, number(1e3 * node[1].x, 4), fmt::format("{:.6g}", 1e3 * (node[0].z - node[1].z))});
    }
}

std::vector<std::string> plot_interface(const Patch& printed, const Patch& ours, const std::string& folder) {
    Table data{"", {"response", "side", "x", "off"}, {}};
    list_interface(printed, "printed", data);
    list_interface(ours, "ours", data);
    constexpr const char* points =
        "'{}' using (strcol(1) eq '{}' && strcol(2) eq '{}' ? $3{} : 1/0):4 with points pt {} ps 1.2 lc rgb '{}' title "
        "'{}'";
    const auto series = [&](const char* of, const char* side, const char* shift, int mark, const char* colour,
                            const char* title, bool first) {
        return fmt::format(fmt::runtime(points), first ? "patch.csv" : "", of, side, shift, mark, colour, title);
    };
    return plot(folder, "patch", data,
                fmt::format("set title 'Contact patch: nodes of the two faces that touch, above where they belong'\n"
                            "set xlabel 'across, mm'\nset ylabel 'mm'\nset xrange [-55:55]\n"
                            "set grid lc rgb '#dddddd'\nset key outside bottom center horizontal\n"
                            "plot {}, {}, {}, {}\n",
                            series("printed", "upper", "+0.7", 9, "#d95f02", "as printed, upper block", true),
                            series("printed", "lower", "-0.7", 11, "#e6ab02", "as printed, lower block", false),
                            series("ours", "upper", "+0.7", 8, "#1b9e77", "ours, upper block", false),
                            series("ours", "lower", "-0.7", 10, "#4b5fc4", "ours, lower block", false)));
}

}  // namespace

void add_patch(const ExperimentOptions& options, Result& result) {
    const double seconds = options.quick ? 2.2 : 3.0;
    std::vector<PatchRow> rows{{"eq. 9 and 13, Alg. 1", thick, {}},
                               {"eq. 9 and 13, Alg. 1", thin, {}},
                               {"ours", thick, {}},
                               {"ours", thin, {}}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ResponseKind response = i < 2 ? ResponseKind::johnsen : ResponseKind::consistent;
        rows[i].patch = press_patch(response, rows[i].thickness, seconds);
        options.progress(static_cast<double>(i + 1) / static_cast<double>(rows.size()));
    }
    result.tables.push_back(patch_table(rows));
    add_plot(result, plot_interface(rows[0].patch, rows[2].patch, options.folder));
    for (const PatchRow& row : rows) {
        const Patch& p = row.patch;
        result.measured["patch"].push_back({{"response", row.name},
                                            {"thickness", row.thickness},
                                            {"force_error", p.force_error},
                                            {"nodal_error", p.nodal_error},
                                            {"penetration", p.penetration},
                                            {"speed", p.speed},
                                            {"passes", p.passes}});
    }
    result.notes.push_back(fmt::format(
        "When the surfaces are 1 mm thick, a twentieth of these cells, ours does not come to rest either: the force is "
        "right to {}, single nodes "
        "jump by {} of the displacement. Edges of the two meshes that lie above each other are capsules, and roll off "
        "one another under load.",
        signed_share(rows[3].patch.force_error), share(rows[3].patch.nodal_error)));
}

std::vector<Claim> judge_patch(const Measurements& rows) {
    const auto of = [&](std::size_t row, const char* what) { return rows.at(row).at(what).get<double>(); };
    const auto deep = [&](std::size_t row) { return 100.0 * of(row, "penetration") / of(row, "thickness"); };
    return {
        judge(
            {"Alg. 1 ends a step with surfaces that do not intersect (contact patch, 6 and 1 mm thick).",
             "Johnsen 2012, sec. 2.1, alg. 1",
             "Save intersection free surfaces for narrow-phase contact detection in next time step",
             "intersection free"},
            fmt::format("{:.2g} and {:.2g} % of the thickness are left at the end of a step, {:.1f} and {:.1f} passes",
                        deep(0), deep(1), of(0, "passes"), of(1, "passes")),
            "at the end of no step more than 1 % of the thickness is left", std::max(deep(0), deep(1)) < 1.0,
            fmt::format("Of the force the paper says nothing: the patch carries {:+.0f} % too much ({:+.0f} % when 1 "
                        "mm thick), nodes are up to {:.0f} % of the displacement out of place and it does not come "
                        "to rest, for forces are only ever added, those of all facets around a node at once.",
                        100.0 * of(0, "force_error"), 100.0 * of(1, "force_error"), 100.0 * of(0, "nodal_error"))),
        promise("Ours passes the contact patch test to 1e-8 in less than 4 passes a step.", "",
                fmt::format("force {:+.0e}, places {:.0e}, {:.2f} passes", of(2, "force_error"), of(2, "nodal_error"),
                            of(2, "passes")),
                std::abs(of(2, "force_error")) < 1e-8 && of(2, "nodal_error") < 1e-8 && of(2, "passes") < 4.0)};
}

}  // namespace plica::experiments
