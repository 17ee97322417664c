#include "tissue/heat/factor.hpp"

#include <algorithm>

#include "core/index.hpp"
#include "tissue/heat/factor_kernel.hpp"

namespace plica::heat {
namespace {

// What a pivot must keep of its diagonal: less is rounding, as of a matrix whose rows sum to zero.
constexpr double least_pivot = 1e-14;

}  // namespace

Factor::Factor(const SymmetricMatrix& pattern, Isa isa) : m_isa(isa), m_layout(lay_out(pattern)) {
    const std::size_t n = m_layout.old_row.size();
    const std::size_t front = m_layout.largest_front;
    m_value.resize(static_cast<std::size_t>(m_layout.values));
    m_pivot.resize(n);
    m_front.resize(front * front);
    m_stack.resize(m_layout.stack);
    m_least.resize(front);
    m_place.resize(n);
    m_waiting.reserve(m_layout.supernodes.size());
    m_local.resize(4 * front);
    m_right.resize(4 * n);
}

// Multifrontal: a supernode's front is its part of the matrix plus what its children left, which lies on a stack.
bool Factor::factorize(const SymmetricMatrix& a) {
    m_failed_row = -1;
    m_ready = false;
    m_waiting.clear();
    std::size_t waiting = 0;  // numbers on the stack
    for (std::size_t i = 0; i < m_layout.supernodes.size(); ++i) {
        if (!eliminate(a, i, waiting)) return false;
    }
    m_ready = true;
    return true;
}

bool Factor::eliminate(const SymmetricMatrix& a, std::size_t index, std::size_t& waiting) {
    const Supernode& s = m_layout.supernodes[index];
    const std::size_t size = at(s.width + s.height);
    for (std::int32_t c = 0; c < s.width; ++c) m_place[at(s.first_column + c)] = c;
    for (std::int32_t r = 0; r < s.height; ++r) m_place[at(m_layout.row[at(s.first_row + r)])] = s.width + r;
    std::fill_n(m_front.begin(), size * size, 0.0);
    add_matrix(a, s, size);
    add_children(index, size, waiting);
    const FactorView view{m_layout.supernodes.data(), m_layout.supernodes.size(), m_layout.row.data(), m_value.data(),
                          m_pivot.data()};
    const auto kernel = PLICA_PICK_KERNEL(m_isa, eliminate_front);
    const int failed = kernel(view, index, m_front.data(), m_least.data(), m_stack.data() + waiting);
    if (failed < 0) {
        m_failed_row = m_layout.old_row[at(s.first_column - 1 - failed)];
        return false;
    }
    if (s.height == 0) return true;
    waiting += at(s.height) * at(s.height);
    m_waiting.push_back(static_cast<std::int32_t>(index));
    return true;
}

void Factor::add_matrix(const SymmetricMatrix& a, const Supernode& s, std::size_t size) {
    for (std::int32_t c = 0; c < s.width; ++c) {
        const std::int32_t column = s.first_column + c;
        const std::size_t old = at(m_layout.old_row[at(column)]);
        for (std::size_t p = at(a.first[old]); p < at(a.first[old + 1]); ++p) {
            const std::int32_t row = m_layout.new_row[at(a.column[p])];
            if (row < column) continue;
            m_front[at(c) * size + at(m_place[at(row)])] = a.value[p];
            if (row == column) m_least[at(c)] = least_pivot * std::abs(a.value[p]);
        }
    }
}

void Factor::add_children(std::size_t index, std::size_t size, std::size_t& waiting) {
    while (!m_waiting.empty() && m_layout.supernodes[at(m_waiting.back())].parent == static_cast<std::int32_t>(index)) {
        const Supernode& child = m_layout.supernodes[at(m_waiting.back())];
        const std::int32_t* row = m_layout.row.data() + child.first_row;
        const std::size_t height = at(child.height);
        waiting -= height * height;
        const double* rest = m_stack.data() + waiting;
        for (std::size_t k = 0; k < height; ++k) {
            double* column = m_front.data() + at(m_place[at(row[k])]) * size;
            for (std::size_t i = k; i < height; ++i) column[m_place[at(row[i])]] += rest[k * height + i];
        }
        m_waiting.pop_back();
    }
}

void Factor::solve(std::span<double> x) {
    if (!m_ready) return;
    const FactorView view{m_layout.supernodes.data(), m_layout.supernodes.size(), m_layout.row.data(), m_value.data(),
                          m_pivot.data()};
    for (std::size_t i = 0; i < rows(); ++i) m_right[i] = x[at(m_layout.old_row[i])];
    PLICA_PICK_KERNEL(m_isa, solve_one)(view, m_local.data(), m_right.data());
    for (std::size_t i = 0; i < rows(); ++i) x[at(m_layout.old_row[i])] = m_right[i];
}

void Factor::solve(std::span<Vec3> x) {
    if (!m_ready) return;
    const FactorView view{m_layout.supernodes.data(), m_layout.supernodes.size(), m_layout.row.data(), m_value.data(),
                          m_pivot.data()};
    for (std::size_t i = 0; i < rows(); ++i) {
        const Vec3& v = x[at(m_layout.old_row[i])];
        m_right[4 * i] = v.x;
        m_right[4 * i + 1] = v.y;
        m_right[4 * i + 2] = v.z;
        m_right[4 * i + 3] = 0.0;
    }
    PLICA_PICK_KERNEL(m_isa, solve_four)(view, m_local.data(), m_right.data());
    for (std::size_t i = 0; i < rows(); ++i)
        x[at(m_layout.old_row[i])] = {m_right[4 * i], m_right[4 * i + 1], m_right[4 * i + 2]};
}

}  // namespace plica::heat
