#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/zhong/damping_trials.hpp"
#include "experiments/zhong/heat_body.hpp"
#include "tissue/heat/paper.hpp"

// The superquadric of figure 3 with the damping of 10 that is printed under it, and by eq. 22 (Zhong 2005).
namespace plica::experiments {
namespace {

using Trials = std::vector<DampingTrial>;

Table damping_table(const Trials& trials) {
    Table table{"10 N on one node of 400, 1 kg a node",
                {"damping a node, N s/m", "force, N", "motion", "step, ms", "depth after 15 s, m", "after 60 s",
                 "nodes moved > 0.05 m", "left 20 s after release, m", "40 s", "80 s"},
                {}};
    for (const DampingTrial& t : trials) {
        std::vector<std::string> row{
            number(t.damping, 0),    number(t.force, 0), t.motion == heat::Motion::euler ? "eq. 22" : "implicit",
            number(1e3 * t.step, 2), number(t.soon, 3),  number(t.late, 3),
            count(t.nodes)};
        for (const double left : t.left) row.push_back(fmt::format("{:.1e}", left));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Measurements trial_json(const DampingTrial& t) {
    return {{"damping", t.damping}, {"force", t.force}, {"eq22", t.motion == heat::Motion::euler},
            {"soon", t.soon},       {"late", t.late},   {"nodes", t.nodes},
            {"left", t.left}};
}

// Between trials of one force, whatever the damping and the motion.
double find_apart(const Measurements& trials) {
    double apart = 0.0;
    for (const auto& a : trials) {
        for (const auto& b : trials) {
            const double one = a.at("late"), other = b.at("late");
            if (a.at("force") == b.at("force")) apart = std::max(apart, std::abs(one - other) / std::abs(other));
        }
    }
    return apart;
}

Claim claim_printed_damping(const Measurements& trials) {
    double least = 1e9;
    int fewest = 1 << 20;
    for (const auto& t : trials) {
        if (t.at("damping") != printed_damping) continue;
        least = std::min(least, t.at("late").get<double>());
        fewest = std::min(fewest, t.at("nodes").get<int>());
    }
    return promise(
        "With the damping that is printed under fig. 3, a push makes a dimple and a pull a bump, by eq. 22 too.",
        "as zhong-fig3 asks: 0.1 m along the force, with more than 20 nodes",
        fmt::format("at least {:.3f} m, {} nodes", least, fewest), least > 0.1 && fewest > 20,
        "By the completed equations; the paper's own, with this damping, are judged in zhong-fig3.");
}

}  // namespace

DampingTrial run_damping(double damping, double force, heat::Motion motion, double scale) {
    const SurfaceMesh mesh = paper_superquadric();
    heat::Settings settings = paper_settings(heat::Mode::complete, 1.0, damping, mesh);
    settings.motion = motion;
    HeatBody body(mesh, paper_setup(settings));
    DampingTrial trial{.damping = damping, .force = force, .motion = motion};
    if (motion == heat::Motion::euler) trial.step = std::min(trial.step, heat::find_euler_step(body.membrane));
    const std::size_t top = body.nearest(paper_top);
    const double along = force < 0.0 ? -1.0 : 1.0;
    body.push(top, {0, 0, force});
    body.run(scale * 15.0, trial.step);
    trial.soon = along * body.moved(top).z;
    body.run(scale * 45.0, trial.step);
    trial.late = along * body.moved(top).z;
    trial.nodes = body.count_moved(0.05);
    body.clear_loads();
    for (std::size_t k = 0; k < 3; ++k) {
        body.run(scale * (k == 2 ? 40.0 : 20.0), trial.step);
        trial.left[k] = body.most_moved();
    }
    return trial;
}

Result run_zhong_damping(const ExperimentOptions& options) {
    const double scale = options.quick ? 0.02 : 1.0;
    Trials trials;
    for (const double force : {-10.0, 10.0}) {
        for (const double damping : {usual_damping, printed_damping})
            trials.push_back(run_damping(damping, force, heat::Motion::implicit, scale));
        trials.push_back(run_damping(printed_damping, force, heat::Motion::euler, scale));
        options.progress(static_cast<double>(trials.size()) / 6.0);
    }
    Result result;
    result.tables = {damping_table(trials)};
    result.plots =
        plot(options.folder, "release", result.tables[0],
             "set terminal pngcairo size 900,520 font 'sans,13' background 'white'\n"
             "set title 'What is left of 10 N on one node'\nset bmargin 4\n"
             "set logscale y\nset format y '10^{%T}'\nset yrange [1e-11:1]\nset grid y lc rgb '#dddddd'\n"
             "set ylabel 'displacement left after release, m'\nset xrange [-0.5:5.5]\nset key outside right\n"
             "what(d, f, m) = sprintf(\"%s,\\n%d N s/m,\\n%s\", f < 0 ? 'pushed' : 'pulled', d, m)\n"
             "plot 'release.csv' u 0:8:xtic(what($1, $2, strcol(3))) skip 1 w p pt 7 ps 1.5 t '20 s', "
             "'' u 0:9 skip 1 w p pt 7 ps 1.5 t '40 s', '' u 0:10 skip 1 w p pt 7 ps 1.5 t '80 s'\n");
    for (const DampingTrial& t : trials) result.measured["trials"].push_back(trial_json(t));
    result.notes = {
        "Conductivity 0.4, damping 10 and 400 points are the paper's; mass, step and force are not printed."};
    return result;
}

std::vector<Claim> judge_zhong_damping(const Measurements& m) {
    const Measurements& trials = m.at("trials");
    double left = 0.0;
    for (const auto& t : trials) left = std::max(left, t.at("left")[2].get<double>() / t.at("late").get<double>());
    const double apart = find_apart(trials);
    return unless_quick(
        m, {claim_printed_damping(trials),
            promise("Where it rests depends neither on the damping nor on how eq. 21 is stepped (2 %).", "",
                    fmt::format("{:.2f} %", 100.0 * apart), apart < 0.02),
            promise("80 s after release less than 2 % is left.", "", fmt::format("{:.2f} %", 100.0 * left), left < 0.02,
                    "Damping against the world makes it slow: the time is damping over the anchor's stiffness.")});
}

}  // namespace plica::experiments
