#include "bench/common/bench.hpp"  // of bench/

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "apps/plica/commands.hpp"
#include "apps/plica/dump.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "core/atomic_file.hpp"
#include "core/nearest.hpp"

namespace plica::app {
namespace {

namespace fs = std::filesystem;

std::string complain(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
    const std::string nearest = find_nearest(word, known);
    return fmt::format("plica bench: unknown {} \"{}\"; expected {}{}", what, word, join_choices(known),
                       nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

std::vector<const bench::Benchmark*> choose(const BenchOptions& options) {
    std::vector<std::string> names, peers;
    for (const bench::Benchmark& b : bench::benchmarks()) {
        names.push_back(b.name);
        for (const std::string& peer : b.peers) {
            if (std::find(peers.begin(), peers.end(), peer) == peers.end()) peers.push_back(peer);
        }
    }
    for (const std::string& peer : options.peers) {
        if (std::find(peers.begin(), peers.end(), peer) == peers.end()) throw Error(complain("program", peer, peers));
    }
    std::vector<const bench::Benchmark*> chosen;
    for (const bench::Benchmark& b : bench::benchmarks()) {
        if (options.names.empty()) chosen.push_back(&b);
    }
    for (const std::string& name : options.names) {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end()) throw Error(complain("benchmark", name, names));
        chosen.push_back(&bench::benchmarks()[static_cast<std::size_t>(at - names.begin())]);
    }
    for (const bench::Benchmark* b : chosen) {
        for (const int size : options.sizes) {
            if (size <= b->largest_size) continue;
            throw Error(
                fmt::format("plica bench: size {} for {}, expected at most {}", size, b->name, b->largest_size));
        }
    }
    return chosen;
}

Status list(bool json) {
    Json all = Json::array();
    for (const bench::Benchmark& b : bench::benchmarks()) {
        all.push_back({{"name", b.name}, {"title", b.title}, {"programs", b.peers}});
        if (!json) fmt::print("{:<16} {}\n", b.name, b.title);
    }
    if (json) print_json({{"benchmarks", all}});
    return Status::ok;
}

// The folder to work in: the user's, or one that goes away.
class WorkFolder {
public:
    explicit WorkFolder(const std::string& wanted) : m_path(wanted), m_temporary(wanted.empty()) {
        if (!m_temporary) {
            make_folder(wanted);
            return;
        }
        m_path = (fs::temp_directory_path() / "plica_bench_XXXXXX").string();
        if (mkdtemp(m_path.data()) == nullptr) throw Error(m_path + ": cannot create this folder", Status::environment);
    }
    ~WorkFolder() {
        std::error_code ignored;
        if (m_temporary) fs::remove_all(m_path, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    WorkFolder(WorkFolder&&) = delete;
    WorkFolder& operator=(WorkFolder&&) = delete;

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    std::string m_path;
    bool m_temporary;
};

void write_file(const std::string& path, const std::string& text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

// A picture is a convenience: without gnuplot there is none.
void draw(const std::string& folder, const std::string& name, const std::string& commands) {
    std::signal(SIGPIPE, SIG_IGN);  // where it is missing, its pipe is closed before all is written
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> gnuplot(popen("gnuplot 2>/dev/null", "w"), pclose);
    if (gnuplot == nullptr) return;
    const std::string text = fmt::format(
        "set terminal pngcairo size 900,600\nset output '{0}/{1}.png'\n"
        "csv = '{0}/{1}.csv'\n{2}",
        folder, name, commands);
    std::fwrite(text.data(), 1, text.size(), gnuplot.get());
}

void keep(const std::string& folder, const std::string& name, const bench::Result& result) {
    write_file(folder + "/" + name + ".json", result.json.dump(1) + "\n");
    write_file(folder + "/" + name + ".csv", result.csv);
    draw(folder, name, result.gnuplot);
}

bench::Hooks make_hooks(std::unique_ptr<Progress>& bar, std::string& shown) {
    return {[&bar, &shown](const std::string& what, std::int64_t done, std::int64_t total) {
                if (what != shown) bar.reset();  // a new bar for each thing that is done
                if (bar == nullptr) bar = std::make_unique<Progress>(what, total);
                shown = what;
                bar->update(done);
            },
            is_interrupted};
}

}  // namespace

Status bench(const BenchOptions& options) {
    if (options.list) return list(options.json);
    const std::vector<const bench::Benchmark*> chosen = choose(options);
    const WorkFolder folder(options.folder);
    bench::Options all;
    all.sizes = options.sizes;
    all.peers = options.peers;
    all.threads = options.threads;
    all.settings = options.settings;
    all.only = options.only;
    all.seconds = options.seconds;
    all.quick = options.quick;
    all.folder = folder.path();
    all.programs = fs::read_symlink("/proc/self/exe").parent_path().string();
    watch_for_interrupt();
    Json results = Json::array();
    Status status = Status::ok;
    for (const bench::Benchmark* benchmark : chosen) {
        std::unique_ptr<Progress> bar;
        std::string shown;
        const bench::Result result = benchmark->run(all, make_hooks(bar, shown));
        bar.reset();
        if (!options.json) std::fputs(result.text.c_str(), stdout);
        if (!options.folder.empty()) keep(folder.path(), benchmark->name, result);
        if (result.status != Status::ok) status = result.status;
        results.push_back(result.json);
        if (is_interrupted()) break;
    }
    if (options.json) {
        print_json({{"quick", options.quick}, {"interrupted", is_interrupted()}, {"results", results}});
    }
    if (is_interrupted()) fmt::print(stderr, "plica bench: interrupted; not all settings were tried\n");
    if (status != Status::ok) fmt::print(stderr, "plica bench: a check failed\n");
    return status;
}

}  // namespace plica::app
