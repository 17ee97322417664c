#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace plica::bench {

// FOLDER/plica_peer_NAME, or "" when it was not built.
std::string find_peer(const std::string& folder, const std::string& name);

// Runs a program to its end and reads the one JSON object it prints. Throws Error (Status::environment) with what it
// said on standard error when it fails.
nlohmann::ordered_json run_program(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace plica::bench
