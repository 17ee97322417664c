#include "tissue/heat/net.hpp"

#include <algorithm>
#include <limits>

namespace plica::heat {
namespace {

double harmonic(double a, double b) {
    return 2.0 * a * b / (a + b);
}

// One direction of eq. 9 and 10, at a node between two others: `before` and `after` are the distances to them. The
// paper's equation is half of alpha dT/dt = ...; here is the whole. out is what the node's own temperature is
// multiplied by, with a minus.
struct Direction {
    double in_before = 0.0, in_after = 0.0, out = 0.0;
};

Direction direction(Placement placement, double before, double after, double k_before, double k, double k_after) {
    const double width = before + after;
    Direction d;
    if (placement == Placement::inside) {
        d.in_before = 2.0 * k_before / (before * width);
        d.in_after = 2.0 * k_after / (after * width);
        d.out = 2.0 * k / (before * after);
    } else {
        d.in_before = 2.0 * harmonic(k_before, k) / (before * width);
        d.in_after = 2.0 * harmonic(k, k_after) / (after * width);
        d.out = d.in_before + d.in_after;
    }
    return d;
}

template <class Use>
void for_inner_nodes(const Net& net, Placement placement, std::span<const double> k, Use&& use) {
    const std::size_t columns = net.columns();
    for (std::size_t j = 1; j + 1 < net.rows(); ++j) {
        for (std::size_t i = 1; i + 1 < columns; ++i) {
            const std::size_t n = i + columns * j;
            use(n, direction(placement, net.u[i] - net.u[i - 1], net.u[i + 1] - net.u[i], k[n - 1], k[n], k[n + 1]),
                direction(placement, net.v[j] - net.v[j - 1], net.v[j + 1] - net.v[j], k[n - columns], k[n],
                          k[n + columns]));
        }
    }
}

}  // namespace

void compute_net_rate(const Net& net, Placement placement, std::span<const double> conductivity,
                      std::span<const double> temperature, std::span<double> rate) {
    std::fill(rate.begin(), rate.end(), 0.0);
    const std::size_t columns = net.columns();
    for_inner_nodes(net, placement, conductivity, [&](std::size_t n, const Direction& u, const Direction& v) {
        rate[n] = u.in_before * temperature[n - 1] + u.in_after * temperature[n + 1] +
                  v.in_before * temperature[n - columns] + v.in_after * temperature[n + columns] -
                  (u.out + v.out) * temperature[n];
    });
}

void step_net(const Net& net, const NetStep& step, std::span<const double> q, std::span<double> scratch,
              std::span<double> temperature) {
    compute_net_rate(net, step.placement, step.conductivity, temperature, scratch);
    const std::size_t columns = net.columns();
    for (std::size_t j = 1; j + 1 < net.rows(); ++j) {
        for (std::size_t i = 1; i + 1 < columns; ++i) {
            const std::size_t n = i + columns * j;
            temperature[n] += step.dt / step.alpha * (scratch[n] + q[n]);
        }
    }
}

double compute_net_limit(const Net& net, Placement placement, std::span<const double> conductivity, double alpha) {
    double limit = std::numeric_limits<double>::infinity();
    for_inner_nodes(net, placement, conductivity, [&](std::size_t, const Direction& u, const Direction& v) {
        limit = std::min(limit, alpha / (u.out + v.out));
    });
    return limit;
}

}  // namespace plica::heat
