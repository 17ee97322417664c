#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/errata.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/common/pictures.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/zhong/compare_findings.hpp"
#include "experiments/zhong/heat_pictures.hpp"
#include "experiments/zhong/heat_trials.hpp"

// What the paper says of springs and of finite elements (Zhong 2005, sec. I and V), tried: one body and one push by
// each, finer and finer, turned, and pushed further.
namespace plica::experiments {
namespace {

// Depth over that of the coarsest body.
double finer(const CompareFindings& f, std::size_t model, std::size_t size) {
    return f.rows[size][model].depth / f.rows[0][model].depth;
}
Table depth_table(const CompareFindings& f) {
    Table t{"Depth under 2 N over a patch of 0.2 m, all set to the same at the coarsest", {"model", "stiffness"}, {}};
    for (const int nodes : f.sizes) t.columns.push_back(fmt::format("{} nodes, m", nodes));
    for (const int nodes : f.sizes) t.columns.push_back(fmt::format("{} / {}", nodes, f.sizes[0]));
    t.columns.emplace_back("V/V0, finest");
    for (std::size_t m = 0; m < compare_models.size(); ++m) {
        const char* unit = m == linear || m == tled ? " Pa" : m == solid_springs ? " N/m" : "";
        std::vector<std::string> cells{model_name(compare_models[m]), fmt::format("{:.3g}{}", f.stiffness[m], unit)};
        for (const CompareRow& row : f.rows) cells.push_back(number(row[m].depth, 4));
        for (std::size_t s = 0; s < f.sizes.size(); ++s) cells.push_back(number(finer(f, m, s), 3));
        cells.push_back(number(volume_ratio(f.bodies.back(), compare_models[m], f.rows.back()[m].x), 4));
        t.rows.push_back(std::move(cells));
    }
    return t;
}

Table time_table(const CompareFindings& f) {
    Table t{"CPU milliseconds, one thread",
            {"model", "surface nodes", "nodes", "cells", "10 ms of motion", "substeps", "10 ms, half size 0.1 m",
             "once a mesh", "from the mesh to rest", "steps to rest"},
            {}};
    for (std::size_t m = 0; m < compare_models.size(); ++m) {
        for (std::size_t s = 0; s < f.sizes.size(); ++s) {
            const CompareBody& body = f.bodies[s];
            const Settled& r = f.rows[s][m];
            const bool solid = is_solid(compare_models[m]);
            t.rows.push_back({model_name(compare_models[m]),
                              std::to_string(solid ? body.skin_nodes : body.surface.nodes.size()),
                              std::to_string(part_of(body, compare_models[m]).nodes.size()),
                              solid ? std::to_string(body.cells.size()) : "", milliseconds(r.step),
                              std::to_string(r.substeps), milliseconds(r.small_step), number(1e3 * r.made, 1),
                              number(1e3 * r.seconds, 1), std::to_string(r.steps)});
        }
    }
    return t;
}

Table large_table(const CompareFindings& f) {
    Table t{"Turned by 60 degrees with its push, and pushed further; coarsest body",
            {"model", "turned: error over depth", "turned: V/V0", "depth at 2 x / 1 x", "depth at 3 x / 1 x",
             "3 x: V/V0", "3 x: worst cell", "3 x: cells inside out"},
            {}};
    for (std::size_t m = 0; m < compare_models.size(); ++m) {
        const Settled& far = f.larger[2][m];
        const CellShape shape = is_solid(compare_models[m]) ? find_cell_shape(f.bodies[0], far.x) : CellShape{};
        t.rows.push_back({model_name(compare_models[m]), fmt::format("{:.1e}", f.turned[m].error),
                          number(f.turned[m].volume, 3), number(f.larger[1][m].depth / f.larger[0][m].depth, 3),
                          number(far.depth / f.larger[0][m].depth, 3),
                          number(volume_ratio(f.bodies[0], compare_models[m], far.x), 3),
                          is_solid(compare_models[m]) ? number(shape.least, 2) : "",
                          is_solid(compare_models[m]) ? std::to_string(shape.inverted) : ""});
    }
    return t;
}

Measurements measured_of(const CompareFindings& f) {
    Measurements m{{"sizes", f.sizes},
                   {"surface_nodes", f.bodies.back().surface.nodes.size()},
                   {"solid_nodes", f.bodies.back().solid.nodes.size()},
                   {"small_difference", f.small_difference},
                   {"paper_collapse", run_paper(heat::Mode::paper_attract, 0.01).collapse}};
    for (std::size_t k = 0; k < compare_models.size(); ++k) {
        Measurements& model = m[compare_names[k]];
        model["turned"] = f.turned[k].error;
        model["turned_volume"] = f.turned[k].volume;
        for (const CompareRow& row : f.rows) {
            model["depth"].push_back(row[k].depth);
            model["ms"].push_back(1e3 * row[k].step);
            model["small_ms"].push_back(1e3 * row[k].small_step);
            model["rests"].push_back(row[k].fine);
        }
        for (const CompareRow& row : f.larger) model["further"].push_back(row[k].depth);
    }
    return m;
}

void add_plots(const CompareFindings& f, const ExperimentOptions& options, Result& result) {
    Table depth{"", {"nodes"}, {}}, time = depth;
    for (const Model m : compare_models) depth.columns.emplace_back(model_name(m));
    for (std::string& name : depth.columns) std::replace(name.begin(), name.end(), ',', ';');
    time.columns = depth.columns;
    for (std::size_t s = 0; s < f.sizes.size(); ++s) {
        depth.rows.push_back({std::to_string(f.sizes[s])});
        time.rows.push_back({std::to_string(f.sizes[s])});
        for (std::size_t m = 0; m < compare_models.size(); ++m) {
            depth.rows.back().push_back(number(finer(f, m, s), 6));
            time.rows.back().push_back(fmt::format("{:.6g}", 1e3 * f.rows[s][m].step));
        }
    }
    constexpr std::array colours{"#b58900", "#e0c060", "#2a8f5a", "#1f5fae", "#8a4fae", "#c04000"};
    const auto draw = [&](const std::string& name, const Table& data, const std::string& about) {
        std::string commands = fmt::format(
            "set terminal pngcairo size 900,560 font 'sans,13' background 'white'\nset logscale xy\nset xrange "
            "[{}:{}]\nset grid\n"
            "set xlabel 'surface nodes'\nset key outside right Left reverse samplen 2\nset xtics ({})\n{}\nplot ",
            0.7 * f.sizes.front(), 1.4 * f.sizes.back(), fmt::join(f.sizes, ","), about);
        for (std::size_t m = 0; m < compare_models.size(); ++m)
            commands += fmt::format("{}'{}.csv' u 1:{} skip 1 w lp pt 7 lw {} lc rgb '{}' t '{}'", m == 0 ? "" : ", ",
                                    name, m + 2, m == heat_tissue ? 3 : 2, colours[m], model_name(compare_models[m]));
        add_plot(result, plot(options.folder, name, data, commands + "\n"));
    };
    draw("depth", depth,
         "unset logscale y\nset yrange [0:1.2]\nset title 'The same push on finer meshes'\nset ylabel 'depth over that "
         "of the coarsest'");
    draw("time", time, "set title '10 ms of motion'\nset ylabel 'CPU milliseconds'");
}

void add_dimples(const CompareFindings& f, const ExperimentOptions& options, Result& result) {
    const MeshView view = look_from({0.0, -1.0, 0.35}, {0, 0, 0.1}, 2.9);
    std::vector<render::Picture> lines;
    for (const std::size_t s : {std::size_t{0}, f.sizes.size() - 1}) {
        std::vector<render::Picture> line;
        for (const std::size_t m : {surface_springs, linear, tled, heat_tissue}) {
            const ComparePart& part = part_of(f.bodies[s], compare_models[m]);
            const std::vector<Vec3>& x = f.rows[s][m].x;
            MeshPicture picture(view);
            draw_triangles(
                part.nodes, x, part.triangles, [&](std::size_t n) { return distance(x[n], part.nodes[n]) / 0.2; },
                Cut::half, picture);
            line.push_back(picture.finish());
        }
        lines.push_back(side_by_side(line));
    }
    add_picture(options, "dimples", one_below_another(lines), result);
}

}  // namespace

Result run_zhong_compare(const ExperimentOptions& options) {
    const std::vector<int> sizes = options.quick ? std::vector<int>{400, 900} : std::vector<int>{400, 1600, 6400};
    const CompareFindings f = compare_models_of_tissue(sizes, options.progress);
    Result result;
    result.tables = {depth_table(f), time_table(f), large_table(f)};
    result.measured = measured_of(f);
    add_plots(f, options, result);
    add_dimples(f, options, result);
    result.notes = {
        "A superquadric of half size 1 m and 40 kg, held below z = -0.8, as a surface and filled with tetrahedra that "
        "have about as many nodes on it. Depth is the mean over the patch by its shares. Each model has one number, "
        "which scales all its stiffness and was set on the coarsest body to heat tissue's depth; heat tissue has its "
        "defaults.",
        "Springs: linear, one stiffness for all edges. A surface of them alone folds, so every node has one to its "
        "rest place too (19 and 0.87 N/m, the ratio of heat tissue's edges and anchors at 400 nodes), of one stiffness "
        "or by area. No volume is kept.",
        "Solids: Poisson's ratio 0.3, tetrahedra of constant strain, which lock beyond. TLED is neo-Hookean, explicit, "
        "single precision except when turned.",
        "10 ms of motion: explicit substeps of at most 0.9 of the stable one (springs, TLED); one solve by the factor, "
        "beyond 30,000 unknowns by gradients from nothing (linear; statics alone); one step (heat). A body of a tenth "
        "of the size with the same speed of sound (1.8 m/s along a bar here, as in tissue of 3 kPa) needs ten times "
        "the "
        "substeps.",
        "To rest: springs until 1e-4 of the load is left, TLED until 1e-3, its push growing for 4 s; heat until a "
        "second makes less than 1e-4 of a difference. Turned, heat tissue is held by its masses alone, so that its "
        "rest shape may turn.",
        "Picture: half of the body, springs on the surface, linear elements, TLED and heat; above on the coarsest, "
        "below on the finest mesh. Red moved by 0.2 m."};
    options.progress(1.0);
    return result;
}

}  // namespace plica::experiments
