#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/vec3.hpp"
#include "tissue/heat/sparse.hpp"

namespace plica::heat {

// A = L D L^T of a symmetric positive definite matrix whose pattern stays and which is solved many times: ordering and
// memory once, numbers anew when they change, then two triangular solves a right side.
class Factor {
public:
    Factor() = default;
    explicit Factor(const SymmetricMatrix& pattern);  // ordering, and room for all that follows

    // The matrix must have the pattern given before. Allocates nothing. False: not positive definite, see failed_row;
    // solve then leaves its right side as it is.
    bool factorize(const SymmetricMatrix& a);
    [[nodiscard]] std::int32_t failed_row() const { return m_failed_row; }  // -1: none
    [[nodiscard]] bool ready() const { return m_ready; }

    // Right side in, solution out; allocates nothing.
    void solve(std::span<double> x);
    void solve(std::span<Vec3> x);  // three right sides; the factor is read once

    [[nodiscard]] std::size_t rows() const { return m_old.size(); }
    [[nodiscard]] std::size_t entries() const { return m_row.size() + m_old.size(); }  // stored, of L and D

private:
    std::vector<std::int32_t> m_old, m_new;  // row of the matrix from row of the factor, and back
    std::vector<std::int32_t> m_first, m_row, m_parent, m_filled, m_mark, m_path;
    std::vector<double> m_value, m_pivot, m_work;
    std::vector<Vec3> m_work3;
    std::int32_t m_failed_row = -1;
    bool m_ready = false;
};

}  // namespace plica::heat
