#include "experiments/raghupathi/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include "audit/audit.hpp"
#include "audit/verdict.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"

namespace plica::experiments {
namespace {

constexpr double far_away = 10.0;        // m
constexpr double moving_speed = 0.01;    // m/s
constexpr double smallest_share = 1e-9;  // against division by zero

bool is_lost(const World& world, const StepReport& report) {
    const auto gone = [](const Vec3& x) { return !(squared_norm(x) < far_away * far_away); };
    const std::vector<Vec3>& x = world.state().x;
    return !report.is_valid() || std::any_of(x.begin(), x.end(), gone);
}

double compute_energy(const World& world, const Vec3& gravity) {
    const Model& model = world.model();
    double sum = 0.0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        sum += mass_spring::compute_energy(model.of<Springs>(), world.state().x, static_cast<int>(b));
    }
    for (std::size_t n = 0; n < model.tissue_nodes; ++n) {
        if (model.inverse_mass[n] == 0.0) continue;
        const double mass = 1.0 / model.inverse_mass[n];
        sum += mass * (0.5 * squared_norm(world.state().v[n]) - dot(gravity, world.state().x[n]));
    }
    return sum;
}

// Speeds and their changes of direction, from frame to frame and from substep to substep.
class Reversals {
public:
    explicit Reversals(const World& world) : m_before(world.state().x), m_velocity(m_before.size()) {}

    void add(const World& world, int substeps, bool at_rest, Outcome& outcome) {
        const Model& model = world.model();
        const std::vector<Vec3>& x = world.state().x;
        for (std::size_t n = 0; n < model.tissue_nodes; ++n) {
            if (model.inverse_mass[n] == 0.0) continue;
            const Vec3 velocity = (x[n] - m_before[n]) / model.dt;
            outcome.peak_speed = std::max(outcome.peak_speed, norm(velocity));
            if (at_rest) {
                const bool moves = norm(velocity) > moving_speed && norm(m_velocity[n]) > moving_speed;
                m_looked_at += 1.0;
                m_moving += moves ? 1.0 : 0.0;
                m_reversed += moves && dot(velocity, m_velocity[n]) < 0.0 ? 1.0 : 0.0;
                add_substeps(world.trail(), n, substeps, model);
            }
            m_velocity[n] = velocity;
        }
        m_before = x;
    }
    void finish(Outcome& outcome) const {
        outcome.moving = m_moving / std::max(m_looked_at, smallest_share);
        outcome.reversals = m_reversed / std::max(m_moving, smallest_share);
        outcome.rest_speed = std::sqrt(m_square / std::max(m_moves, smallest_share));
    }

private:
    void add_substeps(std::span<const Vec3> trail, std::size_t n, int substeps, const Model& model) {
        const double rate = substeps / model.dt;
        for (std::size_t k = 0; k < static_cast<std::size_t>(substeps); ++k) {
            m_square += squared_norm(trail[(k + 1) * model.nodes() + n] - trail[k * model.nodes() + n]) * rate * rate;
            m_moves += 1.0;
        }
    }

    std::vector<Vec3> m_before, m_velocity;
    double m_looked_at = 0.0, m_moving = 0.0, m_reversed = 0.0, m_square = 0.0, m_moves = 0.0;
};

void add_stretch(const World& world, Outcome& outcome) {
    const Model& model = world.model();
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        BodyStretch& s = outcome.stretch[b];
        s.end = mass_spring::compute_max_stretch(model.of<Springs>(), world.state().x, static_cast<int>(b));
        s.peak = std::max(s.peak, s.end);
    }
}

}  // namespace

Outcome run_trial(const Trial& trial) {
    const SceneSource source = find_scene(trial.scene, trial.overrides);
    const SceneDescription scene = read_scene(source);
    Built built = build_scene(source, trial.seed);
    World world(std::move(built.model), std::move(built.state));
    const Model& model = world.model();
    Script script(scene);
    audit::Audit audit(without_edges(model.surface), model.rest, static_cast<int>(model.bodies.size()));
    world.keep_trail(true);

    Outcome outcome;
    for (const Body& body : model.bodies) outcome.stretch.push_back({body.name});
    Reversals motion(world);
    std::vector<double> seconds;
    const double first_energy = compute_energy(world, scene.gravity);
    double lowest = first_energy;
    const auto steps = static_cast<int>(std::lround(trial.seconds / model.dt));
    const int rest = std::min(static_cast<int>(std::lround(audit::settled_seconds / model.dt)), steps / 2);
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(script.next(world));
        if (is_lost(world, report)) {
            outcome.lost = true;
            outcome.lost_at = world.frame().time;
            break;
        }
        const bool at_rest = i >= steps - rest;
        const audit::StepFindings& found = audit.examine(world.trail(), report.substeps);
        outcome.worst = std::max(outcome.worst, found.worst);
        outcome.pass_throughs += found.pass_throughs;
        if (at_rest) outcome.settled = std::max(outcome.settled, found.worst);
        const double energy = compute_energy(world, scene.gravity);
        outcome.energy_gain = std::max(outcome.energy_gain, energy - lowest);
        lowest = std::min(lowest, energy);
        motion.add(world, report.substeps, at_rest, outcome);
        add_stretch(world, outcome);
        seconds.push_back(report.seconds);
        outcome.substeps += static_cast<double>(report.substeps) / steps;
    }
    outcome.energy_drop = first_energy - lowest;
    motion.finish(outcome);
    outcome.frame_ms = 1e3 * percentile(seconds, 0.5);
    return outcome;
}

std::vector<Outcome> run_trials(const std::vector<Trial>& trials, const std::function<void(double)>& progress) {
    std::vector<Outcome> outcomes(trials.size());
    std::mutex mutex;
    std::size_t done = 0;
    std::string failure;
    ThreadPool pool(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
    pool.for_chunks(static_cast<int>(trials.size()), [&](int chunk) {
        const auto i = static_cast<std::size_t>(chunk);
        std::string what;
        try {
            outcomes[i] = run_trial(trials[i]);
        } catch (const std::exception& error) {
            what = error.what();
        }
        const std::lock_guard lock(mutex);
        if (!what.empty()) failure = what;
        progress(static_cast<double>(++done) / static_cast<double>(trials.size()));
    });
    if (!failure.empty()) throw Error(failure);
    return outcomes;
}

std::string cell(const Outcome& outcome, double value, const char* format) {
    return outcome.lost ? "lost" : fmt::format(fmt::runtime(format), value);
}

}  // namespace plica::experiments
