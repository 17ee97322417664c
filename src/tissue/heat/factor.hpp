#pragma once
#include "core/isa.hpp"
#include "geometry/vec3.hpp"
#include "tissue/heat/supernodes.hpp"

namespace plica::heat {

// A = L D L^T of a symmetric positive definite matrix whose pattern stays and which is solved many times: ordering and
// memory once, numbers anew when they change, then two triangular solves a right side. Columns that share their rows
// are dense blocks, so a solve reads little but the factor's values, once down and once up.
class Factor {
public:
    Factor() = default;
    explicit Factor(const SymmetricMatrix& pattern, Isa isa = best_isa());  // ordering, and room for all that follows

    // The matrix must have the pattern given before. Allocates nothing. False: not positive definite to working
    // precision, see failed_row; solve then leaves its right side as it is.
    bool factorize(const SymmetricMatrix& a);
    [[nodiscard]] std::int32_t failed_row() const { return m_failed_row; }  // of the matrix; -1: none
    [[nodiscard]] bool ready() const { return m_ready; }

    // Right side in, solution out; allocates nothing.
    void solve(std::span<double> x);
    void solve(std::span<Vec3> x);  // three right sides; the factor is read once

    [[nodiscard]] std::size_t rows() const { return m_layout.old_row.size(); }
    [[nodiscard]] std::size_t entries() const { return m_value.size() + m_pivot.size(); }  // stored, of L and D

private:
    bool eliminate(const SymmetricMatrix& a, std::size_t index, std::size_t& waiting);
    void add_matrix(const SymmetricMatrix& a, const Supernode& s, std::size_t size);
    void add_children(std::size_t index, std::size_t size, std::size_t& waiting);

    Isa m_isa = Isa::base;
    SupernodeLayout m_layout;
    std::vector<double> m_value, m_pivot;  // m_pivot: 1 / D
    std::vector<double> m_front, m_stack;  // while factorizing
    std::vector<double> m_least;           // per column of a front: what its pivot must exceed
    std::vector<std::int32_t> m_place;     // per row: where it is in the front
    std::vector<std::int32_t> m_waiting;   // supernodes whose rest lies on the stack
    std::vector<double> m_local, m_right;  // while solving; four numbers a row
    std::int32_t m_failed_row = -1;
    bool m_ready = false;
};

}  // namespace plica::heat
