#include "audit/verdict.hpp"

#include <fmt/format.h>

namespace plica::audit {

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

std::string describe_failure(std::int64_t pass_throughs, double worst, std::int64_t intersections) {
    const std::string solids =
        intersections > 0 ? fmt::format(", {} pairs of triangles of solids intersect", intersections) : std::string();
    return fmt::format("AUDIT FAILED: {} pass-throughs, deepest penetration {:.2f} of a radius (at most {} passes){}",
                       pass_throughs, worst, deepest_allowed, solids);
}

}  // namespace plica::audit
