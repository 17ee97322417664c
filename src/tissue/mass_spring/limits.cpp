#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {

void solve_limits(const Network& network, std::span<const double> w, std::span<Vec3> p) {
    for (const BendLimit& limit : network.limits) {
        const auto a = static_cast<std::size_t>(limit.a);
        const auto b = static_cast<std::size_t>(limit.b);
        const Vec3 d = p[b] - p[a];
        const double squared = squared_norm(d);
        if (squared >= limit.distance * limit.distance || squared == 0.0) continue;
        const double sum = w[a] + w[b];
        if (sum == 0.0) continue;
        const double length = std::sqrt(squared);
        const Vec3 push = d * ((limit.distance - length) / (length * sum));
        p[a] -= push * w[a];
        p[b] += push * w[b];
    }
}

}  // namespace plica::mass_spring
