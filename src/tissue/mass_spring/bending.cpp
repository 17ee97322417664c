#include "tissue/mass_spring/solve.hpp"

namespace plica::mass_spring {
namespace {

// K is the sum of k (1,-2,1)^T (1,-2,1) over the interior nodes: these are its entries (i,i), (i,i-1), (i,i-2).
struct Stencil {
    double diagonal, first, second;
};

Stencil stencil(std::size_t i, std::size_t n) {
    const double left = i >= 2 ? 1.0 : 0.0;                  // triple centred at i-1
    const double centre = i >= 1 && i + 1 < n ? 1.0 : 0.0;   // at i
    const double right = i + 2 < n ? 1.0 : 0.0;              // at i+1
    const double before = i >= 1 && i + 1 < n ? -2.0 : 0.0;  // (i, i-1) from the triple at i
    const double shared = i >= 2 ? -2.0 : 0.0;               // (i, i-1) from the triple at i-1
    return {left + 4.0 * centre + right, before + shared, left};
}

}  // namespace

void factor_bending(const Network& network, Workspace& work, std::span<const double> w, double h) {
    double* band = work.band.data();
    for (const BendChain& chain : network.chains) {
        const auto n = static_cast<std::size_t>(chain.nodes);
        const double s = chain.stiffness * (h * h + h * chain.viscosity);
        const double* weight = w.data() + chain.first_node;
        const auto held = [&](std::size_t i) { return weight[i] == 0.0; };
        // Held nodes are taken out: unit diagonal, no coupling.
        for (std::size_t i = 0; i < n; ++i) {
            const Stencil k = stencil(i, n);
            double d = held(i) ? 1.0 : 1.0 / weight[i] + s * k.diagonal;
            double a1 = i >= 1 && !held(i) && !held(i - 1) ? s * k.first : 0.0;
            const double a2 = i >= 2 && !held(i) && !held(i - 2) ? s * k.second : 0.0;
            double* row = band + 3 * i;
            double l2 = 0.0;
            double l1 = 0.0;
            if (i >= 2) {
                l2 = a2 / row[-6];
                a1 -= l2 * row[-6] * row[-2];
                d -= l2 * l2 * row[-6];
            }
            if (i >= 1) {
                l1 = a1 / row[-3];
                d -= l1 * l1 * row[-3];
            }
            row[0] = d;
            row[1] = l1;
            row[2] = l2;
        }
        band += 3 * n;
    }
    work.factored_h = h;
}

// (M + (h^2 + h c) K) dp = -K (h^2 p + h c (p - x)): the implicit step of M a = -K x - c K v.
void solve_bending(const Network& network, Workspace& work, std::span<const Vec3> x, std::span<const double> w,
                   double h, std::span<Vec3> p) {
    const double* band = work.band.data();
    Vec3* load = work.load.data();
    for (const BendChain& chain : network.chains) {
        const auto n = static_cast<std::size_t>(chain.nodes);
        const auto first = static_cast<std::size_t>(chain.first_node);
        const double kh = chain.stiffness * h;
        const auto pull = [&](std::size_t i) {
            return (h + chain.viscosity) * p[first + i] - chain.viscosity * x[first + i];
        };
        for (std::size_t i = 0; i < n; ++i) load[i] = {};
        for (std::size_t i = 1; i + 1 < n; ++i) {
            const Vec3 b = kh * (pull(i - 1) - 2.0 * pull(i) + pull(i + 1));
            load[i - 1] -= b;
            load[i] += 2.0 * b;
            load[i + 1] -= b;
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (w[first + i] == 0.0) load[i] = {};
            if (i >= 1) load[i] -= band[3 * i + 1] * load[i - 1];
            if (i >= 2) load[i] -= band[3 * i + 2] * load[i - 2];
        }
        for (std::size_t i = n; i-- > 0;) {
            load[i] *= 1.0 / band[3 * i];
            if (i + 1 < n) load[i] -= band[3 * (i + 1) + 1] * load[i + 1];
            if (i + 2 < n) load[i] -= band[3 * (i + 2) + 2] * load[i + 2];
            if (w[first + i] != 0.0) p[first + i] += load[i];
        }
        band += 3 * n;
    }
}

}  // namespace plica::mass_spring
