#include <fmt/format.h>

#include <cmath>

#include "experiments/common/numbers.hpp"
#include "experiments/common/pictures.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/zhong/heat_pictures.hpp"
#include "experiments/zhong/heat_trials.hpp"
#include "tissue/heat/march.hpp"

// A superquadric of 400 mass points under a compressive and a tensile force (Zhong 2005, figure 3).
namespace plica::experiments {
namespace {

constexpr double hold = 15.0, rest = 30.0;  // s

struct Trial {
    double force;
    bool heat;
    Dimple loaded;
    double left;  // m, `rest` seconds after release
};

MeshView oblique() {
    return look_from({1.0, -1.6, 1.0}, {0, 0, 0.1}, 4.0);
}
MeshView from_side() {
    return look_from({0.0, -1.0, 0.0}, {0, 0, 0.4}, 4.2);
}

HeatBody make_body(bool heat) {
    heat::Settings settings;
    if (!heat) settings.coupling = 0.0;
    return {paper_superquadric(), paper_setup(settings)};
}

Trial run_trial(double force, bool heat, double scale) {
    HeatBody body = make_body(heat);
    Trial trial{force, heat, press(body, paper_top, {0, 0, force}, scale * hold), 0.0};
    body.clear_loads();
    body.run(scale * rest, 0.01);
    trial.left = body.most_moved();
    return trial;
}

void add_pictures(const ExperimentOptions& options, double scale, Result& result) {
    HeatBody rested = make_body(true), pushed = make_body(true), pulled = make_body(true), cold = make_body(false);
    press(pushed, paper_top, {0, 0, -10}, scale * hold);
    press(pulled, paper_top, {0, 0, 10}, scale * hold);
    press(cold, paper_top, {0, 0, -10}, scale * hold);
    constexpr double arrow = 0.08;
    add_picture(
        options, "push-and-pull",
        one_below_another({side_by_side({draw_warmth(rested, arrow, oblique()), draw_warmth(pushed, arrow, oblique()),
                                         draw_warmth(pushed, arrow, from_side(), Cut::half)}),
                           side_by_side({draw_warmth(pulled, arrow, oblique()), draw_warmth(pulled, arrow, from_side()),
                                         draw_warmth(cold, arrow, from_side(), Cut::half)})}),
        result);
}

Table trial_table(const std::vector<Trial>& trials) {
    Table table{"A force on one node of 400; half size 1 m, bottom fixed",
                {"force, N", "heat", "depth, m", "nodes moved > 0.05 m", "L/L0", "V/V0", "tension / kappa",
                 "left 30 s after release, m"},
                {}};
    for (const Trial& t : trials) {
        const Dimple& d = t.loaded;
        table.rows.push_back({number(t.force, 0), t.heat ? "yes" : "no", number(d.depth, 3), count(d.nodes),
                              fmt::format("{:.2f} to {:.2f}", d.least_stretch, d.most_stretch), number(d.volume, 3),
                              number(d.tension, 2), fmt::format("{:.1e}", t.left)});
    }
    return table;
}

// The two sources: work as it is done, and the estimate for a punch that does not know how far it went.
Table source_table(double scale) {
    Table table{"Where the heat comes from (eq. 4 made objective, eq. 5 to 8 corrected)",
                {"force, N", "work: heat, J", "depth, m", "energy: heat, J", "depth, m"},
                {}};
    for (const double force : {-2.0, -5.0, -10.0}) {
        std::vector<std::string> row{number(force, 0)};
        for (const heat::Source source : {heat::Source::work, heat::Source::energy}) {
            heat::Settings settings;
            settings.source = source;
            HeatBody body(paper_superquadric(), paper_setup(settings));
            const Dimple dimple = press(body, paper_top, {0, 0, force}, scale * hold);
            const double warmth =
                heat::compute_heat(body.membrane.conduction, settings.capacity, body.state.temperature);
            row.push_back(number(warmth, 3));
            row.push_back(number(dimple.depth, 3));
        }
        table.rows.push_back(row);
    }
    return table;
}

Measurements held_json(heat::Mode mode, double seconds) {
    Measurements both;
    for (const double force : {-10.0, 10.0}) {
        const Standing held = press_and_hold(mode, force, seconds);
        both.push_back(
            {{"depth", held.depth}, {"nodes", held.nodes}, {"speed", held.speed}, {"shortest", held.least_stretch}});
    }
    return both;
}

Claim claim_shape(const Measurements& both, const char* by, const char* why) {
    bool shaped = true, standing = true;
    std::string ours;
    for (const auto& held : both) {
        const double depth = held.at("depth"), speed = held.at("speed"), shortest = held.at("shortest");
        const int nodes = held.at("nodes");
        shaped = shaped && depth > 0.1 && nodes > 20;
        standing = standing && stands(speed, shortest);
        ours += fmt::format("{} {} m along the force, {} nodes moved, {} m/s, shortest edge {}",
                            ours.empty() ? "pushed:" : "; pulled:", figures(depth), nodes, figures(speed),
                            figures(shortest));
    }
    return judge(
        {fmt::format("A compressive force makes a dimple, a tensile one a bump: eq. 18 to 22 {}.", by),
         "Zhong 2005, sec. V, fig. 3",
         "Fig. 3(b), (c), (d) and (e) are different views of the object deformed under a compressive force.", "by eye"},
        ours,
        fmt::format("the node goes 0.1 m along the force and takes more than 20 with it, and stands: {}", stands_when),
        shaped && standing, why);
}

}  // namespace

Result run_zhong_fig3(const ExperimentOptions& options) {
    const double scale = options.quick ? 0.1 : 1.0;
    std::vector<Trial> trials;
    for (const double force : {-10.0, 10.0}) {
        for (const bool heat : {true, false}) trials.push_back(run_trial(force, heat, scale));
        options.progress(0.2 * static_cast<double>(trials.size()));
    }
    Result result;
    add_pictures(options, scale, result);
    result.tables = {trial_table(trials), source_table(scale)};
    result.measured["held"] = {{"printed", held_json(heat::Mode::paper_literal, scale * held_for)},
                               {"repaired", held_json(heat::Mode::paper_attract, scale * held_for)},
                               {"complete", held_json(heat::Mode::complete, scale * held_for)}};
    for (const Trial& t : trials) {
        result.measured["trials"].push_back({{"depth", t.loaded.depth}, {"nodes", t.loaded.nodes}, {"left", t.left}});
    }
    result.notes = {
        "Picture, upper row: at rest, pushed with 10 N, the same from above; lower row: pulled with 10 N, the same "
        "from "
        "the side, and pushed without heat. Red is warm (root of the temperature).",
        "A punch of radius 0.1 m on a half space of 100 Pa: its energy goes with the square of the force and knows "
        "nothing of the body, so it gives too little heat where the body is soft; work is the default.",
        "Conductivity 0.4 and 400 points are the paper's; mass, step, force and exponents are not printed in it."};
    options.progress(1.0);
    return result;
}

std::vector<Claim> judge_zhong_fig3(const Measurements& m) {
    const Measurements &held = m.at("held"), &push = m.at("trials")[0], &spike = m.at("trials")[1],
                       &pull = m.at("trials")[2];
    const double depth = push.at("depth"), without = spike.at("depth");
    const int nodes = push.at("nodes"), narrow = spike.at("nodes");
    const double most =
        std::max(push.at("left").get<double>() / depth, pull.at("left").get<double>() / pull.at("depth").get<double>());
    return unless_quick(
        m, {claim_shape(held.at("printed"), "as printed", "Warm edges push apart: the node runs away."),
            claim_shape(held.at("repaired"), "with the sign repaired",
                        "The net collapses onto the node within a second or so; no term knows the rest shape."),
            claim_shape(held.at("complete"), "completed by a rest shape", "With our rest shape, not the paper's."),
            promise("Heat spreads a point load: without it the dimple is at least 40 % deeper, and narrower.", "",
                    fmt::format("{:.3f} m over {} nodes with, {:.3f} m over {} without", depth, nodes, without, narrow),
                    without > 1.4 * depth && narrow < nodes),
            promise("Released, the body returns to its rest shape to 0.5 % of the displacement.", "",
                    fmt::format("{:.4f} % left after 30 s", 100.0 * most), most < 0.005,
                    "The paper's equations have no rest shape to return to.")});
}

}  // namespace plica::experiments
