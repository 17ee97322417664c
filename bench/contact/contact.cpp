#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "bench/common/bench.hpp"
#include "bench/common/machine.hpp"
#include "bench/common/programs.hpp"
#include "bench/contact/accordion.hpp"
#include "bench/contact/contact_report.hpp"
#include "bench/contact/contact_scene.hpp"
#include "bench/contact/feature_detectors.hpp"
#include "core/statistics.hpp"
#include "scene/description.hpp"

namespace plica::bench {
namespace {

constexpr double enough = 15.0;  // s, of a method that does not get another turn

// Scenes that this build does not have are left out by name.
std::vector<ContactScene> choose_scenes(const Options& options, Json& absent) {
    std::vector<ContactScene> wanted;
    for (const char* name : {"liver-diaphragm", "liver-bars"}) {
        const bool known = std::any_of(builtin_scenes().begin(), builtin_scenes().end(),
                                       [&](const BuiltinScene& b) { return b.name == name; });
        if (!known) {
            absent.push_back(name);
        } else if (options.quick) {
            wanted.push_back({name, name, {}, 0.3, 1, 20});
        } else {
            wanted.push_back({name, name, {}});
        }
    }
    const Accordion shape = options.quick ? Accordion{}.coarser(5) : Accordion{};
    ContactScene accordion{"accordion", write_accordion(shape, options.folder + "/accordion"), {}};
    accordion.windows = options.quick ? 2 : 3;
    accordion.moves = options.quick ? 20 : 40;
    wanted.push_back(accordion);
    if (options.seconds > 0.0) {
        for (ContactScene& scene : wanted) scene.seconds = options.seconds;
    }
    return wanted;
}

struct Method {
    std::string name;
    std::function<FeatureRun(std::size_t window)> run;
};

// Ours are built once a window; the peers' programs build theirs in each turn.
std::vector<Method> find_methods(const ContactRecording& record, const std::string& folder, const Options& options,
                                 Json& missing, Json& versions) {
    std::vector<Method> methods;
    const auto add = [&](const std::string& name, const std::shared_ptr<TimedDetector>& detector) {
        methods.push_back({name, [=, &record](std::size_t k) {
                               return time_features(name, *detector, record.surface, record.windows[k]);
                           }});
    };
    if (is_wanted(options, "plica")) {
        add("plica", std::make_shared<TreeDetector>(record.surface, true));
        add("plica-no-cones", std::make_shared<TreeDetector>(record.surface, false));
    }
    add("sweep", make_sweep_detector(record.surface));
    for (const char* name : {"fcl", "cgal"}) {
        if (!is_wanted(options, name)) continue;
        const std::string program = find_peer(options.programs, name);
        if (program.empty()) {
            missing.push_back(name);
            continue;
        }
        const Json about = run_program(program, {"describe"});
        versions[name] = about.at("version");
        for (const Json& method : about.at("methods")) {
            const auto word = method.get<std::string>();
            methods.push_back({word, [=](std::size_t k) {
                                   return to_feature_run(
                                       run_program(program, {"features", folder, std::to_string(k), word}));
                               }});
        }
    }
    return methods;
}

// The methods take turns on each window, so that what else the machine does meets all of them; each substep keeps its
// least time.
std::vector<FeatureRun> time_all(const std::string& scene, std::size_t windows, const std::vector<Method>& methods,
                                 int rounds, const Hooks& hooks) {
    std::map<std::size_t, std::vector<FeatureRun>> runs;  // by method, per window
    const auto turns = static_cast<std::int64_t>(windows * methods.size()) * rounds;
    std::int64_t done = 0;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t k = 0; k < windows; ++k) {
            for (std::size_t m = 0; m < methods.size() && !hooks.is_interrupted(); ++m) {
                hooks.progress(scene + ": searches in turn", done++, turns);
                if (round == 0) {
                    runs[m].push_back(methods[m].run(k));
                } else if (sum(runs[m][k].seconds) < enough) {
                    merge_times(methods[m].run(k), runs[m][k]);
                }
            }
        }
    }
    std::vector<FeatureRun> all;
    for (const auto& [m, each] : runs) {
        FeatureRun run{methods[m].name, {}, {}};
        for (const FeatureRun& window : each) append_window(window, run);
        all.push_back(std::move(run));
    }
    return all;
}

Json measure_searches(const ContactScene& scene, const ContactRecording& record, const Options& options,
                      const Hooks& hooks, Json& versions) {
    const std::string folder = fmt::format("{}/contact-{}", options.folder, scene.name);
    write_case_file({scene.source, scene.overrides, record.surface.gap}, folder);
    for (std::size_t k = 0; k < record.windows.size(); ++k) {
        write_window(record.windows[k], fmt::format("{}/{}", folder, k));
    }
    Json missing = Json::array();
    const std::vector<Method> methods = find_methods(record, folder, options, missing, versions);
    const std::vector<FeatureRun> runs =
        time_all(scene.name, record.windows.size(), methods, options.quick ? 1 : 2, hooks);
    std::filesystem::remove_all(folder);  // hundreds of megabytes
    Json json = describe_searches(runs);
    json["gap"] = record.surface.gap;
    json["windows"] = record.windows.size();
    json["missing"] = missing;
    return json;
}

}  // namespace

Result run_contact(const Options& options, const Hooks& hooks) {
    Result result;
    Json absent = Json::array(), versions = Json::object(), scenes = Json::array();
    result.json = {{"benchmark", "contact"}, {"processor", processor_name()}, {"load_before", load_average()}};
    for (const ContactScene& scene : choose_scenes(options, absent)) {
        if (hooks.is_interrupted()) break;
        const ContactRecording record = record_contact(scene, [&](double share) {
            hooks.progress(scene.name + ": frames", static_cast<std::int64_t>(1000.0 * share), 1000);
            return !hooks.is_interrupted();
        });
        Json json = describe_stages(record);
        json["scene"] = scene.name;
        json["overrides"] = scene.overrides;
        json["searches"] = measure_searches(scene, record, options, hooks, versions);
        const std::string problem = find_problem(json);
        json["problem"] = problem.empty() ? Json(nullptr) : Json(problem);
        if (!problem.empty()) result.status = Status::failed;
        scenes.push_back(std::move(json));
    }
    result.json["load_after"] = load_average();
    result.json["versions"] = versions;
    result.json["absent"] = absent;
    result.json["scenes"] = scenes;
    result.json["targets"] = compare_with_contact_targets(result.json);
    result.text = contact_text(result.json);
    result.csv = contact_csv(result.json);
    result.gnuplot = contact_plot();
    return result;
}

}  // namespace plica::bench
