#include <cmath>

#include "collision/tree/motion.hpp"
#include "core/wide.hpp"

namespace plica::PLICA_ISA {

// Displacements so far: the box around them.
struct Spread {
    Wide lo[3], hi[3];

    PLICA_KERNEL void include(const Wide (&w)[3]) {
        for (int k = 0; k < 3; ++k) {
            lo[k] = min(lo[k], w[k]);
            hi[k] = max(hi[k], w[k]);
        }
    }
    PLICA_KERNEL double squared_diagonal() const {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            Lanes least, most;
            store(lo[k], least.at);
            store(hi[k], most.at);
            double a = least.at[0], b = most.at[0];
            for (int i = 1; i < lanes; ++i) {
                a = least.at[i] < a ? least.at[i] : a;
                b = most.at[i] > b ? most.at[i] : b;
            }
            sum += (b - a) * (b - a);
        }
        return sum;
    }
};

CornerMotion measure_motion(const double* x, const double* p, const CornerArrays& corners, const double* from,
                            const double* to) {
    constexpr double huge = 1e300;
    Spread start{{huge, huge, huge}, {-huge, -huge, -huge}};
    Spread end = start;
    Wide farthest(0.0);
    const Mask all = Wide(0.0) <= Wide(0.0);
    Mask finite = all;
    for (int i = corners.first; i < corners.last; i += lanes) {
        const Wide ref[3] = {load(corners.x + i), load(corners.y + i), load(corners.z + i)};
        const auto displace = [&](const double* at, const double* frame, Spread& spread) {
            const WideTriple t = gather_triples(at, corners.node + i);
            const Wide w[3] = {t.x - Wide(frame[0]) - ref[0], t.y - Wide(frame[1]) - ref[1],
                               t.z - Wide(frame[2]) - ref[2]};
            const Wide square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
            finite = finite & (square <= Wide(huge));
            farthest = max(farthest, square);
            spread.include(w);
        };
        displace(x, from, start);
        displace(p, to, end);
    }
    if (to_bits(finite) != to_bits(all)) return {HUGE_VAL, HUGE_VAL};
    Lanes squares;
    store(farthest, squares.at);
    double most = 0.0;
    for (const double square : squares.at) most = square > most ? square : most;
    const double a = start.squared_diagonal(), b = end.squared_diagonal();
    return {most, a > b ? a : b};
}

}  // namespace plica::PLICA_ISA
