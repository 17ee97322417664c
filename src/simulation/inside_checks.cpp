#include <algorithm>

#include "audit/verdict.hpp"
#include "core/error.hpp"
#include "io/recording/recording.hpp"
#include "simulation/inside.hpp"

// What tells whether a run can be trusted: the replay of its recording, and the audit of its steps.
namespace plica {
namespace {

void check_header(const RecordingHeader& header, const Model& model, const std::string& path) {
    const auto same = [](const Body& a, const Body& b) {
        return a.name == b.name && a.first_node == b.first_node && a.nodes == b.nodes;
    };
    const std::vector<Body>&mine = model.bodies, &theirs = header.shapes.bodies;
    if (model.nodes() == static_cast<std::size_t>(header.nodes) &&
        model.tools.size() == static_cast<std::size_t>(header.tools) && header.dt == model.dt &&
        std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), same)) {
        return;
    }
    throw Error(path + ": a recording of another world (" + std::to_string(header.nodes) + " nodes, expected " +
                std::to_string(model.nodes()) + ")");
}

void check_step(const Inputs& inputs, const Model& model, const std::string& path) {
    const auto nodes = static_cast<std::int32_t>(model.nodes());
    for (const ToolInput& tool : inputs.tools) {
        if (tool.node >= -1 && tool.node < nodes) continue;
        throw Error(path + ": a tool holds node " + std::to_string(tool.node) + ", expected -1 to " +
                    std::to_string(nodes - 1));
    }
}

}  // namespace

ReplayInfo Simulation::Inside::replay(const std::string& path) {
    RecordingReader reader(path);
    check_header(reader.header(), model(), path);
    if (reader.header().seed != m_scenario->seed) {
        throw Error(path + ": a recording of seed " + std::to_string(reader.header().seed) + ", expected " +
                    std::to_string(m_scenario->seed));
    }
    reset();
    ReplayInfo info;
    RecordedStep recorded;
    while (reader.next(recorded)) {
        check_step(recorded.inputs, model(), path);
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
