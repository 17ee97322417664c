#include "reproduce/pair_plot.hpp"
#include "reproduce/registry.hpp"

namespace plica::app {

// An isolated gut resting on a plane, pulled by a probe at 0.2 m/s.
Result run_raghupathi2003_fig8(const ExperimentOptions& options) {
    constexpr int segments = 100;
    Recording recording;
    recording.before = options.quick ? 0.5 : 2.0;
    recording.frames = options.quick ? 20 : 150;
    recording.stir = 0.2;
    const Motion motion =
        record(pile_scene(segments, true), recording, {}, [&](double share) { options.progress(0.8 * share); });
    PairPlot plan;
    plan.claim = "\"All regions of interest are adequately detected\" (2003, sec. 5.1).";
    plan.published = "all";
    plan.instants = {motion.frames.size() / 3, motion.frames.size() - 1};
    plan.draws = segments / 2;
    Result result = compare_pairs(options, motion, plan);
    result.notes = {
        "4 m of gut wound up and dropped on a plane, then its middle led round at 0.2 m/s by a hand of 3 N. n is not "
        "published; the picture has n = N/2."};
    return result;
}

}  // namespace plica::app
