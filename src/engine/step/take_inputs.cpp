#include <algorithm>

#include "core/clock.hpp"
#include "core/index.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/grab.hpp"
#include "engine/tuning.hpp"

namespace plica {
namespace {

void rescale_multipliers(int substeps, State& state) {
    const auto now = static_cast<std::uint64_t>(substeps);
    if (state.substeps != now && state.substeps != 0) {
        const double ratio = static_cast<double>(state.substeps) / static_cast<double>(now);
        const double scale = ratio * ratio;
        for (Pair& pair : state.candidates.pairs) {
            pair.push *= scale;
            pair.friction *= scale;
        }
        for (WallMemory& wall : state.wall_memory) {
            wall.push *= scale;
            wall.friction *= scale;
        }
        for (JointMemory& joint : state.joints) {
            joint.push *= scale;
            joint.bend *= scale;
            joint.drive *= scale;
            joint.stop *= scale;
        }
        for (ToolState& tool : state.tools) tool.pull *= scale;
        for (RigidState& rigid : state.rigids) {
            rigid.load *= scale;
            rigid.twist *= scale;
        }
    }
    state.substeps = now;
}

// The ball of a sphere tool comes or goes.
void take_sphere(const Tool& tool, const ToolInput& input, ToolState& now, State& state, DetectScratch& detect) {
    if (now.present != input.present) {
        state.candidates.built.clear();  // its primitive comes or goes: no list holds
        now.handle = input.target;
    }
    if (input.present == 0 || now.present == 0) {
        state.x[at(tool.node)] = input.target;
        state.v[at(tool.node)] = {};
    }
    detect.capsule_enabled[at(tool.capsule)] = input.present != 0 ? 1 : 0;
}

// Certify follows pairs on their way until the step has used so many distances: a few times what crowds need.
void allow_tests(StepContext& c) {
    constexpr std::int64_t at_least = 20000, per_node = 100;
    CertifyScratch& certify = c.scratch.certify;
    certify.tests = 0;
    certify.enough = at_least + per_node * static_cast<std::int64_t>(c.state.x.size());
}

void take_tools(StepContext& c) {
    for (std::size_t t = 0; t < c.model.tools.size(); ++t) {
        const Tool& tool = c.model.tools[t];
        const ToolInput& input = c.inputs.tools[t];
        ToolState& now = c.state.tools[t];
        if (now.present != input.present || now.node != input.node) now.pull = {};
        if (tool.kind == ToolKind::sphere) {
            take_sphere(tool, input, now, c.state, c.scratch.detect);
        } else if (tool.kind == ToolKind::grab && now.node < 0) {
            now.handle = input.target;
        }
        now.node = input.node;
        now.present = input.present;
        find_held_nodes(c.model, tool, now, c.scratch.tools.held_nodes[t]);
        c.scratch.tools.impulse[t] = {};
    }
}

// Does the step take longer than it may? Not at once: a quarter of the budget is there to be lent.
bool is_behind(const StepContext& c) {
    constexpr double lent = 0.25;
    if (!(c.budget > 0.0)) return false;
    const double done = static_cast<double>(c.k - 1) / c.substeps;
    return wall_seconds() - c.began > c.budget * (lent + (1.0 - lent) * done);
}

// Once late a step stays so, its later tries too: then one number says how it went.
void look_at_clock(StepContext& c) {
    if (c.late) return;
    const std::int32_t full = c.inputs.full_substeps;
    c.late = full >= 0 ? c.begun >= full : is_behind(c);
    if (c.late) c.report.full_substeps = c.begun;
}

}  // namespace

void take_inputs(StepContext& c) {
    c.h = c.model.dt / c.substeps;
    c.last_h = c.state.substeps == 0 ? 0.0 : c.model.dt / static_cast<double>(c.state.substeps);
    c.k = 0;
    c.crush = 0.0;
    take_tools(c);
    RigidScratch& rigids = c.scratch.rigids;
    for (auto* sums : {&rigids.impulse, &rigids.twist, &rigids.hand_force, &rigids.hand_torque}) {
        std::fill(sums->begin(), sums->end(), Vec3{});
    }
    hand_list_over(c.model, c.state);
    rescale_multipliers(c.substeps, c.state);
    allow_tests(c);
    c.furthest = furthest_in_substep(c);
    for (auto* bodies : {&c.scratch.shortfalls.limited, &c.scratch.shortfalls.held}) {
        std::fill(bodies->begin(), bodies->end(), std::uint8_t{0});
    }
    c.scratch.contact.outcome.distance_tests = 0;
    c.scratch.contact.islands.stale = true;
    c.report.contacts = 0.0;
}

bool begin_substep(StepContext& c) {
    if (c.k == c.substeps) return false;
    if (c.k > 0) c.last_h = c.h;
    ++c.k;
    look_at_clock(c);
    ++c.begun;
    if (c.late) ++c.report.late_substeps;
    return true;
}

}  // namespace plica
