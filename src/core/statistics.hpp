#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

// Of lists of measured values; 0 for an empty one.
namespace plica {

// By nearest rank: always one of the values.
inline double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(share * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::clamp(rank, 1.0, static_cast<double>(values.size()))) - 1];
}

inline double largest(const std::vector<double>& values) {
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

inline double sum(const std::vector<double>& values) {
    double total = 0.0;
    for (const double v : values) total += v;
    return total;
}

inline double mean(const std::vector<double>& values) {
    return sum(values) / std::max<double>(1.0, static_cast<double>(values.size()));
}

}  // namespace plica
