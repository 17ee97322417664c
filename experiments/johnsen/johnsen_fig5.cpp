#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/common/mesh_picture.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/common/pictures.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/johnsen/liver_lines.hpp"
#include "experiments/johnsen/sliding_figure.hpp"
#include "geometry/mesh/shapes.hpp"

// Normals along a line over a coarse liver, continuous and constant, and over the fine one (Johnsen 2012, figure 5).
namespace plica::experiments {
namespace {

using Samples = std::vector<SurfaceSample>;

constexpr int sphere_level = 3;  // 1280 triangles
constexpr Colour tissue{0.86, 0.80, 0.74}, red{0.85, 0.05, 0.05}, dark{0.1, 0.1, 0.1};

double degrees(double rad) {
    return rad * 180.0 / std::numbers::pi;
}

// Of a normal, in the plane of rays and line.
double lean(const RayLine& line, const Vec3& n) {
    return degrees(std::atan2(dot(n, line.along), -dot(n, line.forward)));
}

// From the side of the line, so that arrows are seen at length.
MeshView look_at(const RayLine& line, const Samples& samples) {
    const Vec3 across = cross(line.forward, line.along);
    constexpr double tilt = -0.75;  // rad
    const Vec3 eye = -line.forward * std::cos(tilt) + across * std::sin(tilt);
    MeshView view;
    view.right = line.along;
    view.up = cross(eye, view.right);
    Vec3 sum;
    for (const SurfaceSample& s : samples) sum += s.place;
    view.centre = sum / static_cast<double>(samples.size());
    view.height = 0.1;
    return view;
}

render::Picture draw(const RayTarget& target, const RayLine& line, const MeshView& view, NormalOf kind, double ink) {
    MeshPicture picture(view);
    picture.draw(target.surface(), tissue, ink);
    const Samples samples = sample_line(target, line, 5e-4);
    std::vector<Vec3> places;
    for (const SurfaceSample& s : samples) places.push_back(s.place);
    picture.draw_line(places, dark, 2.0);
    double walked = 0.0;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        walked += distance(samples[i].place, samples[i - 1].place);
        if (walked < 2.5e-3) continue;
        walked = 0.0;
        picture.draw_arrow(samples[i].place, samples[i].place + samples[i].*kind * 0.012, red, 1.6);
    }
    return picture.finish();
}

void add_pictures(const ExperimentOptions& options, const std::string& name, const RayTarget& coarse,
                  const RayTarget& fine, const RayLine& line, Result& result) {
    const MeshView view = look_at(line, sample_line(coarse, line));
    const render::Picture picture = side_by_side({draw(coarse, line, view, &SurfaceSample::smooth, 0.35),
                                                  draw(coarse, line, view, &SurfaceSample::facet, 0.35),
                                                  draw(fine, line, view, &SurfaceSample::facet, 0.12)});
    add_picture(options, name, picture, result);
}

const SurfaceSample& nearest_to(const Samples& samples, const SurfaceSample& s) {
    return *std::min_element(samples.begin(), samples.end(), [&](const SurfaceSample& a, const SurfaceSample& b) {
        return squared_norm(a.place - s.place) < squared_norm(b.place - s.place);
    });
}

// Along the line: how the three lean, and how far the coarse ones are from the fine.
Table line_data(const RayLine& line, const Samples& coarse, const Samples& fine) {
    Table t{"", {"mm", "C0", "constant", "fine", "C0 off", "constant off", "C0 of eq. 8 off"}, {}};
    for (const SurfaceSample& s : coarse) {
        const SurfaceSample& f = nearest_to(fine, s);
        const auto off = [&](const Vec3& n) { return degrees(std::atan2(norm(cross(n, f.facet)), dot(n, f.facet))); };
        t.rows.push_back({number(1e3 * s.along, 3), number(lean(line, s.smooth), 3), number(lean(line, s.facet), 3),
                          number(lean(line, f.facet), 3), number(off(s.smooth), 3), number(off(s.facet), 3),
                          number(off(s.printed), 3)});
    }
    return t;
}

std::vector<std::string> plot_line(const std::string& folder, const std::string& name, const std::string& title,
                                   const Table& data) {
    return plot(
        folder, name, data,
        fmt::format("set terminal pngcairo size 1000,760 font 'sans,13' background 'white'\n"
                    "set grid lc rgb '#dddddd'\n"
                    "set style line 1 lc rgb '#000000' lw 1.2\nset style line 2 lc rgb '#808080' lw 2\n"
                    "set style line 3 lc rgb '#d95f02' lw 2\nset style line 4 lc rgb '#1b9e77' lw 1.5\n"
                    "set multiplot layout 2,1 margins 0.09,0.98,0.09,0.90 spacing 0.06 title '{}'\n"
                    "set ylabel 'lean of the normal (degrees)'\nset key top left samplen 2\nset format x ''\n"
                    "plot '{}.csv' using 1:4 with lines ls 1 title 'fine mesh, constant', "
                    "'' using 1:3 with lines ls 2 title 'coarse mesh, constant', "
                    "'' using 1:2 with lines ls 3 title 'coarse mesh, C0'\n"
                    "set format x '%g'\nset xlabel 'along the line (mm)'\n"
                    "set ylabel 'angle to the fine normal (degrees)'\nset yrange [0:16]\nset key horizontal top left\n"
                    "plot '{}.csv' using 1:6 with lines ls 2 title 'coarse mesh, constant', "
                    "'' using 1:5 with lines ls 3 title 'C0', '' using 1:7 with lines ls 4 title 'C0 of eq. 8'\n"
                    "unset multiplot\n",
                    title, name, name));
}

// Turns larger than two degrees from a place to the next one, 0.2 mm away at most.
int count_jumps(const Samples& samples, NormalOf kind) {
    int jumps = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const Samples two{samples[i - 1], samples[i]};
        jumps += degrees(largest_jump(two, kind, jump_step)) > 2.0 ? 1 : 0;
    }
    return jumps;
}

struct Jumps {
    std::string mesh;
    int smooth = 0, facet = 0;                         // how many
    double largest_smooth = 0.0, largest_facet = 0.0;  // degrees
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Jumps, mesh, smooth, facet, largest_smooth, largest_facet)

Jumps measure_jumps(const CoarseLiver& liver, const Samples& dense) {
    const auto largest = [&](NormalOf kind) { return degrees(largest_jump(dense, kind, jump_step)); };
    return {liver.name(), count_jumps(dense, &SurfaceSample::smooth), count_jumps(dense, &SurfaceSample::facet),
            largest(&SurfaceSample::smooth), largest(&SurfaceSample::facet)};
}

Table jump_table(const std::vector<Jumps>& all) {
    Table table{"Jumps of the normal along the line (more than 2 degrees within 0.2 mm), and the largest, degrees",
                {"mesh", "jumps, C0", "jumps, constant", "largest, C0", "largest, constant"},
                {}};
    for (const Jumps& j : all) {
        table.rows.push_back(
            {j.mesh, count(j.smooth), count(j.facet), number(j.largest_smooth, 2), number(j.largest_facet, 2)});
    }
    return table;
}

Claim claim_continuity(const std::vector<Jumps>& all) {
    std::string ours;
    bool none = true, some = true;
    for (const Jumps& j : all) {
        none = none && j.smooth == 0;
        some = some && j.facet > 0;
        ours += fmt::format("{}{}: {} jumps against {}, largest {:.2f} against {:.2f} degrees",
                            ours.empty() ? "" : "; ", j.mesh, j.smooth, j.facet, j.largest_smooth, j.largest_facet);
    }
    return judge({"C0 normals are continuous along the line where constant ones jump from facet to facet.",
                  "Johnsen 2012, sec. 3.2, fig. 5",
                  "Left: C0 normals (red arrows) on a low-resolution liver mesh. Centre: Constant normals on "
                  "low-resolution mesh.",
                  "by eye"},
                 ours, "no turn of more than 2 degrees within 0.2 mm, and some with constant normals", none && some);
}

}  // namespace

Result run_johnsen_fig5(const ExperimentOptions& options) {
    const RayLine line = liver_lines(options.quick ? 200 : 1000)[0].line;
    const RayTarget fine(make_liver_surface(reference_level));
    const Samples reference = sample_line(fine, line, jump_step);
    Result result;
    std::vector<Jumps> jumps;
    for (const bool collapsed : {false, true}) {
        const CoarseLiver coarse = make_coarse_liver(collapsed, sphere_level);
        const Samples dense = sample_line(coarse.target, line, jump_step);
        jumps.push_back(measure_jumps(coarse, dense));
        const std::string name = collapsed ? "collapsed" : "formula";
        add_pictures(options, name + "-arrows", coarse.target, fine, line, result);
        const std::string title = fmt::format("Normals along a line below the liver: {} triangles ({}) and 20,480",
                                              coarse.triangles(), collapsed ? "edges collapsed" : "formula");
        for (const std::string& file : plot_line(options.folder, name, title, line_data(line, dense, reference))) {
            result.plots.push_back(file);
        }
        options.progress(collapsed ? 0.2 : 0.1);
    }
    result.tables = {jump_table(jumps)};
    result.measured["jumps"] = jumps;
    add_sliding(options, result);
    options.progress(1.0);
    result.notes = {
        "Pictures, from left to right: C0 normals on the coarse mesh, constant ones on it, constant ones on the fine "
        "mesh. The line is cast from straight below; the view is tilted so that arrows are seen from the side.",
        "Lean: angle of the normal against the rays, in the plane of rays and line; of a force, against z in the plane "
        "of "
        "x and z."};
    return result;
}

std::vector<Claim> judge_johnsen_fig5(const Measurements& m) {
    std::vector<Claim> claims{claim_continuity(m.at("jumps"))};
    for (Claim& claim : judge_sliding(m.at("sliding"))) claims.push_back(std::move(claim));
    return claims;
}

}  // namespace plica::experiments
