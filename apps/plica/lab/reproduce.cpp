#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "apps/plica/commands.hpp"
#include "apps/plica/dump.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "core/atomic_file.hpp"
#include "core/clock.hpp"
#include "core/nearest.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/common/report.hpp"

namespace plica::app {

using namespace experiments;
namespace {

constexpr std::int64_t bar_steps = 1000;

std::vector<std::string> experiment_names() {
    std::vector<std::string> names;
    for (const Experiment& e : all_experiments()) names.emplace_back(e.name);
    return names;
}

const Experiment& find_experiment(const std::string& name) {
    for (const Experiment& e : all_experiments()) {
        if (name == e.name) return e;
    }
    const std::vector<std::string> names = experiment_names();
    const std::string nearest = find_nearest(name, names);
    throw Error(fmt::format("plica: unknown experiment \"{}\"; expected {}{}", name, join_choices(names),
                            nearest.empty() ? "" : "; did you mean " + nearest + "?"));
}

// In the order of the list, each once.
std::vector<const Experiment*> choose(const ReproduceOptions& options) {
    if (!options.all && options.names.empty()) {
        throw Error("plica: name an experiment, or --all; expected " + join_choices(experiment_names()));
    }
    std::vector<const Experiment*> wanted;
    for (const std::string& name : options.names) wanted.push_back(&find_experiment(name));
    std::vector<const Experiment*> chosen;
    for (const Experiment& e : all_experiments()) {
        if (options.all || std::find(wanted.begin(), wanted.end(), &e) != wanted.end()) chosen.push_back(&e);
    }
    return chosen;
}

Status list_experiments(bool json) {
    if (json) {
        Json list = Json::array();
        for (const Experiment& e : all_experiments()) list.push_back({{"name", e.name}, {"title", e.title}});
        print_json({{"experiments", list}});
        return Status::ok;
    }
    for (const Experiment& e : all_experiments()) fmt::print("{:<24} {}\n", e.name, e.title);
    return Status::ok;
}

Report run_one(const Experiment& experiment, const ReproduceOptions& options) {
    ExperimentOptions settings;
    settings.folder = (std::filesystem::path(options.folder) / experiment.name).string();
    settings.quick = options.quick;
    make_folder(settings.folder);
    Progress bar(experiment.name, bar_steps);
    settings.progress = [&](double share) {
        bar.update(static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(bar_steps)));
    };
    settings.progress(0.0);
    const double began = wall_seconds();
    Report report{&experiment, experiment.run(settings), 0.0};
    report.seconds = wall_seconds() - began;
    return report;
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    AtomicFile file(path.string());
    file.write(text);
    file.commit();
}

// A script was left but no picture made by it.
bool lacks_gnuplot(const std::vector<Report>& reports) {
    return std::any_of(reports.begin(), reports.end(), [](const Report& report) {
        const std::vector<std::string>& files = report.result.plots;
        return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
            const std::string image = std::filesystem::path(file).replace_extension(".png").string();
            return file.ends_with(".gp") && std::find(files.begin(), files.end(), image) == files.end();
        });
    });
}

int count_failures(const std::vector<Report>& reports) {
    int count = 0;
    for (const Report& report : reports) {
        for (const Claim& claim : report.result.claims) count += claim.own && !claim.holds ? 1 : 0;
    }
    return count;
}

Json summarise(const std::vector<Report>& reports, const ReproduceOptions& options) {
    Json json{{"folder", options.folder}, {"quick", options.quick}};
    if (options.all) json["report"] = "index.html";
    json["gnuplot"] = !lacks_gnuplot(reports);
    json["failed"] = count_failures(reports);
    json["experiments"] = Json::array();
    for (const Report& report : reports) json["experiments"].push_back(to_json(report));
    return json;
}

}  // namespace

Status reproduce(const ReproduceOptions& options) {
    if (options.list) return list_experiments(options.json);
    const std::vector<const Experiment*> chosen = choose(options);
    make_folder(options.folder);
    std::vector<Report> reports;
    for (const Experiment* experiment : chosen) {
        reports.push_back(run_one(*experiment, options));
        const Report& last = reports.back();
        write_text(std::filesystem::path(options.folder) / experiment->name / "result.json",
                   to_json(last).dump(2) + "\n");
        if (!options.json) fmt::print("{}\n", to_text(last));
    }
    if (options.all) write_text(std::filesystem::path(options.folder) / "index.html", to_html(reports, options.quick));
    if (options.json) {
        print_json(summarise(reports, options));
    } else {
        fmt::print("{} {}\n", options.all ? "report        " : "tables, plots ",
                   options.folder + (options.all ? "/index.html" : ""));
    }
    if (lacks_gnuplot(reports)) {
        fmt::print(stderr, "plica: gnuplot is not installed: the plots were left as data and scripts\n");
    }
    const int failures = count_failures(reports);
    if (failures == 0) return Status::ok;
    fmt::print(stderr, "plica: {} of the claims about Plica {}\n", failures, failures == 1 ? "fails" : "fail");
    return Status::failed;
}

}  // namespace plica::app
