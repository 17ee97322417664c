#include "tissue/heat/sparse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace plica::heat {
namespace {

// Where (row, column) is; -1: not in the pattern.
std::ptrdiff_t find_entry(const SymmetricMatrix& m, std::int32_t row, std::int32_t column) {
    if (row < 0 || static_cast<std::size_t>(row) >= m.rows()) return -1;
    const auto begin = m.column.begin() + m.first[static_cast<std::size_t>(row)];
    const auto end = m.column.begin() + m.first[static_cast<std::size_t>(row) + 1];
    const auto found = std::lower_bound(begin, end, column);
    return found != end && *found == column ? found - m.column.begin() : -1;
}

}  // namespace

SymmetricMatrix make_pattern(std::size_t rows, std::span<const Link> links) {
    const auto count = static_cast<std::int32_t>(rows);
    SymmetricMatrix m;
    std::vector<std::int32_t> size(rows + 1, 1);
    for (const Link& l : links) {
        if (l.a < 0 || l.b < 0 || l.a >= count || l.b >= count)
            throw Error(fmt::format("a link joins the rows {} and {}, expected 0 to {}", l.a, l.b, count - 1));
        ++size[static_cast<std::size_t>(l.a)];
        ++size[static_cast<std::size_t>(l.b)];
    }
    m.first.assign(rows + 1, 0);
    for (std::size_t i = 0; i < rows; ++i) m.first[i + 1] = m.first[i] + size[i];
    m.column.resize(static_cast<std::size_t>(m.first[rows]));
    std::vector<std::int32_t> next(m.first.begin(), m.first.end() - 1);
    const auto put = [&](std::int32_t row, std::int32_t column) {
        m.column[static_cast<std::size_t>(next[static_cast<std::size_t>(row)]++)] = column;
    };
    for (std::int32_t i = 0; i < count; ++i) put(i, i);
    for (const Link& l : links) {
        put(l.a, l.b);
        put(l.b, l.a);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto begin = m.column.begin() + m.first[i];
        const auto end = m.column.begin() + m.first[i + 1];
        std::sort(begin, end);
        m.first[i] = static_cast<std::int32_t>(kept);
        const auto unique = std::unique(begin, end);
        std::copy(begin, unique, m.column.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += static_cast<std::size_t>(unique - begin);
    }
    m.first[rows] = static_cast<std::int32_t>(kept);
    m.column.resize(kept);
    m.value.assign(kept, 0.0);
    return m;
}

void add_at(SymmetricMatrix& m, std::int32_t row, std::int32_t column, double value) {
    const std::ptrdiff_t entry = find_entry(m, row, column);
    if (entry < 0) throw Error(fmt::format("the entry ({}, {}) is not in the matrix' pattern", row, column));
    m.value[static_cast<std::size_t>(entry)] += value;
}

void add_link(SymmetricMatrix& m, const Link& link, double value) {
    add_at(m, link.a, link.a, value);
    add_at(m, link.b, link.b, value);
    add_at(m, link.a, link.b, -value);
    add_at(m, link.b, link.a, -value);
}

double value_at(const SymmetricMatrix& m, std::int32_t row, std::int32_t column) {
    const std::ptrdiff_t entry = find_entry(m, row, column);
    return entry < 0 ? 0.0 : m.value[static_cast<std::size_t>(entry)];
}

void multiply(const SymmetricMatrix& m, std::span<const double> x, std::span<double> y) {
    for (std::size_t i = 0; i < m.rows(); ++i) {
        double sum = 0.0;
        const auto end = static_cast<std::size_t>(m.first[i + 1]);
        for (auto k = static_cast<std::size_t>(m.first[i]); k < end; ++k)
            sum += m.value[k] * x[static_cast<std::size_t>(m.column[k])];
        y[i] = sum;
    }
}

}  // namespace plica::heat
