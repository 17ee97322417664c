#pragma once
#include <algorithm>
#include <vector>

namespace plica::desktop {

// How long frames took, from one to the next.
class FrameTimes {
public:
    void add(double seconds) { m_seconds.push_back(static_cast<float>(seconds)); }
    [[nodiscard]] std::size_t count() const { return m_seconds.size(); }
    // Frames a second that this share of the frames reach; 0 when there are none.
    [[nodiscard]] double rate(double share) const {
        if (m_seconds.empty()) return 0.0;
        std::vector<float> sorted = m_seconds;
        const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(place), sorted.end());
        return 1.0 / std::max(1e-6, static_cast<double>(sorted[place]));
    }

private:
    std::vector<float> m_seconds;
};

}  // namespace plica::desktop
