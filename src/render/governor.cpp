#include "render/governor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/index.hpp"

namespace plica::render {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

constexpr Detail level(double resolution, double largest_turn, int sides, int rings, int effects) {
    return {largest_turn * degree, sides, rings, resolution, effects > 0, effects > 1, effects > 2, effects > 3};
}

// Sides, and rings in a cell, so that faces stay about as long as wide. A picture that cannot be had whole is drawn
// smaller; what makes it more than a shape is added as soon as the shape is right.
constexpr std::array<Detail, 13> ladder{{level(0.5, 60, 4, 2, 0), level(0.5, 60, 8, 2, 0), level(0.7, 40, 10, 2, 0),
                                         level(1, 30, 12, 2, 0), level(1, 30, 16, 2, 1), level(1, 30, 12, 4, 2),
                                         level(1, 30, 16, 4, 2), level(1, 30, 20, 4, 3), level(1, 30, 24, 4, 4),
                                         level(1, 20, 32, 4, 4), level(1, 20, 48, 4, 4), level(1, 15, 64, 4, 4),
                                         level(1, 15, 64, 8, 4)}};

constexpr double recent_time = 0.08, mean_time = 1.0;  // s, of the averages
constexpr double settle_time = 0.1;                    // s, and
constexpr int settle_frames = 3;                       // before anything is decided,
constexpr double long_wait = 0.35;                     // s, unless frames are so slow that they take as long as this
constexpr double recent_limit = 1.05, mean_limit = 1.01;
constexpr double sure_time = 0.5;                          // s, after which the mean counts
constexpr int most_at_once = 4;                            // levels
constexpr double plenty = 0.4;                             // load, below which two levels are climbed at once
constexpr double first_block = 2.0, longest_block = 32.0;  // s
constexpr double forget_time = 4.0;                        // s that a level must hold for its failures to be forgotten
constexpr double fits_again = 0.97;  // expected load of a blocked level, below which it is tried early
constexpr double early_wait = 1.0;   // s after a failure

double median(double a, double b, double c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}  // namespace

std::span<const Detail> detail_levels() {
    return ladder;
}

Governor::Governor(double frames_per_second, int levels, int start)
    : m_time_for_frame(1.0 / frames_per_second),
      m_levels(at(std::max(levels, 1))),
      m_level(std::clamp(start, 0, std::max(levels, 1) - 1)) {}

// One frame out of the row, as when something else took the processor, is none of the level's doing: the median of
// three takes it out. The first frame after a move may still be of the level before.
void Governor::observe(double load, double seconds) {
    m_clock += seconds;
    if (++m_frames == 1) return;
    double middle = load;
    if (m_frames == 3) middle = std::min(load, m_last[0]);
    if (m_frames > 3) middle = median(m_last[0], m_last[1], load);
    m_last[1] = m_last[0];
    m_last[0] = load;
    m_seconds += seconds;
    if (m_frames == 2) m_recent = m_mean = middle;
    m_recent += (1.0 - std::exp(-seconds / recent_time)) * (middle - m_recent);
    m_mean += std::min(1.0, seconds / std::min(m_seconds, mean_time)) * (middle - m_mean);
}

bool Governor::is_too_slow() const {
    return m_recent > recent_limit || (m_seconds > sure_time && m_mean > mean_limit);
}

// A level that failed: after its time, or when its load, in proportion to that of the level below, would fit.
bool Governor::may_try(int level) const {
    const Level& l = m_levels[at(level)];
    if (l.blocked_for == 0.0) return true;
    const double since = m_clock - l.failed_at;
    if (since > l.blocked_for) return true;
    const double expected = l.load_failed * m_mean / l.load_below;
    return level == m_level + 1 && l.load_below > 0.0 && since > early_wait && m_seconds > sure_time &&
           expected < fits_again;
}

void Governor::move(int level) {
    m_level = level;
    m_dropped = 0;
    m_seconds = 0.0;
    m_frames = 0;
}

// Far beyond, several at once, as if each level cost half as much again as the one before. When the last drop was not
// enough, as many as it takes if levels go on to save as little as they did.
int Governor::levels_to_drop() const {
    const double load = std::max(m_recent, m_mean);
    int drop = std::max(static_cast<int>(std::ceil(std::log(load) / std::log(1.5))), load > 1.3 ? 2 : 1);
    if (m_dropped > 0) {
        const double saved = std::max((m_load_before - load) / m_dropped, 1e-3);
        drop = std::clamp(static_cast<int>(std::ceil((load - 1.0) / saved)), 1, std::max(drop, most_at_once));
    }
    return std::min(drop, m_level);
}

void Governor::go_down() {
    if (m_level == 0) return;
    Level& l = m_levels[at(m_level)];
    l.blocked_for = l.blocked_for == 0.0 ? first_block : std::min(2.0 * l.blocked_for, longest_block);
    l.failed_at = m_clock;
    l.load_failed = std::max(m_recent, m_mean);
    l.load_below = 0.0;
    const int drop = levels_to_drop();
    m_load_before = l.load_failed;
    move(m_level - drop);
    m_dropped = drop;
}

void Governor::go_up() {
    const int last = static_cast<int>(m_levels.size()) - 1;
    if (m_level == last || !may_try(m_level + 1)) return;
    // A level that failed lately must first show that it holds now.
    if (m_levels[at(m_level)].blocked_for > 0.0 && m_seconds < sure_time) return;
    const bool two = m_recent < plenty && m_level + 2 <= last && may_try(m_level + 2);
    move(m_level + (two ? 2 : 1));
}

int Governor::next(double seconds) {
    if (!(seconds > 0.0) || !std::isfinite(seconds)) return m_level;
    observe(seconds / m_time_for_frame, seconds);
    if (m_seconds < settle_time || (m_frames <= settle_frames && m_seconds < long_wait)) return m_level;
    if (m_seconds > sure_time) m_dropped = 0;
    if (m_seconds > forget_time) m_levels[at(m_level)].blocked_for = 0.0;
    if (m_seconds > sure_time && at(m_level) + 1 < m_levels.size()) {
        Level& above = m_levels[at(m_level + 1)];
        if (above.load_below == 0.0) above.load_below = m_mean;
    }
    if (is_too_slow()) {
        go_down();
    } else if (std::max(m_recent, m_mean) < 1.0) {
        go_up();
    }
    return m_level;
}

void PaperLaw::next(double seconds) {
    const double before = m_eps;
    m_eps += m_gains.alpha * (m_target - 1.0 / seconds);
    m_rho += m_gains.beta * (m_eps - before);
}

int PaperLaw::resolution() const {
    return static_cast<int>(std::floor(m_rho));
}

}  // namespace plica::render
