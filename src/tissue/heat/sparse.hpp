#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plica::heat {

// A symmetric matrix in compressed rows: both triangles and the whole diagonal, columns ascending in each row.
struct SymmetricMatrix {
    std::vector<std::int32_t> first;   // rows + 1; row i has the entries first[i] to first[i + 1] - 1
    std::vector<std::int32_t> column;  // per entry
    std::vector<double> value;         // per entry

    [[nodiscard]] std::size_t rows() const { return first.empty() ? 0 : first.size() - 1; }
};

struct Link {
    std::int32_t a, b;
};

// Zeros on the diagonal and, both ways, at every link; links may come twice and in any order.
SymmetricMatrix make_pattern(std::size_t rows, std::span<const Link> links);

// While building: adds to the one entry (row, column), which must be in the pattern (else Error); its mirror image is
// the caller's second call.
void add_at(SymmetricMatrix& m, std::int32_t row, std::int32_t column, double value);
// The four entries of value (x_a - x_b)^2 / 2: +value on the diagonal, -value between.
void add_link(SymmetricMatrix& m, const Link& link, double value);

// Of an entry in the pattern; 0 of any other.
double value_at(const SymmetricMatrix& m, std::int32_t row, std::int32_t column);

// y = m x
void multiply(const SymmetricMatrix& m, std::span<const double> x, std::span<double> y);

}  // namespace plica::heat
