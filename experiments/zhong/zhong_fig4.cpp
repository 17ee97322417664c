#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/numbers.hpp"
#include "experiments/common/pictures.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/zhong/heat_pictures.hpp"
#include "experiments/zhong/heat_trials.hpp"

// Bodies of two conductivities: the red parts hardly conduct and are not deformed (Zhong 2005, figure 4).
namespace plica::experiments {
namespace {

struct Parts {
    double red = 0.0, other = 0.0;  // m, most displacement
};

Parts measure_parts(const HeatBody& body, const std::function<bool(const Vec3&)>& red) {
    Parts parts;
    for (std::size_t n = 0; n < body.x.size(); ++n) {
        double& most = red(body.membrane.rest[n]) ? parts.red : parts.other;
        most = std::max(most, norm(body.moved(n)));
    }
    return parts;
}

bool red_on_body(const Vec3& p) {
    return p.x > 0.3;
}

HeatBody pull_body(heat::Mode mode, double contrast_power, double seconds) {
    heat::Settings settings;
    if (mode != heat::Mode::complete) settings = paper_settings(mode, 1.0, 10.0, paper_superquadric());
    settings.contrast_power = contrast_power;
    HeatBodySetup setup = paper_setup(settings);
    setup.conductivity = [](const Vec3& p) { return red_on_body(p) ? 0.001 : 0.4; };
    HeatBody body(paper_superquadric(), setup);
    body.push(body.nearest(paper_top), {0, 0, 10});
    body.run(seconds, 0.01);
    return body;
}

HeatBody pull_paper_plane(heat::Mode mode, double power, double seconds) {
    HeatBody body = make_paper_plane(mode, power);
    body.push(body.nearest({}), {0, 0, 10});
    body.run(seconds, 0.01);
    return body;
}

render::Picture draw_red(const HeatBody& body, const std::function<bool(const Vec3&)>& red, const MeshView& view) {
    return draw_shares(body, [&](std::size_t n) { return red(body.membrane.rest[n]) ? 0.9 : 0.0; }, 0.05, view);
}

struct Row {
    std::string body, model;
    Parts parts;
    double ratio;  // of the plane: mean rise at x = 0.4 over that at x = -0.4
    double free;   // m, that at x = -0.4
};

Table row_table(const std::vector<Row>& rows) {
    Table table{"Pulled by 10 N; conductivity 0.001 in the red part, 0.4 elsewhere",
                {"body", "model", "most motion, red, m", "most motion, other, m", "red / other at x = +-0.4 m"},
                {}};
    for (const Row& r : rows) {
        table.rows.push_back({r.body, r.model, number(r.parts.red, 4), number(r.parts.other, 4),
                              r.ratio > 0.0 ? number(r.ratio, 3) : "-"});
    }
    return table;
}

constexpr double stays = 0.12;         // of the plane's motion
constexpr double least_motion = 1e-3;  // m
constexpr double body_stays = 0.25;    // of the body's, whose red part begins where the other ends

Claim claim_stays(const Measurements& part, const char* by, const char* why) {
    const double plane = part.at("plane"), free = part.at("free"), red = part.at("red"), other = part.at("other");
    return judge(
        {fmt::format("Parts of a very low conductivity are not deformed: eq. 18 to 22 {}.", by),
         "Zhong 2005, sec. V, fig. 4",
         "The red parts of the images have a very low conductivity and are not deformed by the external forces.",
         "by eye"},
        fmt::format("they move {:.3f} of the other side's {:.2g} m on the plane; {:.3g} m against {:.3g} m on the "
                    "superquadric",
                    plane, free, red, other),
        "at most 0.12 of the other side's motion on the plane, which is 1 mm at least, and a quarter on the "
        "superquadric",
        std::abs(plane) < stays && free > least_motion && red < body_stays * other, why);
}

// By conductivities and nothing else.
Claim claim_alone(const Measurements& part, const char* by, const char* why) {
    const double plane = part.at("plane"), free = part.at("free");
    return judge({fmt::format("Setting conductivities is enough to make parts of a body stiff: eq. 18 to 22 {}.", by),
                  "Zhong 2005, sec. V",
                  "The behaviour of anisotropic materials can be easily simulated by the proposed model through simply "
                  "setting different conductivities.",
                  "by eye (fig. 4)"},
                 fmt::format("they move {:.2f} of the other side's {:.2g} m on the plane", plane, free),
                 "less than half of the other side's motion, which is 1 mm at least",
                 std::abs(plane) < 0.5 && free > least_motion, why);
}

}  // namespace

Result run_zhong_fig4(const ExperimentOptions& options) {
    const double seconds = options.quick ? 1.0 : 20.0;
    const HeatBody plane = pull_paper_plane(heat::Mode::complete, 1.0, seconds);
    const HeatBody even = pull_paper_plane(heat::Mode::complete, 0.0, seconds);
    constexpr double sound = 1.0;  // s: later the paper's net collapses
    const HeatBody paper = pull_paper_plane(heat::Mode::paper_attract, 0.0, sound);
    const HeatBody printed = pull_paper_plane(heat::Mode::paper_literal, 0.0, sound);
    options.progress(0.4);
    const HeatBody body = pull_body(heat::Mode::complete, 1.0, seconds),
                   plain = pull_body(heat::Mode::complete, 0.0, seconds),
                   paper_body = pull_body(heat::Mode::paper_attract, 0.0, sound),
                   printed_body = pull_body(heat::Mode::paper_literal, 0.0, sound);
    options.progress(0.8);
    const auto row = [&](const char* name, const char* model, const HeatBody& b, bool flat) {
        return Row{name, model, measure_parts(b, flat ? conducts_badly : red_on_body),
                   flat ? measure_plane(b).ratio : 0.0, flat ? measure_plane(b).normal : 0.0};
    };
    const std::vector<Row> rows{row("plane", "complete", plane, true),
                                row("plane", "complete, stiffness without contrast", even, true),
                                row("plane", "paper, sign repaired, at 1 s", paper, true),
                                row("superquadric", "complete", body, false),
                                row("superquadric", "complete, stiffness without contrast", plain, false),
                                row("plane", "paper, as printed, at 1 s", printed, true),
                                row("superquadric", "paper, sign repaired, at 1 s", paper_body, false),
                                row("superquadric", "paper, as printed, at 1 s", printed_body, false)};
    Result result;
    result.tables = {row_table(rows)};
    const MeshView flat = look_from({0.6, -1.6, 0.9}, {0, 0, 0.1}, 2.2);
    const MeshView view = look_from({1.0, -1.6, 1.0}, {0, 0, 0.2}, 4.0);
    const MeshView other = look_from({-0.6, -1.8, 0.5}, {0, 0, 0.2}, 4.0);
    add_picture(
        options, "red-parts",
        one_below_another({side_by_side({draw_red(plane, conducts_badly, flat), draw_red(even, conducts_badly, flat),
                                         draw_red(paper, conducts_badly, flat)}),
                           side_by_side({draw_red(body, red_on_body, view), draw_red(body, red_on_body, other),
                                         draw_red(plain, red_on_body, view)})}),
        result);
    const auto part = [&](std::size_t level, std::size_t body_row) -> Measurements {
        return {{"plane", rows[level].ratio},
                {"free", rows[level].free},
                {"red", rows[body_row].parts.red},
                {"other", rows[body_row].parts.other}};
    };
    result.measured["complete"] = part(0, 3);
    result.measured["without_contrast"] = part(1, 4);
    result.measured["repaired"] = part(2, 6);
    result.measured["printed"] = part(5, 7);
    result.notes = {
        "Pictures, upper row: plane, completed equations; the same without the contrast of stiffness; the paper's with "
        "its sign repaired, after 1 s (later it collapses). Lower row: the superquadric twice, and without contrast."};
    options.progress(1.0);
    return result;
}

std::vector<Claim> judge_zhong_fig4(const Measurements& m) {
    const double plane = m.at("complete").at("plane");
    return unless_quick(
        m,
        {claim_stays(m.at("printed"), "as printed, after 1 s", "By conduction alone."),
         claim_stays(
             m.at("repaired"), "with the sign repaired, after 1 s",
             "By conduction alone: in a second the other side has hardly moved, and soon after the net has collapsed "
             "(zhong-errata)."),
         claim_stays(m.at("complete"), "completed", "Because low conductivity is made stiff here."),
         claim_alone(m.at("printed"), "as printed, after 1 s",
                     "For as long as it lasts: warm edges push apart, and nothing holds them (zhong-errata)."),
         claim_alone(
             m.at("repaired"), "with the sign repaired, after 1 s",
             "In a second the other side has hardly moved, and soon after the net has collapsed. And a scalar that "
             "differs from place to place is heterogeneous, not anisotropic."),
         claim_alone(m.at("without_contrast"), "completed, without the stiffness that goes with low conductivity",
                     "With a rest shape the conductivity only decides where heat pulls."),
         promise("Low conductivity holds a part of the plane back to 12 %.", "", number(plane, 3), plane < stays)});
}

}  // namespace plica::experiments
