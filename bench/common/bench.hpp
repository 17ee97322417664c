#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"

// Benchmarks: each measures Plica and its references side by side in one run.
namespace plica::bench {

using Json = nlohmann::ordered_json;

struct Options {
    std::vector<int> sizes;          // segments, cells or gestures; empty: the benchmark's own
    std::vector<std::string> peers;  // programs that take part; empty: all
    std::vector<int> threads;        // of hand; empty: what the machine has
    std::vector<std::string> only;   // cases of abuse; empty: all
    int settings = 0;                // tried of each program in self-collision, at most; 0: all
    double seconds = 0.0;            // simulated; 0: the benchmark's own
    bool quick = false;
    std::string folder;    // for files that are kept; exists
    std::string programs;  // where the peers' programs are
};

struct Hooks {
    std::function<void(const std::string& what, std::int64_t done, std::int64_t total)> progress;
    std::function<bool()> is_interrupted;
};

struct Result {
    Json json;
    std::string text;     // for people
    std::string csv;      // one line a row of the table
    std::string gnuplot;  // commands that draw the csv, without terminal and output
    Status status = Status::ok;
};

struct Benchmark {
    std::string name, title;
    std::vector<std::string> peers;  // that can take part
    std::function<Result(const Options&, const Hooks&)> run;
    int largest_size = 10'000;
};

const std::vector<Benchmark>& benchmarks();
Result run_self_collision(const Options& options, const Hooks& hooks);
Result run_detection(const Options& options, const Hooks& hooks);
Result run_render(const Options& options, const Hooks& hooks);
Result run_tled(const Options& options, const Hooks& hooks);
Result run_contact(const Options& options, const Hooks& hooks);
Result run_heat(const Options& options, const Hooks& hooks);
Result run_hand(const Options& options, const Hooks& hooks);
Result run_abuse(const Options& options, const Hooks& hooks);

// Does this program take part?
bool is_wanted(const Options& options, const std::string& program);

}  // namespace plica::bench
