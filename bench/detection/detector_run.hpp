#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/common/exact_test.hpp"
#include "bench/common/trajectory.hpp"

namespace plica::bench {

// One way of finding all pairs of capsules that are close.
class TimedDetector {
public:
    TimedDetector() = default;
    virtual ~TimedDetector() = default;
    TimedDetector(const TimedDetector&) = delete;
    TimedDetector& operator=(const TimedDetector&) = delete;
    TimedDetector(TimedDetector&&) = delete;
    TimedDetector& operator=(TimedDetector&&) = delete;

    // Not timed: a new window begins, these are the positions a substep before its first frame.
    virtual void restart(std::span<const Vec3> before) { static_cast<void>(before); }
    // Timed. Returns the number of exact distance tests.
    virtual std::int64_t detect(std::span<const Vec3> positions) = 0;
    // Not timed: what the last call found, in any order.
    virtual void collect(std::vector<PairIndices>& pairs) const = 0;
    // Lists built so far, by those that keep one.
    [[nodiscard]] virtual std::int64_t rebuilds() const { return 0; }
};

struct DetectorRun {
    std::string name;
    std::vector<double> seconds;        // CPU time per frame, the least of a few passes
    std::vector<std::int64_t> tests;    // exact distance tests per frame
    std::vector<std::int64_t> pairs;    // found per frame
    std::vector<std::uint64_t> hashes;  // of the sorted pairs
    std::int64_t rebuilds = 0;          // in all frames
};

// The trajectory is windows of `window` + 1 consecutive substeps; the first of each only tells where things come from.
DetectorRun time_detector(const std::string& name, TimedDetector& detector, const Trajectory& frames, int window);

// Keeps the lesser time of each frame of two runs of one method.
void merge_times(const DetectorRun& again, DetectorRun& run);

nlohmann::ordered_json to_json(const DetectorRun& run);
DetectorRun to_detector_run(const nlohmann::ordered_json& json);

// Empty when all runs found exactly the same pairs in each frame; otherwise who differs from the first, and where.
std::string find_disagreement(const std::vector<DetectorRun>& runs);

}  // namespace plica::bench
