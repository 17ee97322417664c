#include "experiments/raghupathi/table1_data.hpp"

#include <algorithm>

namespace plica::experiments {
namespace {

constexpr int largest_fixed = 200;  // segments of the tube of 4 m; more come with more tube
constexpr double stir = 0.6;        // m/s

Motion record_size(int segments, bool quick, const std::function<void(double)>& progress) {
    Recording recording;
    recording.trail_frames = quick ? 1 : 4;
    if (segments <= largest_fixed) {
        recording.before = quick ? 1.0 : 3.0;
        recording.stir = stir;
        recording.frames = quick ? 12 : 120;
        return record(pile_scene(segments), recording, {}, progress);
    }
    const GrowingPile pile = growing_pile(segments);
    recording.frames = quick ? 12 : segments > 5000 ? 30 : 45;
    return record(pile.scene, recording, pile.start, progress);
}

// The loop is timed on a few frames only where one takes long.
void run_brute(const Motion& motion, const std::vector<CollidingPairs>& truth, SizeRow& row) {
    const std::size_t wanted = row.segments > 5000 ? 1 : row.segments > 500 ? 5 : 25;
    const std::size_t every = std::max<std::size_t>(1, motion.frames.size() / wanted);
    std::vector<double> seconds;
    std::vector<Pair> found;
    for (std::size_t i = every - 1; i < motion.frames.size(); i += every) {
        const Cost cost = measure_brute(motion, motion.frames[i], found);
        row.brute.tests = cost.tests;
        seconds.push_back(cost.seconds);
        row.brute_agrees = row.brute_agrees && std::equal(found.begin(), found.end(), truth[i].pairs().begin(),
                                                          truth[i].pairs().end(), same_pair);
    }
    row.brute.seconds = median(seconds);
}

}  // namespace

double SizeRow::regions() const {
    return static_cast<double>(exact.recall.tubes.regions) / std::max(1, frames);
}

SizeRow measure_size(int segments, bool quick, const std::function<void(double)>& progress) {
    SizeRow row;
    row.segments = segments;
    row.growing = segments > largest_fixed;
    const Motion motion = record_size(segments, quick, [&](double share) { progress(0.6 * share); });
    row.travel = motion.travel;
    row.frames = static_cast<int>(motion.frames.size());
    const std::vector<CollidingPairs> truth = find_truth(motion, motion.frames, DetectorKind::brute);
    run_brute(motion, truth, row);
    progress(0.75);
    TrackPlan plan;
    plan.first = motion.frames.size() / 3;  // it starts from nothing: give it time
    plan.seeds = segments <= 1000 ? 3 : 1;
    plan.draws = segments / 2;
    row.half = measure_tracked(motion, motion.frames, truth, plan);
    plan.draws = segments;
    row.whole = measure_tracked(motion, motion.frames, truth, plan);
    row.exact = measure_scratch(motion, motion.frames, truth);
    progress(0.85);
    const std::vector<CollidingPairs> fine = find_truth(motion, motion.trail, DetectorKind::brute);
    row.list = measure_list(motion, fine);
    plan.first = motion.trail.size() / 2;
    row.fast = measure_tracked(motion, motion.trail, fine, plan);
    progress(1.0);
    return row;
}

}  // namespace plica::experiments
