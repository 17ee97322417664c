#include "detector_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/clock.hpp"
#include "core/hash.hpp"

namespace plica::bench {
namespace {

constexpr int repetitions = 2;
constexpr double enough = 1.0;  // s, spent on one frame

std::uint64_t hash_pairs(std::vector<PairIndices>& pairs) {
    std::sort(pairs.begin(), pairs.end());
    Hash hash;
    for (const PairIndices& pair : pairs) {
        hash.add(static_cast<std::uint64_t>(pair[0]) << 32U | static_cast<std::uint64_t>(pair[1]));
    }
    return hash.value();
}

}  // namespace

DetectorRun time_detector(const std::string& name, TimedDetector& detector, const Trajectory& frames) {
    DetectorRun run{name, {}, {}, {}, {}};
    std::vector<PairIndices> pairs;
    detector.detect(frames.frame(0));  // memory is made and caches are warm from here on
    for (std::size_t i = 0; i < frames.frames(); ++i) {
        double least = 0.0, spent = 0.0;
        std::int64_t tests = 0;
        for (int k = 0; k < repetitions && spent < enough; ++k) {
            const double began = thread_cpu_seconds();
            tests = detector.detect(frames.frame(i));
            const double took = thread_cpu_seconds() - began;
            least = k == 0 ? took : std::min(least, took);
            spent += took;
        }
        pairs.clear();
        detector.collect(pairs);
        run.seconds.push_back(least);
        run.tests.push_back(tests);
        run.pairs.push_back(static_cast<std::int64_t>(pairs.size()));
        run.hashes.push_back(hash_pairs(pairs));
    }
    return run;
}

void merge_times(const DetectorRun& again, DetectorRun& run) {
    for (std::size_t i = 0; i < std::min(run.seconds.size(), again.seconds.size()); ++i) {
        run.seconds[i] = std::min(run.seconds[i], again.seconds[i]);
    }
}

nlohmann::ordered_json to_json(const DetectorRun& run) {
    return {{"name", run.name},
            {"seconds", run.seconds},
            {"tests", run.tests},
            {"pairs", run.pairs},
            {"hashes", run.hashes}};
}

DetectorRun to_detector_run(const nlohmann::ordered_json& json) {
    return {json.at("name").get<std::string>(), json.at("seconds").get<std::vector<double>>(),
            json.at("tests").get<std::vector<std::int64_t>>(), json.at("pairs").get<std::vector<std::int64_t>>(),
            json.at("hashes").get<std::vector<std::uint64_t>>()};
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
