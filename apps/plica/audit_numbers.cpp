#include "audit_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>

namespace plica::app {

double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(share * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::clamp(rank, 1.0, static_cast<double>(values.size()))) - 1];
}

double largest(const std::vector<double>& values) {
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

double mean(const std::vector<double>& values) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return sum / std::max<double>(1.0, static_cast<double>(values.size()));
}

double compute_exempt_share(const Surface& surface) {
    std::size_t exempt = 0;
    std::size_t segments = 0;
    for (const Capsule& c : surface.capsules) {
        if (c.sheet) continue;
        segments += c.a != c.b && !c.edge ? 1U : 0U;
        exempt += c.exempt ? 1U : 0U;
    }
    return segments > 0 ? static_cast<double>(exempt) / static_cast<double>(segments) : 0.0;
}

void print_audit_failure(std::int64_t pass_throughs, double worst, std::int64_t intersections) {
    const std::string solids =
        intersections > 0 ? fmt::format(", {} pairs of triangles of solids intersect", intersections) : std::string();
    fmt::print(stderr, "AUDIT FAILED: {} pass-throughs, deepest penetration {:.2f} of a radius (at most {} passes){}\n",
               pass_throughs, worst, deepest_allowed, solids);
}

}  // namespace plica::app
