#include "tissue/heat/factor_kernel.hpp"
#include "tissue/heat/panels.hpp"

namespace plica::heat::PLICA_ISA {
namespace {

// The next P columns of a front: L into `value` as the layout says, and the front's later columns less their share.
template <int P>
PLICA_KERNEL int eliminate_panel(double* front, std::int64_t size, std::int64_t first, const double* least,
                                 double* inverse_pivot, double* value) {
    const std::int64_t rows = size - first - P;
    double* column = front + first * size + first;  // column p of the panel: column + p * size
    Few<double, P> pivot;
    for (int q = 0; q < P; ++q) {
        double* mine = column + q * size;
        pivot[q] = mine[q];
        if (!(pivot[q] > least[q])) return -1 - static_cast<int>(first) - q;
        inverse_pivot[q] = 1.0 / pivot[q];
        for (int p = q + 1; p < P; ++p) {
            const One y{mine[p] * inverse_pivot[q]};
            subtract<1>(mine + p, 0, P + rows - p, &y, column + p * size + p);
        }
        for (std::int64_t i = q + 1; i < P + rows; ++i) mine[i] *= inverse_pivot[q];
    }
    for (int q = 0; q < P; ++q) {
        for (int p = q + 1; p < P; ++p) *value++ = column[q * size + p];
    }
    for (int q = 0; q < P; ++q) {
        for (std::int64_t i = 0; i < rows; ++i) value[q * rows + i] = column[q * size + P + i];
    }
    for (std::int64_t k = 0; k < rows; ++k) {
        Few<One, P> y;
        for (int p = 0; p < P; ++p) y[p].v = pivot[p] * value[p * rows + k];
        double* z = front + (first + P + k) * size + first + P + k;
        subtract<P>(value + k, rows, rows - k, y, z);
    }
    return 0;
}

}  // namespace

int eliminate_front(const FactorView& factor, std::size_t supernode, double* front, const double* least, double* rest) {
    const Supernode& s = factor.supernodes[supernode];
    const std::int64_t size = s.width + s.height;
    double* value = factor.value + s.first_value;
    double* pivot = factor.inverse_pivot + s.first_column;
    std::int64_t c = 0;
    int failed = 0;
    for (; c + 4 <= s.width && failed == 0; c += 4) {
        failed = eliminate_panel<4>(front, size, c, least + c, pivot + c, value);
        value += panel_values(4, size - c - 4);
    }
    if (failed != 0) return failed;
    const std::int64_t left = s.width - c;
    if (left == 3) failed = eliminate_panel<3>(front, size, c, least + c, pivot + c, value);
    if (left == 2) failed = eliminate_panel<2>(front, size, c, least + c, pivot + c, value);
    if (left == 1) failed = eliminate_panel<1>(front, size, c, least + c, pivot + c, value);
    for (std::int64_t k = 0; k < s.height; ++k) {
        const double* from = front + (s.width + k) * size + s.width;
        for (std::int64_t i = k; i < s.height; ++i) rest[k * s.height + i] = from[i];
    }
    return failed;
}

}  // namespace plica::heat::PLICA_ISA
