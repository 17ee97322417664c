#include "experiments/johnsen/sliding_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "experiments/common/numbers.hpp"
#include "experiments/johnsen/sliding.hpp"

namespace plica::experiments {
namespace {

constexpr std::array kinds{NormalKind::rounded, NormalKind::facet, NormalKind::smooth};
constexpr std::array balls{SlidingBall::probe, SlidingBall::pressed, SlidingBall::mesh};
constexpr std::array levels{2, 3};  // 320 and 1280 triangles

struct FigureRow {
    SlidingBall ball;
    int level;
    std::array<Slide, kinds.size()> slides;
};

double in_degrees(double rad) {
    return rad * 180.0 / std::numbers::pi;
}

Table sliding_table(const std::vector<FigureRow>& rows) {
    Table t{
        "A ball of 10 mm slides over the liver at 20 mm/s without friction, in steps of 10 ms. Change of the "
        "direction of the unfiltered force from step to step, degrees, root mean square (largest); angle to the "
        "normal of the liver's formula, degrees, rms",
        {"", "triangles", "normals", "change", "largest", "over facet", "beyond the formula's", "off the formula's",
         "mean force, N"},
        {}};
    for (const FigureRow& row : rows) {
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            const Slide& s = row.slides[k];
            t.rows.push_back({name_of(row.ball), count(20 << (2 * row.level)), name_of(kinds[k]),
                              number(in_degrees(s.turn), 3), number(in_degrees(s.largest), 2),
                              number(s.turn / row.slides[1].turn, 2), number(in_degrees(s.ripple), 3),
                              number(in_degrees(s.off), 2), number(s.force, 3)});
        }
    }
    return t;
}

// How much the force leans along the way against straight up.
Table lean_data(const FigureRow& row) {
    Table data{"", {"mm", "formula"}, {}};
    for (const NormalKind kind : kinds) data.columns.push_back(name_of(kind));
    const auto lean = [](const Vec3& f) { return number(in_degrees(std::atan2(f.x, f.z)), 3); };
    for (std::size_t i = 0; i < row.slides[0].steps.size(); ++i) {
        const SlidingStep& step = row.slides[0].steps[i];
        data.rows.push_back({number(1e3 * step.along, 3), lean(step.normal)});
        for (const Slide& s : row.slides) data.rows.back().push_back(lean(s.steps[i].force));
    }
    return data;
}

const char* file_of(SlidingBall ball) {
    if (ball == SlidingBall::probe) return "sliding-rigid";
    return ball == SlidingBall::pressed ? "sliding-soft" : "sliding-mesh";
}

std::vector<std::string> plot_lean(const std::string& folder, const FigureRow& row) {
    const std::string name = file_of(row.ball);
    return plot(folder, name, lean_data(row),
                fmt::format("set title 'Direction of the force on a {}, {} triangles, 20 mm/s, unfiltered'\n"
                            "set grid lc rgb '#dddddd'\nset key bottom right\nset xlabel 'way of the ball (mm)'\n"
                            "set ylabel 'lean of the force (degrees)'\n"
                            "plot '{}.csv' using 1:4 with lines lw 1.5 lc rgb '#808080' title 'facet (constant)', "
                            "'' using 1:3 with lines lw 1.5 lc rgb '#7570b3' title 'rounded (default)', "
                            "'' using 1:5 with lines lw 2.5 lc rgb '#d95f02' title 'smooth (C0)', "
                            "'' using 1:2 with lines lw 1 dt 2 lc rgb '#000000' title 'normal of the formula'\n",
                            name_of(row.ball), 20 << (2 * row.level), name));
}

FigureRow slide_all(SlidingBall ball, int level, double seconds) {
    FigureRow row{ball, level, {}};
    SlidingOptions options;
    options.ball = ball;
    options.level = level;
    options.seconds = seconds;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        options.normals = kinds[k];
        row.slides[k] = slide_ball(options);
    }
    return row;
}

}  // namespace

void add_sliding(const ExperimentOptions& options, Result& result) {
    std::vector<FigureRow> rows;
    for (const SlidingBall ball : balls) {
        for (const int level : levels) {
            if (options.quick && (ball != SlidingBall::probe || level != 3)) continue;
            rows.push_back(slide_all(ball, level, options.quick ? 0.5 : 3.0));
            if (level != 3) continue;
            const std::array<Slide, kinds.size()>& slides = rows.back().slides;
            result.measured["sliding"].push_back({{"ball", name_of(ball)},
                                                  {"file", std::string(file_of(ball)) + ".png"},
                                                  {"triangles", ball == SlidingBall::mesh},
                                                  {"rounded", slides[0].turn},
                                                  {"constant", slides[1].turn},
                                                  {"smooth", slides[2].turn}});
            for (const std::string& made : plot_lean(options.folder, rows.back())) result.plots.push_back(made);
        }
    }
    result.tables.push_back(sliding_table(rows));
}

std::vector<Claim> judge_sliding(const Measurements& balls) {
    std::vector<Claim> claims;
    for (const auto& m : balls) {
        const double constant = m.at("constant"), smooth = m.at("smooth"), rounded = m.at("rounded");
        const bool triangles = m.at("triangles");
        claims.push_back(with_plot(
            judge({fmt::format("With C0 normals the force on what slides over a surface turns more smoothly ({}).",
                               m.at("ball").get<std::string>()),
                   "Johnsen 2012, abstract and sec. 3.2",
                   "The continuity of the surface normals has advantages particularly in applications such as sliding "
                   "over "
                   "irregular surfaces, which occurs, e.g., in simulated breathing.",
                   "nothing measured"},
                  fmt::format("{:.2f} of the change with constant normals; rounded by the radii, which is the default "
                              "here, {:.2f}",
                              smooth / constant, rounded / constant),
                  "the direction of the force changes less from step to step (rms) than with constant normals",
                  smooth < constant,
                  triangles
                      ? "Where its edges meet the liver's, rows have normals of their own and not those of eq. 13: "
                        "the paper's could do better."
                      : ""),
            m.at("file")));
    }
    return claims;
}

}  // namespace plica::experiments
