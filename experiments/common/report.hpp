#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/common/experiment.hpp"

// What experiments handed in: as JSON, as text and as a page.
namespace plica::experiments {

using Json = nlohmann::ordered_json;

struct Report {
    const Experiment* experiment;
    Result result;
    std::vector<Claim> claims;  // judged by what result.measured says
    double seconds = 0.0;       // wall
    std::string key;            // of the program and its settings
};

struct Tally {
    int hold = 0, do_not_hold = 0, not_comparable = 0;
    [[nodiscard]] int all() const { return hold + do_not_hold + not_comparable; }
};
// Of the papers' claims, or of those about Plica.
Tally tally(const std::vector<Claim>& claims, bool own);
// "12 hold, 3 do not, 1 is not comparable today"
std::string tally_text(const Tally& tally);

// "holds", "does not hold", "not comparable today", or "FAILS" for a claim about Plica.
const char* verdict(const Claim& claim);
bool is_image(const std::string& file);

Json to_json(const Report& report);
// Measurements as they were before they were written: null becomes a number that is not one again.
Measurements read_measured(const nlohmann::json& json);
// What to_json() wrote, judged anew. Throws where it is not what was written.
Report from_json(const Experiment& experiment, const nlohmann::json& json);
std::string to_text(const Report& report);
// Plots are named relative to the page: NAME/file.
std::string to_html(const std::vector<Report>& reports, bool quick);

}  // namespace plica::experiments
