#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "bench/contact/surface_case.hpp"
#include "bench/detection/detector_run.hpp"

namespace plica::bench {

// One way of finding near parts, on one window or, added up, on several.
struct PartRun {
    std::string name;
    std::vector<double> seconds;      // CPU time per substep, the least of some passes
    std::vector<std::int64_t> tests;  // exact distance tests per substep
    std::int64_t found = 0, missed = 0, extra = 0;
    std::int64_t missed_contacts = 0;  // of the missed, those that can be a first contact of closed bodies
};

// Pairs are named by primitive numbers.
PartRun time_parts(const std::string& name, TimedDetector& detector, const SurfaceCase& asked,
                   const PartWindow& window);

void merge_times(const PartRun& again, PartRun& run);    // the same window
void append_window(const PartRun& other, PartRun& run);  // another one

nlohmann::ordered_json to_json(const PartRun& run);
PartRun to_part_run(const nlohmann::ordered_json& json);

}  // namespace plica::bench
