#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace plica::formats {

// Which node has which number in a file. Numbers may have gaps and any order.
class NodeTags {
public:
    NodeTags() = default;
    // tags[i] is the number of node i.
    explicit NodeTags(std::vector<std::int64_t> tags);

    // -1: there is none.
    [[nodiscard]] std::int32_t find(std::int64_t tag) const {
        if (m_sorted.empty()) {
            const std::uint64_t at = static_cast<std::uint64_t>(tag) - static_cast<std::uint64_t>(m_first);
            return at < m_table.size() ? m_table[at] : -1;
        }
        return find_sorted(tag);
    }
    // A node whose number another one has too; -1: none.
    [[nodiscard]] std::int32_t repeated() const { return m_repeated; }

private:
    [[nodiscard]] std::int32_t find_sorted(std::int64_t tag) const;

    std::int64_t m_first = 0;
    std::vector<std::int32_t> m_table;                            // by tag - first, where numbers lie close together
    std::vector<std::pair<std::int64_t, std::int32_t>> m_sorted;  // otherwise
    std::int32_t m_repeated = -1;
};

}  // namespace plica::formats
