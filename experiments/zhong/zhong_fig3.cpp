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

Claim claim_shape(const Trial& push, const Trial& pull) {
    return {"A compressive force makes a dimple, a tensile one a bump, over a region around the point.",
            "by eye (fig. 3)",
            fmt::format("{:.3f} m in over {} nodes, {:.3f} m out over {}", push.loaded.depth, push.loaded.nodes,
                        pull.loaded.depth, pull.loaded.nodes),
            push.loaded.depth > 0.1 && pull.loaded.depth > 0.1 && push.loaded.nodes > 20 && pull.loaded.nodes > 20,
            "By the completed equations; what the printed ones do is in zhong-errata.",
            false};
}

Claim claim_heat(const Trial& push, const Trial& spike) {
    return {"Heat spreads a point load: without it the dimple is at least 40 % deeper, and narrower.",
            "",
            fmt::format("{:.3f} m over {} nodes with, {:.3f} m over {} without", push.loaded.depth, push.loaded.nodes,
                        spike.loaded.depth, spike.loaded.nodes),
            spike.loaded.depth > 1.4 * push.loaded.depth && spike.loaded.nodes < push.loaded.nodes,
            "",
            true};
}

Claim claim_return(const Trial& push, const Trial& pull) {
    const double most = std::max(push.left / push.loaded.depth, pull.left / pull.loaded.depth);
    return {"Released, the body returns to its rest shape to 0.5 % of the displacement.",
            "",
            fmt::format("{:.4f} % left after 30 s", 100.0 * most),
            most < 0.005,
            "The paper's equations have no rest shape to return to.",
            true};
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
    result.claims = {claim_shape(trials[0], trials[2]), claim_heat(trials[0], trials[1]),
                     claim_return(trials[0], trials[2])};
    result.notes = {
        "Picture, upper row: at rest, pushed with 10 N, the same from above; lower row: pulled with 10 N, the same "
        "from "
        "the side, and pushed without heat. Red is warm (root of the temperature).",
        "A punch of radius 0.1 m on a half space of 100 Pa: its energy goes with the square of the force and knows "
        "nothing of the body, so it gives too little heat where the body is soft; work is the default.",
        "Conductivity 0.4 and 400 points are the paper's; mass, step, force and exponents are not printed in it."};
    // Too short for claims about ourselves.
    for (Claim& claim : result.claims) claim.own = claim.own && !options.quick;
    options.progress(1.0);
    return result;
}

}  // namespace plica::experiments
