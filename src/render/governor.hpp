#pragma once
#include <span>
#include <vector>

#include "render/detail.hpp"

namespace plica::render {

// Levels of detail, the cheapest first: each has at least as many cells as the one before, and more triangles.
std::span<const Detail> detail_levels();

// Holds a frame rate by choosing the finest of several levels of growing cost that keeps it. By how much the cost grows
// from level to level it learns from its own moves. When frames are far too slow, two of them are enough, or one that
// is very long, and it goes at once to the level that should fit. To finer levels it goes with more care: a level that
// failed is left alone for a time that grows each time it fails, unless by what was learned it should fit now.
class Governor {
public:
    Governor(double frames_per_second, int levels, int start);

    // seconds: what the last frame took until the graphics processor had finished. Returns the level for the next.
    int next(double seconds);

    [[nodiscard]] int level() const { return m_level; }

private:
    // All loads are frame times in parts of the time that there is for a frame.
    struct Level {
        double failed_at = 0.0;    // s, by the clock
        double blocked_for = 0.0;  // s, from then; 0: it did not fail lately
        double growth = 0.0;       // logarithm of what it costs over the level below; 0: not known yet
    };
    void observe(double load, double seconds);
    [[nodiscard]] bool is_settled() const;
    [[nodiscard]] bool is_too_slow() const;
    [[nodiscard]] double find_emergency() const;
    [[nodiscard]] double average_growth(double at_first) const;
    [[nodiscard]] double growth(int level, double unknown) const;
    [[nodiscard]] bool may_try(int level, double expected) const;
    void learn(double load);
    void go_down(double load, double wanted);
    void go_up();
    void move(int level, double load);

    double m_time_for_frame;  // s
    std::vector<Level> m_levels;
    int m_level;
    double m_clock = 0.0;      // s, sum of all frames
    double m_fled_at = -1e30;  // s, by the clock
    // Before the last move; load 0: there was none, or what it taught is learned.
    int m_level_before;
    double m_load_before = 0.0;
    // Since the last move:
    double m_seconds = 0.0;
    int m_frames = 0;
    double m_last[2] = {0.0, 0.0};        // loads, the last frame's first
    double m_recent = 0.0, m_mean = 0.0;  // loads
};

// Raghupathi 2004, eq. 15, as printed, to compare with: the threshold of the sampling follows the frame rate, the
// resolution follows the threshold. Nothing is clamped.
class PaperLaw {
public:
    struct Gains {
        double alpha = 1e-4;  // s
        double beta = 5.0;
    };
    PaperLaw(double frames_per_second, double eps, double rho, Gains gains)
        : m_target(frames_per_second), m_eps(eps), m_rho(rho), m_gains(gains) {}

    void next(double seconds);
    [[nodiscard]] double eps() const { return m_eps; }
    [[nodiscard]] int resolution() const;  // n; the cylinder has 2^(n + 1) sections

private:
    double m_target;  // frames per second
    double m_eps, m_rho;
    Gains m_gains;
};

}  // namespace plica::render
