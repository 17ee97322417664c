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
constexpr int settle_frames = 3;                       // before a load is known,
constexpr double long_wait = 0.35;                     // s, unless frames are so slow that they take as long as this
constexpr double recent_limit = 1.05, mean_limit = 1.01;
constexpr double sure_time = 0.5;  // s, after which the mean counts
// Loads that are not waited with: of two frames in a row, and of one that takes very long (s).
constexpr double far_limit = 1.1, very_far = 1.5, very_long = 0.15;
constexpr double flight_load = 0.95, leap_load = 0.85;     // expected of levels that it flees to and leaps up to
constexpr double rest_time = 0.5;                          // s after a flight without a try
constexpr double first_block = 2.0, longest_block = 32.0;  // s
constexpr double hopeless = 1.2;     // load with which a level is blocked for longest when it fails again
constexpr double forget_time = 4.0;  // s that a level must hold for its failures to be forgotten
constexpr double fits_again = 0.97;  // expected load of a blocked level, below which it is tried early
constexpr double early_wait = 1.0;   // s after a failure
// Logarithms: no level is free, and what one saves or adds as long as that is known of none. Ours grow by 1.2 to 1.4.
constexpr double least_growth = 0.02, saved_at_first = 0.22, added_at_first = 0.47;

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
      m_level(std::clamp(start, 0, std::max(levels, 1) - 1)),
      m_level_before(m_level) {}

// One frame out of the row, as when something else took the processor, is none of the level's doing: the median of
// three takes it out. The first frame after a move may have had something to prepare.
void Governor::observe(double load, double seconds) {
    m_clock += seconds;
    const double before = m_last[0], earlier = m_last[1];
    m_last[1] = before;
    m_last[0] = load;
    if (++m_frames == 1) return;
    double middle = load;
    if (m_frames == 3) middle = std::min(load, before);
    if (m_frames > 3) middle = median(load, before, earlier);
    m_seconds += seconds;
    if (m_frames == 2) m_recent = m_mean = middle;
    m_recent += (1.0 - std::exp(-seconds / recent_time)) * (middle - m_recent);
    m_mean += std::min(1.0, seconds / std::min(m_seconds, mean_time)) * (middle - m_mean);
}

bool Governor::is_settled() const {
    return (m_seconds >= settle_time && m_frames > settle_frames) || m_seconds >= long_wait;
}

bool Governor::is_too_slow() const {
    return m_recent > recent_limit || (m_seconds > sure_time && m_mean > mean_limit);
}

// The load, when it is such that a second has no room for many such frames, else 0. A level that was only tried is
// given up after one of them.
double Governor::find_emergency() const {
    const bool tried = m_frames == 1 && m_level > m_level_before;
    const bool takes_long = m_last[0] * m_time_for_frame > very_long;
    if ((tried || takes_long) && m_last[0] > very_far) return m_last[0];
    const double both = m_frames > 1 ? std::min(m_last[0], m_last[1]) : 0.0;
    return both > far_limit ? both : 0.0;
}

double Governor::average_growth(double at_first) const {
    double sum = 0.0;
    int known = 0;
    for (const Level& l : m_levels) {
        if (l.growth == 0.0) continue;
        sum += l.growth;
        ++known;
    }
    return known > 0 ? sum / known : at_first;
}

// What the load changed by is what the levels between cost. All of them take the same part of what was not expected.
void Governor::learn(double load) {
    if (m_load_before == 0.0) return;
    const int low = std::min(m_level, m_level_before), high = std::max(m_level, m_level_before);
    const double average = average_growth(saved_at_first);
    double wrong = std::log(load / m_load_before) * (m_level > m_level_before ? 1.0 : -1.0);
    for (int k = low + 1; k <= high; ++k) wrong -= growth(k, average);
    for (int k = low + 1; k <= high; ++k) {
        m_levels[at(k)].growth = std::max(growth(k, average) + wrong / (high - low), least_growth);
    }
    m_load_before = 0.0;
}

double Governor::growth(int level, double unknown) const {
    const double known = m_levels[at(level)].growth;
    return known > 0.0 ? known : unknown;
}

void Governor::move(int level, double load) {
    m_level_before = m_level;
    m_load_before = load;
    m_level = level;
    m_seconds = 0.0;
    m_frames = 0;
}

// To the finest level that should have that load.
void Governor::go_down(double load, double wanted) {
    if (m_level == 0) return;
    Level& l = m_levels[at(m_level)];
    if (l.blocked_for == 0.0) {
        l.blocked_for = first_block;
    } else {
        l.blocked_for = load > hopeless ? longest_block : std::min(2.0 * l.blocked_for, longest_block);
    }
    l.failed_at = m_clock;
    const double unknown = average_growth(saved_at_first);
    double too_much = std::log(load / wanted);
    int level = m_level;
    do {
        too_much -= growth(level--, unknown);
    } while (level > 0 && too_much > 0.0);
    move(level, load);
}

// A level that failed: after its time, or when it is the next one and should fit now.
bool Governor::may_try(int level, double expected) const {
    const Level& l = m_levels[at(level)];
    const double since = m_clock - l.failed_at;
    if (l.blocked_for == 0.0 || since > l.blocked_for) return true;
    return level == m_level + 1 && since > early_wait && m_seconds > sure_time && expected < fits_again;
}

// To the next level, or further if all of them should fit easily.
void Governor::go_up() {
    const int last = static_cast<int>(m_levels.size()) - 1;
    // A level that failed lately must first show that it holds now.
    if (m_levels[at(m_level)].blocked_for > 0.0 && m_seconds < sure_time) return;
    const double load = m_seconds > sure_time ? m_mean : m_recent;
    const double unknown = std::max(average_growth(added_at_first), added_at_first);
    double expected = load;
    int level = m_level;
    while (level < last) {
        expected *= std::exp(growth(level + 1, unknown));
        if (!may_try(level + 1, expected) || (level > m_level && expected > leap_load)) break;
        ++level;
    }
    if (level > m_level) move(level, load);
}

int Governor::next(double seconds) {
    if (!(seconds > 0.0) || !std::isfinite(seconds)) return m_level;
    observe(seconds / m_time_for_frame, seconds);
    if (const double emergency = find_emergency(); emergency > 0.0) {
        if (m_frames <= 2) learn(emergency);  // later it is not the level that became slow
        go_down(emergency, flight_load);
        m_fled_at = m_clock;
    } else if (is_settled()) {
        learn(m_recent);
        if (m_seconds > forget_time) m_levels[at(m_level)].blocked_for = 0.0;
        const double load = std::max(m_recent, m_mean);
        if (is_too_slow()) {
            go_down(load, 1.0);
        } else if (load < 1.0 && m_last[0] < far_limit && m_clock - m_fled_at > rest_time) {
            go_up();
        }
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
