#include "experiments/raghupathi/recall_parts.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace plica::experiments {
namespace {

constexpr int recall_segments = 100;  // of the pile

Motion stir_pile(double speed, bool quick, const Tick& tick) {
    Recording recording;
    recording.before = speed > 0.0 ? (quick ? 0.5 : 3.0) : 0.5;
    recording.frames = quick ? 15 : 180;
    recording.stir = speed;
    if (speed > 1.0) recording.force = 30.0;  // 3 N do not lead it that fast
    return record(pile_scene(recall_segments), recording, {}, tick);
}

Motion stir_mesentery(double speed, bool quick, const Tick& tick) {
    SceneDescription scene = read_scene(find_scene("intestine-plane", {"gut.mesentery_contact=edges"}));
    scene.tools.clear();
    Recording recording;
    recording.before = quick ? 0.3 : 2.0;
    recording.frames = quick ? 8 : 90;
    recording.stir = speed;
    recording.on_spot = true;
    return record(scene, recording, {}, tick);
}

double count_edge_pairs(const Motion& motion) {
    double legal = 0.0;
    for (const std::int32_t tube : motion.neighbours.tubes) {
        for (const std::int32_t edge : motion.neighbours.edges) {
            legal += capsules_can_touch(motion.surface, static_cast<std::size_t>(tube), static_cast<std::size_t>(edge));
        }
    }
    return legal;
}

TrackPlan plan_for(double draws, bool quick) {
    TrackPlan plan;
    plan.draws = static_cast<int>(std::lround(draws));
    plan.seeds = quick ? 1 : 5;
    return plan;
}

SpeedRow measure_row(double speed, const Motion& motion, std::span<const double> factors, bool quick) {
    const std::vector<CollidingPairs> truth = find_truth(motion, motion.frames, DetectorKind::brute);
    SpeedRow row{speed, motion.travel, {}, measure_scratch(motion, motion.frames, truth), count_edge_pairs(motion)};
    for (const double factor : factors) {
        row.findings.push_back(measure_tracked(motion, motion.frames, truth, plan_for(factor * motion.tubes(), quick)));
    }
    return row;
}

}  // namespace

std::vector<DrawRow> sweep_draws(bool quick, const Tick& tick) {
    const Motion motion = stir_pile(0.6, quick, [&](double share) { tick(0.5 * share); });
    const std::vector<CollidingPairs> truth = find_truth(motion, motion.frames, DetectorKind::brute);
    const Finding exact = measure_scratch(motion, motion.frames, truth);
    std::vector<DrawRow> rows;
    for (const double factor : {0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0}) {
        const TrackPlan plan = plan_for(factor * recall_segments, quick);
        rows.push_back({factor, plan.draws, measure_tracked(motion, motion.frames, truth, plan), exact});
    }
    tick(1.0);
    return rows;
}

DrawCosts time_draws(bool mesentery, bool quick, const Tick& tick) {
    const Motion motion = mesentery ? stir_mesentery(0.6, quick, [&](double share) { tick(0.5 * share); })
                                    : stir_pile(0.6, quick, [&](double share) { tick(0.5 * share); });
    const std::vector<CollidingPairs> truth = find_truth(motion, motion.frames, DetectorKind::brute);
    const auto share = [&](const Finding& f) {
        return (mesentery ? edge_share(f.recall) : tube_share(f.recall)).regions;
    };
    const Finding exact = measure_scratch(motion, motion.frames, truth);
    DrawCosts costs;
    costs.exact = exact.cost;
    costs.exact_found = share(exact);
    std::vector<double> seconds;
    std::vector<Pair> found;
    for (std::size_t i = 0; i < motion.frames.size(); i += 5) {
        costs.brute = measure_brute(motion, motion.frames[i], found);
        seconds.push_back(costs.brute.seconds);
    }
    costs.brute.seconds = median(seconds);
    for (const double factor : {0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0}) {
        const TrackPlan plan = plan_for(factor * motion.tubes(), quick);
        const Finding finding = measure_tracked(motion, motion.frames, truth, plan);
        costs.rows.push_back({factor, plan.draws, finding.cost, share(finding)});
        tick(0.5 + 0.5 * static_cast<double>(costs.rows.size()) / 10.0);
    }
    return costs;
}

std::vector<SpeedRow> sweep_speeds(bool quick, const Tick& tick) {
    std::vector<SpeedRow> rows;
    for (const double speed : {0.0, 0.2, 0.6, 2.0}) {
        rows.push_back(measure_row(speed, stir_pile(speed, quick, [](double) {}), speed_factors, quick));
        tick(static_cast<double>(rows.size()) / 4.0);
    }
    return rows;
}

std::vector<SpeedRow> sweep_edges(bool quick, const Tick& tick) {
    std::vector<SpeedRow> rows;
    for (const double speed : {0.0, 0.6}) {
        const double done = static_cast<double>(rows.size()) / 2.0;
        const Motion motion = stir_mesentery(speed, quick, [&](double share) { tick(done + 0.3 * share); });
        rows.push_back(measure_row(speed, motion, edge_factors, quick));
        tick(static_cast<double>(rows.size()) / 2.0);
    }
    return rows;
}

namespace {

// A pile at rest, seen over and over.
struct Resting {
    Motion motion;
    std::vector<std::vector<Vec3>> places;
    std::vector<CollidingPairs> truth;

    explicit Resting(int size, bool quick) {
        const GrowingPile pile = growing_pile(size);
        Recording recording;
        recording.before = quick ? 0.5 : 2.0;
        recording.frames = 1;
        motion = record(pile.scene, recording, pile.start, [](double) {});
        places.assign(wanted_detections, motion.frames.front());
        truth = find_truth(motion, places, DetectorKind::brute);
    }
    [[nodiscard]] Finding find(double draws, bool quick) const {
        TrackPlan plan = plan_for(draws, quick);
        plan.seeds = quick ? 2 : 12;
        plan.first = wanted_detections - 1;
        return measure_tracked(motion, places, truth, plan);
    }
};

// By halving; what is found grows with n.
double find_need(const Resting& pile, double size, bool quick) {
    double low = 0.0;
    double high = size * size;
    while (high - low > 0.02 * high) {
        const double middle = 0.5 * (low + high);
        (tube_share(pile.find(middle, quick).recall).regions < wanted_share ? low : high) = middle;
    }
    return high;
}

}  // namespace

std::vector<SizeNeed> sweep_sizes(bool quick, const Tick& tick) {
    std::vector<SizeNeed> rows;
    const std::vector<int> sizes = quick ? std::vector<int>{100, 200} : std::vector<int>{100, 200, 400, 800};
    for (const int size : sizes) {
        const Resting pile(size, quick);
        std::vector<Pair> found;
        SizeNeed row;
        row.segments = size;
        row.regions = static_cast<double>(pile.truth.front().count({}, {}).tubes.regions);
        row.draws = find_need(pile, size, quick);
        row.tests = pile.find(row.draws, quick).cost.tests;
        row.found = tube_share(pile.find(size, quick).recall).regions;
        row.all = measure_brute(pile.motion, pile.places.front(), found).tests;
        row.exact = measure_scratch(pile.motion, pile.places, pile.truth).cost.tests;
        rows.push_back(row);
        tick(static_cast<double>(rows.size()) / static_cast<double>(sizes.size()));
    }
    return rows;
}

}  // namespace plica::experiments
