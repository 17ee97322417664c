#include "experiments/common/numbers.hpp"
#include "experiments/raghupathi/recall_parts.hpp"

// Tables and plots of raghupathi-recall.
namespace plica::experiments {
namespace {

std::string speed_name(double speed) {
    return speed > 0.0 ? number(speed, 1) : "settling";
}

std::string hundredths(double share) {
    return number(100.0 * share, 2);
}

}  // namespace

Table draw_table(const std::vector<DrawRow>& rows) {
    Table t{"Recall and cost against n: pile of 100 segments stirred at 0.6 m/s",
            {"n/N", "n", "regions found", "pairs delivered", "distance tests", "ms", "exact: tests", "exact: ms"},
            {}};
    for (const DrawRow& r : rows) {
        const Share share = tube_share(r.finding.recall);
        t.rows.push_back({fmt::format("{:g}", r.factor), count(r.draws), percent(share.regions), percent(share.pairs),
                          count(r.finding.cost.tests), milliseconds(r.finding.cost.seconds), count(r.exact.cost.tests),
                          milliseconds(r.exact.cost.seconds)});
    }
    return t;
}

Table speed_table(const std::vector<SpeedRow>& rows) {
    Table t{"Regions found against speed: the same pile", {"hand (m/s)", "travel/r"}, {}};
    for (const double factor : speed_factors) t.columns.push_back(fmt::format("n = {:g} N", factor));
    t.columns.emplace_back("exact");
    for (const SpeedRow& r : rows) {
        std::vector<std::string> cells{speed_name(r.speed), number(r.travel, 2)};
        for (const Finding& f : r.findings) cells.push_back(percent(tube_share(f.recall).regions));
        cells.push_back(percent(tube_share(r.exact.recall).regions));
        t.rows.push_back(cells);
    }
    return t;
}

Table edge_table(const std::vector<SpeedRow>& rows) {
    Table t{"Regions of gut against mesentery edges that are found, and distance tests (with those of gut against gut)",
            {"hand (m/s)", "travel/r", "legal pairs"},
            {}};
    for (const double factor : edge_factors) {
        t.columns.push_back(fmt::format("n = {:g} N", factor));
        t.columns.emplace_back("tests");
    }
    t.columns.emplace_back("exact");
    t.columns.emplace_back("tests");
    for (const SpeedRow& r : rows) {
        std::vector<std::string> cells{speed_name(r.speed), number(r.travel, 2), count(r.edge_pairs)};
        for (const Finding& f : r.findings) {
            cells.push_back(percent(edge_share(f.recall).regions));
            cells.push_back(count(f.cost.tests));
        }
        cells.push_back(percent(edge_share(r.exact.recall).regions));
        cells.push_back(count(r.exact.cost.tests));
        t.rows.push_back(cells);
    }
    return t;
}

Table size_table(const std::vector<SizeNeed>& rows) {
    Table t{
        fmt::format("n that finds {:.0f} % of the regions of a pile at rest within {} detections (0.1 s), from nothing",
                    100.0 * wanted_share, wanted_detections),
        {"segments", "regions", "n needed", "n/N", "its tests", "all pairs", "exact: tests", "found with n = N"},
        {}};
    for (const SizeNeed& r : rows) {
        t.rows.push_back({count(r.segments), count(r.regions), count(r.draws), number(r.draws / r.segments),
                          count(r.tests), count(r.all), count(r.exact), percent(r.found)});
    }
    return t;
}

std::vector<std::string> plot_draws(const std::vector<DrawRow>& rows, const std::string& folder) {
    Table data{"", {"factor", "found", "tests", "exact_tests"}, {}};
    for (const DrawRow& r : rows) {
        data.rows.push_back({number(r.factor, 3), hundredths(tube_share(r.finding.recall).regions),
                             number(r.finding.cost.tests), number(r.exact.cost.tests)});
    }
    return plot(
        folder, "draws", data,
        "set logscale x\nset xrange [0.08:12]\nset xtics (0.1,0.25,0.5,1,2,5,10)\nset grid\n"
        "set xlabel 'random pairs a detection, n/N'\nset bmargin 6.5\nset ylabel 'colliding regions found (%)'\n"
        "set yrange [50:102]\nset y2range [0:*]\nset ytics nomirror\nset y2tics\n"
        "set y2label 'distance tests a detection'\nset key outside bottom center horizontal maxrows 2 Left reverse\n"
        "set title '100 segments in a bowl, stirred at 0.6 m/s, 30 detections a second'\nf = 'draws.csv'\n"
        "plot f u 1:2 skip 1 w lp pt 7 ps 1.2 lw 2 lc rgb '#1f5fae' t 'tracked: regions found (left)', \\\n"
        " f u 1:3 skip 1 axes x1y2 w lp pt 6 ps 1.2 lw 2 dt 2 lc rgb '#1f5fae' t 'tracked: tests (right)', \\\n"
        " 100 w l lw 2 lc rgb '#c04000' t 'exact: regions found (left)', \\\n"
        " f u 1:4 skip 1 axes x1y2 w l lw 2 dt 2 lc rgb '#c04000' t 'exact: tests (right)'\n");
}

std::vector<std::string> plot_speeds(const std::vector<SpeedRow>& rows, const std::vector<SpeedRow>& edges,
                                     const std::string& folder) {
    Table data{"", {"what", "tubes", "n_half", "n", "n_5"}, {}};
    for (const SpeedRow& r : rows) {
        std::vector<std::string> cells{r.speed > 0.0 ? fmt::format("gut {:.1f} m/s", r.speed) : "gut settling", "1"};
        for (const Finding& f : r.findings) cells.push_back(hundredths(tube_share(f.recall).regions));
        data.rows.push_back(cells);
    }
    for (const SpeedRow& r : edges) {
        data.rows.push_back({r.speed > 0.0 ? fmt::format("mesentery {:.1f} m/s", r.speed) : "mesentery settling", "0",
                             "NaN", hundredths(edge_share(r.findings[0].recall).regions),
                             hundredths(edge_share(r.findings[1].recall).regions)});
    }
    return plot(folder, "speed", data,
                "set style data histograms\nset style histogram clustered gap 1\nset style fill solid 0.9 border -1\n"
                "set yrange [0:105]\nset grid y\nset ylabel 'colliding regions found (%)'\n"
                "set xlabel 'what moves, and how fast it is led'\nset xtics rotate by 20 right\n"
                "set key outside right Left reverse\n"
                "set title 'What the tracked detector finds, 30 detections a second'\nf = 'speed.csv'\n"
                "plot f u 3:xtic(1) skip 1 lc rgb '#b8d4f0' t 'n = N/2', \\\n"
                " f u 4 skip 1 lc rgb '#5f9bd8' t 'n = N', f u 5 skip 1 lc rgb '#1f4f8e' t 'n = 5 N'\n");
}

std::vector<std::string> plot_needs(const std::vector<SizeNeed>& rows, const std::string& folder) {
    Table data{"", {"segments", "draws", "all", "exact_tests", "tests"}, {}};
    for (const SizeNeed& r : rows) {
        data.rows.push_back({count(r.segments), count(r.draws), count(r.all), number(r.exact), number(r.tests)});
    }
    const double first = rows.front().draws / (static_cast<double>(rows.front().segments) * rows.front().segments);
    return plot(folder, "size", data,
                fmt::format("set logscale xy\nset xrange [80:1000]\nset xtics (100,200,400,800)\nset grid\n"
                            "set xlabel 'segments N'\nset ylabel 'pairs a detection'\n"
                            "set format y '10^{{%T}}'\nset key outside right Left reverse samplen 2\n"
                            "set title 'Draws that find {:.0f} % of the regions of a pile at rest in 0.1 s'\n"
                            "f = 'size.csv'\n"
                            "plot f u 1:3 skip 1 w lp pt 7 lw 2 lc rgb '#333333' t 'all pairs', \\\n"
                            " f u 1:2 skip 1 w lp pt 5 ps 1.2 lw 2 lc rgb '#1f5fae' t 'n needed', \\\n"
                            " {}*x*x w l dt 2 lw 1 lc rgb '#1f5fae' t 'n ~ N^2', \\\n"
                            " f u 1:5 skip 1 w lp pt 9 lw 2 lc rgb '#88bbee' t 'tests with that n', \\\n"
                            " f u 1:4 skip 1 w lp pt 7 lw 2 lc rgb '#c04000' t 'tests, exact'\n",
                            100.0 * wanted_share, first));
}

}  // namespace plica::experiments
