#include "tissue/tled/limit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.hpp"
#include "tissue/tled/cell_numbers.hpp"

namespace plica::tled {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

template <class S>
CellNumbers numbers_at(const CellData<S>& data, const Block& block, std::int32_t k) {
    const CellPlace place = place_of(block, k);
    const int count = numbers_of(block.kind);
    CellNumbers numbers;
    for (int i = 0; i < count; ++i) {
        numbers.at[at(i)] =
            static_cast<double>(data.number[block.first_number + at(place.batch * count + i)].at[place.lane]);
    }
    return numbers;
}

// Everything moves a little at random, so that no mode is left out.
void begin_mode(std::size_t nodes, std::vector<float>& mode) {
    mode.resize(3 * nodes);
    Random random;
    for (float& m : mode) m = static_cast<float>(random.uniform(-1.0, 1.0));
}

// The tangent stiffness at x, by central differences: the second order cancels, so the strain may be large enough for
// single precision.
struct Stiffness {
    const Organ& organ;
    std::span<const Vec3> rest, x;
    const History& history;
    ThreadPool& pool;
    Workspace& work;

    // work.ahead = K direction
    void apply(std::span<const float> direction) {
        const std::size_t nodes = x.size();
        float largest = 0.0F;
        for (const float d : direction) largest = std::max(largest, std::abs(d));
        const double amplitude = (organ.settings.exact ? 1e-5 : 1e-3) * organ.least_altitude;
        const double scale = amplitude / static_cast<double>(largest);
        const auto evaluate = [&](double by, std::vector<Vec3>& force) {
            work.moved.resize(nodes);
            force.resize(nodes);
            for (std::size_t n = 0; n < nodes; ++n) {
                work.moved[n] = x[n] + Vec3{direction[3 * n], direction[3 * n + 1], direction[3 * n + 2]} * by;
            }
            compute_forces(organ, rest, work.moved, 0.0, history, pool, work);
            sum_forces(organ, work, pool, force);
        };
        evaluate(-scale, work.behind);
        evaluate(scale, work.ahead);
        for (std::size_t n = 0; n < nodes; ++n) work.ahead[n] = (work.ahead[n] - work.behind[n]) * (0.5 / scale);
    }
};

// Inner product with the masses; held nodes have none.
double inner(std::span<const float> a, std::span<const float> b, std::span<const double> w) {
    double sum = 0.0;
    for (std::size_t n = 0; n < w.size(); ++n) {
        if (w[n] == 0.0) continue;
        double dot = 0.0;
        for (std::size_t k = 3 * n; k < 3 * n + 3; ++k) dot += static_cast<double>(a[k]) * static_cast<double>(b[k]);
        sum += dot / w[n];
    }
    return sum;
}

void scale_by(double factor, std::span<float> a) {
    for (float& v : a) v = static_cast<float>(static_cast<double>(v) * factor);
}

constexpr std::size_t lanczos_steps = 4;
using Small = std::array<std::array<double, lanczos_steps>, lanczos_steps>;

// Largest eigenvalue of a symmetric matrix of n rows and its vector, by Jacobi's rotations.
double largest_pair(Small a, std::size_t n, std::array<double, lanczos_steps>& vector) {
    Small v{};
    for (std::size_t i = 0; i < n; ++i) v[i][i] = 1.0;
    for (int sweep = 0; sweep < 30; ++sweep) {
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t q = p + 1; q < n; ++q) {
                if (a[p][q] == 0.0) continue;
                const double angle = 0.5 * std::atan2(2.0 * a[p][q], a[q][q] - a[p][p]);
                const double c = std::cos(angle), s = std::sin(angle);
                const auto turn = [&](double& x, double& y) {
                    const double old = x;
                    x = c * old - s * y;
                    y = s * old + c * y;
                };
                for (std::size_t k = 0; k < n; ++k) turn(a[k][p], a[k][q]);
                for (std::size_t k = 0; k < n; ++k) turn(a[p][k], a[q][k]);
                for (std::size_t k = 0; k < n; ++k) turn(v[k][p], v[k][q]);
            }
        }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < n; ++i) best = a[i][i] > a[best][best] ? i : best;
    for (std::size_t k = 0; k < n; ++k) vector[k] = v[k][best];
    return a[best][best];
}

struct Fastest {
    double square = 0.0;    // of the angular frequency, 1/s^2; the mode's Rayleigh quotient
    double residual = 0.0;  // a true one is that near
};

// One cycle of Lanczos' method for M^-1 K, started from the mode, which becomes the best combination of its vectors.
// Converges many times faster than power iteration where the fastest modes are alike, as they are in even meshes.
Fastest improve_mode(Stiffness& stiffness, std::span<const double> w, std::vector<float>& mode) {
    auto& basis = stiffness.work.basis;
    basis.resize(lanczos_steps);
    for (std::size_t n = 0; n < w.size(); ++n) {
        if (w[n] == 0.0) mode[3 * n] = mode[3 * n + 1] = mode[3 * n + 2] = 0.0F;
    }
    double size = std::sqrt(inner(mode, mode, w));
    if (!(size > 0.0)) return {};
    Small matrix{};
    std::vector<float> next = mode;
    std::size_t steps = 0;
    double last = 0.0;
    while (steps < lanczos_steps) {
        scale_by(1.0 / size, next);
        basis[steps] = next;
        stiffness.apply(next);
        for (std::size_t n = 0; n < w.size(); ++n) {
            const Vec3 a = stiffness.work.ahead[n] * w[n];
            next[3 * n] = static_cast<float>(a.x);
            next[3 * n + 1] = static_cast<float>(a.y);
            next[3 * n + 2] = static_cast<float>(a.z);
        }
        for (std::size_t j = 0; j <= steps; ++j) {
            const double along = inner(next, basis[j], w);
            if (j + 1 >= steps) matrix[j][steps] = matrix[steps][j] = along;
            for (std::size_t k = 0; k < next.size(); ++k)
                next[k] -= static_cast<float>(along * static_cast<double>(basis[j][k]));
        }
        last = size = std::sqrt(inner(next, next, w));
        ++steps;
        if (!(size > 1e-6 * matrix[steps - 1][steps - 1])) break;  // they span all there is
    }
    std::array<double, lanczos_steps> share{};
    const double square = largest_pair(matrix, steps, share);
    std::fill(mode.begin(), mode.end(), 0.0F);
    for (std::size_t j = 0; j < steps; ++j) {
        for (std::size_t k = 0; k < mode.size(); ++k)
            mode[k] += static_cast<float>(share[j] * static_cast<double>(basis[j][k]));
    }
    return {square, last * std::abs(share[steps - 1])};
}

}  // namespace

CellNumbers numbers_of_cell(const Organ& organ, std::size_t cell) {
    const Block& block = block_of(organ, cell);
    const std::int32_t k = static_cast<std::int32_t>(cell) - block.first_cell;
    return organ.settings.exact ? numbers_at(organ.exact, block, k) : numbers_at(organ.single, block, k);
}

CellBound bound_step(const Organ& organ) {
    std::vector<double> seconds(organ.cells());
    for (const Block& block : organ.blocks) {
        const Material& material = organ.materials[at(block.material)];
        for (std::int32_t k = 0; k < block.cells; ++k) {
            const std::size_t cell = at(block.first_cell + k);
            seconds[cell] = 2.0 / std::sqrt(bound_frequency(numbers_of_cell(organ, cell), block.kind, material));
        }
    }
    const auto worst = std::min_element(seconds.begin(), seconds.end());
    CellBound bound{*worst, static_cast<std::size_t>(worst - seconds.begin()), 0.0};
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    bound.median = *middle;
    return bound;
}

double estimate_step(const Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x, std::span<const double> w,
                     const History& history, int cycles, double tolerance, ThreadPool& pool, Workspace& work,
                     std::vector<float>& mode) {
    const std::size_t nodes = at(organ.nodes);
    if (mode.size() != 3 * nodes) begin_mode(nodes, mode);
    Stiffness stiffness{organ, rest, x, history, pool, work};
    double bound = 0.0;
    for (int i = 0; i < cycles; ++i) {
        const Fastest found = improve_mode(stiffness, w, mode);
        if (!(found.square > 0.0)) return 0.0;
        bound = found.square + found.residual;
        if (found.residual <= tolerance * found.square) break;
    }
    return 2.0 / std::sqrt(bound);
}

}  // namespace plica::tled
