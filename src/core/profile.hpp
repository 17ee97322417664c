#pragma once
#include <array>
#include <cstddef>

#include "core/clock.hpp"

namespace plica {

// Adds the time since the last lap to a named stage.
template <std::size_t Stages>
class StageClock {
public:
    explicit StageClock(std::array<double, Stages>& seconds) : m_seconds(seconds), m_last(wall_seconds()) {}
    void lap(std::size_t stage) {
        const double now = wall_seconds();
        m_seconds[stage] += now - m_last;
        m_last = now;
    }

private:
    std::array<double, Stages>& m_seconds;
    double m_last;
};

}  // namespace plica
