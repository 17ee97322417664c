#include <fmt/format.h>

#include <algorithm>

#include "experiments/common/registry.hpp"
#include "experiments/raghupathi/trials.hpp"
#include "scene/description.hpp"

// Which substeps and sweeps the built-in scenes need: they run as anybody runs them, certified and refined when
// something is fast.
namespace plica::experiments {
namespace {

// What a default must meet. The pile's are its scenario test's. The intestine is held to the pile's depth and speed;
// its scenario test is laxer, and the cheapest under that one is told as well, because the choice decides the answer.
struct Limits {
    double worst, settled;  // radii
    double rest_speed;      // m/s
    double stretch, peak;   // of any body, at the end and ever
};
struct Setting {
    int substeps, sweeps;
};
struct Study {
    const char* scene;
    double seconds;
    std::vector<std::uint64_t> seeds;
    std::vector<int> substeps, sweeps;
    Limits limits, test_limits;
    Setting built_in{};

    // Of the i-th outcome.
    [[nodiscard]] Setting setting(std::size_t i) const {
        return {substeps[i / sweeps.size()], sweeps[i % sweeps.size()]};
    }
};

std::string count_sweeps(int sweeps) {
    return fmt::format("{} sweep{}", sweeps, sweeps == 1 ? "" : "s");
}

// The worst of the seeds; time is their mean.
Outcome merge(const std::vector<Outcome>& of_seeds) {
    Outcome all = of_seeds[0];
    for (std::size_t i = 1; i < of_seeds.size(); ++i) {
        const Outcome& o = of_seeds[i];
        all.lost = all.lost || o.lost;
        all.worst = std::max(all.worst, o.worst);
        all.settled = std::max(all.settled, o.settled);
        all.pass_throughs += o.pass_throughs;
        all.rest_speed = std::max(all.rest_speed, o.rest_speed);
        all.frame_ms += o.frame_ms;
        all.substeps += o.substeps;
        for (std::size_t b = 0; b < all.stretch.size(); ++b) {
            all.stretch[b].end = std::max(all.stretch[b].end, o.stretch[b].end);
            all.stretch[b].peak = std::max(all.stretch[b].peak, o.stretch[b].peak);
        }
    }
    all.frame_ms /= static_cast<double>(of_seeds.size());
    all.substeps /= static_cast<double>(of_seeds.size());
    return all;
}

bool meets(const Outcome& o, const Limits& limits) {
    const auto fits = [&](const BodyStretch& s) { return s.end <= limits.stretch && s.peak <= limits.peak; };
    return !o.lost && o.pass_throughs == 0 && o.worst <= limits.worst && o.settled <= limits.settled &&
           o.rest_speed <= limits.rest_speed && std::all_of(o.stretch.begin(), o.stretch.end(), fits);
}

std::string make_title(const Study& study) {
    return fmt::format("{}, {:g} s, worst of {} seed{}", study.scene, study.seconds, study.seeds.size(),
                       study.seeds.size() > 1 ? "s" : "");
}

Table default_table(const Study& study, const std::vector<Outcome>& outcomes) {
    Table table{make_title(study),
                {"substeps", "sweeps", "taken", "worst depth / r", "depth at rest / r", "stretch % end / peak",
                 "rest speed cm/s", "ms per frame", "meets the limits"},
                {}};
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const Outcome& o = outcomes[i];
        const BodyStretch& s = o.stretch.back();  // the mesentery, where there is one
        table.rows.push_back({fmt::format("{}", study.setting(i).substeps), fmt::format("{}", study.setting(i).sweeps),
                              cell(o, o.substeps, "{:.1f}"), cell(o, o.worst), cell(o, o.settled),
                              fmt::format("{} {:.1f} / {:.1f}", s.name, 100.0 * s.end, 100.0 * s.peak),
                              cell(o, 100.0 * o.rest_speed, "{:.2f}"), cell(o, o.frame_ms, "{:.2f}"),
                              meets(o, study.limits) ? "yes" : "no"});
    }
    return table;
}

// Columns: substeps, then the worst depth and then the time per frame, one column for each number of sweeps.
Table plot_defaults(const Study& study, const std::vector<Outcome>& outcomes) {
    Table table{"", {"substeps"}, {}};
    for (const char* what : {"depth", "ms"}) {
        for (const int sweeps : study.sweeps) table.columns.push_back(fmt::format("{} {}", what, count_sweeps(sweeps)));
    }
    for (std::size_t i = 0; i < study.substeps.size(); ++i) {
        std::vector<std::string> row{fmt::format("{}", study.substeps[i])};
        for (double Outcome::* value : {&Outcome::worst, &Outcome::frame_ms}) {
            for (std::size_t k = 0; k < study.sweeps.size(); ++k) {
                const Outcome& o = outcomes[i * study.sweeps.size() + k];
                row.push_back(o.lost ? "NaN" : fmt::format("{:.6g}", o.*value));
            }
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

// One curve for each number of sweeps, from this column on.
std::string plot_curves(const Study& study, const char* title, std::size_t first) {
    std::string text = fmt::format("set title '{}'\nplot ", title);
    for (std::size_t k = 0; k < study.sweeps.size(); ++k) {
        text +=
            fmt::format("{}'{}.csv' using 1:{} skip 1 with linespoints lw 2 lc {} pt {} title '{}'",
                        k > 0 ? ", \\\n " : "", study.scene, first + k, k + 1, k + 4, count_sweeps(study.sweeps[k]));
    }
    return text;
}

// Depth on the left, with its limit; time on the right. A dotted line stands at the scene's own substeps.
std::string default_commands(const Study& study) {
    std::string ticks;
    for (const int k : study.substeps) ticks += fmt::format("{}{}", ticks.empty() ? "" : ", ", k);
    return fmt::format(
               "set terminal pngcairo size 1200,560 font 'sans,13' background 'white'\n"
               "set multiplot layout 1,2 margins 0.06,0.85,0.14,0.84 spacing 0.07 title '{}' font ',15'\n"
               "set key at screen 0.995,0.84 right top Left reverse samplen 2\n"
               "set xlabel 'substeps per frame of 33 ms'\nset xtics ({})\nset xrange [{}:{}]\nset yrange [0:{:g}<*]\n"
               "set grid y\nset arrow from {},graph 0 to {},graph 1 nohead dt 3 lw 2 lc rgb '#555555'\n",
               make_title(study), ticks, study.substeps.front() - 1, study.substeps.back() + 1,
               1.1 * study.limits.worst, study.built_in.substeps, study.built_in.substeps) +
           plot_curves(study, "deepest penetration / radius", 2) +
           fmt::format(
               ", \\\n {:g} with lines dt 2 lw 2 lc rgb '#c04000' title 'limit', \\\n"
               " NaN with lines dt 3 lw 2 lc rgb '#555555' title 'built in'\nunset key\nset yrange [0:*]\n",
               study.limits.worst) +
           plot_curves(study, "CPU time per frame (ms)", 2 + study.sweeps.size()) + "\nunset multiplot\n";
}

std::string describe(const Limits& limits) {
    return fmt::format("depth {:g} r, {:g} r at rest, {:g} cm/s, stretch {:g} % (peak {:g} %)", limits.worst,
                       limits.settled, 100 * limits.rest_speed, 100 * limits.stretch, 100 * limits.peak);
}

std::string find_cheapest(const Study& study, const Limits& limits, const std::vector<Outcome>& outcomes) {
    std::size_t best = outcomes.size();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (!meets(outcomes[i], limits)) continue;
        if (best == outcomes.size() || outcomes[i].frame_ms < outcomes[best].frame_ms) best = i;
    }
    const std::string asked = fmt::format("{}, limits {}", study.scene, describe(limits));
    if (best == outcomes.size()) return asked + ": nothing here meets them.";
    const Setting setting = study.setting(best);
    return fmt::format("{}: the cheapest is {} substeps ({:.1f} taken) with {}, {:.2f} ms a frame.", asked,
                       setting.substeps, outcomes[best].substeps, count_sweeps(setting.sweeps),
                       outcomes[best].frame_ms);
}

// The scene as it is built in; nothing where its substeps and sweeps are not among the runs.
Measurements measure_default(const Study& study, const std::vector<Outcome>& outcomes) {
    const Setting wanted = study.built_in;
    Measurements m{{"substeps", wanted.substeps}, {"sweeps", wanted.sweeps}};
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const Setting setting = study.setting(i);
        if (setting.substeps == wanted.substeps && setting.sweeps == wanted.sweeps) m["outcome"] = outcomes[i];
    }
    return m;
}

Claim judge_default(const Study& study, const Measurements& m) {
    const std::string text = fmt::format("{} is sound with its default of {} substeps and {}.", study.scene,
                                         m.at("substeps").get<int>(), count_sweeps(m.at("sweeps")));
    if (!m.contains("outcome")) {
        return promise(text, describe(study.limits), "not among the runs", false,
                       "The table lacks its substeps and sweeps.");
    }
    const Outcome o = m.at("outcome");
    const BodyStretch& s = o.stretch.back();
    return with_plot(
        promise(text, "no pass-through, " + describe(study.limits),
                fmt::format("depth {} r, {} r at rest, {} cm/s, stretch {:.1f} % (peak {:.1f} %), {:.2f} ms a frame",
                            cell(o, o.worst), cell(o, o.settled), cell(o, 100 * o.rest_speed, "{:.2f}"), 100 * s.end,
                            100 * s.peak, o.frame_ms),
                meets(o, study.limits), "The table says what is."),
        std::string(study.scene) + ".png");
}

std::vector<Study> make_studies(bool quick) {
    const std::vector<int> substeps{8, 10, 12, 16, 20, 30};
    const std::vector<int> sweeps{1, 2, 3, 4};
    const Limits of_pile{0.12, 0.03, 0.01, 0.02, 0.05};
    Study pile{"intestine-pile", 6.0, {1, 2, 3}, substeps, sweeps, of_pile, of_pile};
    Study gut{
        "intestine", 5.0, {1, 2, 3}, substeps, sweeps, {0.12, 0.03, 0.01, 0.05, 0.10}, {0.5, 0.1, 0.02, 0.05, 0.5}};
    for (Study* study : {&pile, &gut}) {
        const SceneDescription scene = read_scene(find_scene(study->scene));
        study->built_in = {scene.substeps, scene.contact.sweeps};
        if (!quick) continue;
        study->seconds = 0.2;
        study->seeds = {1};
        study->substeps = {10, 20};
        study->sweeps = {2};
    }
    return {pile, gut};
}

}  // namespace

Result run_defaults(const ExperimentOptions& options) {
    const std::vector<Study> studies = make_studies(options.quick);
    std::vector<Trial> trials;
    for (const Study& study : studies) {
        for (const int substeps : study.substeps) {
            for (const int sweeps : study.sweeps) {
                for (const std::uint64_t seed : study.seeds) {
                    trials.push_back(
                        {study.scene,
                         {fmt::format("solver.substeps={}", substeps), fmt::format("contact.sweeps={}", sweeps)},
                         seed,
                         study.seconds});
                }
            }
        }
    }
    const std::vector<Outcome> outcomes = run_trials(trials, options.progress);
    Result result;
    auto next = outcomes.begin();
    for (const Study& study : studies) {
        std::vector<Outcome> merged;
        for (std::size_t i = 0; i < study.substeps.size() * study.sweeps.size(); ++i) {
            const auto end = next + static_cast<std::ptrdiff_t>(study.seeds.size());
            merged.push_back(merge({next, end}));
            next = end;
        }
        result.tables.push_back(default_table(study, merged));
        for (std::string& file :
             plot(options.folder, study.scene, plot_defaults(study, merged), default_commands(study))) {
            result.plots.push_back(std::move(file));
        }
        result.measured[study.scene] = measure_default(study, merged);
        result.notes.push_back(find_cheapest(study, study.limits, merged));
        if (study.test_limits.worst != study.limits.worst) {
            result.notes.push_back(find_cheapest(study, study.test_limits, merged));
        }
    }
    result.notes.emplace_back("Times are CPU times of one core, with as many runs side by side as there are cores.");
    return result;
}

std::vector<Claim> judge_defaults(const Measurements& m) {
    std::vector<Claim> claims;
    for (const Study& study : make_studies(true)) claims.push_back(judge_default(study, m.at(study.scene)));
    return unless_quick(m, std::move(claims));
}

}  // namespace plica::experiments
