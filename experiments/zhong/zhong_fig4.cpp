#include <fmt/format.h>

#include <algorithm>

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

HeatBody pull_body(double contrast_power, double seconds) {
    heat::Settings settings;
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

}  // namespace

Result run_zhong_fig4(const ExperimentOptions& options) {
    const double seconds = options.quick ? 1.0 : 20.0;
    const HeatBody plane = pull_paper_plane(heat::Mode::complete, 1.0, seconds);
    const HeatBody even = pull_paper_plane(heat::Mode::complete, 0.0, seconds);
    const HeatBody paper = pull_paper_plane(heat::Mode::paper_attract, 0.0, std::min(seconds, 1.0));
    options.progress(0.4);
    const HeatBody body = pull_body(1.0, seconds), plain = pull_body(0.0, seconds);
    options.progress(0.8);
    const auto row = [&](const char* name, const char* model, const HeatBody& b, bool flat) {
        return Row{name, model, measure_parts(b, flat ? conducts_badly : red_on_body),
                   flat ? measure_plane(b).ratio : 0.0};
    };
    const std::vector<Row> rows{
        row("plane", "complete", plane, true), row("plane", "complete, stiffness without contrast", even, true),
        row("plane", "paper, sign repaired, at 1 s", paper, true), row("superquadric", "complete", body, false),
        row("superquadric", "complete, stiffness without contrast", plain, false)};
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
    result.claims = {
        {"Parts of a very low conductivity are not deformed by the force.", "by eye (fig. 4)",
         fmt::format("they move {:.3f} of the other side's motion on the plane; {:.3f} m against {:.3f} m "
                     "on the superquadric",
                     rows[0].ratio, rows[3].parts.red, rows[3].parts.other),
         rows[0].ratio < 0.12 && rows[3].parts.red < 0.25 * rows[3].parts.other,
         "Because low conductivity is made stiff here; heat alone does not do it, see the next line.", false},
        {"Setting conductivities alone makes a material anisotropic.", "text, sec. V",
         fmt::format("without that stiffness they move {:.2f} of it", rows[1].ratio), rows[1].ratio < 0.5,
         "With a rest shape the conductivity only decides where heat pulls; and a scalar that differs from "
         "place to place is heterogeneous, not anisotropic.",
         false},
        {"Low conductivity holds a part of the plane back to 12 %.", "", number(rows[0].ratio, 3), rows[0].ratio < 0.12,
         "", true}};
    result.notes = {
        "Pictures, upper row: plane, completed equations; the same without the contrast of stiffness; the paper's with "
        "its sign repaired, after 1 s (later it collapses). Lower row: the superquadric twice, and without contrast."};
    // Too short for claims about ourselves.
    for (Claim& claim : result.claims) claim.own = claim.own && !options.quick;
    options.progress(1.0);
    return result;
}

}  // namespace plica::experiments
