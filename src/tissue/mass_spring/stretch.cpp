#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {

// Each spring is a row C = l - rest with compliance 1/k. With a = 1/(k h^2) and g = viscosity/h its multiplier obeys
//   (w_a + w_b + a/(1+g)) dL - w_a (n'.n) dL' - w_b (n.n'') dL'' = -(C + g n.(dp_b - dp_a)) / (1+g),
// n' and n'' being the neighbours' directions: symmetric positive definite and tridiagonal along the strand.
void solve_strand(const Network& network, const Strand& strand, Workspace& work, std::span<const Vec3> x,
                  std::span<const double> w, double h, std::span<Vec3> p) {
    const Spring* spring = network.springs.data() + strand.first;
    const double g = strand.viscosity / h;
    const double damped = 1.0 / (1.0 + g);
    const auto count = static_cast<std::size_t>(strand.count);
    Vec3* direction = work.direction.data();
    double* upper = work.upper.data();
    double* rhs = work.rhs.data();

    for (std::size_t k = 0; k < count; ++k) {
        const Vec3 d = p[static_cast<std::size_t>(spring[k].b)] - p[static_cast<std::size_t>(spring[k].a)];
        const double length = norm(d);
        const Vec3& previous = k > 0 ? direction[k - 1] : Vec3{0, 0, 1};
        direction[k] = length > 1e-12 * spring[k].rest ? d / length : any_perpendicular(previous);
        rhs[k] = length - spring[k].rest;
    }
    double previous_upper = 0.0;
    double previous_rhs = 0.0;
    for (std::size_t k = 0; k < count; ++k) {  // Thomas' elimination, forward
        const auto a = static_cast<std::size_t>(spring[k].a);
        const auto b = static_cast<std::size_t>(spring[k].b);
        const Vec3& n = direction[k];
        const double longer = rhs[k];
        const double rate = dot(n, (p[b] - x[b]) - (p[a] - x[a]));
        const double diagonal = w[a] + w[b] + damped / (effective_stiffness(spring[k], longer) * h * h);
        const double lower = k > 0 ? -w[a] * dot(direction[k - 1], n) : 0.0;
        const double pivot = 1.0 / (diagonal - lower * previous_upper);
        previous_rhs = (-(longer + g * rate) * damped - lower * previous_rhs) * pivot;
        previous_upper = k + 1 < count ? -w[b] * dot(n, direction[k + 1]) * pivot : 0.0;
        rhs[k] = previous_rhs;
        upper[k] = previous_upper;
    }
    double next = 0.0;
    for (std::size_t k = count; k-- > 0;) {
        next = rhs[k] - upper[k] * next;
        const Vec3 push = direction[k] * next;
        const auto a = static_cast<std::size_t>(spring[k].a);
        const auto b = static_cast<std::size_t>(spring[k].b);
        p[a] -= push * w[a];
        p[b] += push * w[b];
    }
}

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
