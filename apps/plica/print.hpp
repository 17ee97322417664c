#pragma once
#include <cstdio>
#include <nlohmann/json.hpp>

namespace plica::app {

using Json = nlohmann::ordered_json;

// One object on standard output. Bytes that are not text (a strange file name) are replaced, not fatal.
inline void print_json(const Json& json) {
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace plica::app
