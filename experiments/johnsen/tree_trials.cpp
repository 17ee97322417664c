#include "experiments/johnsen/tree_trials.hpp"

#include <algorithm>
#include <memory>

#include "core/clock.hpp"
#include "engine/world.hpp"
#include "experiments/johnsen/near_pairs.hpp"
#include "scene/script.hpp"

namespace plica::experiments {
namespace {

// Whether what an update does depends on the one before.
bool remembers(TreeUpdate update) {
    return update != TreeUpdate::larsson && update != TreeUpdate::naive;
}

// What brute force finds at one substep of a frame.
struct Check {
    int substep;
    std::vector<FeaturePair> near;
};

// One step of the simulator.
struct TreeWay {
    std::span<const Vec3> trail;
    std::size_t nodes;
    int substeps;

    [[nodiscard]] std::span<const Vec3> at(int i) const {
        return trail.subspan(static_cast<std::size_t>(i) * nodes, nodes);
    }
};

// One tree on its way through a scene.
class Climber {
public:
    Climber(const TreeKind& kind, const Surface& surface, std::span<const TreeBody> bodies, std::span<const Vec3> rest)
        : m_began(thread_cpu_seconds()),
          m_tree(surface, bodies, rest, {.builder = kind.builder, .update = kind.update}),
          m_poses(bodies.size()),
          m_stride(remembers(kind.update) ? 1 : substeps_per_forgetful_update) {
        m_row.build_seconds = thread_cpu_seconds() - m_began;
        m_row.kind = kind;
        m_row.volumes = m_tree.counts().volumes;
        m_row.patches = m_tree.counts().patches;
        m_row.depth = m_tree.depth();
    }

    // `first`: number of the way's first substep in the scene.
    void follow(const TreeWay& way, int first, const std::vector<Check>& checks, const FirstContacts& contacts) {
        auto check = checks.begin();
        const std::int64_t updates = m_tree.counts().updates;
        const int substeps = m_substeps;
        for (int k = 0; k < way.substeps; ++k) {
            if ((first + k) % m_stride != 0) continue;
            const double began = thread_cpu_seconds();
            m_tree.update(way.at(k), way.at(k + 1), m_poses, m_poses);
            count(thread_cpu_seconds() - began);
            if (check == checks.end() || check->substep != k) continue;
            compare(check->near, contacts, way.at(k + 1));
            ++check;
        }
        m_row.updates_at.push_back(static_cast<double>(m_tree.counts().updates - updates) /
                                   std::max(1, m_substeps - substeps));
    }

    TreeRow finish() {
        const double steps = std::max(1, m_substeps - 1);
        const TreeCounts& counts = m_tree.counts();
        m_row.updates = static_cast<double>(counts.updates - m_first.updates) / steps;
        m_row.visits = static_cast<double>(counts.visits - m_first.visits) / steps;
        m_row.searched = static_cast<double>(counts.searches - m_first.searches) / steps;
        m_row.candidates /= steps;
        m_row.seconds /= steps;
        return std::move(m_row);
    }

    [[nodiscard]] const SurfaceTree& tree() const { return m_tree; }

private:
    void count(double seconds) {
        if (m_substeps++ == 0) {
            m_first = m_tree.counts();
            return;
        }
        m_row.seconds += seconds;
        m_row.candidates += m_tree.candidates_per_corner();
        m_row.most_candidates = std::max(m_row.most_candidates, m_tree.candidates_per_corner());
    }
    void compare(const std::vector<FeaturePair>& near, const FirstContacts& contacts, std::span<const Vec3> x) {
        const std::vector<FeaturePair> missed = find_unlisted(near, m_tree.pairs());
        m_row.missed += static_cast<int>(missed.size());
        for (const FeaturePair& pair : missed) m_row.missed_contacts += contacts.contain(pair, x) ? 1 : 0;
    }

    double m_began;
    SurfaceTree m_tree;
    std::vector<Pose> m_poses;  // no body is rigid
    int m_stride;               // substeps
    int m_substeps = 0;         // it looked at
    TreeCounts m_first;
    TreeRow m_row;
};

using Climbers = std::vector<std::unique_ptr<Climber>>;

Climbers make_climbers(const Model& model) {
    const std::vector<TreeBody> bodies = list_tree_bodies(model);
    Climbers climbers;
    for (const TreeBuilder builder : all_builders) {
        for (const TreeUpdate update : all_updates) {
            climbers.push_back(std::make_unique<Climber>(TreeKind{builder, update}, model.surface, bodies, model.rest));
        }
    }
    return climbers;
}

double find_smallest_margin(const SurfaceTree& tree, std::size_t bodies) {
    double smallest = tree.margin(0);
    for (std::size_t b = 1; b < bodies; ++b) smallest = std::min(smallest, tree.margin(b));
    return smallest;
}

double find_largest_step(const TreeWay& way) {
    double most = 0.0;
    for (int k = 0; k < way.substeps; ++k) {
        for (std::size_t n = 0; n < way.nodes; ++n) {
            most = std::max(most, squared_norm(way.at(k + 1)[n] - way.at(k)[n]));
        }
    }
    return std::sqrt(most);
}

std::vector<Check> find_checks(const Surface& surface, const TreeWay& way, TreeTrial& trial) {
    std::vector<Check> checks;
    for (int k = 0; k < way.substeps; ++k) {
        if ((trial.substeps + k) % substeps_per_check != 0) continue;
        checks.push_back({k, find_near_pairs(surface, way.at(k), way.at(k + 1))});
        ++trial.checks;
        trial.near_pairs += static_cast<int>(checks.back().near.size());
    }
    return checks;
}

}  // namespace

const char* name_of(TreeBuilder builder) {
    constexpr std::array<const char*, 3> names{"growth", "eq. 2-4", "volume"};
    return names[static_cast<std::size_t>(builder)];
}

const char* name_of(TreeUpdate update) {
    constexpr std::array<const char*, 5> names{"margins", "eq. 5", "on demand", "all", "half depth"};
    return names[static_cast<std::size_t>(update)];
}

std::vector<TreeBody> list_tree_bodies(const Model& model) {
    std::vector<TreeBody> bodies(model.bodies.size());
    for (const Triangle& t : model.surface.triangles) bodies[static_cast<std::size_t>(t.body)].closed = t.chain < 0;
    return bodies;
}

TreeTrial run_trees(const SceneSource& source, double seconds, double moment,
                    const std::function<void(double)>& progress) {
    Built built = build_scene(source, 1);
    World world(std::move(built.model), std::move(built.state));
    world.keep_trail(true);
    Script script(read_scene(source));
    const Model& model = world.model();
    TreeTrial trial;
    trial.triangles = static_cast<int>(model.surface.triangles.size());
    trial.corners = model.surface.features.corners;
    trial.dt = model.dt;
    trial.pressed = model.rest;
    const FirstContacts contacts(model.surface, model.nodes());
    const Climbers climbers = make_climbers(model);
    trial.margin = find_smallest_margin(climbers.front()->tree(), model.bodies.size());
    while (world.frame().time + 0.5 * model.dt < seconds) {
        const StepReport report = world.step(script.next(world));
        if (!report.is_valid()) {
            trial.lost = flag_name(report.flags[0].kind);
            break;
        }
        const TreeWay way{world.trail(), model.nodes(), report.substeps};
        const std::vector<Check> checks = find_checks(model.surface, way, trial);
        for (const auto& climber : climbers) climber->follow(way, trial.substeps, checks, contacts);
        trial.substeps += way.substeps;
        trial.largest_step = std::max(trial.largest_step, find_largest_step(way));
        if (world.frame().time < moment + 0.5 * model.dt) trial.pressed = world.frame().positions;
        progress(world.frame().time / seconds);
    }
    trial.seconds = world.frame().time;
    for (const auto& climber : climbers) trial.rows.push_back(climber->finish());
    return trial;
}

}  // namespace plica::experiments
