#include "bench/detection/detector_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/statistics.hpp"

namespace plica::bench {
namespace {

constexpr int passes = 3;
constexpr double enough_for_a_pass = 5.0;  // s, of a pass that is not repeated

std::uint64_t hash_pairs(std::vector<PairIndices>& pairs) {
    std::sort(pairs.begin(), pairs.end());
    Hash hash;
    for (const PairIndices& pair : pairs) {
        hash.add(static_cast<std::uint64_t>(pair[0]) << 32U | static_cast<std::uint64_t>(pair[1]));
    }
    return hash.value();
}

DetectorRun pass_over(const std::string& name, TimedDetector& detector, const Trajectory& frames, int window) {
    DetectorRun run{name, {}, {}, {}, {}, 0};
    std::vector<PairIndices> pairs;
    const std::int64_t rebuilds = detector.rebuilds();
    for (std::size_t i = 0; i < frames.frames(); ++i) {
        if (i % static_cast<std::size_t>(window + 1) == 0) {
            detector.restart(frames.frame(i));
            continue;
        }
        const double began = thread_cpu_seconds();
        const std::int64_t tests = detector.detect(frames.frame(i));
        run.seconds.push_back(thread_cpu_seconds() - began);
        pairs.clear();
        detector.collect(pairs);
        run.tests.push_back(tests);
        run.pairs.push_back(static_cast<std::int64_t>(pairs.size()));
        run.hashes.push_back(hash_pairs(pairs));
    }
    run.rebuilds = detector.rebuilds() - rebuilds;
    return run;
}

}  // namespace

DetectorRun time_detector(const std::string& name, TimedDetector& detector, const Trajectory& frames, int window) {
    DetectorRun run = pass_over(name, detector, frames, window);
    // Memory is made and caches are warm from here on.
    for (int k = 1; k < passes && sum(run.seconds) < enough_for_a_pass; ++k) {
        merge_times(pass_over(name, detector, frames, window), run);
    }
    return run;
}

void merge_times(const DetectorRun& again, DetectorRun& run) {
    for (std::size_t i = 0; i < std::min(run.seconds.size(), again.seconds.size()); ++i) {
        run.seconds[i] = std::min(run.seconds[i], again.seconds[i]);
    }
}

nlohmann::ordered_json to_json(const DetectorRun& run) {
    return {{"name", run.name},   {"seconds", run.seconds}, {"tests", run.tests},
            {"pairs", run.pairs}, {"hashes", run.hashes},   {"rebuilds", run.rebuilds}};
}

DetectorRun to_detector_run(const nlohmann::ordered_json& json) {
    return {json.at("name").get<std::string>(),
            json.at("seconds").get<std::vector<double>>(),
            json.at("tests").get<std::vector<std::int64_t>>(),
            json.at("pairs").get<std::vector<std::int64_t>>(),
            json.at("hashes").get<std::vector<std::uint64_t>>(),
            json.at("rebuilds").get<std::int64_t>()};
}

std::string find_disagreement(const std::vector<DetectorRun>& runs) {
    for (const DetectorRun& run : runs) {
        const DetectorRun& first = runs.front();
        if (run.hashes.size() != first.hashes.size()) {
            return fmt::format("{} answered for {} frames where {} did for {}", run.name, run.hashes.size(), first.name,
                               first.hashes.size());
        }
        for (std::size_t i = 0; i < run.hashes.size(); ++i) {
            if (run.hashes[i] == first.hashes[i] && run.pairs[i] == first.pairs[i]) continue;
            return fmt::format("{} finds {} pairs in frame {} where {} finds {}, not the same ones", run.name,
                               run.pairs[i], i, first.name, first.pairs[i]);
        }
    }
    return "";
}

}  // namespace plica::bench
