#include "simulation/live/pace.hpp"

#include <algorithm>

namespace plica {

void Pace::restart(double now) {
    m_due = now;
    m_steps = 0;
}

void Pace::add_step(double now) {
    m_due = std::max(m_due + m_dt / m_speed, now - most_behind);
    m_ends[m_steps++ % m_ends.size()] = now;
}

double Pace::ratio() const {
    const std::size_t most = std::min(m_steps, m_ends.size());
    if (most < 2) return 0.0;
    const auto end = [&](std::size_t back) { return m_ends[(m_steps - 1 - back) % m_ends.size()]; };
    std::size_t back = 1;
    while (back + 1 < most && end(0) - end(back) < window) ++back;
    const double seconds = end(0) - end(back);
    return seconds > 0.0 ? static_cast<double>(back) * m_dt / seconds : 0.0;
}

}  // namespace plica
