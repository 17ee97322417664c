#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numbers>

#include "experiments/common/numbers.hpp"
#include "experiments/common/pictures.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/johnsen/tree_picture.hpp"
#include "experiments/johnsen/tree_trials.hpp"

// How many volumes of the tree are read or written per step (Johnsen 2012, table 1), and whether the pairs that are
// found that way are all.
namespace plica::experiments {
namespace {

constexpr double most_candidates = 20.0;  // per corner, on average

struct TableScene {
    const char* name;
    const char* title;
    std::vector<std::string> overrides;  // to the size of the paper's
    std::vector<std::string> coarse;     // for quick runs
    double quick;                        // s
    double pressed;                      // s, when it is pressed together most
    double published_volumes, published_half, published_ours;
    double most_updates;  // per substep; below 1: of all volumes
    int width, height;    // pixels, of a picture of the volumes
    BodyView view;
};

const std::vector<TableScene>& table_scenes() {
    constexpr double pi = std::numbers::pi;
    static const std::vector<TableScene> list{
        {"ball-slab",
         "Ball and slab",
         {"ball.cell=0.0115"},
         {"ball.cell=0.03"},
         0.3,
         1.2,
         2999,
         723,
         188,
         60.0,
         420,
         220,
         {-0.6 * pi, 0.5, {{}, {0.18, -0.058, -0.05}}}},
        {"liver-diaphragm",
         "Liver and diaphragm",
         {"liver.cell=0.0127"},
         {"liver.cell=0.02", "diaphragm.cells=8", "diaphragm.center=[0, 0, 0.008]"},
         0.06,
         1.0,
         4799,
         2027.24,
         636.53,
         0.04,
         300,
         380,
         {-0.45 * pi, 0.35, {{}, {0.0, 0.0, 0.09}}}},
    };
    return list;
}

const TreeRow& find_row(const TreeTrial& trial, TreeBuilder builder, TreeUpdate update) {
    return *std::find_if(trial.rows.begin(), trial.rows.end(),
                         [&](const TreeRow& r) { return r.kind.builder == builder && r.kind.update == update; });
}

Table updates_table(const TableScene& scene, const TreeTrial& trial) {
    Table t{fmt::format("{}: {} triangles, {:.2f} s in {} substeps; per substep on average", scene.title,
                        trial.triangles, trial.seconds, trial.substeps),
            {"builder", "update", "volumes", "update nodes", "updated", "of all", "pairs visited", "CPU us"},
            {}};
    for (const TreeRow& r : trial.rows) {
        t.rows.push_back({name_of(r.kind.builder), name_of(r.kind.update), count(r.volumes), count(r.patches),
                          number(r.updates), percent(r.updates / r.volumes), count(r.visits), number(1e6 * r.seconds)});
    }
    const auto published = [&](const char* update, double updated) {
        t.rows.push_back({"published", update, count(scene.published_volumes), "", number(updated),
                          percent(updated / scene.published_volumes), "", ""});
    };
    published("eq. 5", scene.published_ours);
    published("half depth", scene.published_half);
    return t;
}

Table pairs_table(const TableScene& scene, const TreeTrial& trial) {
    Table t{
        fmt::format("{}: pairs listed, and those of {} near ones ({} substeps looked at by brute force) that are not",
                    scene.title, trial.near_pairs, trial.checks),
        {"builder", "update", "depth", "build ms", "candidates per vertex", "at most", "substeps that search", "missed",
         "of them possible contacts"},
        {}};
    for (const TreeRow& r : trial.rows) {
        t.rows.push_back({name_of(r.kind.builder), name_of(r.kind.update), count(r.depth),
                          number(1e3 * r.build_seconds), number(r.candidates, 2), number(r.most_candidates, 2),
                          percent(r.searched), count(r.missed), count(r.missed_contacts)});
    }
    return t;
}

// Per update, for the three builders.
Measurements trial_json(const TreeTrial& trial) {
    Measurements m{{"volumes", trial.rows[0].volumes}, {"near_pairs", trial.near_pairs}, {"lost", trial.lost}};
    for (const TreeUpdate update : all_updates) {
        for (const TreeBuilder builder : all_builders) {
            const TreeRow& row = find_row(trial, builder, update);
            Measurements& of = m[name_of(update)];
            of["updates"].push_back(row.updates);
            of["candidates"].push_back(row.candidates);
            of["missed"].push_back(row.missed);
            of["contacts"].push_back(row.missed_contacts);
        }
    }
    return m;
}

std::vector<double> of_builders(const Measurements& m, TreeUpdate update, const char* what) {
    return m.at(name_of(update)).at(what).get<std::vector<double>>();
}

Claim paper_claim(const TableScene& scene, const Measurements& m) {
    const std::vector<double> theirs = of_builders(m, TreeUpdate::johnsen, "updates"),
                              half = of_builders(m, TreeUpdate::half_depth, "updates");
    return judge(
        {fmt::format("{}: with update nodes placed by cones fewer volumes are updated per step than at half depth.",
                     scene.title),
         "Johnsen 2012, sec. 3.1, table 1",
         "Comparison in terms of number of updated BVs to Larsson and Akenine-M\u00f6ller.",
         fmt::format("{:g} against {:g} of {:g}", scene.published_ours, scene.published_half, scene.published_volumes)},
        fmt::format("{} against {} of {:.0f} (builders growth / eq. 2-4 / volume)", joined(theirs), joined(half),
                    m.at("volumes").get<double>()),
        "fewer with each of the three builders", std::equal(theirs.begin(), theirs.end(), half.begin(), std::less<>()),
        "Fewer, but not by the published factor: both come to two volumes an update node while eq. 5 asks for no "
        "refits.");
}

Claim safety_claim(const TableScene& scene, const Measurements& m) {
    const std::vector<double> missed = of_builders(m, TreeUpdate::johnsen, "missed");
    return judge(
        {fmt::format("{}: eq. 5 says when a subtree needs no update, and nothing is missed.", scene.title),
         "Johnsen 2012, sec. 2.2, eq. 5", "No update of the respective subtree is performed.", "implied"},
        fmt::format("{} of {:.0f} near pairs missed, {} of them possible contacts", joined(missed, 0),
                    m.at("near_pairs").get<double>(), joined(of_builders(m, TreeUpdate::johnsen, "contacts"), 0)),
        "of the pairs within their contact radii, found by brute force, none is missed",
        *std::max_element(missed.begin(), missed.end()) == 0.0,
        "It guards cones, not boxes: below an update node boxes stay where they were.");
}

std::vector<Claim> tree_claims(const TableScene& scene, const Measurements& m) {
    const double volumes = m.at("volumes");
    const std::string lost = m.at("lost");
    const std::vector<double> updates = of_builders(m, TreeUpdate::margins, "updates"),
                              candidates = of_builders(m, TreeUpdate::margins, "candidates"),
                              missed = of_builders(m, TreeUpdate::margins, "missed");
    const auto most = [](const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); };
    const std::string limit = scene.most_updates < 1.0 ? fmt::format("{:g} % of the", 100.0 * scene.most_updates)
                                                       : fmt::format("{:g}", scene.most_updates);
    return {
        promise(
            fmt::format("{}: with margins of a tenth of an edge at most {} volumes are read or written per substep.",
                        scene.title, limit),
            "", fmt::format("{} of {:.0f}", joined(updates), volumes),
            most(updates) <= (scene.most_updates < 1.0 ? scene.most_updates * volumes : scene.most_updates)),
        promise(fmt::format("{}: and at most {:g} candidates per vertex are listed on average.", scene.title,
                            most_candidates),
                "", joined(candidates, 2), most(candidates) <= most_candidates),
        promise(fmt::format("{}: and no pair within its contact radii is missed.", scene.title), "",
                fmt::format("{} missed of {:.0f} near pairs, each looked up in three trees{}", joined(missed, 0),
                            m.at("near_pairs").get<double>(), lost.empty() ? "" : "; the simulation was lost: " + lost),
                lost.empty() && most(missed) == 0.0)};
}

Table time_data(const TreeTrial& trial) {
    Table t{"", {"s"}, {}};
    for (const TreeUpdate update : all_updates) t.columns.emplace_back(name_of(update));
    const std::size_t frames = trial.rows[0].updates_at.size();
    for (std::size_t i = 1; i < frames; ++i) {  // the first frame refits all
        std::vector<std::string> cells{number(trial.dt * static_cast<double>(i + 1), 4)};
        for (const TreeUpdate update : all_updates) {
            cells.push_back(number(find_row(trial, TreeBuilder::growth, update).updates_at[i], 3));
        }
        t.rows.push_back(std::move(cells));
    }
    return t;
}

std::vector<std::string> plot_time(const std::string& folder, const TableScene& scene, const TreeTrial& trial) {
    return plot(folder, scene.name, time_data(trial),
                fmt::format("set terminal pngcairo size 900,520 font 'sans,13' background 'white'\n"
                            "set grid lc rgb '#dddddd'\nset logscale y\nset yrange [0.1:20000]\n"
                            "set title '{}: volumes read or written per substep (of {})'\n"
                            "set xlabel 'time (s)'\nset ylabel 'volumes'\nset key bottom right\n"
                            "f = '{}.csv'\n"
                            "plot f using 1:6 with lines lw 2 lc rgb '#808080' title 'all', "
                            "f using 1:5 with lines lw 2 lc rgb '#7570b3' title 'on demand', "
                            "f using 1:4 with lines lw 2 lc rgb '#e7298a' title 'half depth', "
                            "f using 1:3 with lines lw 2 lc rgb '#d95f02' title 'eq. 5', "
                            "f using 1:($2>0.1?$2:0.1) with lines lw 2 lc rgb '#1b9e77' title 'margins'\n",
                            scene.title, trial.rows[0].volumes, scene.name));
}

void add_tree_pictures(const ExperimentOptions& options, const TableScene& scene, const SceneSource& source,
                       const TreeTrial& trial, Result& result) {
    const Model model = build_scene(source, 1).model;
    const int smaller = options.quick ? 6 : 1;
    const int width = scene.width / smaller, height = scene.height / smaller;
    constexpr std::array levels{1, 3, 5};
    BodyView together = scene.view;
    together.apart.clear();
    add_picture(options, fmt::format("{}-bodies", scene.name),
                draw_bodies(model, {model.rest, trial.pressed}, together, 2 * width, 5 * width / 3), result);
    add_picture(options, fmt::format("{}-volumes", scene.name), draw_merging(model, levels, scene.view, width, height),
                result);
}

void add_notes(Result& result) {
    result.notes.emplace_back(
        "The simulator runs with its own contact; every tree looks at the way from each substep's start to its end. On "
        "demand and all, which remember nothing, do so at every fifth substep.");
    result.notes.emplace_back(
        "Eq. 5: update nodes by cones, their subtrees refitted when eq. 5 asks for it. Half depth: the same with "
        "update "
        "nodes at half depth, as the paper has its reference. On demand: half depth, and a subtree is refitted when "
        "the "
        "search looks into it (Larsson and Akenine-Moeller 2001).");
    result.notes.emplace_back(
        "Updated: every volume read or written. Missed pairs whose facets have normals in a common half-space are no "
        "first contacts of closed surfaces.");
    result.notes.emplace_back(
        "Pictures: the bodies at rest and pressed together; and by rows (growth, eq. 2-4, volume) the volumes of "
        "levels "
        "1, 3 and 5 and the volumes whose subtrees are refitted as one.");
}

}  // namespace

Result run_johnsen_table1(const ExperimentOptions& options) {
    Result result;
    double done = 0.0;
    for (const TableScene& scene : table_scenes()) {
        const SceneSource source = find_scene(scene.name, options.quick ? scene.coarse : scene.overrides);
        const double seconds = options.quick ? scene.quick : read_scene(source).seconds;
        const double share = done == 0.0 ? 0.15 : 0.85;
        const TreeTrial trial =
            run_trees(source, seconds, scene.pressed, [&](double part) { options.progress(done + share * part); });
        done += share;
        result.tables.push_back(updates_table(scene, trial));
        result.tables.push_back(pairs_table(scene, trial));
        result.measured[scene.name] = trial_json(trial);
        for (std::string& file : plot_time(options.folder, scene, trial)) result.plots.push_back(std::move(file));
        add_tree_pictures(options, scene, source, trial, result);
        result.notes.push_back(
            fmt::format("{}: nodes move by up to {:.3f} mm in a substep; the smallest margin is {:.2f} mm.",
                        scene.title, 1e3 * trial.largest_step, 1e3 * trial.margin));
    }
    add_notes(result);
    options.progress(1.0);
    return result;
}

std::vector<Claim> judge_johnsen_table1(const Measurements& measured) {
    std::vector<Claim> claims;
    for (const TableScene& scene : table_scenes()) {
        const Measurements& m = measured.at(scene.name);
        claims.push_back(paper_claim(scene, m));
        claims.push_back(safety_claim(scene, m));
        for (Claim& claim : tree_claims(scene, m)) claims.push_back(std::move(claim));
        for (std::size_t i = claims.size() - 5; i < claims.size(); ++i)
            claims[i].plot = std::string(scene.name) + ".png";
    }
    return claims;
}

}  // namespace plica::experiments
