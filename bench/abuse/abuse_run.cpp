#include "bench/abuse/abuse_run.hpp"

#include <algorithm>
#include <cmath>

#include "simulation/inside.hpp"

namespace plica::bench {
namespace {

Simulation load(const AbuseScene& scene, const std::vector<std::string>& overrides, std::uint64_t seed) {
    LoadOptions options;
    options.overrides = overrides;
    options.seed = seed;
    return Simulation::from_text(scene.text, options);
}

}  // namespace

AbuseRun::AbuseRun(const AbuseScene& scene, const std::vector<std::string>& overrides, std::uint64_t seed)
    : m_scene(scene), m_seed(seed), m_simulation(load(scene, overrides, seed)) {
    while (m_simulation.time() < scene.settle) m_simulation.step();
    m_settled = m_simulation.save();
}

double AbuseRun::fastest_tissue() const {
    const std::span<const double> v = m_simulation.velocities();
    double fastest = 0.0;
    for (const BodyInfo& body : m_simulation.bodies()) {
        if (body.tissue == "rigid" || body.tissue == "tool") continue;
        double sum = 0.0;
        for (std::size_t i = 3 * body.first_node; i < 3 * (body.first_node + body.nodes); ++i) sum += v[i] * v[i];
        fastest = std::max(fastest, std::sqrt(sum / static_cast<double>(body.nodes)));
    }
    return fastest;
}

void AbuseRun::note_step(Abused& found) {
    const StepReport& report = m_simulation.inside().report();
    found.tests.push_back(static_cast<double>(report.distance_tests + report.certify_tests));
    found.milliseconds.push_back(1e3 * report.seconds);
    bool limited = false, held = false;
    for (int i = 0; i < report.flag_count; ++i) {
        limited = limited || report.flags[static_cast<std::size_t>(i)].kind == FlagKind::limited;
        held = held || report.flags[static_cast<std::size_t>(i)].kind == FlagKind::held;
    }
    found.limited += limited ? 1 : 0;
    found.held += held ? 1 : 0;
    if (!report.is_valid()) ++found.lost;
}

Abused AbuseRun::abuse(int number, double patience) {
    m_simulation.restore(m_settled);
    m_simulation.start_audit();
    Random random{m_seed + 1000003u * static_cast<std::uint64_t>(number)};
    Abused found;
    found.number = number;
    found.gesture = draw_gesture(m_scene, m_simulation, random);
    const double dt = m_simulation.dt();
    for (int k = 0;; ++k) {
        const double t = k * dt, after = t - found.gesture.seconds;
        if (after > patience) break;
        perform(found.gesture, t, m_simulation);
        m_simulation.step();
        note_step(found);
        if (after < 0.25) continue;  // tools need that to go
        found.speed_after = fastest_tissue();
        if (found.speed_after > rest_speed) continue;
        found.rest_after = after;
        break;
    }
    const AuditInfo audit = m_simulation.audit();
    found.pass_throughs = audit.pass_throughs;
    found.intersections = audit.intersections;
    found.depth = audit.worst;
    return found;
}

}  // namespace plica::bench
