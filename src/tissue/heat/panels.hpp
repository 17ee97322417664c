#pragma once
#include "core/wide.hpp"
#include "tissue/heat/supernodes.hpp"

// Panels of up to four columns, for the factor's kernels. Sums run in an order that the source fixes: rows in fours,
// then the rest, whatever the machine's vectors.
namespace plica::heat::PLICA_ISA {

typedef double Four __attribute__((vector_size(32)));
typedef double FourInMemory __attribute__((vector_size(32), aligned(8), may_alias));

PLICA_KERNEL Four load4(const double* from) {
    return *reinterpret_cast<const FourInMemory*>(from);
}
PLICA_KERNEL void store4(const Four& a, double* to) {
    *reinterpret_cast<FourInMemory*>(to) = a;
}

template <class T, int count>
using Few = T[static_cast<std::size_t>(count)];

// One row of several right sides.
struct One {
    static constexpr int size = 1;
    double v;
    PLICA_KERNEL static One load(const double* p) { return {*p}; }
    PLICA_KERNEL void store(double* p) const { *p = v; }
};
struct Quad {
    static constexpr int size = 4;
    Four v;
    PLICA_KERNEL static Quad load(const double* p) { return {load4(p)}; }
    PLICA_KERNEL void store(double* p) const { store4(v, p); }
};

// z -= sum of y_p times column p; the columns begin `apart` numbers from each other.
template <int P>
PLICA_KERNEL void subtract(const double* l, std::int64_t apart, std::int64_t rows, const One* y, double* __restrict z) {
    std::int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        Four sum = load4(l + i) * y[0].v;
        for (int p = 1; p < P; ++p) sum += load4(l + p * apart + i) * y[p].v;
        store4(load4(z + i) - sum, z + i);
    }
    for (; i < rows; ++i) {
        double sum = l[i] * y[0].v;
        for (int p = 1; p < P; ++p) sum += l[p * apart + i] * y[p].v;
        z[i] -= sum;
    }
}
template <int P>
PLICA_KERNEL void subtract(const double* l, std::int64_t apart, std::int64_t rows, const Quad* y,
                           double* __restrict z) {
    for (std::int64_t i = 0; i < rows; ++i) {
        Four sum = l[i] * y[0].v;
        for (int p = 1; p < P; ++p) sum += l[p * apart + i] * y[p].v;
        store4(load4(z + 4 * i) - sum, z + 4 * i);
    }
}

// Numbers that a panel, or a whole supernode, of that width over that many rows has.
PLICA_KERNEL std::int64_t panel_values(std::int64_t width, std::int64_t rows) {
    return width * (width - 1) / 2 + width * rows;
}

}  // namespace plica::heat::PLICA_ISA
