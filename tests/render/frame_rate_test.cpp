#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/random.hpp"
#include "render/governor.hpp"

// Raghupathi 2004, sec. 5.3: a frame rate that is guaranteed in less than a second. Of our governor it is asked that
// within a second, and from then on, no half second is slower than 80 % of the rate, whatever level it comes from.
namespace plica::render {
namespace {

constexpr double window = 0.5, least_share = 0.8;  // s, of the target
constexpr double in_time = 1.0;                    // s

// s a frame, the coarsest level first.
struct Ladder {
    const char* name;
    std::vector<double> times;
    double target;  // frames per second
};

std::vector<double> geometric(double first, double factor, int levels) {
    std::vector<double> times{first};
    while (static_cast<int>(times.size()) < levels) times.push_back(times.back() * factor);
    return times;
}

std::vector<double> scaled(std::vector<double> times, double by) {
    for (double& t : times) t *= by;
    return times;
}

// `intestine` at 640 x 480 by a software driver on two cores: levels 0, 3, 8 and 12 as measured, the others between
// them.
const std::vector<double> software{0.0125, 0.0135, 0.018, 0.024, 0.031, 0.048, 0.057,
                                   0.072,  0.102,  0.125, 0.150, 0.190, 0.228};

std::vector<Ladder> ladders() {
    std::vector<double> cliff = geometric(0.010, 1.05, 13);  // one effect that costs more than all else
    for (std::size_t i = 5; i < cliff.size(); ++i) cliff[i] *= 6.0;
    return {{"idle", software, 16.7},
            {"idle, 30", software, 30.0},
            {"idle, 60", software, 60.0},
            {"busy", scaled(software, 1.8), 16.7},
            {"card", geometric(0.001, 1.25, 13), 90.0},
            {"flat", geometric(0.020, 1.03, 13), 40.0},
            {"steep", geometric(0.002, 1.6, 12), 30.0},
            {"cliff", cliff, 60.0},
            {"two levels", {0.010, 0.100}, 30.0}};
}

struct Machine {
    const char* name;
    double noise = 0.0;                     // part of a frame's time, uniform
    double taken = 0.0;                     // share of the frames that something else interrupts
    double by = 0.0;                        // the longest such time, in parts of the time that there is for a frame
    bool waits = false;                     // a frame is shown no sooner than it is due, as in a window
    double slower = 1.0;                    // a load that makes all frames longer
    double from = HUGE_VAL, to = HUGE_VAL;  // s
};

constexpr Machine idle{"idle"}, noisy{"noisy", 0.15, 0.04, 0.5}, window_of_noisy{"noisy window", 0.15, 0.04, 0.5, true};

struct Played {
    std::vector<double> ends, seconds;  // of each frame
    std::vector<int> levels;

    // s after `from`, from when on the rate of the last half second is kept until `until`.
    [[nodiscard]] double kept_after(double target, double from, double until) const {
        double since = 0.0;
        for (std::size_t i = 0; i < ends.size() && ends[i] < until; ++i) {
            if (ends[i] <= from) continue;
            double sum = 0.0, frames = 0.0;
            for (std::size_t k = i + 1; k-- > 0 && ends[k] > ends[i] - window;) {
                sum += seconds[k];
                frames += 1.0;
            }
            if (frames < least_share * target * sum) since = ends[i] - from;
        }
        return since;
    }
};

using Law = std::function<int(double seconds)>;
using MakeLaw = std::function<Law(double target, int levels, int start)>;

Played play(const Ladder& ladder, int start, double until, const Machine& machine, const Law& law,
            std::uint64_t seed = 1) {
    Random random{seed};
    Played played;
    int level = start;
    for (double clock = 0.0; clock < until;) {
        double t = ladder.times[static_cast<std::size_t>(level)] * (1.0 + machine.noise * random.uniform(-1.0, 1.0));
        if (random.uniform() < machine.taken) t += machine.by / ladder.target * random.uniform();
        if (clock >= machine.from && clock < machine.to) t *= machine.slower;
        const double shown = machine.waits ? std::max(t, 1.0 / ladder.target) : t;
        clock += shown;
        played.ends.push_back(clock);
        played.seconds.push_back(shown);
        played.levels.push_back(level);
        level = law(t);
    }
    return played;
}

Law ours(double target, int levels, int start) {
    return [governor = Governor(target, levels, start)](double seconds) mutable { return governor.next(seconds); };
}

// Looks at three frames, and a tenth of a second, before each move, and knows nothing of costs.
Law waiting(double target, int levels, int start) {
    return [=, level = start, frames = 0, time = 0.0](double seconds) mutable {
        time += seconds;
        if (++frames <= 3 || time < 0.1) return level;
        const double load = target * time / frames;
        if (load > 1.3) {
            level -= 2;
        } else if (load > 1.05) {
            level -= 1;
        } else if (load < 0.9) {
            level += 1;
        } else {
            return level;
        }
        level = std::clamp(level, 0, levels - 1);
        frames = 0;
        time = 0.0;
        return level;
    };
}

Law off(double, int, int start) {
    return [start](double) { return start; };
}

// The longest that it took from any level.
double worst_start(const Ladder& ladder, const Machine& machine, const MakeLaw& law) {
    const int levels = static_cast<int>(ladder.times.size());
    double worst = 0.0;
    for (int start = 0; start < levels; ++start) {
        for (std::uint64_t seed = 1; seed <= (machine.noise > 0.0 ? 20U : 1U); ++seed) {
            const Played played = play(ladder, start, 12.0, machine, law(ladder.target, levels, start), seed);
            worst = std::max(worst, played.kept_after(ladder.target, 0.0, 12.0));
        }
    }
    return worst;
}

TEST(FrameRate, IsKeptWithinASecondFromAnyLevel) {
    for (const Ladder& ladder : ladders()) {
        for (const Machine& machine : {idle, noisy, window_of_noisy}) {
            const double worst = worst_start(ladder, machine, ours);
            printf("%s, %s: %.2f s\n", ladder.name, machine.name, worst);
            EXPECT_LT(worst, in_time) << ladder.name << ", " << machine.name;
        }
    }
}

TEST(FrameRate, IsNotKeptByARuleThatWaitsNorByNone) {
    int waited = 0;
    for (const Ladder& ladder : ladders()) {
        const double worst = worst_start(ladder, idle, waiting);
        printf("%s: %.2f s\n", ladder.name, worst);
        waited += worst > in_time ? 1 : 0;
        if (ladder.times.back() * ladder.target * least_share < 1.0) continue;  // even the finest keeps it
        EXPECT_GT(worst_start(ladder, idle, off), 11.0) << ladder.name;
    }
    EXPECT_GE(waited, 5);
}

// After it has come to rest all frames take longer, so much that the coarsest level just keeps the rate, and after some
// time no longer.
double worst_load(const Ladder& ladder, const MakeLaw& law) {
    constexpr double from = 8.0, to = 14.0, until = 20.0;
    const int levels = static_cast<int>(ladder.times.size()), start = levels / 2;
    const double most = std::min(0.85 / (ladder.target * ladder.times.front()), 10.0);
    double worst = 0.0;
    for (const double share : {0.2, 0.5, 1.0}) {
        for (const bool waits : {false, true}) {
            for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                const Machine machine{"", 0.05, 0.0, 0.0, waits, std::pow(most, share), from, to};
                const Played played = play(ladder, start, until, machine, law(ladder.target, levels, start), seed);
                worst = std::max(worst, played.kept_after(ladder.target, from, to));
                worst = std::max(worst, played.kept_after(ladder.target, to, until));
            }
        }
    }
    return worst;
}

TEST(FrameRate, IsKeptWithinASecondOfASuddenLoad) {
    int waited = 0;
    for (const Ladder& ladder : ladders()) {
        const double worst = worst_load(ladder, ours), by_waiting = worst_load(ladder, waiting);
        printf("%s: %.2f s, waiting %.2f s\n", ladder.name, worst, by_waiting);
        EXPECT_LT(worst, in_time) << ladder.name;
        waited += by_waiting > in_time ? 1 : 0;
    }
    EXPECT_GE(waited, 5);
}

// Frames a second that this share of the frames reach, in a window that is open for a quarter of a minute
// and begins with the finest level.
double reached(double share, const MakeLaw& law) {
    const Ladder ladder{"", software, 30.0};
    double least = HUGE_VAL;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Played played = play(ladder, 12, 16.0, window_of_noisy, law(ladder.target, 13, 12), seed);
        std::vector<double> seconds = played.seconds;
        std::sort(seconds.begin(), seconds.end());
        least =
            std::min(least, 1.0 / seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))]);
    }
    return least;
}

// Trying finer levels costs frames; few of them.
TEST(FrameRate, HasFewSlowFrames) {
    for (const double share : {0.5, 0.95, 0.99}) {
        printf("%g of the frames: %.1f, waiting %.1f\n", share, reached(share, ours), reached(share, waiting));
    }
    EXPECT_GT(reached(0.95, ours), 25.0);
    EXPECT_GT(reached(0.99, ours), 20.0);
    EXPECT_LT(reached(0.95, waiting), 25.0);
    EXPECT_LT(reached(0.99, waiting), 20.0);
}

// Where no level keeps the rate it goes to the coarsest within the time of a few frames, and stays there.
TEST(FrameRate, OfASlowMachineIsTheBestItHas) {
    for (Ladder ladder : ladders()) {
        ladder.times = scaled(ladder.times, 1.5 / (ladder.target * ladder.times.front()));
        const int levels = static_cast<int>(ladder.times.size());
        for (int start = 0; start < levels; ++start) {
            const Played played = play(ladder, start, 30.0, {"", 0.05}, ours(ladder.target, levels, start));
            const auto arrived = std::find(played.levels.begin(), played.levels.end(), 0);
            EXPECT_LE(arrived - played.levels.begin(), 6) << ladder.name << " from " << start;
            EXPECT_EQ(std::count(arrived, played.levels.end(), 0), played.levels.end() - arrived)
                << ladder.name << " from " << start;
        }
    }
}

}  // namespace
}  // namespace plica::render
