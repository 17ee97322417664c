#pragma once
#include <array>
#include <cstddef>

namespace plica {

// Keeps steps in time with the wall clock. A machine that is too slow gets a slower clock: what was missed is let go
// but for a tenth of a second, so that nothing piles up. All times in s, `now` on the wall clock.
class Pace {
public:
    static constexpr double most_behind = 0.1;  // s

    explicit Pace(double dt) : m_dt(dt) {}

    // Simulated seconds a second that are aimed at.
    void set_speed(double speed) { m_speed = speed; }
    [[nodiscard]] double speed() const { return m_speed; }
    // The next step is due now; what was measured is forgotten.
    void restart(double now);
    [[nodiscard]] double due() const { return m_due; }
    void add_step(double now);
    // Simulated seconds a second, over about the last second; 0 while there is nothing to measure.
    [[nodiscard]] double ratio() const;

private:
    static constexpr double window = 1.0;  // s
    double m_dt;
    double m_speed = 1.0;
    double m_due = 0.0;
    std::array<double, 512> m_ends{};  // of the last steps, a ring
    std::size_t m_steps = 0;
};

}  // namespace plica
