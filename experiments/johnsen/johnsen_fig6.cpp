#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "experiments/common/album.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/johnsen/fold.hpp"
#include "experiments/johnsen/force_curve.hpp"

// Full simulations with contact (Johnsen 2012, figures 4 and 6): what they look like, and whether anything intersects.
namespace plica::experiments {
namespace {

struct FullScene {
    const char* name;
    const char* what;
    const char* published;
    std::vector<double> moments;  // s, of the pictures
    double pressed;               // s: without contact bodies are through each other by then
    double printed;               // s: so long by the paper's response, too; 0: not
    Side side;
};

// In a quick run only the first one, as far as this.
constexpr double quick_seconds = 0.4;
constexpr double forceps_closed = 1.0;  // s

const std::vector<FullScene>& full_scenes() {
    static const std::vector<FullScene> list{
        {"liver-diaphragm",
         "The diaphragm comes down on a liver and goes up again",
         "Johnsen 2012, sec. 3.1, fig. 4 (b)",
         {0.0, 0.5, 1.0, 2.0},
         1.0,
         1.0,
         {}},
        {"forceps-liver",
         "Forceps close on the lobe of a liver among ribs",
         "Johnsen 2012, sec. 3.3, fig. 6 (a)",
         {0.0, 0.5, forceps_closed, 1.2},
         forceps_closed,
         0.0,
         {-0.45, 0.6, 0.75}},
        {"forceps-liver-soft",
         "Forceps of stiff tissue close on the lobe of a liver among ribs",
         "Johnsen 2012, sec. 3.3, fig. 6 (a)",
         {0.0, forceps_closed, 1.2},
         forceps_closed,
         0.0,
         {-0.45, 0.6, 0.75}},
        {"liver-bars",
         "A liver sags between two bars, which close until it touches itself",
         "Johnsen 2012, sec. 3.3, fig. 6 (b), (c)",
         {0.0, 0.1, 0.3, 1.0, 3.0},
         0.06,
         1.0,
         {-1.3, 0.45, 0.8}},
    };
    return list;
}

// Those that this build has.
std::vector<FullScene> choose_scenes(bool quick) {
    std::vector<FullScene> chosen;
    for (const FullScene& scene : full_scenes()) {
        const bool known = std::any_of(builtin_scenes().begin(), builtin_scenes().end(),
                                       [&](const BuiltinScene& b) { return b.name == scene.name; });
        if (known) chosen.push_back(scene);
    }
    if (!quick) return chosen;
    chosen.resize(1);
    chosen[0].moments = {0.0, quick_seconds};
    chosen[0].pressed = quick_seconds;
    return chosen;
}

struct Runs {
    StageFindings with, without;  // contact
    StageFindings printed;        // by the paper's response, nothing certified
    ForceCurve curve{forceps_closed};
    Fold fold;
    bool has_tools = false, folds = false;
};

Runs run(const FullScene& scene, Album& album) {
    Runs runs;
    Stage stage(find_scene(scene.name));
    runs.folds = std::string_view(scene.name) == "liver-bars";
    runs.has_tools = !runs.folds && !stage.world().model().tools.empty();
    for (const double moment : scene.moments) {
        stage.run_to(moment, [&](const World& world) {
            if (runs.has_tools) runs.curve.add(world);
            if (runs.folds) runs.fold.add(world);
        });
        if (stage.found().lost) break;
        album.take(stage, fmt::format("{}-{:.2f}s", scene.name, moment), scene.side);
    }
    runs.with = stage.found();
    Stage control(find_scene(scene.name, {"contact.enabled=false"}));
    control.run_to(scene.pressed);
    Stage printed(find_scene(scene.name, {"solver.response=johnsen", "solver.certify=false"}));
    if (scene.printed > 0.0) printed.run_to(std::min(scene.printed, scene.moments.back()));
    runs.printed = printed.found();
    album.take(control, fmt::format("{}-no-contact", scene.name), scene.side);
    runs.without = control.found();
    return runs;
}

Table shots_table(const Album& album) {
    Table t{
        "Up to each picture: pairs of triangles that intersect (the most at one look of the exact audit), and nodes "
        "that the fail-safe held",
        {"picture", "time s", "intersections", "looks", "nodes held", "pairs in contact", "speed cm/s"},
        {}};
    for (const Shot& shot : album.shots()) {
        const StageFindings& f = shot.found;
        t.rows.push_back({shot.name, number(shot.time, 2), count(f.intersections), count(f.looks),
                          fmt::format("{}", f.held), number(f.contacts), number(100.0 * f.speed, 2)});
    }
    return t;
}

Table cost_table(const std::vector<FullScene>& scenes, const std::vector<Runs>& runs) {
    Table t{"What a frame costs: jaws of stiff tissue ask for short steps, rigid ones do not",
            {"scene", "frames", "substeps a frame", "ms a frame"},
            {}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const StageFindings& f = runs[i].with;
        const double frames = std::max(1, f.frames);
        t.rows.push_back({scenes[i].name, count(f.frames), number(static_cast<double>(f.substeps) / frames, 1),
                          number(1e3 * f.seconds / frames, 1)});
    }
    return t;
}

Measurements found_json(const StageFindings& f) {
    return {{"intersections", f.intersections},
            {"looks", f.looks},
            {"held", f.held},
            {"contacts", f.contacts},
            {"lost", f.lost},
            {"through", f.pass_throughs},
            {"stayed", f.stayed}};
}

std::string found_text(const Measurements& m) {
    return fmt::format(
        "{:.0f} intersecting pairs of triangles in {:.0f} looks; {:.0f} nodes held by the fail-safe, {} steps left "
        "where they were; up to {:.0f} pairs in contact{}",
        m.at("intersections").get<double>(), m.at("looks").get<double>(), m.at("held").get<double>(),
        m.at("stayed").get<int>(), m.at("contacts").get<double>(), m.at("lost").get<bool>() ? "; lost" : "");
}

bool nothing_intersects(const Measurements& m, bool quick) {
    return (quick || m.at("contacts") > 0.0) && !m.at("lost").get<bool>() && m.at("stayed") == 0 &&
           m.at("intersections") == 0;
}

constexpr const char* exact_audit =
    "at no look of the exact audit do two triangles of solids intersect, something touches, the run stays valid and no "
    "step is left where it was";

std::vector<Claim> scene_claims(const FullScene& scene, const Measurements& m, bool quick) {
    const bool folds = std::string_view(scene.name) == "liver-bars";
    const Said said{fmt::format("{}: nothing intersects.", scene.what), scene.published,
                    folds
                        ? "In Fig 6 (c) it can be seen that structures collapse (indicated with red arrows), but there "
                          "is no self-intersection."
                        : "until No more mesh intersections detected",
                    "by eye"};
    std::vector<Claim> claims;
    if (scene.printed > 0.0 && !quick) {
        Said by_theirs = said;
        by_theirs.text = fmt::format("{}: nothing intersects by eq. 9 and 13 with alg. 1.", scene.what);
        claims.push_back(judge(by_theirs, found_text(m.at("printed")), exact_audit,
                               nothing_intersects(m.at("printed"), false),
                               "The paper's response as printed, in our step and on our meshes, nothing certified."));
    }
    Claim ours = promise(said.text, exact_audit, found_text(m.at("with")), nothing_intersects(m.at("with"), quick));
    ours.said.where = said.where;
    claims.push_back(std::move(ours));
    const Measurements& control = m.at("without");
    claims.push_back(promise(fmt::format("{}: without contact the audit finds intersections.", scene.what), "some",
                             found_text(control), control.at("intersections") > 0));
    if (m.contains("curve")) {
        claims.push_back(
            with_plot(ForceCurve::judge_curve(scene.what, m.at("curve")), std::string(scene.name) + "-force.png"));
    }
    if (m.contains("fold")) claims.push_back(Fold::judge_fold(scene.what, m.at("fold")));
    return claims;
}

}  // namespace

Result run_johnsen_fig6(const ExperimentOptions& options) {
    Result result;
    Album album(options, result);
    const std::vector<FullScene> scenes = choose_scenes(options.quick);
    std::vector<Runs> all;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        all.push_back(run(scenes[i], album));
        const Runs& runs = all.back();
        Measurements& m = result.measured[scenes[i].name];
        m = {{"with", found_json(runs.with)},
             {"without", found_json(runs.without)},
             {"printed", found_json(runs.printed)}};
        if (runs.folds) m["fold"] = runs.fold.measured();
        if (runs.has_tools) {
            m["curve"] = runs.curve.measured();
            for (std::string& file : runs.curve.plot_to(options.folder, std::string(scenes[i].name) + "-force")) {
                result.plots.push_back(std::move(file));
            }
        }
        options.progress(static_cast<double>(i + 1) / static_cast<double>(scenes.size()));
    }
    result.tables = {shots_table(album)};
    if (all.size() > 1) result.tables.push_back(cost_table(scenes, all));
    result.notes.emplace_back(
        "The audit tests all pairs of triangles of closed bodies, of two or of one, exactly, at every 20th substep and "
        "at "
        "the end of each frame. Livers, diaphragm, ribs and instruments are synthetic: shapes made of formulas.");
    return result;
}

std::vector<Claim> judge_johnsen_fig6(const Measurements& measured) {
    std::vector<Claim> claims;
    for (const FullScene& scene : full_scenes()) {
        if (!measured.contains(scene.name)) continue;
        for (Claim& claim : scene_claims(scene, measured.at(scene.name), measured.value("quick", false))) {
            if (claim.plot.empty()) claim.plot = fmt::format("{}-{:.2f}s.png", scene.name, scene.moments.back());
            claims.push_back(std::move(claim));
        }
    }
    return claims;
}

}  // namespace plica::experiments
