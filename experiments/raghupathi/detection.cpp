#include "experiments/raghupathi/detection.hpp"

#include <algorithm>
#include <cmath>

#include "core/clock.hpp"
#include "core/index.hpp"
#include "geometry/closest.hpp"

namespace plica::experiments {
namespace {

double share_of(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 1.0;
}

void add(Recall& sum, const Recall& other) {
    sum.tubes.add(other.tubes);
    sum.edges.add(other.edges);
}

double gap(const Motion& motion, std::int32_t a, std::int32_t b, const std::vector<Vec3>& x) {
    const Capsule& p = motion.surface.capsules[at(a)];
    const Capsule& q = motion.surface.capsules[at(b)];
    const double d2 = closest_segment_segment(x[at(p.a)], x[at(p.b)], x[at(q.a)], x[at(q.b)]).squared_distance;
    return std::sqrt(d2) - p.radius - q.radius;
}

double touching_gap(const Motion& motion, std::int32_t a, std::int32_t b) {
    const double radii = motion.surface.capsules[at(a)].radius + motion.surface.capsules[at(b)].radius;
    return (TrackSettings{}.touching - 1.0) * radii;
}

// An exact detector delivers pairs, all of which count as held.
std::vector<ActivePair> as_active(const std::vector<Pair>& pairs) {
    std::vector<ActivePair> active;
    for (const Pair& p : pairs) active.push_back({p.a, p.b});
    return active;
}

std::vector<double> touching_margins(const Motion& motion) {
    double largest = 0.0;
    for (const Capsule& c : motion.surface.capsules) largest = std::max(largest, c.radius);
    return std::vector<double>(motion.frames.front().size(), (TrackSettings{}.touching - 1.0) * largest);
}

}  // namespace

Share tube_share(const Recall& recall) {
    return {share_of(recall.tubes.held, recall.tubes.regions), share_of(recall.tubes.delivered, recall.tubes.pairs)};
}
Share edge_share(const Recall& recall) {
    return {share_of(recall.edges.held, recall.edges.regions), share_of(recall.edges.delivered, recall.edges.pairs)};
}

std::vector<CollidingPairs> find_truth(const Motion& motion, const std::vector<std::vector<Vec3>>& places,
                                       DetectorKind detector) {
    std::vector<CollidingPairs> truth;
    truth.reserve(places.size());
    for (const std::vector<Vec3>& x : places) truth.push_back(find_colliding(motion.view(x), {}, detector));
    return truth;
}

Cost measure_brute(const Motion& motion, const std::vector<Vec3>& x, std::vector<Pair>& found) {
    found.clear();
    std::int64_t tests = 0;
    const auto count = static_cast<std::int32_t>(motion.surface.capsules.size());
    const double began = thread_cpu_seconds();
    for (std::int32_t a = 0; a < count; ++a) {
        for (std::int32_t b = a + 1; b < count; ++b) {
            if (!capsules_can_touch(motion.surface, at(a), at(b))) continue;
            ++tests;
            const double g = gap(motion, a, b, x);
            if (!(g < touching_gap(motion, a, b))) continue;
            found.emplace_back();
            found.back().a = a;
            found.back().b = b;
            found.back().gap_at_build = g;
        }
    }
    return {static_cast<double>(tests), thread_cpu_seconds() - began};
}

Finding measure_tracked(const Motion& motion, const std::vector<std::vector<Vec3>>& places,
                        const std::vector<CollidingPairs>& truth, const TrackPlan& plan) {
    Finding finding;
    TrackSettings settings;
    settings.draws = plan.draws;
    std::vector<double> seconds;
    for (int seed = 1; seed <= plan.seeds; ++seed) {
        Random random{static_cast<std::uint64_t>(seed)};
        std::vector<ActivePair> active;
        std::vector<Pair> colliding;
        TrackScratch scratch;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const double began = thread_cpu_seconds();
            const TrackCounts counts = track(motion.view(places[i]), settings, random, active, scratch, colliding);
            const double ended = thread_cpu_seconds();
            if (i < plan.first) continue;
            seconds.push_back(ended - began);
            finding.cost.tests += static_cast<double>(counts.tests);
            add(finding.recall, truth[i].count(active, colliding));
        }
    }
    finding.cost.tests /= std::max(1.0, static_cast<double>(seconds.size()));
    finding.cost.seconds = median(seconds);
    return finding;
}

Finding measure_scratch(const Motion& motion, const std::vector<std::vector<Vec3>>& places,
                        const std::vector<CollidingPairs>& truth) {
    Finding finding;
    CandidateList list;
    list.margin = touching_margins(motion);
    DetectorScratch scratch;
    ThreadPool pool;
    std::vector<double> seconds;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double began = thread_cpu_seconds();
        const std::int64_t tests =
            rebuild(list, best_detector(motion.surface), {motion.surface, motion.enabled, places[i]}, pool, scratch);
        seconds.push_back(thread_cpu_seconds() - began);
        finding.cost.tests += static_cast<double>(tests) / static_cast<double>(places.size());
        std::vector<Pair> colliding;
        for (const Pair& p : list.pairs) {
            if (p.gap_at_build < touching_gap(motion, p.a, p.b)) colliding.push_back(p);
        }
        add(finding.recall, truth[i].count(as_active(colliding), colliding));
    }
    finding.cost.seconds = median(seconds);
    return finding;
}

namespace {

// As a step chooses them: what a node will do in six substeps at its present speed.
void set_margins(const Motion& motion, std::size_t now, std::vector<double>& margin) {
    constexpr double gravity = 9.81;
    const double t = std::min(6.0 * motion.substep, 0.02);
    double smallest = motion.surface.capsules[0].radius;
    for (const Capsule& c : motion.surface.capsules) smallest = std::min(smallest, c.radius);
    const std::vector<Vec3>& x = motion.trail[now];
    margin.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double speed = now > 0 ? distance(x[i], motion.trail[now - 1][i]) / motion.substep : 0.0;
        margin[i] = 0.1 * smallest + 0.6 * gravity * t * t + 1.2 * speed * t;
    }
}

}  // namespace

ListFinding measure_list(const Motion& motion, const std::vector<CollidingPairs>& truth) {
    ListFinding result;
    CandidateList list;
    DetectorScratch scratch;
    ThreadPool pool;
    std::vector<Pair> colliding;
    double total = 0.0;  // a rebuild costs more than the rest, so that a median would leave it out
    const auto places = static_cast<double>(motion.trail.size());
    for (std::size_t i = 0; i < motion.trail.size(); ++i) {
        const std::vector<Vec3>& x = motion.trail[i];
        const double began = thread_cpu_seconds();
        std::int64_t tests = 0;
        if (!is_complete(list, x)) {
            set_margins(motion, i, list.margin);
            tests = rebuild(list, best_detector(motion.surface), {motion.surface, motion.enabled, x}, pool, scratch);
            result.rebuilds += 1.0 / places;
        }
        colliding.clear();
        for (const Pair& p : list.pairs) {
            if (gap(motion, p.a, p.b, x) < touching_gap(motion, p.a, p.b)) colliding.push_back(p);
        }
        total += thread_cpu_seconds() - began;
        tests += static_cast<std::int64_t>(list.pairs.size());
        result.finding.cost.tests += static_cast<double>(tests) / places;
        add(result.finding.recall, truth[i].count(as_active(colliding), colliding));
    }
    result.finding.cost.seconds = total / places;
    return result;
}

double fit_exponent(const std::vector<double>& x, const std::vector<double>& y) {
    double sx = 0.0;
    double sy = 0.0;
    double sxx = 0.0;
    double sxy = 0.0;
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double u = std::log(x[i]);
        const double v = std::log(y[i]);
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace plica::experiments
