#pragma once
#include <cstdint>
#include <numeric>
#include <vector>

namespace plica {

// Things that belong together, two at a time (union-find).
class Pieces {
public:
    explicit Pieces(std::size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), 0); }

    // The smallest member of the piece.
    std::int32_t find(std::int32_t i) {
        while (parent(i) != i) {
            parent(i) = parent(parent(i));
            i = parent(i);
        }
        return i;
    }
    void join(std::int32_t a, std::int32_t b) {
        a = find(a);
        b = find(b);
        parent(a < b ? b : a) = a < b ? a : b;
    }
    std::size_t count() {
        std::size_t pieces = 0;
        for (std::size_t i = 0; i < m_parent.size(); ++i)
            pieces += m_parent[i] == static_cast<std::int32_t>(i) ? 1U : 0U;
        return pieces;
    }

private:
    std::int32_t& parent(std::int32_t i) { return m_parent[static_cast<std::size_t>(i)]; }
    std::vector<std::int32_t> m_parent;
};

}  // namespace plica
