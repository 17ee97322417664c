#include "tissue/tled/limit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/elementary.hpp"
#include "core/index.hpp"
#include "core/random.hpp"
#include "tissue/tled/cell_numbers.hpp"

namespace plica::tled {
namespace {

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
    std::span<Vec3> spare;

    // out = K direction
    void apply(std::span<const float> direction, std::span<float> out) {
        float largest = 0.0F;
        for (const float d : direction) largest = std::max(largest, std::abs(d));
        const double scale = 1e-3 * organ.least_altitude / static_cast<double>(largest);
        evaluate(direction, scale);
        for (std::size_t n = 0; n < x.size(); ++n) store(spare[n], n, out);
        evaluate(direction, -scale);
        for (std::size_t n = 0; n < x.size(); ++n) {
            const Vec3 ahead{out[3 * n], out[3 * n + 1], out[3 * n + 2]};
            store((ahead - spare[n]) * (0.5 / scale), n, out);
        }
    }

    static void store(const Vec3& a, std::size_t n, std::span<float> out) {
        out[3 * n] = static_cast<float>(a.x);
        out[3 * n + 1] = static_cast<float>(a.y);
        out[3 * n + 2] = static_cast<float>(a.z);
    }

private:
    // Forces at x + by direction, in place of these positions: they are summed when all are computed.
    void evaluate(std::span<const float> direction, double by) {
        for (std::size_t n = 0; n < x.size(); ++n) {
            spare[n] = x[n] + Vec3{direction[3 * n], direction[3 * n + 1], direction[3 * n + 2]} * by;
        }
        compute_forces(organ, {rest, spare, history, 0.0}, pool, work);
        sum_forces(organ, work, pool, spare);
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

constexpr std::size_t lanczos_steps = 3;
using Small = std::array<std::array<double, lanczos_steps>, lanczos_steps>;

// Largest eigenvalue of a symmetric matrix of n rows and its vector, by Jacobi's rotations.
double largest_pair(Small a, std::size_t n, std::array<double, lanczos_steps>& vector) {
    Small v{};
    for (std::size_t i = 0; i < n; ++i) v[i][i] = 1.0;
    for (int sweep = 0; sweep < 30; ++sweep) {
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t q = p + 1; q < n; ++q) {
                if (a[p][q] == 0.0) continue;
                const double angle = 0.5 * elementary::atan2(2.0 * a[p][q], a[q][q] - a[p][p]);
                const double c = elementary::cos(angle), s = elementary::sin(angle);
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

// a -= share b
void subtract(double share, std::span<const float> b, std::span<float> a) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] -= static_cast<float>(share * static_cast<double>(b[k]));
}

// One cycle of Lanczos' method for M^-1 K, started from the mode, which becomes the best combination of its vectors.
// Converges many times faster than power iteration where the fastest modes are alike, as they are in even meshes.
Fastest improve_mode(Stiffness& stiffness, std::span<const double> w, std::vector<float>& mode) {
    auto& later = stiffness.work.basis;  // the first vector is the mode itself
    later.resize(lanczos_steps);
    for (std::size_t n = 0; n < w.size(); ++n) {
        if (w[n] == 0.0) mode[3 * n] = mode[3 * n + 1] = mode[3 * n + 2] = 0.0F;
    }
    double size = std::sqrt(inner(mode, mode, w));
    if (!(size > 0.0)) return {};
    scale_by(1.0 / size, mode);
    const auto basis = [&](std::size_t j) -> std::vector<float>& { return j == 0 ? mode : later[j - 1]; };
    Small matrix{};
    std::size_t steps = 0;
    for (bool more = true; more && steps < lanczos_steps; ++steps) {
        std::vector<float>& next = later[steps];
        next.resize(mode.size());
        stiffness.apply(basis(steps), next);
        for (std::size_t n = 0; n < w.size(); ++n) {
            for (std::size_t k = 3 * n; k < 3 * n + 3; ++k)
                next[k] = static_cast<float>(static_cast<double>(next[k]) * w[n]);
        }
        for (std::size_t j = 0; j <= steps; ++j) {
            const double along = inner(next, basis(j), w);
            if (j + 1 >= steps) matrix[j][steps] = matrix[steps][j] = along;
            subtract(along, basis(j), next);
        }
        size = std::sqrt(inner(next, next, w));
        more = size > 1e-6 * matrix[steps][steps];  // else they span all there is
        if (more) scale_by(1.0 / size, next);
    }
    std::array<double, lanczos_steps> share{};
    const double square = largest_pair(matrix, steps, share);
    scale_by(share[0], mode);
    for (std::size_t j = 1; j < steps; ++j) subtract(-share[j], basis(j), mode);
    return {square, size * std::abs(share[steps - 1])};
}

}  // namespace

CellNumbers numbers_of_cell(const Organ& organ, std::size_t cell) {
    const Block& block = block_of(organ, cell);
    const std::int32_t k = static_cast<std::int32_t>(cell) - block.first_cell;
    return organ.settings.exact ? numbers_at(organ.exact, block, k) : numbers_at(organ.single, block, k);
}

CellBound bound_step(const Organ& organ) {
    std::vector<float> seconds(organ.cells());
    for (const Block& block : organ.blocks) {
        const Material& material = organ.materials[at(block.material)];
        for (std::int32_t k = 0; k < block.cells; ++k) {
            const std::size_t cell = at(block.first_cell + k);
            seconds[cell] = static_cast<float>(
                2.0 / std::sqrt(bound_frequency(numbers_of_cell(organ, cell), block.kind, material)));
        }
    }
    const auto worst = std::min_element(seconds.begin(), seconds.end());
    CellBound bound{static_cast<double>(*worst), static_cast<std::size_t>(worst - seconds.begin()), 0.0};
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    bound.median = static_cast<double>(*middle);
    return bound;
}

double estimate_step(const Organ& organ, const LimitQuery& query, ThreadPool& pool, Workspace& work,
                     std::vector<float>& mode, std::span<Vec3> spare) {
    const std::size_t nodes = at(organ.nodes);
    if (mode.size() != 3 * nodes) begin_mode(nodes, mode);
    if (spare.empty()) {
        work.moved.resize(nodes);
        spare = work.moved;
    }
    Stiffness stiffness{organ, query.rest, query.x, query.history, pool, work, spare};
    double bound = 0.0;
    for (int i = 0; i < query.cycles; ++i) {
        const Fastest found = improve_mode(stiffness, query.w, mode);
        if (!(found.square > 0.0)) return 0.0;
        bound = found.square + found.residual;
        if (found.residual <= query.tolerance * found.square) break;
    }
    return 2.0 / std::sqrt(bound);
}

}  // namespace plica::tled
