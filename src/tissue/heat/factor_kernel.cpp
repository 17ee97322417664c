#include "tissue/heat/factor_kernel.hpp"

#include "tissue/heat/panels.hpp"

namespace plica::heat::PLICA_ISA {
namespace {

// Rows below a panel: side by side, or by their numbers in the whole vector.
struct Beside {
    const double* z;
    PLICA_KERNEL double one(std::int64_t i) const { return z[i]; }
    PLICA_KERNEL Four rows4(std::int64_t i) const { return load4(z + i); }
    PLICA_KERNEL Four quad(std::int64_t i) const { return load4(z + 4 * i); }
};
struct Numbered {
    const double* x;
    const std::int32_t* row;
    PLICA_KERNEL double one(std::int64_t i) const { return x[row[i]]; }
    PLICA_KERNEL Four rows4(std::int64_t i) const {
        return Four{x[row[i]], x[row[i + 1]], x[row[i + 2]], x[row[i + 3]]};
    }
    PLICA_KERNEL Four quad(std::int64_t i) const { return load4(x + 4 * static_cast<std::int64_t>(row[i])); }
};

// y_p -= column p . z
template <int P, class Below>
PLICA_KERNEL void subtract_products(const double* l, std::int64_t rows, const Below& z, One* y) {
    Few<Four, P> sum = {};
    std::int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        const Four here = z.rows4(i);
        for (int p = 0; p < P; ++p) sum[p] += load4(l + p * rows + i) * here;
    }
    Few<double, P> tail = {};
    for (; i < rows; ++i) {
        const double here = z.one(i);
        for (int p = 0; p < P; ++p) tail[p] += l[p * rows + i] * here;
    }
    for (int p = 0; p < P; ++p) y[p].v -= ((sum[p][0] + sum[p][2]) + (sum[p][1] + sum[p][3])) + tail[p];
}
template <int P, class Below>
PLICA_KERNEL void subtract_products(const double* l, std::int64_t rows, const Below& z, Quad* y) {
    Few<Four, P> sum = {};
    for (std::int64_t i = 0; i < rows; ++i) {
        const Four here = z.quad(i);
        for (int p = 0; p < P; ++p) sum[p] += l[p * rows + i] * here;
    }
    for (int p = 0; p < P; ++p) y[p].v -= sum[p];
}

// The panel's own triangle, column after column: (1,0) (2,0) (3,0) (2,1) (3,1) (3,2) for four.
template <int P, class Right>
PLICA_KERNEL void solve_triangle(const double* value, double* z, Right* y) {
    for (int p = 0; p < P; ++p) y[p] = Right::load(z + Right::size * p);
    const double* t = value;
    for (int q = 0; q < P; ++q) {
        for (int p = q + 1; p < P; ++p) y[p].v -= *t++ * y[q].v;
    }
    for (int p = 1; p < P; ++p) y[p].store(z + Right::size * p);
}

template <int P, class Right>
PLICA_KERNEL void forward_panel(const double* value, std::int64_t rows, double* z) {
    Few<Right, P> y;
    solve_triangle<P>(value, z, y);
    subtract<P>(value + P * (P - 1) / 2, rows, rows, y, z + Right::size * P);
}

// below: the rows under the panel's own.
template <int P, class Right, class Below>
PLICA_KERNEL void backward_panel(const double* value, std::int64_t rows, const double* inverse_pivot,
                                 const Below& below, double* z) {
    Few<Right, P> y;
    for (int p = 0; p < P; ++p) {
        y[p] = Right::load(z + Right::size * p);
        y[p].v *= inverse_pivot[p];
    }
    subtract_products<P>(value + P * (P - 1) / 2, rows, below, y);
    const double* t = value + P * (P - 1) / 2;
    for (int q = P - 1; q-- > 0;) {
        t -= P - 1 - q;
        for (int p = q + 1; p < P; ++p) y[q].v -= t[p - q - 1] * y[p].v;
    }
    for (int p = 0; p < P; ++p) y[p].store(z + Right::size * p);
}

// local: the supernode's columns, then the rows below.
template <class Right>
PLICA_KERNEL void forward(const Supernode& s, const double* value, double* local) {
    std::int64_t rows = s.width + s.height;
    std::int64_t left = s.width;
    for (; left >= 4; left -= 4) {
        rows -= 4;
        forward_panel<4, Right>(value, rows, local);
        value += panel_values(4, rows);
        local += 4 * Right::size;
    }
    if (left == 3) forward_panel<3, Right>(value, rows - 3, local);
    if (left == 2) forward_panel<2, Right>(value, rows - 2, local);
    if (left == 1) forward_panel<1, Right>(value, rows - 1, local);
}

template <class Right>
PLICA_KERNEL void backward(const Supernode& s, const double* value, const double* inverse_pivot, double* local) {
    const std::int64_t left = s.width % 4;
    std::int64_t column = s.width - left;
    const double* end = value + panel_values(s.width, s.height) - panel_values(left, s.height);
    double* z = local + column * Right::size;
    if (left == 3) backward_panel<3, Right>(end, s.height, inverse_pivot + column, Beside{z + 3 * Right::size}, z);
    if (left == 2) backward_panel<2, Right>(end, s.height, inverse_pivot + column, Beside{z + 2 * Right::size}, z);
    if (left == 1) backward_panel<1, Right>(end, s.height, inverse_pivot + column, Beside{z + 1 * Right::size}, z);
    while (column > 0) {
        column -= 4;
        const std::int64_t rows = s.width + s.height - column - 4;
        end -= panel_values(4, rows);
        z = local + column * Right::size;
        backward_panel<4, Right>(end, rows, inverse_pivot + column, Beside{z + 4 * Right::size}, z);
    }
}

// A supernode of one panel, as most are: the rows below are used where they lie in x.
template <int P>
PLICA_KERNEL void subtract_at(const double* l, std::int64_t rows, const std::int32_t* row, const One* y, double* x) {
    std::int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        Four sum = load4(l + i) * y[0].v;
        for (int p = 1; p < P; ++p) sum += load4(l + p * rows + i) * y[p].v;
        for (int k = 0; k < 4; ++k) x[row[i + k]] -= sum[k];
    }
    for (; i < rows; ++i) {
        double sum = l[i] * y[0].v;
        for (int p = 1; p < P; ++p) sum += l[p * rows + i] * y[p].v;
        x[row[i]] -= sum;
    }
}
template <int P>
PLICA_KERNEL void subtract_at(const double* l, std::int64_t rows, const std::int32_t* row, const Quad* y, double* x) {
    for (std::int64_t i = 0; i < rows; ++i) {
        Four sum = l[i] * y[0].v;
        for (int p = 1; p < P; ++p) sum += l[p * rows + i] * y[p].v;
        double* to = x + 4 * static_cast<std::int64_t>(row[i]);
        store4(load4(to) - sum, to);
    }
}

template <int P, class Right>
PLICA_KERNEL void forward_alone(const Supernode& s, const double* value, const std::int32_t* row, double* x) {
    double* mine = x + static_cast<std::int64_t>(s.first_column) * Right::size;
    Few<Right, P> y;
    solve_triangle<P>(value, mine, y);
    subtract_at<P>(value + P * (P - 1) / 2, s.height, row, y, x);
}

template <class Right>
PLICA_KERNEL void forward_all(const FactorView& f, double* local, double* x) {
    constexpr int size = Right::size;
    for (std::size_t k = 0; k < f.count; ++k) {
        const Supernode& s = f.supernodes[k];
        const std::int32_t* row = f.row + s.first_row;
        const double* value = f.value + s.first_value;
        if (s.width == 1) forward_alone<1, Right>(s, value, row, x);
        if (s.width == 2) forward_alone<2, Right>(s, value, row, x);
        if (s.width == 3) forward_alone<3, Right>(s, value, row, x);
        if (s.width == 4) forward_alone<4, Right>(s, value, row, x);
        if (s.width <= 4) continue;
        double* mine = x + static_cast<std::int64_t>(s.first_column) * size;
        double* below = local + static_cast<std::int64_t>(s.width) * size;
        for (int i = 0; i < s.width * size; ++i) local[i] = mine[i];
        for (int i = 0; i < s.height * size; ++i) below[i] = 0.0;
        forward<Right>(s, value, local);
        for (int i = 0; i < s.width * size; ++i) mine[i] = local[i];
        for (int i = 0; i < s.height; ++i) {
            double* to = x + static_cast<std::int64_t>(row[i]) * size;
            Right sum = Right::load(to);
            sum.v += Right::load(below + static_cast<std::int64_t>(i) * size).v;
            sum.store(to);
        }
    }
}

template <class Right>
PLICA_KERNEL void backward_all(const FactorView& f, double* local, double* x) {
    constexpr int size = Right::size;
    for (std::size_t k = f.count; k-- > 0;) {
        const Supernode& s = f.supernodes[k];
        const std::int32_t* row = f.row + s.first_row;
        const double* value = f.value + s.first_value;
        const double* pivot = f.inverse_pivot + s.first_column;
        double* mine = x + static_cast<std::int64_t>(s.first_column) * size;
        if (s.width == 1) backward_panel<1, Right>(value, s.height, pivot, Numbered{x, row}, mine);
        if (s.width == 2) backward_panel<2, Right>(value, s.height, pivot, Numbered{x, row}, mine);
        if (s.width == 3) backward_panel<3, Right>(value, s.height, pivot, Numbered{x, row}, mine);
        if (s.width == 4) backward_panel<4, Right>(value, s.height, pivot, Numbered{x, row}, mine);
        if (s.width <= 4) continue;
        double* below = local + static_cast<std::int64_t>(s.width) * size;
        for (int i = 0; i < s.height; ++i)
            Right::load(x + static_cast<std::int64_t>(row[i]) * size)
                .store(below + static_cast<std::int64_t>(i) * size);
        for (int i = 0; i < s.width * size; ++i) local[i] = mine[i];
        backward<Right>(s, value, pivot, local);
        for (int i = 0; i < s.width * size; ++i) mine[i] = local[i];
    }
}

}  // namespace

void solve_one(const FactorView& factor, double* local, double* x) {
    forward_all<One>(factor, local, x);
    backward_all<One>(factor, local, x);
}
void solve_four(const FactorView& factor, double* local, double* x) {
    forward_all<Quad>(factor, local, x);
    backward_all<Quad>(factor, local, x);
}

}  // namespace plica::heat::PLICA_ISA
