#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.hpp"
#include "experiments/common/errata.hpp"
#include "experiments/common/numbers.hpp"
#include "geometry/vec3.hpp"

// Eq. 5 lets a subtree of boxes and cones be as it was while alpha(t) <= alpha(tU) + 2 arctan(delta / h): facets of the
// subtree must not turn by more than arctan(delta / h) while no node moves by more than delta from the mean. They do.
namespace plica::experiments {
namespace {

constexpr std::size_t form_count = 3;
constexpr std::array<const char*, form_count> form_names{"printed: arctan(d / diameter)",
                                                         "successor: arctan(2 d / 0.95 sqrt(area))",
                                                         "corrected: arcsin(2 d / least altitude)"};

// Turn over bound, per form.
using Ratios = std::array<double, form_count>;

Vec3 draw_vector(Random& random, double size) {
    const double a = random.uniform(-size, size), b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

// A triangle of aspect 1:1 to 1:30 whose corners are pushed to one side or the other, and a little anywhere, by delta
// at most: less than half its least altitude, beyond which nothing bounds its turn.
Ratios draw_ratios(Random& random) {
    const double aspect = std::pow(30.0, random.uniform());
    const Vec3 x[3] = {{0, 0, 0}, {aspect, 0, 0}, {aspect * random.uniform(), 1.0, 0}};
    const Vec3 across = cross(x[1] - x[0], x[2] - x[0]);
    const double longest = std::max({distance(x[0], x[1]), distance(x[1], x[2]), distance(x[2], x[0])});
    const double altitude = norm(across) / longest, area = 0.5 * norm(across);
    Vec3 u[3];
    double most = 0.0;
    for (Vec3& v : u) {
        v = normalized(across) * (random.uniform() < 0.5 ? -1.0 : 1.0) + draw_vector(random, 0.1);
        most = std::max(most, norm(v));
    }
    const double delta = altitude * 0.499 * std::pow(10.0, random.uniform(-2.0, 0.0));
    for (Vec3& v : u) v *= delta / most;
    const Vec3 now = cross(x[1] + u[1] - x[0] - u[0], x[2] + u[2] - x[0] - u[0]);
    const double turn = std::atan2(norm(cross(across, now)), dot(across, now));
    return {turn / std::atan(delta / longest), turn / std::atan(2.0 * delta / (0.95 * std::sqrt(area))),
            turn / std::asin(2.0 * delta / altitude)};
}

// Share of the triangles that turn by more than `limit` times the bound.
double share_beyond(const std::vector<Ratios>& drawn, std::size_t form, double limit) {
    const auto count = std::count_if(drawn.begin(), drawn.end(), [&](const Ratios& r) { return r[form] > limit; });
    return static_cast<double>(count) / static_cast<double>(drawn.size());
}

double worst_of(const std::vector<Ratios>& drawn, std::size_t form) {
    double worst = 0.0;
    for (const Ratios& r : drawn) worst = std::max(worst, r[form]);
    return worst;
}

std::vector<std::string> plot_shares(const std::vector<Ratios>& drawn, const std::string& folder) {
    Table data{"", {"turn over bound", "printed", "successor", "corrected"}, {}};
    for (int i = -40; i <= 80; ++i) {
        const double limit = std::pow(10.0, i / 40.0);
        std::vector<std::string> row{fmt::format("{:.4g}", limit)};
        for (std::size_t f = 0; f < form_count; ++f) row.push_back(number(100.0 * share_beyond(drawn, f, limit), 3));
        data.rows.push_back(std::move(row));
    }
    return plot(folder, "cone", data,
                "set title 'Facets that turn by more than a multiple of the bound (eq. 5)'\nset logscale x\n"
                "set xlabel 'turn / bound'\nset ylabel 'facets beyond, per cent'\nset yrange [0:100]\n"
                "set xrange [0.1:100]\nset grid lc rgb '#dddddd'\nset key top right\n"
                "set arrow from 1, graph 0 to 1, graph 1 nohead dt 2 lc rgb 'gray40'\n"
                "set label 'the bound' at 1.05, graph 0.06 textcolor rgb 'gray40'\n"
                "plot 'cone.csv' using 1:2 with lines lw 2 lc rgb '#d95f02' title 'printed: diameter', "
                "'' using 1:3 with lines lw 2 lc rgb '#4b5fc4' title 'public successor: root of the area', "
                "'' using 1:4 with lines lw 2 lc rgb '#1b9e77' title 'corrected: twice the motion, least altitude'\n");
}

}  // namespace

void add_cone_bound(const ExperimentOptions& options, Result& result) {
    const int count = options.quick ? 5000 : 200000;
    Random random{5};
    std::vector<Ratios> drawn;
    for (int i = 0; i < count; ++i) drawn.push_back(draw_ratios(random));
    Table table{fmt::format("Eq. 5: {} facets whose corners move by at most d; their turn against the bound", count),
                {"bound on a facet's turn", "violated", "worst turn / bound"},
                {}};
    for (std::size_t f = 0; f < form_count; ++f) {
        table.rows.push_back({form_names[f], percent(share_beyond(drawn, f, 1.0)), number(worst_of(drawn, f), 3)});
    }
    result.tables.push_back(std::move(table));
    add_plot(result, plot_shares(drawn, options.folder));
    Measurements& measured = result.measured["cone"];
    measured["facets"] = count;
    for (std::size_t f = 0; f < form_count; ++f) {
        measured["violated"].push_back(share_beyond(drawn, f, 1.0));
        measured["worst"].push_back(worst_of(drawn, f));
    }
}

std::vector<Claim> judge_cone_bound(const Measurements& m) {
    const auto violated = m.at("violated").get<std::vector<double>>(), worst = m.at("worst").get<std::vector<double>>();
    const auto said = [&](std::size_t f) {
        return fmt::format("violated by {} of the facets, by a factor of up to {:.1f}", percent(violated[f]), worst[f]);
    };
    return {
        judge({"Eq. 5 bounds the cone of normals while no node moves by more than delta.",
               "Johnsen 2012, sec. 2.2, eq. 5",
               "If this displacement is such that it's magnitude allows us to exclude a satisfaction of (1), i.e.",
               "a bound"},
              fmt::format("as printed {}; its public successor's form {}", said(0), said(1)),
              "no facet turns by more than the bound", violated[0] == 0.0 && worst[0] <= 1.0,
              "Two nodes part by up to twice delta, and a facet is as wide as its least altitude, not its diameter."),
        promise("arcsin(2 delta / least altitude) bounds the turn of a facet.", "no facet turns further",
                fmt::format("{} of {:.0f} facets beyond, worst turn / bound {:.3f}", percent(violated[2]),
                            m.at("facets").get<double>(), worst[2]),
                violated[2] == 0.0 && worst[2] <= 1.0)};
}

}  // namespace plica::experiments
