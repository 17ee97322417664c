#include "bench/contact/feature_run.hpp"

#include <algorithm>
#include <iterator>

#include "collision/tree/first_contacts.hpp"
#include "core/clock.hpp"
#include "core/statistics.hpp"

namespace plica::bench {
namespace {

constexpr int passes = 2;
constexpr double enough_for_a_pass = 3.0;  // s, of a pass that is not repeated

std::vector<PairIndices> find_missing(const std::vector<PairIndices>& all, const std::vector<PairIndices>& from) {
    std::vector<PairIndices> missing;
    std::set_difference(all.begin(), all.end(), from.begin(), from.end(), std::back_inserter(missing));
    return missing;
}

FeatureRun pass_over(const std::string& name, TimedDetector& detector, const FirstContacts& contacts,
                     const FeatureWindow& window) {
    FeatureRun run{name, {}, {}};
    std::vector<PairIndices> pairs;
    detector.restart(window.frames.frame(0));
    for (std::size_t i = 0; i < window.near.size(); ++i) {
        const double began = thread_cpu_seconds();
        run.tests.push_back(detector.detect(window.frames.frame(i + 1)));
        run.seconds.push_back(thread_cpu_seconds() - began);
        pairs.clear();
        detector.collect(pairs);
        std::sort(pairs.begin(), pairs.end());
        run.found += static_cast<std::int64_t>(pairs.size());
        run.extra += static_cast<std::int64_t>(find_missing(pairs, window.near[i]).size());
        for (const PairIndices& pair : find_missing(window.near[i], pairs)) {
            ++run.missed;
            run.missed_contacts += contacts.contain(pair, window.frames.frame(i + 1)) ? 1 : 0;
        }
    }
    return run;
}

}  // namespace

FeatureRun time_features(const std::string& name, TimedDetector& detector, const SurfaceCase& asked,
                         const FeatureWindow& window) {
    const FirstContacts contacts(asked.surface, asked.rest.size());
    FeatureRun run = pass_over(name, detector, contacts, window);
    // Memory is made and caches are warm from here on.
    for (int k = 1; k < passes && sum(run.seconds) < enough_for_a_pass; ++k) {
        merge_times(pass_over(name, detector, contacts, window), run);
    }
    return run;
}

void merge_times(const FeatureRun& again, FeatureRun& run) {
    for (std::size_t i = 0; i < std::min(run.seconds.size(), again.seconds.size()); ++i) {
        run.seconds[i] = std::min(run.seconds[i], again.seconds[i]);
    }
    run.missed = std::max(run.missed, again.missed);
    run.missed_contacts = std::max(run.missed_contacts, again.missed_contacts);
    run.extra = std::max(run.extra, again.extra);
}

void append_window(const FeatureRun& other, FeatureRun& run) {
    run.seconds.insert(run.seconds.end(), other.seconds.begin(), other.seconds.end());
    run.tests.insert(run.tests.end(), other.tests.begin(), other.tests.end());
    run.found += other.found;
    run.missed += other.missed;
    run.missed_contacts += other.missed_contacts;
    run.extra += other.extra;
}

nlohmann::ordered_json to_json(const FeatureRun& run) {
    return {{"name", run.name},
            {"seconds", run.seconds},
            {"tests", run.tests},
            {"found", run.found},
            {"missed", run.missed},
            {"extra", run.extra},
            {"missed_contacts", run.missed_contacts}};
}

FeatureRun to_feature_run(const nlohmann::ordered_json& json) {
    return {json.at("name").get<std::string>(),
            json.at("seconds").get<std::vector<double>>(),
            json.at("tests").get<std::vector<std::int64_t>>(),
            json.at("found").get<std::int64_t>(),
            json.at("missed").get<std::int64_t>(),
            json.at("extra").get<std::int64_t>(),
            json.at("missed_contacts").get<std::int64_t>()};
}

}  // namespace plica::bench
