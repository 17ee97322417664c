#pragma once
#include "tissue/heat/sparse.hpp"

namespace plica::heat {

// A run of columns of the factor that share their rows below, so that they are one dense block.
struct Supernode {
    std::int32_t first_column = 0, width = 0;
    std::int32_t first_row = 0, height = 0;  // rows below the columns: row[first_row] on, ascending
    std::int32_t parent = -1;                // the supernode that its first row below belongs to
    std::int64_t first_value = 0;
};

// What the factor of a pattern looks like. Values lie supernode by supernode, in panels of up to four columns: within a
// panel column after column, each from below the panel's own triangle on; the triangle's numbers come first.
struct SupernodeLayout {
    std::vector<std::int32_t> old_row;  // row of the matrix from row of the factor
    std::vector<std::int32_t> new_row;  // and back
    std::vector<Supernode> supernodes;  // ascending columns, children before parents
    std::vector<std::int32_t> row;
    std::int64_t values = 0;
    std::size_t largest_front = 0;  // columns and rows of the largest supernode
    std::size_t stack = 0;          // values that fronts wait in, at most at one time
};

inline constexpr std::int32_t panel_width = 4;

SupernodeLayout lay_out(const SymmetricMatrix& pattern);

}  // namespace plica::heat
