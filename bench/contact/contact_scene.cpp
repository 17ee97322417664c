#include "bench/contact/contact_scene.hpp"

#include <algorithm>
#include <cmath>

#include "audit/solids.hpp"
#include "bench/contact/feature_detectors.hpp"
#include "core/index.hpp"
#include "engine/world.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"

namespace plica::bench {
namespace {

int count_own(const Surface& surface, std::span<const Pair> pairs) {
    return static_cast<int>(std::count_if(pairs.begin(), pairs.end(), [&](const Pair& pair) {
        return pair.push > 0.0 && body_of(surface, pair.a) == body_of(surface, pair.b);
    }));
}

// Takes the substeps of windows out of a run.
class Windows {
public:
    Windows(const ContactScene& scene, int frames) : m_scene(scene), m_frames(frames) {}

    // Whether frame i, of which there are as many substeps as in the last one, is to be kept.
    [[nodiscard]] bool want(int i, int substeps) const {
        if (m_done == m_scene.windows) return false;
        if (!m_places.empty()) return true;
        const int long_enough = (m_scene.moves + std::max(1, substeps) - 1) / std::max(1, substeps);
        return i > (m_done + 1) * m_frames / m_scene.windows - long_enough;
    }
    void take(std::span<const Vec3> trail, std::size_t world_nodes, SurfaceCase& surface,
              std::vector<FeatureWindow>& windows) {
        const std::size_t wanted = static_cast<std::size_t>(m_scene.moves + 1) * surface.node.size();
        for (std::size_t first = m_places.empty() ? 0 : world_nodes; first < trail.size(); first += world_nodes) {
            if (m_places.size() == wanted) break;
            for (const std::int32_t node : surface.node) m_places.push_back(trail[first + at(node)]);
        }
        if (m_places.size() < wanted) return;
        windows.push_back({{surface.node.size(), std::move(m_places)}});
        m_places.clear();
        ++m_done;
    }

private:
    const ContactScene& m_scene;
    int m_frames;
    int m_done = 0;
    std::vector<Vec3> m_places;  // of the window at hand
};

void find_near(const SurfaceCase& surface, FeatureWindow& window) {
    const std::unique_ptr<TimedDetector> reference = make_sweep_detector(surface);
    for (std::size_t i = 1; i < window.frames.frames(); ++i) {
        reference->detect(window.frames.frame(i));
        window.near.emplace_back();
        reference->collect(window.near.back());
        std::sort(window.near.back().begin(), window.near.back().end());
    }
}

class Run {
public:
    Run(const ContactScene& scene, ContactRecording& record)
        : m_source(find_scene(scene.source, scene.overrides)),
          m_description(read_scene(m_source)),
          m_world(make_world(m_source)),
          m_script(m_description),
          m_solids(m_world.model().surface),
          m_record(record) {
        m_world.time_stages_by_cpu(true);
        record.surface = make_surface_case(m_world.model());
        record.nodes = m_world.model().nodes();
        if (m_world.tree_counts() != nullptr) record.volumes = m_world.tree_counts()->volumes;
        for (const tled::Organ& organ : m_world.model().of<Solids>()) record.cells += organ.cells();
        const double seconds = scene.seconds > 0.0 ? scene.seconds : m_description.seconds;
        m_frames = std::max(1, static_cast<int>(std::lround(seconds / m_world.model().dt)));
    }

    [[nodiscard]] int frames() const { return m_frames; }

    // False: the run is lost.
    bool step(int i, Windows& windows) {
        const bool kept = windows.want(i, m_substeps);
        m_world.keep_trail(kept);
        const TreeCounts* tree = m_world.tree_counts();
        const std::int64_t updates = tree == nullptr ? 0 : tree->updates;
        const StepReport report = m_world.step(m_script.next(m_world));
        m_substeps = report.substeps;
        m_record.seconds = m_world.frame().time;
        if (!report.is_valid()) {
            m_record.lost = flag_name(report.flags[0].kind);
            return false;
        }
        FrameCost cost = describe(report);
        if (tree != nullptr) cost.volumes = static_cast<double>(tree->updates - updates) / report.substeps;
        look(report, cost);
        if (kept) {
            windows.take(m_world.trail(), m_world.model().nodes(), m_record.surface, m_record.windows);
        } else {
            m_record.frames.push_back(cost);
        }
        return true;
    }

private:
    static World make_world(const SceneSource& source) {
        Built built = build_scene(source, 1);
        return {std::move(built.model), std::move(built.state), 1};
    }
    [[nodiscard]] FrameCost describe(const StepReport& report) const {
        FrameCost cost;
        cost.stages = report.stage_seconds;
        cost.step = report.seconds;
        cost.substeps = report.substeps;
        cost.contacts = report.contacts;
        cost.own = count_own(m_world.model().surface, m_world.state().candidates.pairs);
        cost.candidates = report.candidates;
        return cost;
    }
    void look(const StepReport& report, const FrameCost& cost) {
        const auto found = m_solids.find(m_world.frame().positions.data());
        m_record.intersections = std::max(m_record.intersections, static_cast<int>(found.size()));
        ++m_record.looks;
        m_record.held += report.held;
        m_record.most_own = std::max(m_record.most_own, cost.own);
        m_record.most_contacts = std::max(m_record.most_contacts, cost.contacts);
    }

    SceneSource m_source;
    SceneDescription m_description;
    World m_world;
    Script m_script;
    audit::Solids m_solids;
    ContactRecording& m_record;
    int m_frames = 0;
    int m_substeps = 1000;  // of the last frame; of none, so many that one frame is a window
};

}  // namespace

double FrameCost::contact() const {
    double sum = 0.0;
    for (const Stage stage : {Stage::detect, Stage::respond, Stage::certify}) {
        sum += stages[static_cast<std::size_t>(stage)];
    }
    return sum;
}

ContactRecording record_contact(const ContactScene& scene, const std::function<bool(double)>& progress) {
    ContactRecording record;
    Run run(scene, record);
    Windows windows(scene, run.frames());
    for (int i = 1; i <= run.frames(); ++i) {
        if (!run.step(i, windows) || !progress(static_cast<double>(i) / run.frames())) break;
    }
    for (FeatureWindow& window : record.windows) find_near(record.surface, window);
    return record;
}

}  // namespace plica::bench
