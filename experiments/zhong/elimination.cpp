#include "experiments/zhong/elimination.hpp"

#include <algorithm>

#include "core/clock.hpp"

namespace plica::experiments {
namespace {

std::vector<double> to_dense(const heat::SymmetricMatrix& a) {
    const std::size_t n = a.rows();
    std::vector<double> full(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::int32_t p = a.first[i]; p < a.first[i + 1]; ++p) {
            const auto entry = static_cast<std::size_t>(p);
            full[i * n + static_cast<std::size_t>(a.column[entry])] = a.value[entry];
        }
    }
    return full;
}

}  // namespace

std::vector<double> eliminate_plainly(const heat::SymmetricMatrix& a, std::span<const double> b) {
    const std::size_t n = a.rows();
    std::vector<double> m = to_dense(a);
    std::vector<double> x(b.begin(), b.end());
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = m[i * n + k] / m[k * n + k];
            for (std::size_t j = k + 1; j < n; ++j) m[i * n + j] -= factor * m[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) x[i] -= m[i * n + j] * x[j];
        x[i] /= m[i * n + i];
    }
    return x;
}

std::vector<double> eliminate_blocked(const heat::SymmetricMatrix& a, std::span<const double> b, double* seconds) {
    std::vector<double> m = to_dense(a);
    std::vector<double> x(b.begin(), b.end());
    const double began = thread_cpu_seconds();
    PLICA_PICK_KERNEL(best_isa(), solve_by_lu)(m.data(), a.rows(), x.data());
    *seconds = thread_cpu_seconds() - began;
    return x;
}

Band::Band(const heat::SymmetricMatrix& a) : m_rows(a.rows()) {
    for (std::size_t i = 0; i < m_rows; ++i) {
        const auto last = static_cast<std::size_t>(a.column[static_cast<std::size_t>(a.first[i + 1] - 1)]);
        m_width = std::max(m_width, last - i);
    }
    m_value.assign((m_width + 1) * m_rows, 0.0);
    for (std::size_t i = 0; i < m_rows; ++i) {
        for (std::int32_t p = a.first[i]; p < a.first[i + 1]; ++p) {
            const auto entry = static_cast<std::size_t>(p);
            const auto j = static_cast<std::size_t>(a.column[entry]);
            if (j >= i) m_value[i * (m_width + 1) + j - i] = a.value[entry];
        }
    }
}

void Band::eliminate() {
    const std::size_t stride = m_width + 1;
    for (std::size_t k = 0; k < m_rows; ++k) {
        const double* pivot = m_value.data() + k * stride;
        const std::size_t reach = std::min(m_width, m_rows - 1 - k);
        for (std::size_t i = 1; i <= reach; ++i) {
            const double factor = pivot[i] / pivot[0];
            double* row = m_value.data() + (k + i) * stride;
            for (std::size_t j = i; j <= reach; ++j) row[j - i] -= factor * pivot[j];
        }
    }
}

void Band::solve(std::span<double> x) const {
    const std::size_t stride = m_width + 1;
    for (std::size_t k = 0; k < m_rows; ++k) {
        const double* row = m_value.data() + k * stride;
        const std::size_t reach = std::min(m_width, m_rows - 1 - k);
        const double factor = x[k] / row[0];
        for (std::size_t i = 1; i <= reach; ++i) x[k + i] -= row[i] * factor;
    }
    for (std::size_t k = m_rows; k-- > 0;) {
        const double* row = m_value.data() + k * stride;
        const std::size_t reach = std::min(m_width, m_rows - 1 - k);
        double sum = x[k];
        for (std::size_t i = 1; i <= reach; ++i) sum -= row[i] * x[k + i];
        x[k] = sum / row[0];
    }
}

}  // namespace plica::experiments
