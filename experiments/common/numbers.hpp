#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

// Numbers as tables and claims show them.
namespace plica::experiments {

// Never rounds up to "100 %": that is said of all only.
inline std::string percent(double share) {
    if (share < 1.0 && share > 0.9995) return "99.9 %";
    return share >= 1.0 ? "100 %" : fmt::format("{:.1f} %", 100.0 * share);
}
inline std::string count(double value) {
    return fmt::format("{:.0f}", value);
}
inline std::string milliseconds(double seconds) {
    return fmt::format("{:.3f}", 1e3 * seconds);
}
inline std::string number(double value, int digits = 1) {
    return fmt::format("{:.{}f}", value, digits);
}
// Three digits; of what ran away, words.
inline std::string figures(double value) {
    return std::isfinite(value) ? fmt::format("{:.3g}", value) : "beyond all numbers";
}
// "3.0 / 7.1 / 17.5"
inline std::string joined(const std::vector<double>& values, int digits = 1) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : " / ") + number(value, digits);
    return text;
}

}  // namespace plica::experiments
