#pragma once
#include <string>
#include <vector>

#include "bench/common/bench.hpp"
#include "bench/contact/contact_scene.hpp"
#include "bench/contact/feature_run.hpp"

// Tables of the benchmark of contact.
namespace plica::bench {

Json describe_stages(const ContactRecording& record);
Json describe_searches(const std::vector<FeatureRun>& runs);

// Why a scene's numbers do not count; empty: they do.
std::string find_problem(const Json& scene);

Json compare_with_contact_targets(const Json& result);

std::string contact_text(const Json& result);
std::string contact_csv(const Json& result);
std::string contact_plot();

}  // namespace plica::bench
