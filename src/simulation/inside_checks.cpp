#include <algorithm>

#include "audit/verdict.hpp"
#include "core/error.hpp"
#include "simulation/check_recording.hpp"
#include "simulation/inside.hpp"

// What tells whether a run can be trusted: the replay of its recording, and the audit of its steps.
namespace plica {

ReplayInfo Simulation::Inside::replay(const std::string& path) {
    RecordingReader reader(path);
    check_world(reader.header(), model(), path);
    if (reader.header().seed != m_scenario->seed) {
        throw Error(path + ": a recording of seed " + std::to_string(reader.header().seed) + ", expected " +
                    std::to_string(m_scenario->seed));
    }
    reset();
    ReplayInfo info;
    RecordedStep recorded;
    while (reader.next(recorded)) {
        check_inputs(recorded.inputs, static_cast<std::int32_t>(model().nodes()), path);
        if (step(recorded.inputs).hash != recorded.hash) break;
        ++info.verified;
    }
    info.steps = static_cast<std::size_t>(reader.step_count());
    return info;
}

void Simulation::Inside::start_audit() {
    m_audit.emplace(without_edges(model().surface), model().rest, static_cast<int>(model().bodies.size()));
    m_world.keep_trail(true, m_audit->trail_interval());
    m_audited = {};
}

void Simulation::Inside::examine() {
    const std::span<const Vec3> trail = m_world.trail();
    const auto moves = static_cast<int>(trail.size() / model().nodes()) - 1;
    const audit::StepFindings& found = m_audit->examine(trail, moves, m_audit->trail_interval());
    m_audited.pass_throughs += found.pass_throughs;
    m_audited.intersections = std::max<std::int64_t>(m_audited.intersections, found.intersections);
    m_audited.worst = std::max(m_audited.worst, found.worst);
    m_audited.passed =
        m_audited.pass_throughs == 0 && m_audited.intersections == 0 && m_audited.worst <= audit::deepest_allowed;
}

}  // namespace plica
