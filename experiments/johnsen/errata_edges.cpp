#include <fmt/format.h>

#include "experiments/common/errata.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/johnsen/coplanarity.hpp"
#include "geometry/advancement.hpp"

// The cubic of coplanarity is degenerate just where contact lives: edges that slide in a common plane, or lie beside
// each other. Conservative advancement has no such cases.
namespace plica::experiments {
namespace {

constexpr double met_within = 1e-6;  // of an edge: what comes near has met

struct Test {
    const char* name;
    bool (*meets)(const MovingPair& pair);
};
constexpr std::array<Test, 3> tests{{
    {"cubic", [](const MovingPair& pair) { return edges_cross_by_cubic(pair, 0.0); }},
    {"cubic, tolerance 1e-6", [](const MovingPair& pair) { return edges_cross_by_cubic(pair, met_within); }},
    {"advancement",
     [](const MovingPair& pair) { return find_edge_meeting(pair.x, pair.p, {0.0, met_within, 0.05}).met(); }},
}};

struct Row {
    QueryKind kind;
    int met = 0, apart = 0;
    std::array<int, 3> missed{}, wrong{};

    [[nodiscard]] double missed_share(std::size_t test) const { return static_cast<double>(missed[test]) / met; }
    [[nodiscard]] double wrong_share(std::size_t test) const {
        return static_cast<double>(wrong[test]) / (met + apart);
    }
};

Row measure(QueryKind kind, int queries) {
    Random random{21 + static_cast<std::uint64_t>(kind)};
    Row row{kind};
    for (int i = 0; i < queries; ++i) {
        const MovingPair pair = draw_pair(random, kind, true, 0.0);
        const bool meets = comes_within(pair, met_within);
        (meets ? row.met : row.apart) += 1;
        for (std::size_t t = 0; t < tests.size(); ++t) {
            const bool said = tests[t].meets(pair);
            row.missed[t] += meets && !said ? 1 : 0;
            row.wrong[t] += said && !meets ? 1 : 0;
        }
    }
    return row;
}

Table edge_table(const std::vector<Row>& rows, int queries) {
    Table t{
        fmt::format("Edges that meet on their way (come within 1e-6 of an edge), {} pairs a kind: missed, and wrongly "
                    "said to meet",
                    queries),
        {"kind", "meet"},
        {}};
    for (const Test& test : tests) t.columns.push_back(fmt::format("{}: missed", test.name));
    for (const Test& test : tests) t.columns.push_back(fmt::format("{}: wrong", test.name));
    for (const Row& row : rows) {
        std::vector<std::string> cells{query_name(row.kind), count(row.met)};
        for (std::size_t i = 0; i < tests.size(); ++i) cells.push_back(percent(row.missed_share(i)));
        for (std::size_t i = 0; i < tests.size(); ++i) cells.push_back(percent(row.wrong_share(i)));
        t.rows.push_back(std::move(cells));
    }
    return t;
}

std::vector<std::string> plot_missed(const std::vector<Row>& rows, const std::string& folder) {
    Table data{"", {"kind", "cubic", "cubic with a tolerance of 1e-6", "conservative advancement"}, {}};
    for (const Row& row : rows) {
        std::string name = query_name(row.kind);
        if (row.kind == QueryKind::sliding) name = "sliding";
        std::vector<std::string> cells{name};
        for (std::size_t i = 0; i < tests.size(); ++i) cells.push_back(number(100.0 * row.missed_share(i), 3));
        data.rows.push_back(std::move(cells));
    }
    return plot(folder, "edges", data,
                "set title 'Meetings of edges that a continuous test misses'\nset style data histograms\n"
                "set style histogram clustered gap 1.5\nset style fill solid 0.85 noborder\nset boxwidth 0.9\n"
                "set ylabel 'missed, per cent'\nset yrange [0:115]\nset ytics 0,20,100\nset grid y lc rgb '#dddddd'\n"
                "set key top left\n"
                "plot 'edges.csv' using 2:xtic(1) lc rgb '#d95f02' title columnheader(2), "
                "'' using 3 lc rgb '#4b5fc4' title columnheader(3), "
                "'' using 4 lc rgb '#1b9e77' title columnheader(4), "
                "for [i=2:4] '' using ($0-1+0.255*(i-3)):(column(i)+2.5):(sprintf('%.3g', column(i))) "
                "with labels font ',10' notitle\n");
}

}  // namespace

void add_edge_test(const ExperimentOptions& options, Result& result) {
    const int queries = options.quick ? 2000 : 100000;
    std::vector<Row> rows;
    for (const QueryKind kind : query_kinds) {
        rows.push_back(measure(kind, queries));
        options.progress(static_cast<double>(rows.size()) / query_kinds.size());
    }
    result.tables.push_back(edge_table(rows, queries));
    add_plot(result, plot_missed(rows, options.folder));
    for (const Row& row : rows) {
        Measurements kind{{"kind", query_name(row.kind)}};
        for (std::size_t t = 0; t < tests.size(); ++t) {
            kind["missed"].push_back(row.missed_share(t));
            kind["wrong"].push_back(row.wrong_share(t));
        }
        result.measured["edges"].push_back(kind);
    }
}

std::vector<Claim> judge_edge_test(const Measurements& kinds) {
    std::array<double, 3> most{};
    std::array<std::string, 3> shares;
    double wrong = 0.0;
    for (const auto& kind : kinds) {
        for (std::size_t t = 0; t < tests.size(); ++t) {
            const double missed = kind.at("missed")[t];
            most[t] = std::max(most[t], missed);
            shares[t].append(shares[t].empty() ? "" : " / ").append(percent(missed));
        }
        wrong = std::max(wrong, kind.at("wrong")[2].get<double>());
    }
    return {judge({"The standard continuous test, the cubic of coplanarity, detects edges that meet.",
                   "Johnsen 2012, sec. 2.2",
                   "The edge-edge collision detection is performed with the standard continuous collision detection "
                   "test11, 14 on the time interval [t - \u0394t, t].",
                   "detects; nothing said of misses"},
                  fmt::format("missed (generic / sliding / coplanar / parallel / tiny motion): {}; with a tolerance of "
                              "1e-6 {}",
                              shares[0], shares[1]),
                  "none missed of those that come within 1e-6 of an edge", most[0] + most[1] == 0.0,
                  "In a common plane the cubic vanishes, and its roots are those of rounding."),
            promise("Conservative advancement misses no meeting of edges in any of the kinds, and less than 3 % of its "
                    "answers are wrong.",
                    "", fmt::format("{} missed, at most {} wrong", percent(most[2]), percent(wrong)),
                    most[2] == 0.0 && wrong < 0.03)};
}

}  // namespace plica::experiments
