#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "apps/plica/commands.hpp"
#include "apps/plica/dump.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "core/atomic_file.hpp"
#include "core/clock.hpp"
#include "core/hash.hpp"
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

// Of this program, whatever it was built of, and what it was asked: results of another are not gone on with.
std::string find_key(const ReproduceOptions& options) {
    std::ifstream program("/proc/self/exe", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(program), std::istreambuf_iterator<char>()};
    Hash hash;
    hash.add_bytes(bytes.data(), bytes.size());
    return fmt::format("{:016x}{}", hash.value(), options.quick ? "-quick" : "");
}

std::filesystem::path folder_of(const Experiment& experiment, const ReproduceOptions& options) {
    return std::filesystem::path(options.folder) / experiment.name;
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    AtomicFile file(path.string());
    file.write(text);
    file.commit();
}

// What is in the folder, judged anew; nothing where it is incomplete or was made by another program.
std::optional<Report> find_kept(const Experiment& experiment, const ReproduceOptions& options, const std::string& key) {
    const std::filesystem::path folder = folder_of(experiment, options);
    std::ifstream file(folder / "result.json");
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object() || json.value("key", "") != key) return {};
    for (const auto& plot : json.at("files")) {
        if (!std::filesystem::exists(folder / plot.get<std::string>())) return {};
    }
    return from_json(experiment, json);
}

// Leaves DIR/NAME/result.json.
void run_one(const Experiment& experiment, const ReproduceOptions& options, const std::string& key,
             std::atomic<double>& share) {
    ExperimentOptions settings;
    settings.folder = folder_of(experiment, options).string();
    settings.quick = options.quick;
    settings.progress = [&](double done) { share = std::clamp(done, 0.0, 1.0); };
    const double began = wall_seconds();
    Report report{&experiment, experiment.measure(settings), {}, 0.0, key};
    report.result.measured["quick"] = options.quick;
    report.claims = experiment.judge(report.result.measured);
    report.seconds = wall_seconds() - began;
    write_text(folder_of(experiment, options) / "result.json", to_json(report).dump(2) + "\n");
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

// Each experiment in a process of its own, as many at a time as there are cores: what one leaves is kept, whatever
// becomes of the others.
class Workers {
public:
    Workers(const ReproduceOptions& options, std::string key) : m_options(options), m_key(std::move(key)) {
        void* shared = mmap(nullptr, most * sizeof(std::atomic<double>), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED) throw Error("plica: no memory for workers", Status::environment);
        m_shares = static_cast<std::atomic<double>*>(shared);
    }

    // Those that keep wall time one by one, then the others, the longest first.
    void run(std::vector<const Experiment*> waiting) {
        std::stable_sort(waiting.begin(), waiting.end(), [](const Experiment* a, const Experiment* b) {
            return a->alone != b->alone ? a->alone : a->seconds > b->seconds;
        });
        const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
        Progress bar("reproduce", bar_steps);
        for (std::size_t next = 0; next < waiting.size() || !m_running.empty();) {
            const bool alone = next > 0 && waiting[next - 1]->alone;
            const std::size_t room = alone ? 1 : cores;
            if (next < waiting.size() && m_running.size() < room && (m_running.empty() || !waiting[next]->alone)) {
                start(*waiting[next], next);
                ++next;
                continue;
            }
            collect();
            double done = 0.0;
            for (std::size_t i = 0; i < next; ++i) done += m_shares[i] / static_cast<double>(waiting.size());
            bar.update(static_cast<std::int64_t>(done * static_cast<double>(bar_steps)));
        }
        if (m_worst != 0) throw Error("plica: an experiment was not finished; what is done is kept", Status{m_worst});
    }

private:
    static constexpr std::size_t most = 256;

    void start(const Experiment& experiment, std::size_t place) {
        make_folder(folder_of(experiment, m_options).string());
        const pid_t parent = getpid(), child = fork();
        if (child < 0) throw Error("plica: no process for an experiment", Status::environment);
        if (child > 0) {
            m_running.push_back(child);
            return;
        }
        prctl(PR_SET_PDEATHSIG, SIGTERM);  // none is left behind
        if (getppid() != parent) _exit(1);
        int status = 0;
        try {
            run_one(experiment, m_options, m_key, m_shares[place]);
            m_shares[place] = 1.0;
        } catch (const Error& error) {
            fmt::print(stderr, "{}: {}\n", experiment.name, error.what());
            status = static_cast<int>(error.status());
        } catch (const std::exception& error) {
            fmt::print(stderr, "{}: {}\n", experiment.name, error.what());
            status = static_cast<int>(Status::environment);
        }
        std::fflush(nullptr);
        _exit(status);
    }

    void collect() {
        int status = 0;
        const pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended <= 0) {
            usleep(50'000);
            return;
        }
        std::erase(m_running, ended);
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(Status::invalid);
        m_worst = std::max(m_worst, code);
    }

    const ReproduceOptions& m_options;
    std::string m_key;
    std::atomic<double>* m_shares;
    std::vector<pid_t> m_running;
    int m_worst = 0;
};

std::vector<Report> make_reports(const std::vector<const Experiment*>& chosen, const ReproduceOptions& options) {
    const std::string key = find_key(options);
    std::vector<const Experiment*> missing;
    for (const Experiment* e : chosen) {
        if (options.fresh || !find_kept(*e, options, key)) missing.push_back(e);
    }
    const std::size_t kept = chosen.size() - missing.size();
    if (kept > 0) {
        fmt::print(stderr, "plica: {} of {} experiments were there already; --fresh runs them again\n", kept,
                   chosen.size());
    }
    Workers(options, key).run(missing);
    std::vector<Report> reports;
    for (const Experiment* e : chosen) {
        std::optional<Report> report = find_kept(*e, options, key);
        if (!report) throw Error(fmt::format("plica: {} left no result", e->name), Status::environment);
        reports.push_back(std::move(*report));
    }
    return reports;
}

std::vector<Claim> all_claims(const std::vector<Report>& reports) {
    std::vector<Claim> claims;
    for (const Report& report : reports) claims.insert(claims.end(), report.claims.begin(), report.claims.end());
    return claims;
}

Json tally_json(const Tally& t) {
    return {{"hold", t.hold}, {"do_not_hold", t.do_not_hold}, {"not_comparable", t.not_comparable}};
}

Json summarise(const std::vector<Report>& reports, const ReproduceOptions& options) {
    Json json{{"folder", options.folder}, {"quick", options.quick}};
    if (options.all) json["report"] = "index.html";
    json["gnuplot"] = !lacks_gnuplot(reports);
    const std::vector<Claim> claims = all_claims(reports);
    json["failed"] = tally(claims, true).do_not_hold;
    json["verdicts"] = {{"papers", tally_json(tally(claims, false))}, {"plica", tally_json(tally(claims, true))}};
    json["experiments"] = Json::array();
    for (const Report& report : reports) json["experiments"].push_back(to_json(report));
    return json;
}

}  // namespace

Status reproduce(const ReproduceOptions& options) {
    if (options.list) return list_experiments(options.json);
    const std::vector<const Experiment*> chosen = choose(options);
    make_folder(options.folder);
    const std::vector<Report> reports = make_reports(chosen, options);
    if (!options.json) {
        for (const Report& report : reports) fmt::print("{}\n", to_text(report));
    }
    if (options.all) write_text(std::filesystem::path(options.folder) / "index.html", to_html(reports, options.quick));
    if (options.json) {
        print_json(summarise(reports, options));
    } else {
        const std::vector<Claim> claims = all_claims(reports);
        fmt::print("papers'        {}\nPlica's        {}\n", tally_text(tally(claims, false)),
                   tally_text(tally(claims, true)));
        fmt::print("{} {}\n", options.all ? "report        " : "tables, plots ",
                   options.folder + (options.all ? "/index.html" : ""));
    }
    if (lacks_gnuplot(reports)) {
        fmt::print(stderr,
                   "plica: gnuplot is not installed: the plots were left as data and scripts; with it, "
                   "--fresh draws them\n");
    }
    const int failures = tally(all_claims(reports), true).do_not_hold;
    if (failures == 0) return Status::ok;
    fmt::print(stderr, "plica: {} of the claims about Plica {}\n", failures, failures == 1 ? "fails" : "fail");
    return Status::failed;
}

}  // namespace plica::app
