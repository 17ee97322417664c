#include "experiments/common/pictures.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/raghupathi/pair_plot.hpp"
#include "scene/build.hpp"

// The papers' two plots of segment pairs. Neither says what n is; ours have n = N/2.
namespace plica::experiments {
namespace {

constexpr int pile_segments = 100;

// What the gut looks like at the two instants that are plotted, from one side.
void add_snapshots(const ExperimentOptions& options, const SceneDescription& scene, const Motion& motion,
                   const std::array<std::size_t, 2>& instants, Result& result) {
    if (!has_graphics()) {
        result.notes.emplace_back(no_graphics);
        return;
    }
    Studio studio(render::make_drawing(build_scene(scene, 1).model), options.quick ? 80 : 700,
                  options.quick ? 60 : 525);
    std::array<Frame, 2> frames;
    for (std::size_t i = 0; i < 2; ++i) frames[i].positions = motion.frames[instants[i]];
    const render::Camera camera = frame_tissue(studio.drawing(), frames[1], 1.08);
    std::vector<render::Picture> both;
    for (const Frame& frame : frames) both.push_back(studio.draw(frame, camera, fine_style()));
    add_picture(options, "snapshots", side_by_side(both), result);
}

// Recorded, then looked at after a third of the frames and after all of them.
Result compare_stirred(const ExperimentOptions& options, const SceneDescription& scene, const Recording& recording) {
    const Motion motion = record(scene, recording, {}, [&](double share) { options.progress(0.8 * share); });
    PairPlot plan;
    plan.instants = {motion.frames.size() / 3, motion.frames.size() - 1};
    plan.draws = pile_segments / 2;
    Result result = compare_pairs(options, motion, plan);
    add_snapshots(options, scene, motion, plan.instants, result);
    return result;
}

}  // namespace

// An isolated gut resting on a plane, pulled by a probe at 0.2 m/s.
Result run_raghupathi2003_fig8(const ExperimentOptions& options) {
    Recording recording;
    recording.before = options.quick ? 0.5 : 2.0;
    recording.frames = options.quick ? 20 : 150;
    recording.stir = 0.2;
    Result result = compare_stirred(options, pile_scene(pile_segments, true), recording);
    result.notes.emplace_back(
        "4 m of gut wound up and dropped on a plane, then its middle led round at 0.2 m/s by a hand of 3 N. n is not "
        "published; the plot has n = N/2. The snapshots are figs. 8a and 8b, the plot figs. 8c and 8d.");
    return result;
}

// The gut in a bowl while it is deformed: stirred at 0.6 m/s.
Result run_raghupathi2004_fig14(const ExperimentOptions& options) {
    Recording recording;
    recording.before = options.quick ? 0.5 : 3.0;
    recording.frames = options.quick ? 20 : 180;
    recording.stir = 0.6;
    Result result = compare_stirred(options, pile_scene(pile_segments), recording);
    result.notes.emplace_back(
        "4 m of gut in a bowl of 0.15 m radius, at rest after 3 s, then stirred at 0.6 m/s by a hand of 3 N. n is not "
        "published; the plot has n = N/2.");
    return result;
}

std::vector<Claim> judge_raghupathi2003_fig8(const Measurements& measured) {
    return judge_pairs(
        {"Raghupathi 2003, sec. 5.1, fig. 8",
         "They also show that all regions of interest are adequately detected, i.e., there are no colliding "
         "folds with no detected local minima, as depicted in Fig. 8b.",
         "Results show that since our method only tracks local minima of the distance, it considers much "
         "fewer segments (Table 1).",
         "Raghupathi 2003, sec. 5.1", "Our method can detect all the regions of collisions at 30 Hz on a PC."},
        measured);
}

std::vector<Claim> judge_raghupathi2004_fig14(const Measurements& measured) {
    constexpr const char* words =
        "Results show that our method is able to identify all the active colliding regions by evaluating a far fewer "
        "number of points.";
    return judge_pairs({"Raghupathi 2004, sec. 7, fig. 14", words, words, "Raghupathi 2004, sec. 8",
                        "The collision model efficiently determines all the active colliding regions and provides a "
                        "realistic and stable response."},
                       measured);
}

}  // namespace plica::experiments
