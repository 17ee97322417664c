#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/errata.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/common/pictures.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/zhong/heat_pictures.hpp"
#include "experiments/zhong/heat_trials.hpp"
#include "geometry/mesh/shapes.hpp"

// What Zhong 2005, eq. 4 and 18 to 22, do as printed, with the sign of the inner force repaired, and completed.
namespace plica::experiments {
namespace {

constexpr heat::Mode modes[] = {heat::Mode::paper_literal, heat::Mode::paper_attract, heat::Mode::complete};
constexpr const char* mode_names[] = {"printed", "repaired", "complete"};
constexpr double shown[] = {0.4, 0.8, 1.2};  // s

MeshView from_front() {
    MeshView view = look_from({0.15, -1.0, 0.1}, {0, 0, 0.0}, 3.2);
    view.height_pixels = 320;
    return view;
}

HeatBody make_pressed(heat::Mode mode) {
    const SurfaceMesh mesh = paper_superquadric();
    HeatBody body(mesh, paper_setup(paper_settings(mode, 1.0, 10.0, mesh)));
    body.push(body.nearest(paper_top), {0, 0, -10});
    return body;
}

struct Track {
    std::vector<double> place, shortest;  // m; L / L0; every 10 ms
    std::vector<render::Picture> pictures;
};

Track follow(heat::Mode mode, bool drawn) {
    HeatBody body = make_pressed(mode);
    const std::size_t top = body.nearest(paper_top);
    Track track;
    for (int i = 1; i <= 200; ++i) {
        body.step(0.01);
        track.place.push_back(body.moved(top).z);
        track.shortest.push_back(body.work.reached.least_stretch);
        const auto is_now = [&](double t) { return std::lround(t / 0.01) == i; };
        if (drawn && std::any_of(std::begin(shown), std::end(shown), is_now))
            track.pictures.push_back(draw_warmth(body, 0.08, from_front(), Cut::half));
    }
    return track;
}

// E1, E4: as printed it runs away, with the sign repaired it collapses.
void add_runs(const ExperimentOptions& options, Result& result) {
    std::vector<Track> tracks;
    std::vector<render::Picture> rows;
    for (const heat::Mode mode : modes) {
        tracks.push_back(follow(mode, true));
        rows.push_back(side_by_side(tracks.back().pictures));
    }
    add_picture(options, "runs", one_below_another(rows), result);
    Table data{"", {"s", "printed", "repaired", "complete", "L printed", "L repaired", "L complete"}, {}};
    for (std::size_t i = 0; i < tracks[0].place.size(); ++i) {
        std::vector<std::string> row{number(0.01 * static_cast<double>(i + 1), 2)};
        for (const Track& t : tracks) row.push_back(number(t.place[i], 5));
        for (const Track& t : tracks) row.push_back(fmt::format("{:.5g}", t.shortest[i]));
        data.rows.push_back(row);
    }
    add_plot(result,
             plot(options.folder, "tracks", data,
                  "set terminal pngcairo size 900,700 font 'sans,13' background 'white'\nset grid lc rgb '#dddddd'\n"
                  "set style line 1 lc rgb '#d95f02' lw 2\nset style line 2 lc rgb '#7570b3' lw 2\n"
                  "set style line 3 lc rgb '#1b9e77' lw 2\n"
                  "set multiplot layout 2,1 margins 0.1,0.97,0.09,0.94 spacing 0.08\n"
                  "set ylabel 'touched node (m)'\nset key bottom left\nset xrange [0:2]\n"
                  "plot 'tracks.csv' using 1:2 every ::1 with lines ls 1 title 'as printed', "
                  "'' using 1:3 every ::1 with lines ls 2 title 'sign repaired', "
                  "'' using 1:4 every ::1 with lines ls 3 title 'complete'\n"
                  "set xlabel 's'\nset ylabel 'shortest edge, L / L0'\nset logscale y\nset yrange [0.001:1.5]\n"
                  "plot 'tracks.csv' using 1:5 every ::1 with lines ls 1 title 'as printed', "
                  "'' using 1:6 every ::1 with lines ls 2 title 'sign repaired', "
                  "'' using 1:7 every ::1 with lines ls 3 title 'complete'\nunset multiplot\n"));
    for (std::size_t m = 0; m < std::size(modes); ++m) {
        const Standing held = press_and_hold(modes[m], -10.0, options.quick ? 2.0 : held_for);
        result.measured["held"][mode_names[m]] = {{"place_1_2", tracks[m].place[119]},
                                                  {"place_2", tracks[m].place[199]},
                                                  {"depth", held.depth},
                                                  {"speed", held.speed},
                                                  {"shortest", held.least_stretch}};
    }
}

// Edges under a tenth of their length: when, for three steps.
void add_collapse(Result& result) {
    Table table{"Sign repaired, 10 N: when an edge is shorter than a tenth", {"step, ms", "s"}, {}};
    std::vector<double> times;
    for (const double h : {0.01, 0.0025, 0.0005}) {
        times.push_back(run_paper(heat::Mode::paper_attract, h).collapse);
        table.rows.push_back({number(1e3 * h, 1), number(times.back(), 3)});
    }
    result.tables.push_back(table);
    result.measured["collapse"] = times;
}

// Pressed for 0.6 s, left alone for 20 s: the share of the displacement that is still there.
double find_left(heat::Mode mode) {
    HeatBody body = make_pressed(mode);
    body.run(0.6, 0.01);
    const double loaded = body.most_moved();
    body.clear_loads();
    body.run(20.0, 0.01);
    return body.most_moved() / loaded;
}

void add_recovery(Result& result) {
    result.measured["left"] = {{"repaired", find_left(heat::Mode::paper_attract)},
                               {"complete", find_left(heat::Mode::complete)}};
}

// E5: T = x on a square of 1 m; the tension that crosses the middle, per metre of cut.
double find_cut_tension(int cells, bool dual) {
    heat::Settings settings;
    settings.mode = dual ? heat::Mode::complete : heat::Mode::paper_attract;
    settings.conductivity = settings.coupling = 1.0;
    HeatBody plane(make_plane(1.0, 1.0, cells, cells), {.settings = settings, .fixed = {}, .conductivity = {}});
    double sum = 0.0;
    const double cut = 0.5 / cells;
    for (std::size_t e = 0; e < plane.membrane.edges.size(); ++e) {
        const heat::MembraneEdge& edge = plane.membrane.edges[e];
        const Vec3 d = plane.x[static_cast<std::size_t>(edge.b)] - plane.x[static_cast<std::size_t>(edge.a)];
        const Vec3 a = plane.x[static_cast<std::size_t>(edge.a)];
        if ((a.x - cut) * (a.x + d.x - cut) >= 0.0) continue;
        // Of the law itself: tau / L along the edge, without the floor and the cap that keep sound nets sound.
        const double weight = dual ? plane.membrane.conduction.weight[e] * norm(d) : 1.0;
        sum += weight * std::abs(d.x) / norm(d) * std::abs(d.x) / norm(d);
    }
    return sum;
}

void add_refinement(Result& result) {
    Table table{
        "An even gradient on a square: tension across a metre", {"nodes a side", "eq. 18", "with dual length"}, {}};
    std::vector<double> printed, dual;
    for (const int cells : {10, 20, 40, 80}) {
        printed.push_back(find_cut_tension(cells, false));
        dual.push_back(find_cut_tension(cells, true));
        table.rows.push_back({count(cells + 1), number(printed.back(), 2), number(dual.back(), 4)});
    }
    result.tables.push_back(table);
    result.measured["tension"] = {{"printed", printed}, {"dual", dual}};
}

// E8: a free body pushed evenly.
double find_warmth(heat::Mode mode) {
    heat::Settings settings;
    settings.mode = mode;
    HeatBody body(paper_superquadric(), {.settings = settings, .fixed = {}, .conductivity = {}});
    for (std::size_t n = 0; n < body.x.size(); ++n) body.push(n, {0, 0, 2.0 * body.membrane.mass[n]});
    body.run(5.0, 0.01);
    return body.work.reached.most_warmth;
}

void add_objectivity(Result& result) {
    result.measured["warmth"] = {{"repaired", find_warmth(heat::Mode::paper_attract)},
                                 {"complete", find_warmth(heat::Mode::complete)}};
}

// E20: the longest step at which eq. 22 does not grow, for one mass on a spring of 100 N/m.
double find_euler_limit(double mass, double damping) {
    constexpr double stiffness = 100.0;
    double stable = 0.0, unstable = 1.0;
    while (unstable - stable > 1e-5) {
        const double h = 0.5 * (stable + unstable);
        double x = 1.0, v = 0.0, energy = 0.0;
        for (int i = 0; i < 300000 && energy < 1e6 * stiffness; ++i) {
            const double a = (-stiffness * x - damping * v) / mass;
            x += h * v;
            v += h * a;
            energy = stiffness * x * x + mass * v * v;
        }
        (energy < stiffness ? stable : unstable) = h;
    }
    return stable;
}

void add_euler(Result& result) {
    Table table{"Eq. 22 on one mass and a spring of 100 N/m: longest stable step",
                {"mass, kg", "damping, N s/m", "measured, s", "damping / stiffness, s"},
                {}};
    for (const double damping : {0.0, 0.1, 1.0, 4.0, 10.0}) {
        const double limit = find_euler_limit(1.0, damping);
        result.measured["euler"].push_back({{"damping", damping}, {"limit", limit}});
        table.rows.push_back(
            {"1", number(damping, 1), fmt::format("{:.4f}", limit), fmt::format("{:.4f}", damping / 100.0)});
    }
    result.tables.push_back(table);
}

// 2005, sec. IV.B; by which equations.
Claim judge_equilibrium(const Measurements& held, const char* by, std::string why) {
    const double speed = held.at("speed"), shortest = held.at("shortest");
    return with_plot(
        judge(
            {fmt::format("Internal forces bring the body to a new equilibrium: eq. 18 to 22 {}.", by),
             "Zhong 2005, sec. IV.B, eq. 18 to 22",
             "The energy generated by the external force is propagated through heat conduction among mass "
             "points to establish a new equilibrium state by generating the corresponding internal forces.",
             "an equilibrium"},
            fmt::format("pushed down with 10 N the touched node is at {} m after 1.2 s, {} m after 2 s and "
                        "moves by {} m/s after 60 s; shortest edge {}",
                        figures(held.at("place_1_2")), figures(held.at("place_2")), figures(speed), figures(shortest)),
            stands_when, stands(speed, shortest), std::move(why)),
        "tracks.png");
}

Claim judge_heat_of_work(double warmth) {
    return judge({"What eq. 4 puts into the body as heat is work that deforms it.", "Zhong 2005, sec. III.A, eq. 4",
                  "Therefore, the deformation can be regarded as to be generated by the work done by the external "
                  "force.",
                  "heat of deformation"},
                 fmt::format("a free body pushed evenly warms to {:.2f} J/m^2 without any deformation", warmth),
                 "a body that is pushed evenly, and so not deformed, warms by less than 0.01 J/m^2", warmth < 0.01,
                 "Eq. 4 measures displacements from the start, wherever the body has gone.");
}

Claim judge_euler(const Measurements& rows) {
    double shortest = 1.0;
    std::string ours;
    for (const auto& row : rows) {
        const double damping = row.at("damping"), limit = row.at("limit");
        if (damping >= 1.0) shortest = std::min(shortest, limit);
        ours += fmt::format("{}{:.2g} ms with {:g} N s/m", ours.empty() ? "" : ", ", 1e3 * limit, damping);
    }
    return judge({"The explicit scheme of eq. 22 can be used.", "Zhong 2005, sec. IV.B, eq. 22",
                  "The explicit Euler integration scheme is used to numerically solve Eq. (21).", "used"},
                 "longest stable step of 1 kg on 100 N/m: " + ours,
                 "stable at a step of 1 ms with every damping that the paper uses, 1 to 10 N s/m", shortest >= 1e-3,
                 "Thanks to its damping alone: the limit is damping over stiffness, and without damping there is none, "
                 "for places follow the old velocity.");
}

}  // namespace

std::vector<Claim> judge_zhong_errata(const Measurements& m) {
    const Measurements &held = m.at("held"), &left = m.at("left"), &warmth = m.at("warmth");
    const auto printed = m.at("tension").at("printed").get<std::vector<double>>();
    const auto dual = m.at("tension").at("dual").get<std::vector<double>>();
    const double repaired_left = left.at("repaired"), complete_left = left.at("complete");
    const double repaired_warmth = warmth.at("repaired"), complete_warmth = warmth.at("complete");
    return unless_quick(
        m,
        {judge_equilibrium(held.at("printed"), "as printed",
                           "Eq. 18 points towards the neighbours and eq. 20 subtracts it: warm edges push apart."),
         judge_equilibrium(held.at("repaired"), "with the sign repaired",
                           fmt::format("Warm edges then pull, and nothing pulls back: no term knows the rest shape. "
                                       "An edge is below a tenth after {} s with steps of 10, 2.5 and 0.5 ms.",
                                       joined(m.at("collapse"), 3))),
         judge_equilibrium(held.at("complete"), "completed by a rest shape", "With our rest shape, not the paper's."),
         judge({"Released before it collapses, a body of eq. 18 to 22 (sign repaired) recovers, as an elastic one.",
                "Zhong 2005, abstract",
                "This paper presents a new methodology for the deformation of soft objects by drawing an analogy "
                "between heat conduction and elastic deformation.",
                "elastic"},
               fmt::format("{:.0f} % of the displacement left after 20 s", 100.0 * repaired_left),
               "less than half of the displacement is left", repaired_left < 0.5,
               "An even temperature pulls at no shape."),
         judge_heat_of_work(repaired_warmth), judge_euler(m.at("euler")),
         promise("The completed equations let a body recover under the same damping.",
                 "half of what the repaired ones leave", fmt::format("{:.1f} % left", 100.0 * complete_left),
                 complete_left < 0.5 * repaired_left),
         promise("With its dual length an edge's tension does not depend on the net.",
                 "1e-6 from 11 to 81 nodes a side",
                 fmt::format("{}; without, as in eq. 18, {}", joined(dual, 4), joined(printed, 1)),
                 std::abs(dual.back() / dual.front() - 1.0) < 1e-6,
                 "Eq. 18 has no width. The paper says nothing of finer nets."),
         promise("Work measured from the rest shape does not warm a body that is pushed evenly.",
                 "a hundredth of what eq. 4 gives", fmt::format("{:.1e} J/m^2", complete_warmth),
                 complete_warmth < 0.01 * repaired_warmth)});
}

Result run_zhong_errata(const ExperimentOptions& options) {
    Result result;
    add_runs(options, result);
    options.progress(0.3);
    add_collapse(result);
    options.progress(0.6);
    add_recovery(result);
    add_refinement(result);
    add_objectivity(result);
    options.progress(0.9);
    add_euler(result);
    result.notes = {
        "Pictures, cut in half: 0.4, 0.8 and 1.2 s after 10 N were put on the top; rows: eq. 18 to 22 as printed, with "
        "the sign of "
        "the inner force repaired, and completed. All three conduct heat by the same, repaired equations and step "
        "with implicit drag, so that what fails is the forces."};
    options.progress(1.0);
    return result;
}

}  // namespace plica::experiments
