#include "tissue/heat/factor.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace plica::heat {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

std::vector<std::int32_t> order_by_minimum_degree(const SymmetricMatrix& m) {
    const auto n = static_cast<Eigen::Index>(m.rows());
    const std::vector<double> ones(m.column.size(), 1.0);
    const Eigen::SparseMatrix<double> a = Eigen::Map<const Eigen::SparseMatrix<double>>(
        n, n, static_cast<Eigen::Index>(m.column.size()), m.first.data(), m.column.data(), ones.data());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(a, order);
    return {order.indices().data(), order.indices().data() + n};
}

}  // namespace

Factor::Factor(const SymmetricMatrix& pattern) {
    const std::size_t n = pattern.rows();
    m_old = order_by_minimum_degree(pattern);
    m_new.resize(n);
    for (std::size_t i = 0; i < n; ++i) m_new[at(m_old[i])] = static_cast<std::int32_t>(i);
    m_parent.assign(n, -1);
    m_mark.assign(n, -1);
    std::vector<std::int32_t> count(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        const auto row = static_cast<std::int32_t>(k);
        m_mark[k] = row;
        for (std::int32_t p = pattern.first[at(m_old[k])]; p < pattern.first[at(m_old[k]) + 1]; ++p) {
            for (std::int32_t i = m_new[at(pattern.column[at(p)])]; i < row && m_mark[at(i)] != row;
                 i = m_parent[at(i)]) {
                if (m_parent[at(i)] < 0) m_parent[at(i)] = row;
                ++count[at(i)];
                m_mark[at(i)] = row;
            }
        }
    }
    m_first.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) m_first[i + 1] = m_first[i] + count[i];
    m_row.resize(at(m_first[n]));
    m_value.resize(m_row.size());
    m_pivot.resize(n);
    m_filled.resize(n);
    m_path.resize(n);
    m_work.assign(n, 0.0);
    m_work3.assign(n, {});
}

bool Factor::factorize(const SymmetricMatrix& a) {
    const std::size_t n = rows();
    std::fill(m_filled.begin(), m_filled.end(), 0);
    std::fill(m_mark.begin(), m_mark.end(), -1);
    std::fill(m_work.begin(), m_work.end(), 0.0);
    m_failed_row = -1;
    m_ready = false;
    for (std::size_t k = 0; k < n; ++k) {
        const auto row = static_cast<std::int32_t>(k);
        std::size_t top = n;
        m_mark[k] = row;
        for (std::int32_t p = a.first[at(m_old[k])]; p < a.first[at(m_old[k]) + 1]; ++p) {
            std::int32_t i = m_new[at(a.column[at(p)])];
            if (i > row) continue;
            m_work[at(i)] += a.value[at(p)];
            std::size_t length = 0;
            for (; m_mark[at(i)] != row; i = m_parent[at(i)]) {
                m_path[length++] = i;
                m_mark[at(i)] = row;
            }
            while (length > 0) m_path[--top] = m_path[--length];
        }
        double pivot = m_work[k];
        m_work[k] = 0.0;
        for (; top < n; ++top) {
            const std::size_t i = at(m_path[top]);
            const double y = m_work[i];
            m_work[i] = 0.0;
            const std::size_t end = at(m_first[i] + m_filled[i]);
            for (std::size_t p = at(m_first[i]); p < end; ++p) m_work[at(m_row[p])] -= m_value[p] * y;
            const double l = y / m_pivot[i];
            pivot -= l * y;
            m_row[end] = row;
            m_value[end] = l;
            ++m_filled[i];
        }
        if (!(pivot > 0.0)) {
            m_failed_row = m_old[k];
            return false;
        }
        m_pivot[k] = pivot;
    }
    m_ready = true;
    return true;
}

namespace {

template <class Value>
void solve_permuted(std::span<const std::int32_t> first, std::span<const std::int32_t> row,
                    std::span<const double> value, std::span<const double> pivot, std::span<Value> x) {
    const std::size_t n = pivot.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t p = at(first[i]); p < at(first[i + 1]); ++p) x[at(row[p])] -= value[p] * x[i];
    }
    for (std::size_t i = n; i-- > 0;) {
        Value sum = x[i] / pivot[i];
        for (std::size_t p = at(first[i]); p < at(first[i + 1]); ++p) sum -= value[p] * x[at(row[p])];
        x[i] = sum;
    }
}

}  // namespace

void Factor::solve(std::span<double> x) {
    if (!m_ready) return;
    for (std::size_t i = 0; i < m_old.size(); ++i) m_work[i] = x[at(m_old[i])];
    solve_permuted<double>(m_first, m_row, m_value, m_pivot, m_work);
    for (std::size_t i = 0; i < m_old.size(); ++i) x[at(m_old[i])] = m_work[i];
}

void Factor::solve(std::span<Vec3> x) {
    if (!m_ready) return;
    for (std::size_t i = 0; i < m_old.size(); ++i) m_work3[i] = x[at(m_old[i])];
    solve_permuted<Vec3>(m_first, m_row, m_value, m_pivot, m_work3);
    for (std::size_t i = 0; i < m_old.size(); ++i) x[at(m_old[i])] = m_work3[i];
}

}  // namespace plica::heat
