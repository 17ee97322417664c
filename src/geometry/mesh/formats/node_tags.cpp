#include "geometry/mesh/formats/node_tags.hpp"

#include <algorithm>

namespace plica::formats {

NodeTags::NodeTags(std::vector<std::int64_t> tags) {
    if (tags.empty()) return;
    const auto [least, most] = std::minmax_element(tags.begin(), tags.end());
    m_first = *least;
    const std::uint64_t range = static_cast<std::uint64_t>(*most) - static_cast<std::uint64_t>(*least);
    if (range < 8 * tags.size() + 1024) {
        m_table.assign(static_cast<std::size_t>(range) + 1, -1);
        for (std::size_t i = 0; i < tags.size(); ++i) {
            std::int32_t& node = m_table[static_cast<std::size_t>(tags[i] - m_first)];
            if (node >= 0 && m_repeated < 0) m_repeated = static_cast<std::int32_t>(i);
            node = static_cast<std::int32_t>(i);
        }
        return;
    }
    m_sorted.reserve(tags.size());
    for (std::size_t i = 0; i < tags.size(); ++i) m_sorted.emplace_back(tags[i], static_cast<std::int32_t>(i));
    std::sort(m_sorted.begin(), m_sorted.end());
    for (std::size_t i = 1; i < m_sorted.size() && m_repeated < 0; ++i) {
        if (m_sorted[i].first == m_sorted[i - 1].first) m_repeated = m_sorted[i].second;
    }
}

std::int32_t NodeTags::find_sorted(std::int64_t tag) const {
    const auto found =
        std::lower_bound(m_sorted.begin(), m_sorted.end(), std::pair<std::int64_t, std::int32_t>(tag, -1));
    return found != m_sorted.end() && found->first == tag ? found->second : -1;
}

}  // namespace plica::formats
