#include <fmt/format.h>

#include <algorithm>

#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/johnsen/liver_lines.hpp"
#include "geometry/mesh/shapes.hpp"

// Which normals of a coarse surface are nearer to those of the fine one: constant or continuous (Johnsen 2012, table
// 2).
namespace plica::experiments {
namespace {

constexpr double published_ratio = 139.43 / 193.45;
constexpr double published_apart = 63.83 / 193.45;  // between constant and continuous ones

// Of one coarse mesh on one line; RMS of |n - n'|, and rad.
struct LiverRow {
    std::string mesh;
    double triangles = 0.0;
    bool collapsed = false;
    double facet = 0.0, smooth = 0.0, printed = 0.0, split = 0.0;  // to the facets of the fine mesh
    double apart = 0.0;                                            // facet to smooth
    double facet_jump = 0.0, smooth_jump = 0.0, printed_jump = 0.0, split_jump = 0.0;
    std::vector<double> lines;  // smooth / facet: on every line, then all around

    [[nodiscard]] double ratio() const { return smooth / facet; }
    [[nodiscard]] double jumps() const { return facet_jump / smooth_jump; }
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LiverRow, mesh, triangles, collapsed, facet, smooth, apart, facet_jump, smooth_jump,
                                   lines)

using LineSamples = std::vector<SurfaceSample>;

double ratio_of(const LineSamples& samples, const LineSamples& reference) {
    return rms_difference(samples, &SurfaceSample::smooth, reference) /
           rms_difference(samples, &SurfaceSample::facet, reference);
}

struct Reference {
    std::vector<LineSamples> lines;
    LineSamples around;
};

LiverRow measure_liver(const CoarseLiver& liver, const Reference& reference, const std::vector<NamedLine>& lines,
                       int around) {
    LiverRow row{liver.name(), static_cast<double>(liver.triangles()), liver.collapsed, 0, 0, 0, 0, 0, 0, 0, 0, 0, {}};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        row.lines.push_back(ratio_of(sample_line(liver.target, lines[i].line), reference.lines[i]));
    }
    row.lines.push_back(ratio_of(sample_around(liver.target, around, 0.3), reference.around));
    const LineSamples first = sample_line(liver.target, lines[0].line);
    const auto to_fine = [&](NormalOf kind) { return rms_difference(first, kind, reference.lines[0]); };
    row.facet = to_fine(&SurfaceSample::facet);
    row.smooth = to_fine(&SurfaceSample::smooth);
    row.printed = to_fine(&SurfaceSample::printed);
    row.split = to_fine(&SurfaceSample::split);
    row.apart = rms_difference(first, &SurfaceSample::facet, &SurfaceSample::smooth);
    const LineSamples dense = sample_line(liver.target, lines[0].line, jump_step);
    row.facet_jump = largest_jump(dense, &SurfaceSample::facet, jump_step);
    row.smooth_jump = largest_jump(dense, &SurfaceSample::smooth, jump_step);
    row.printed_jump = largest_jump(dense, &SurfaceSample::printed, jump_step);
    row.split_jump = largest_jump(dense, &SurfaceSample::split, jump_step);
    return row;
}

Table line_table(const std::vector<LiverRow>& rows, const NamedLine& line) {
    Table t{
        fmt::format("Normals on the line \"{}\" against the facets' of 20,480 triangles: RMS of |n - n'|", line.name),
        {"mesh", "constant", "C0", "C0, eq. 8", "C0, split", "C0 / constant", "C0 to constant"},
        {}};
    for (const LiverRow& r : rows) {
        t.rows.push_back({r.mesh, number(r.facet, 4), number(r.smooth, 4), number(r.printed, 4), number(r.split, 4),
                          number(r.ratio(), 3), number(r.apart, 4)});
    }
    t.rows.push_back({"published (mm)", "193.45", "", "139.43", "", number(published_ratio, 3), "63.83"});
    return t;
}

Table table2_jumps(const std::vector<LiverRow>& rows) {
    Table t{"Largest turn of the normal between places 0.2 mm apart on that line, degrees",
            {"mesh", "constant", "C0", "C0, eq. 8", "C0, split", "constant / C0"},
            {}};
    const auto degrees = [](double rad) { return number(rad * 180.0 / 3.14159265358979323846, 2); };
    for (const LiverRow& r : rows) {
        t.rows.push_back({r.mesh, degrees(r.facet_jump), degrees(r.smooth_jump), degrees(r.printed_jump),
                          degrees(r.split_jump), number(r.jumps(), 1)});
    }
    return t;
}

Table all_lines_table(const std::vector<LiverRow>& rows, const std::vector<NamedLine>& lines) {
    Table t{"C0 / constant (RMS against the fine mesh) on other lines and over the whole surface", {"mesh"}, {}};
    for (const NamedLine& line : lines) t.columns.emplace_back(line.name);
    t.columns.emplace_back("whole surface");
    for (const LiverRow& r : rows) {
        std::vector<std::string> cells{r.mesh};
        for (const double ratio : r.lines) cells.push_back(number(ratio, 3));
        t.rows.push_back(std::move(cells));
    }
    return t;
}

Table plot_data(const std::vector<LiverRow>& rows) {
    Table t{"", {"triangles", "collapsed", "constant", "C0", "C0 eq. 8", "constant jump", "C0 jump"}, {}};
    for (const LiverRow& r : rows) {
        t.rows.push_back({count(r.triangles), r.collapsed ? "1" : "0", number(r.facet, 5), number(r.smooth, 5),
                          number(r.printed, 5), number(r.facet_jump, 5), number(r.smooth_jump, 5)});
    }
    return t;
}

constexpr const char* plot_commands = R"gp(
set terminal pngcairo size 1200,520 font 'sans,13' background 'white'
set style line 1 lc rgb '#808080' lw 2 pt 4 ps 1.3
set style line 2 lc rgb '#d95f02' lw 2 pt 7 ps 1.2
set style line 3 lc rgb '#1b9e77' lw 2 pt 2 ps 1.2
set grid lc rgb '#dddddd'
set multiplot layout 1,2 margins 0.085,0.985,0.13,0.82 spacing 0.09 title 'Normals of a coarse liver along a line, against those of 20,480 triangles'
set logscale xy
set xrange [250:6500]
set xtics (320, 1280, 5120)
set xlabel 'triangles'
set ylabel "RMS of |n - n'|" offset 1
set yrange [0.012:0.4]
set key bottom left samplen 2
set ytics (0.02, 0.05, 0.1, 0.2, 0.5)
set title 'difference from the fine mesh'
f = 'normals.csv'
plot f using 1:($2==0?$3:1/0) with linespoints ls 1 title 'constant, formula', \
  f using 1:($2==0?$4:1/0) with linespoints ls 2 title 'C0, formula', \
  f using 1:($2==0?$5:1/0) with linespoints ls 3 title 'C0 of eq. 8, formula', \
  f using 1:($2==1?$3:1/0) with linespoints ls 1 dt 2 title 'constant, collapsed', \
  f using 1:($2==1?$4:1/0) with linespoints ls 2 dt 2 title 'C0, collapsed', \
  f using 1:($2==1?$5:1/0) with linespoints ls 3 dt 2 title 'C0 of eq. 8, collapsed'
set title 'largest jump over 0.2 mm'
set ylabel 'degrees' offset 0
set yrange [0.1:100]
set ytics (0.1, 0.3, 1, 3, 10, 30, 100)
set key at graph 0.5, graph 0.5 center
plot f using 1:($2==0?$6*57.2958:1/0) with linespoints ls 1 title 'constant, formula', \
  f using 1:($2==0?$7*57.2958:1/0) with linespoints ls 2 title 'C0, formula', \
  f using 1:($2==1?$6*57.2958:1/0) with linespoints ls 1 dt 2 title 'constant, collapsed', \
  f using 1:($2==1?$7*57.2958:1/0) with linespoints ls 2 dt 2 title 'C0, collapsed'
unset multiplot
)gp";

std::vector<double> ratios(const std::vector<LiverRow>& rows, bool collapsed) {
    std::vector<double> values;
    for (const LiverRow& r : rows) {
        if (r.collapsed == collapsed) values.push_back(r.ratio());
    }
    return values;
}

std::vector<Claim> paper_claims(const std::vector<LiverRow>& rows) {
    bool fine = true, coarse = true;
    int worse = 0, measured = 0;
    std::vector<double> apart;
    for (const LiverRow& r : rows) {
        bool& all = r.triangles > 1000 ? fine : coarse;
        all = all && r.ratio() < 1.0;
        for (const double ratio : r.lines) {
            ++measured;
            worse += ratio >= 1.0 ? 1 : 0;
        }
        apart.push_back(r.apart / r.facet);
    }
    const std::vector<double> formula = ratios(rows, false), collapsed = ratios(rows, true);
    const std::string published = fmt::format("C0 / constant {:.2f}", published_ratio), where = "Johnsen 2012, table 2",
                      quote =
                          "Comparison between C0 and constant normals on a low-resolution mesh, and constant normals "
                          "on a high-resolution mesh",
                      criterion = "C0 / constant below 1 for both ways to a coarse mesh";
    return {
        judge(
            {"C0 normals of a coarse mesh are closer to the fine mesh's than constant ones (1280 and 5120 triangles).",
             where, quote, published},
            fmt::format("formula {}; edges collapsed {}", joined({formula[1], formula[2]}, 2),
                        joined({collapsed[1], collapsed[2]}, 2)),
            criterion, fine, "Published are sums in millimetres over a mesh that is not: only the ratio compares."),
        judge({"C0 normals of a coarse mesh are closer to the fine mesh's than constant ones (320 triangles).", where,
               quote, published},
              fmt::format("formula {:.2f}; edges collapsed {:.2f}", formula[0], collapsed[0]), criterion, coarse,
              fmt::format(
                  "The paper does not say how coarse its mesh was. Over all lines and the whole surface C0 normals "
                  "are further off in {} of {} cases: the mean over a node's facets reaches across the hollow.",
                  worse, measured)),
        judge({"C0 normals differ from constant ones by a third of what these differ from the fine mesh's.", where,
               quote, fmt::format("{:.2f}", published_apart)},
              joined(apart, 2), "within a factor of 2 of the published ratio on every mesh",
              *std::max_element(apart.begin(), apart.end()) < 2.0 * published_apart,
              "Our fine liver is as smooth as a formula. Where the coarse mesh lacks detail, as the paper's must, both "
              "kinds are off together and this ratio falls.")};
}

std::vector<Claim> own_claims(const std::vector<LiverRow>& rows) {
    std::vector<double> jumps;
    bool enough = true;
    for (const LiverRow& r : rows) {
        if (r.collapsed) continue;
        jumps.push_back(r.jumps());
        enough = enough && r.jumps() >= 8.0;
    }
    const std::vector<double> found = ratios(rows, false);
    const std::array<double, 3> limit{1.0, 0.9, 0.8};
    bool near = true;
    for (std::size_t i = 0; i < found.size(); ++i) near = near && found[i] <= limit[i];
    return {
        promise("Continuous normals are at most 1, 0.90 and 0.80 times as far from the fine mesh's as constant ones on "
                "320, 1280 and 5120 triangles.",
                "", joined(found, 3), near),
        promise("Along the line the normal jumps at least 8 times less than that of facets (over 0.2 mm).", "",
                fmt::format("{} times", joined(jumps)), enough)};
}

}  // namespace

Result run_johnsen_table2(const ExperimentOptions& options) {
    const int rays = options.quick ? 200 : 1000, around = options.quick ? 400 : 4000;
    const std::vector<NamedLine> lines = liver_lines(rays);
    const RayTarget fine(make_liver_surface(reference_level));
    Reference reference;
    for (const NamedLine& line : lines) reference.lines.push_back(sample_line(fine, line.line));
    reference.around = sample_around(fine, around, 0.3);
    options.progress(0.3);
    std::vector<LiverRow> rows;
    for (const bool collapsed : {false, true}) {
        for (const int level : {2, 3, 4}) {
            rows.push_back(measure_liver(make_coarse_liver(collapsed, level), reference, lines, around));
            options.progress(0.3 + 0.7 * static_cast<double>(rows.size()) / 6.0);
        }
    }
    Result result;
    result.tables = {line_table(rows, lines[0]), table2_jumps(rows), all_lines_table(rows, lines)};
    result.measured["rows"] = rows;
    result.plots = plot(options.folder, "normals", plot_data(rows), plot_commands);
    result.notes = {
        "Parallel rays through a straight line of the picture; each place of the coarse mesh is compared with the "
        "nearest "
        "place of the fine one.",
        "C0: facets weighted by their angles; eq. 8: by angles and areas; split: by angles, and edges that turn by "
        "more "
        "than 40 degrees at rest keep both normals, as in contact.",
        "Published are sums over an unknown number of places \"in mm space\": only ratios compare."};
    return result;
}

std::vector<Claim> judge_johnsen_table2(const Measurements& m) {
    const std::vector<LiverRow> rows = m.at("rows");
    std::vector<Claim> claims = paper_claims(rows);
    for (Claim& claim : own_claims(rows)) claims.push_back(std::move(claim));
    return claims;
}

}  // namespace plica::experiments
