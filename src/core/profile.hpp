#pragma once
#include <array>
#include <cstddef>

#include "core/clock.hpp"

namespace plica {

// Adds the time since the last lap to a named stage.
template <std::size_t Stages>
class StageClock {
public:
    using Now = double (*)() noexcept;
    explicit StageClock(std::array<double, Stages>& seconds, Now read = wall_seconds)
        : m_seconds(seconds), m_read(read), m_last(read()) {}
    // What was done since the last lap belongs to no stage.
    void skip() { m_last = m_read(); }
    void lap(std::size_t stage) {
        const double now = m_read();
        m_seconds[stage] += now - m_last;
        m_last = now;
    }

private:
    std::array<double, Stages>& m_seconds;
    Now m_read;
    double m_last;
};

}  // namespace plica
