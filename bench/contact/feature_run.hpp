#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "bench/contact/surface_case.hpp"
#include "bench/detection/detector_run.hpp"

namespace plica::bench {

// One way of finding near features, on one window or, added up, on several.
struct FeatureRun {
    std::string name;
    std::vector<double> seconds;      // CPU time per substep, the least of some passes
    std::vector<std::int64_t> tests;  // exact distance tests per substep
    std::int64_t found = 0, missed = 0, extra = 0;
    std::int64_t missed_contacts = 0;  // of the missed, those that can be a first contact of closed bodies
};

// Pairs are named by primitive numbers.
FeatureRun time_features(const std::string& name, TimedDetector& detector, const SurfaceCase& asked,
                         const FeatureWindow& window);

void merge_times(const FeatureRun& again, FeatureRun& run);    // the same window
void append_window(const FeatureRun& other, FeatureRun& run);  // another one

nlohmann::ordered_json to_json(const FeatureRun& run);
FeatureRun to_feature_run(const nlohmann::ordered_json& json);

}  // namespace plica::bench
