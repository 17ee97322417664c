#include "bench/contact/contact_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/statistics.hpp"

namespace plica::bench {
namespace {

double number(const Json& json) {
    return json.is_number() ? json.get<double>() : 0.0;
}

Json spread(const std::vector<double>& values, double unit) {
    return {{"mean", mean(values) / unit},
            {"p50", percentile(values, 0.5) / unit},
            {"p99", percentile(values, 0.99) / unit}};
}

template <class Get>
std::vector<double> pick(const std::vector<FrameCost>& frames, Get&& get) {
    std::vector<double> values;
    values.reserve(frames.size());
    for (const FrameCost& frame : frames) values.push_back(get(frame));
    return values;
}

// Contact over elements, of all these frames together.
Json ratio_of(const std::vector<FrameCost>& frames) {
    const double elements = sum(pick(frames, [](const FrameCost& f) { return f.elements(); }));
    if (!(elements > 0.0)) return nullptr;
    return sum(pick(frames, [](const FrameCost& f) { return f.contact(); })) / elements;
}

constexpr double ms = 1e-3;
constexpr const char* complete = "plica-no-cones";  // finds all that the others do

std::string stage_rows(const Json& scene) {
    std::string text = fmt::format("  {:<10} {:>10} {:>10} {:>10}\n", "ms a frame", "mean", "p50", "p99");
    for (const auto& [name, row] : scene["stages"].items()) {
        text += fmt::format("  {:<10} {:>10.2f} {:>10.2f} {:>10.2f}\n", name, number(row["mean"]), number(row["p50"]),
                            number(row["p99"]));
    }
    return text;
}

std::string search_rows(const Json& searches) {
    std::string text = fmt::format(
        "  near features, {} substeps in {} windows, {:.0f} pairs nearer than their contact radii and {:.4f} mm\n"
        "  {:<15} {:>9} {:>9} {:>9} {:>9} {:>7} {:>9} {:>7} {:>7} {:>11}\n",
        searches["substeps"].get<int>(), searches["windows"].get<int>(), number(searches["pairs_mean"]),
        1e3 * number(searches["gap"]), "us a substep", "mean", "p50", "p99", "tests", "missed", "(contact)", "extra",
        ": plica", ": no cones");
    const auto times = [](const Json& json) { return json.is_null() ? "-" : fmt::format("{:.2f}", number(json)); };
    for (const Json& row : searches["rows"]) {
        text += fmt::format("  {:<15} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f} {:>7} {:>9} {:>7} {:>7} {:>11}\n",
                            row["method"].get<std::string>(), number(row["us"]["mean"]), number(row["us"]["p50"]),
                            number(row["us"]["p99"]), number(row["tests_mean"]), row["missed"].get<int>(),
                            row["missed_contacts"].get<int>(), row["extra"].get<int>(), times(row["times_plica"]),
                            times(row["times_no_cones"]));
    }
    for (const Json& name : searches["missing"]) {
        text += fmt::format("  {:<15} not available: it was not built\n", name.get<std::string>());
    }
    return text;
}

std::string scene_text(const Json& scene) {
    std::string text = fmt::format("{}: {} triangles, {} cells, {} nodes; {:.2f} s, {} frames of {:.0f} substeps\n",
                                   scene["scene"].get<std::string>(), scene["triangles"].get<int>(),
                                   scene["cells"].get<int>(), scene["nodes"].get<int>(), number(scene["seconds"]),
                                   scene["frames"].get<int>(), number(scene["substeps_mean"]));
    text += fmt::format(
        "  {:.0f} contacts ({:.0f} at most, {} of a body with itself); {:.0f} of {} volumes updated a substep; {} "
        "intersections in {} looks; {} nodes held\n",
        number(scene["contacts_mean"]), number(scene["contacts_most"]), scene["own_most"].get<int>(),
        number(scene["volumes_updated_mean"]), scene["volumes"].get<int>(), scene["intersections"].get<int>(),
        scene["looks"].get<int>(), scene["nodes_held"].get<std::int64_t>());
    text += stage_rows(scene);
    text += fmt::format("  contact / elements: {:.2f}; {:.2f} in the {} frames that touch\n", number(scene["ratio"]),
                        number(scene["ratio_touching"]), scene["frames_touching"].get<int>());
    text += search_rows(scene["searches"]);
    if (!scene["problem"].is_null()) text += "  FAILED: " + scene["problem"].get<std::string>() + "\n";
    return text + "\n";
}

}  // namespace

Json describe_stages(const ContactRecording& record) {
    Json stages;
    for (std::size_t s = 0; s < stage_count; ++s) {
        stages[s == static_cast<std::size_t>(Stage::tissue) ? "elements" : stage_names[s]] =
            spread(pick(record.frames, [&](const FrameCost& f) { return f.stages[s]; }), ms);
    }
    stages["contact"] = spread(pick(record.frames, [](const FrameCost& f) { return f.contact(); }), ms);
    stages["step"] = spread(pick(record.frames, [](const FrameCost& f) { return f.step; }), ms);
    std::vector<FrameCost> touching;
    std::copy_if(record.frames.begin(), record.frames.end(), std::back_inserter(touching),
                 [](const FrameCost& f) { return f.contacts > 0.0; });
    const auto average = [&](auto&& get) { return mean(pick(record.frames, get)); };
    return {{"triangles", record.surface.surface.triangles.size()},
            {"cells", record.cells},
            {"nodes", record.nodes},
            {"seconds", record.seconds},
            {"frames", record.frames.size()},
            {"frames_touching", touching.size()},
            {"substeps_mean", average([](const FrameCost& f) { return static_cast<double>(f.substeps); })},
            {"stages", stages},
            {"ratio", ratio_of(record.frames)},
            {"ratio_touching", ratio_of(touching)},
            {"contacts_mean", average([](const FrameCost& f) { return f.contacts; })},
            {"contacts_most", record.most_contacts},
            {"own_most", record.most_own},
            {"candidates_mean", average([](const FrameCost& f) { return f.candidates; })},
            {"volumes", record.volumes},
            {"volumes_updated_mean", average([](const FrameCost& f) { return f.volumes; })},
            {"intersections", record.intersections},
            {"looks", record.looks},
            {"nodes_held", record.held},
            {"lost", record.lost.empty() ? Json(nullptr) : Json(record.lost)}};
}

Json describe_searches(const std::vector<FeatureRun>& runs) {
    const auto times = [&](const FeatureRun& run, const char* name) {
        const auto ours = std::find_if(runs.begin(), runs.end(), [&](const FeatureRun& r) { return r.name == name; });
        const double reference = ours == runs.end() ? 0.0 : mean(ours->seconds);
        return reference > 0.0 ? Json(mean(run.seconds) / reference) : Json(nullptr);
    };
    Json rows = Json::array();
    std::int64_t most = 0;
    std::size_t substeps = 0;
    for (const FeatureRun& run : runs) {
        std::vector<double> tests(run.tests.begin(), run.tests.end());
        rows.push_back({{"method", run.name},
                        {"us", spread(run.seconds, 1e-6)},
                        {"tests_mean", mean(tests)},
                        {"found", run.found},
                        {"missed", run.missed},
                        {"missed_contacts", run.missed_contacts},
                        {"extra", run.extra},
                        {"times_plica", times(run, "plica")},
                        {"times_no_cones", times(run, complete)}});
        most = std::max(most, run.found - run.extra + run.missed);
        substeps = std::max(substeps, run.seconds.size());
    }
    const double pairs = static_cast<double>(most) / static_cast<double>(std::max<std::size_t>(1, substeps));
    return {{"substeps", substeps}, {"pairs_mean", pairs}, {"rows", rows}};
}

std::string find_problem(const Json& scene) {
    if (!scene["lost"].is_null()) return "the simulation was lost: " + scene["lost"].get<std::string>();
    if (scene["intersections"].get<int>() > 0) return "surfaces intersect";
    for (const Json& row : scene["searches"]["rows"]) {
        const auto name = row["method"].get<std::string>();
        // Cones leave out what cannot be a first contact.
        const int missed = row[name == "plica" ? "missed_contacts" : "missed"].get<int>();
        const int extra = row["extra"].get<int>();
        if (missed == 0 && extra == 0) continue;
        return fmt::format("{} missed {} pairs and found {} that are not near", name, missed, extra);
    }
    return "";
}

Json compare_with_contact_targets(const Json& result) {
    Json targets = Json::array();
    const auto add = [&](const std::string& what, double wanted, const Json& found, bool at_most) {
        if (!found.is_number()) return;
        const double value = found.get<double>();
        targets.push_back({{"what", what},
                           {at_most ? "at_most" : "at_least", wanted},
                           {"found", value},
                           {"holds", at_most ? value <= wanted : value >= wanted}});
    };
    for (const Json& scene : result["scenes"]) {
        const auto name = scene["scene"].get<std::string>();
        add(name + ": contact / elements", 1.0, scene["ratio"], true);
        add(name + ": the same in frames that touch", 1.0, scene["ratio_touching"], true);
        for (const Json& row : scene["searches"]["rows"]) {
            const auto method = row["method"].get<std::string>();
            if (method.starts_with("plica")) continue;
            add(fmt::format("{}: search, time of {} / {}", name, method, complete), 1.0, row["times_no_cones"], false);
        }
    }
    return targets;
}

std::string contact_text(const Json& result) {
    std::string text = fmt::format("solids that touch, one thread, CPU time\n{}; load {:.2f} before, {:.2f} after\n\n",
                                   result["processor"].get<std::string>(), number(result["load_before"]),
                                   number(result["load_after"]));
    for (const Json& scene : result["scenes"]) text += scene_text(scene);
    for (const Json& name : result["absent"]) {
        text += fmt::format("{}: this build has no such scene\n", name.get<std::string>());
    }
    for (const Json& target : result["targets"]) {
        const bool at_most = target.contains("at_most");
        text += fmt::format("  {:<58} {:>8.2f}, aim {} {:g}: {}\n", target["what"].get<std::string>(),
                            number(target["found"]), at_most ? "at most" : "at least",
                            number(target[at_most ? "at_most" : "at_least"]),
                            target["holds"].get<bool>() ? "met" : "missed");
    }
    return text;
}

// Stages in milliseconds a frame, searches in microseconds a substep.
std::string contact_csv(const Json& result) {
    std::string text = "scene,kind,name,mean,p50,p99,missed,missed_contacts,extra\n";
    for (const Json& scene : result["scenes"]) {
        const auto name = scene["scene"].get<std::string>();
        for (const auto& [stage, row] : scene["stages"].items()) {
            text += fmt::format("{},stage,{},{:.6g},{:.6g},{:.6g},,,\n", name, stage, number(row["mean"]),
                                number(row["p50"]), number(row["p99"]));
        }
        for (const Json& row : scene["searches"]["rows"]) {
            text += fmt::format("{},search,{},{:.6g},{:.6g},{:.6g},{},{},{}\n", name, row["method"].get<std::string>(),
                                number(row["us"]["mean"]), number(row["us"]["p50"]), number(row["us"]["p99"]),
                                row["missed"].get<int>(), row["missed_contacts"].get<int>(), row["extra"].get<int>());
        }
    }
    return text;
}

// One column of bars a scene, on the left what a frame is made of, on the right the searches.
std::string contact_plot() {
    return "set datafile separator ','\nset datafile missing NaN\n"
           "set terminal pngcairo size 1400,620\nset multiplot layout 1,2\n"
           "scenes = system(\"awk -F, 'NR > 1 && !seen[$1]++ {print $1}' \".csv)\n"
           "of(kind, name) = sprintf(\"< awk -F, '$2 == \\\"%s\\\" && $3 == \\\"%s\\\"' %s\", kind, name, csv)\n"
           "n = words(scenes)\nset style fill solid 0.85\nset grid ytics lc 'grey'\nset logscale y\n"
           "set xrange [-0.6:n - 0.4]\nset key outside below horizontal\n"
           "set xtics ()\ndo for [i = 1:n] { set xtics add (word(scenes, i) i - 1) }\n"
           "set title 'A frame: mean (bar), 99th percentile (cross)'\nset ylabel 'ms a frame'\n"
           "names = 'elements detect respond certify contact step'\nm = words(names)\n"
           "plot for [k = 1:m] of('stage', word(names, k)) using ($0 + 0.8 * (k - 0.5 - m / 2.0) / m):4:(0.8 / m) "
           "with boxes lc k title word(names, k), for [k = 1:m] of('stage', word(names, k)) using "
           "($0 + 0.8 * (k - 0.5 - m / 2.0) / m):6 with points pt 2 ps 0.7 lc 'black' notitle\n"
           "set title 'All near features of the same substeps: mean, 99th percentile (cross)'\n"
           "set ylabel 'microseconds a substep'\n"
           "names = system(\"awk -F, '$2 == \\\"search\\\" && !seen[$3]++ {print $3}' \".csv)\nm = words(names)\n"
           "plot for [k = 1:m] of('search', word(names, k)) using ($0 + 0.8 * (k - 0.5 - m / 2.0) / m):4:(0.8 / m) "
           "with boxes lc k title word(names, k), for [k = 1:m] of('search', word(names, k)) using "
           "($0 + 0.8 * (k - 0.5 - m / 2.0) / m):6 with points pt 2 ps 0.7 lc 'black' notitle\n"
           "unset multiplot\n";
}

}  // namespace plica::bench
