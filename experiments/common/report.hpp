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
    double seconds = 0.0;  // wall
};

// "holds", "does not hold", or "FAILS" for a claim about Plica.
const char* verdict(const Claim& claim);
bool is_image(const std::string& file);

Json to_json(const Report& report);
std::string to_text(const Report& report);
// Plots are named relative to the page: NAME/file.
std::string to_html(const std::vector<Report>& reports, bool quick);

}  // namespace plica::experiments
