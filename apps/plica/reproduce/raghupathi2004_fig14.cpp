#include "reproduce/pair_plot.hpp"
#include "reproduce/registry.hpp"

namespace plica::app {

// The gut in a bowl while it is deformed: stirred at 0.6 m/s.
Result run_raghupathi2004_fig14(const ExperimentOptions& options) {
    constexpr int segments = 100;
    Recording recording;
    recording.before = options.quick ? 0.5 : 3.0;
    recording.frames = options.quick ? 20 : 180;
    recording.stir = 0.6;
    const Motion motion =
        record(pile_scene(segments), recording, {}, [&](double share) { options.progress(0.8 * share); });
    PairPlot plan;
    plan.claim = "\"Our method is able to identify all the active colliding regions\" (2004, sec. 7).";
    plan.published = "all";
    plan.instants = {motion.frames.size() / 3, motion.frames.size() - 1};
    plan.draws = segments / 2;
    Result result = compare_pairs(options, motion, plan);
    result.notes = {
        "4 m of gut in a bowl of 0.15 m radius, at rest after 3 s, then stirred at 0.6 m/s by a hand of 3 N. n is not "
        "published; the picture has n = N/2."};
    return result;
}

}  // namespace plica::app
