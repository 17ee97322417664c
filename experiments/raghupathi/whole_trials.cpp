#include "experiments/raghupathi/whole_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "audit/verdict.hpp"
#include "core/statistics.hpp"
#include "engine/recall.hpp"

namespace plica::experiments {
namespace {

constexpr double whole_moving = 0.01;  // m/s: slower nodes are at rest
constexpr double whole_limit = 10.0;   // m: further away a run is lost
constexpr int whole_segments = 99;     // N of the scene

// One of the papers' systems: pairs by chance, edges, their response, nothing refined or held back. They print neither
// n nor the number of sweeps ("a fixed number of iterations", 2004, sec. 4.2).
WholeWay their_way(std::string name, std::string file, int factor, int substeps, int sweeps = 10) {
    return {
        std::move(name),
        std::move(file),
        {"gut.preset=paper", "gut.mesentery_contact=edges", "solver.response=raghupathi", "solver.detector=tracked",
         fmt::format("solver.tracked_pairs={}", factor * whole_segments), fmt::format("solver.substeps={}", substeps),
         fmt::format("contact.sweeps={}", sweeps), "solver.adapt=false", "solver.certify=false"}};
}

WholeWay with_exact_pairs(WholeWay way) {
    way.overrides.emplace_back("solver.detector=auto");
    way.by_chance = false;
    return way;
}

WholeWay with_triangles(WholeWay way) {
    way.overrides.emplace_back("gut.mesentery_contact=triangles");
    return with_exact_pairs(std::move(way));
}

// The moving nodes from frame to frame.
class WholeMotion {
public:
    explicit WholeMotion(const World& world) : m_before(world.state().x), m_velocity(m_before.size()) {}

    // Returns the rms speed, m/s.
    double add(const World& world, bool at_rest) {
        const Model& model = world.model();
        double square = 0.0, moving = 0.0;
        for (std::size_t n = 0; n < model.tissue_nodes; ++n) {
            if (model.inverse_mass[n] == 0.0) continue;
            const Vec3 velocity = (world.state().x[n] - m_before[n]) / model.dt;
            const bool moves = norm(velocity) > whole_moving && norm(m_velocity[n]) > whole_moving;
            if (at_rest && moves) {
                m_moving += 1.0;
                m_turned += dot(velocity, m_velocity[n]) < 0.0 ? 1.0 : 0.0;
            }
            square += squared_norm(velocity);
            moving += 1.0;
            m_velocity[n] = velocity;
            m_before[n] = world.state().x[n];
        }
        return std::sqrt(square / std::max(moving, 1.0));
    }
    [[nodiscard]] double reversals() const { return m_turned / std::max(m_moving, 1.0); }

private:
    std::vector<Vec3> m_before, m_velocity;
    double m_moving = 0.0, m_turned = 0.0;
};

bool is_gone(const World& world) {
    const auto gone = [](const Vec3& x) { return !(squared_norm(x) < whole_limit * whole_limit); };
    return std::any_of(world.state().x.begin(), world.state().x.end(), gone);
}

void add_regions(const RecallCount& from, RegionsFound& to) {
    to.regions += from.regions;
    to.held += from.held;
}

// Returns the share of this frame's regions that was held.
double count_regions(const World& world, WholeOutcome& outcome) {
    if (!outcome.by_chance) return 1.0;
    const Recall now = compute_recall(world);
    add_regions(now.tubes, outcome.gut);
    add_regions(now.edges, outcome.mesentery);
    return RegionsFound{now.tubes.regions + now.edges.regions, now.tubes.held + now.edges.held}.share();
}

void take_findings(const StageFindings& found, WholeOutcome& outcome) {
    outcome.worst = found.worst;
    outcome.through = found.pass_throughs;
    outcome.gut_through = found.gut_pass_throughs;
    outcome.pierced = found.pierced_frames;
    outcome.pierced_end = found.pierced_now;
    outcome.lost = outcome.lost || found.lost;
    outcome.seconds = found.seconds / std::max(1, found.frames);
}

}  // namespace

std::vector<WholeWay> whole_ways(bool quick) {
    const WholeWay ours{"ours", "ours", {"gut.preset=paper"}, false};
    // Commas would part the columns of a plot's data.
    if (quick) return {their_way("theirs: n = N", "theirs", 1, 1), ours};
    return {their_way("theirs: n = N", "theirs", 1, 1),
            their_way("theirs: n = 10 N", "", 10, 1),
            their_way("theirs: 2 sweeps", "", 1, 1, 2),
            with_exact_pairs(their_way("theirs: all pairs", "theirs-exact", 1, 1)),
            with_triangles(their_way("theirs: all pairs; triangles", "", 1, 1)),
            their_way("theirs: 10 steps a frame", "", 1, 10),
            their_way("theirs: 10 steps a frame; n = 10 N", "theirs-short", 10, 10),
            their_way("theirs: 30 steps a frame; n = 100 N", "", 100, 30),
            with_exact_pairs(their_way("theirs: 10 steps a frame; all pairs", "", 1, 10)),
            with_triangles(their_way("theirs: 10 steps a frame; all pairs; triangles", "", 1, 10)),
            ours};
}

WholeRun run_whole(const WholeWay& way, double share, Album& album) {
    Stage stage(plane_scene(way.overrides));
    WholeRun run;
    WholeOutcome& outcome = run.outcome;
    outcome.name = way.name;
    outcome.by_chance = way.by_chance;
    WholeMotion motion(stage.world());
    const double end = share * whole_ends_at, rest = end - std::min(audit::settled_seconds, 0.5 * end);
    std::vector<double> seconds;
    double spent = 0.0, squares = 0.0, at_rest = 0.0;
    const auto look = [&](const World& world) {
        const double time = world.frame().time;
        outcome.lost = outcome.lost || is_gone(world);
        if (outcome.lost) return;
        const bool rests = time > rest;
        const double speed = motion.add(world, rests);
        run.frames.push_back({time, stage.found().worst_now, count_regions(world, outcome), speed});
        seconds.push_back(stage.found().seconds - spent);
        spent = stage.found().seconds;
        if (!rests) return;
        outcome.settled = std::max(outcome.settled, stage.found().worst_now);
        squares += speed * speed;
        at_rest += 1.0;
    };
    stage.run_to(share * whole_pulled_at, look);
    if (!way.file.empty()) album.take(stage, way.file + "-pulled");
    stage.run_to(end, look);
    if (!way.file.empty()) album.take(stage, way.file + "-rest");
    take_findings(stage.found(), outcome);
    outcome.speed = std::sqrt(squares / std::max(at_rest, 1.0));
    outcome.reversals = motion.reversals();
    outcome.slowest = percentile(seconds, 0.99);
    return run;
}

}  // namespace plica::experiments
