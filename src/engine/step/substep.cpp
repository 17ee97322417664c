#include "engine/step/substep.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "engine/step/features.hpp"
#include "engine/tissues/membranes.hpp"
#include "engine/tissues/organs.hpp"
#include "engine/tools/couplings.hpp"
#include "engine/tools/rigids.hpp"

namespace plica {
namespace {

// A candidate list should last for at least so many substeps, and for as long as things move this share of the thinnest
// pair of tubes on average, but no longer than this: longer ones would hold too many pairs.
constexpr double fewest_substeps = 4.0;
constexpr double average_travel = 0.08;
constexpr double longest_window = 0.1;  // s

// How far a node may go before the list must be rebuilt: what it will do in the window at its present speed, never less
// than this substep already asks for.
void set_margins(const Model& model, const Inputs& inputs, double h, const State& state, const Scratch& scratch,
                 std::vector<double>& margin) {
    const Vec3 travel = mean_displacement(state.x, scratch.p);
    const Vec3 velocity = travel / h;
    double speed = 0.0;
    for (const Vec3& v : state.v) speed += norm(v - velocity);
    speed /= std::max(1.0, static_cast<double>(state.v.size()));
    const double slow = average_travel * model.thinnest_tube;
    const double t = std::max(fewest_substeps * h, std::min(slow / std::max(speed, 1e-9), longest_window));
    const double base = 0.04 * model.thinnest_tube + std::min(0.6 * norm(inputs.gravity) * t * t, 0.5 * slow);
    margin.resize(state.x.size());
    for (std::size_t i = 0; i < state.x.size(); ++i) {
        margin[i] =
            base + std::max(1.2 * norm(state.v[i] - velocity) * t, 1.5 * norm(scratch.p[i] - state.x[i] - travel));
    }
}

bool is_ours(const ContactWorld& contact) {
    return contact.settings.response == ResponseKind::consistent;
}

// Other responses know velocities of their own, which are taken before the sweeps.
bool moves_only(const ContactWorld& contact) {
    return is_ours(contact) || contact.settings.response == ResponseKind::johnsen;
}

void take_velocities(double h, State& state, const Scratch& scratch) {
    const double rate = 1.0 / h;
    for (std::size_t i = 0; i < state.x.size(); ++i) state.v[i] = (scratch.p[i] - state.x[i]) * rate;
}

// Nodes of the body that the tool takes hold of.
void find_held_nodes(const Model& model, const Tool& tool, const ToolState& now, std::vector<std::int32_t>& held) {
    const std::int32_t node = tool.kind == ToolKind::sphere ? tool.node : now.node;
    if (now.present == 0 || node < 0) return held.clear();
    if (!held.empty() && held[0] == node) return;
    held.assign(1, node);
    if (tool.kind == ToolKind::sphere || !(tool.grip > 0.0)) return;
    const auto body = std::find_if(model.bodies.begin(), model.bodies.end(), [&](const Body& b) {
        return node >= b.first_node && node < b.first_node + b.nodes;
    });
    if (body->tissue != "tled" && body->tissue != "heat") return;
    for (std::int32_t n = body->first_node; n < body->first_node + body->nodes; ++n) {
        if (n != node && distance(model.rest[at(n)], model.rest[at(node)]) <= tool.grip) held.push_back(n);
    }
}

}  // namespace

void take_inputs(const Model& model, const Inputs& inputs, State& state, Scratch& scratch) {
    for (std::size_t t = 0; t < model.tools.size(); ++t) {
        const Tool& tool = model.tools[t];
        const ToolInput& input = inputs.tools[t];
        ToolState& now = state.tools[t];
        if (now.present != input.present || now.node != input.node) now.pull = {};
        if (tool.kind == ToolKind::sphere) {
            if (now.present != input.present) {
                state.candidates.built.clear();  // its primitive comes or goes: no list holds
                now.handle = input.target;
            }
            if (input.present == 0 || now.present == 0) {
                state.x[at(tool.node)] = input.target;
                state.v[at(tool.node)] = {};
            }
            scratch.capsule_enabled[at(tool.capsule)] = input.present != 0 ? 1 : 0;
        } else if (tool.kind == ToolKind::grab && now.node < 0) {
            now.handle = input.target;
        }
        now.node = input.node;
        now.present = input.present;
        find_held_nodes(model, tool, now, scratch.held_nodes[t]);
        scratch.tool_impulse[t] = {};
    }
    std::fill(scratch.rigid_impulse.begin(), scratch.rigid_impulse.end(), Vec3{});
    std::fill(scratch.rigid_twist.begin(), scratch.rigid_twist.end(), Vec3{});
    std::fill(scratch.hand_force.begin(), scratch.hand_force.end(), Vec3{});
    std::fill(scratch.hand_torque.begin(), scratch.hand_torque.end(), Vec3{});
}

// Shares of the thinnest pair's thickness that anything may travel in a substep. At 1 nothing passes through anything,
// but an impact in a long step bends and stretches a rope so far that it springs back faster than it came.
constexpr double furthest = 0.25;
constexpr double furthest_in_long_step = 0.08;
constexpr double long_step = 0.004;  // s
constexpr double most_times = 16.0;  // the model's number; what is faster still has exploded

// Solids: rows hold what comes this far into another's thickness, and what comes further is certify's to hold.
int count_solid_substeps(const Model& model, const Inputs& inputs, const State& state, double fastest) {
    const double travel = fastest * model.dt + furthest_rigid_travel(model, inputs, state);
    const double most = most_times * std::max(model.substeps, count_organ_substeps(model, state));
    return static_cast<int>(std::ceil(std::min(travel / model.thinnest_solid, most)));
}

int choose_substeps(const Model& model, const Inputs& inputs, const State& state) {
    int base = std::max(model.substeps, count_organ_substeps(model, state));
    if (!model.adapt || !model.contact.enabled) return base;
    base = std::max(base, count_membrane_substeps(model));
    double fastest = 0.0;
    for (const Vec3& v : state.v) fastest = std::max(fastest, squared_norm(v));
    base = std::max(base, count_solid_substeps(model, inputs, state, std::sqrt(fastest)));
    if (!(model.thinnest_pair > 0.0)) return base;
    const double travel = (std::sqrt(fastest) + norm(inputs.gravity) * model.dt) * model.dt;
    const double shares = travel / model.thinnest_pair;
    const double enough = shares / furthest;
    const double calm = std::min(shares / furthest_in_long_step, model.dt / long_step);
    // By half of the model's number at a time: what needs a little more gets a little more, and things that move at one
    // speed are stepped alike.
    const double halves = std::ceil(2.0 * std::max(enough, calm) / base - 1e-9);
    return static_cast<int>(std::ceil(base * std::clamp(halves, 2.0, 2.0 * most_times) / 2.0));
}

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
        for (ToolState& tool : state.tools) tool.pull *= scale;
    }
    state.substeps = now;
}

void predict(const Model& model, const Inputs& inputs, double h, double share, const State& state, Scratch& scratch) {
    const double kept = std::exp(-model.drag * h);
    for (std::size_t i = 0; i < state.x.size(); ++i) {
        const bool falls = i < model.tissue_nodes;
        const bool free = model.inverse_mass[i] > 0.0;
        const Vec3 v = falls ? state.v[i] * kept + inputs.gravity * h : state.v[i];
        scratch.p[i] = free ? state.x[i] + v * h : state.x[i];
    }
    aim_rigids(model, inputs, share, state, scratch);
    aim_couplings(model, inputs, h, share, state, scratch);
    place_rigids(model, scratch);
    if (!model.network.sheets.empty()) scratch.flight.assign(scratch.p.begin(), scratch.p.end());
    for (std::size_t t = 0; t < model.tools.size(); ++t) {
        const Tool& tool = model.tools[t];
        const ToolState& now = state.tools[t];
        const Vec3 target = now.handle + (inputs.tools[t].target - now.handle) * share;
        scratch.holds[t] = {scratch.held_nodes[t], target, tool.stiffness, tool.damping, tool.max_force, now.pull};
    }
}

ContactWorld contact_world(const Model& model, double h, State& state, Scratch& scratch) {
    const bool floats = !scratch.floating.bodies.empty();
    const std::vector<double>& w = floats ? scratch.floating.w : model.inverse_mass;
    return {model.surface,
            model.walls,
            model.contact_radius,
            w,
            model.contact,
            h,
            state.x,
            scratch.p,
            state.candidates,
            state.wall_memory,
            scratch.holds,
            scratch.groups,
            floats ? &scratch.floating : nullptr,
            scratch.facets.get()};
}

void detect(const Model& model, const Inputs& inputs, double h, bool with_features, ThreadPool& pool, State& state,
            Scratch& scratch, StepReport& report) {
    if (model.detector == DetectorKind::tracked) return;
    if (!model.contact.enabled) return;
    if (with_features) follow_contact(model, state, scratch);
    const bool plain = plain_capsules(model.surface) > 0 && !is_complete(state.candidates, scratch.p);
    const bool features = with_features && scratch.features && find_feature_pairs(model, state, scratch);
    if (!plain && !features) return;
    ContactWorld contact = contact_world(model, h, state, scratch);
    release_pairs(contact, scratch.contact);
    if (plain) {
        set_margins(model, inputs, h, state, scratch, state.candidates.margin);
        report.distance_tests +=
            rebuild(state.candidates, model.detector, {model.surface, scratch.capsule_enabled, state.x}, pool,
                    scratch.detector, true);
        ++report.rebuilds;
    }
    if (features) {
        replace_feature_pairs(model.surface, scratch.features->tree.pairs(), state.candidates, scratch.detector.merged);
    }
    adopt_pairs(contact, scratch.contact);
}

namespace {
void track_pairs(const Model& model, double h, State& state, Scratch& scratch, StepReport& report) {
    const TrackedView view{model.surface, model.neighbours, scratch.capsule_enabled, scratch.p};
    std::vector<Pair>& found = scratch.detector.merged;
    report.distance_tests += track(view, model.tracking, state.random, state.active, scratch.tracker, found).tests;
    ++report.rebuilds;
    replace_pairs(state.candidates, found, scratch.p);
    forget_pairs(contact_world(model, h, state, scratch), scratch.contact);
}

}  // namespace

void detect_ahead(const Model& model, const Inputs& inputs, double h, ThreadPool& pool, State& state, Scratch& scratch,
                  StepReport& report) {
    if (!model.contact.enabled) return;
    if (model.detector == DetectorKind::tracked) return track_pairs(model, h, state, scratch, report);
    if (model.contact.response == ResponseKind::penalty) {
        detect(model, inputs, h, true, pool, state, scratch, report);
    }
}

void begin_contact(ContactWorld& contact, const State& state, Scratch& scratch) {
    switch (contact.settings.response) {
        case ResponseKind::consistent:
            return warm_start(contact, scratch.contact);
        case ResponseKind::penalty:
            return begin_penalty(contact, scratch.contact, state.v);
        case ResponseKind::johnsen:
            return begin_johnsen(contact, scratch.contact);
        case ResponseKind::raghupathi:
        case ResponseKind::raghupathi_printed:
            return begin_raghupathi(contact, scratch.contact);
    }
}

void begin_sweeps(ContactWorld& contact, State& state, Scratch& scratch) {
    if (moves_only(contact)) return;
    solve_holds(contact);
    take_velocities(contact.h, state, scratch);
}

bool is_wanted(const ContactSettings& settings, int pass, const Scratch& scratch) {
    const ContactScratch& contact = scratch.contact;
    if (pass < settings.sweeps) return true;
    if (pass > 1 && is_stalled(settings, contact, contact.outcome.moved_before, contact.outcome.moved)) return false;
    return pass < settings.most_sweeps && contact.outcome.moved > settings.tolerance;
}

void sweep_contact(ContactWorld& contact, int pass, State& state, Scratch& scratch) {
    if (is_ours(contact)) return sweep(contact, scratch.contact, pass >= contact.settings.sweeps);
    moves_only(contact) ? sweep_johnsen(contact, scratch.contact, pass)
                        : sweep_raghupathi(contact, scratch.contact, state.v);
}

void end_sweeps(const Model& model, ContactWorld& contact, State& state, Scratch& scratch) {
    if (moves_only(contact)) take_velocities(contact.h, state, scratch);
    take_pulls(model, contact.h, scratch);
    if (is_ours(contact)) push_out(contact, scratch.contact);
    follow_contact(model, state, scratch);
    finish(contact, scratch.contact);
}

// The tracked detector misses pairs; what watches over it must not.
void watch(const Model& model, const Inputs& inputs, double h, ThreadPool& pool, const State& state, Scratch& scratch) {
    CandidateList& list = scratch.watched;
    if (is_complete(list, scratch.p)) return;
    set_margins(model, inputs, h, state, scratch, list.margin);
    rebuild(list, best_detector(model.surface), {model.surface, scratch.capsule_enabled, state.x}, pool,
            scratch.detector);
    scratch.watched_distance = least_margin(model.surface, list);
}

void certify(const Model& model, const Inputs& inputs, double h, ThreadPool& pool, State& state, Scratch& scratch,
             StepReport& report) {
    if (!model.certify || !model.contact.enabled || model.surface.capsules.empty()) return;
    const bool tracked = model.detector == DetectorKind::tracked;
    tracked ? watch(model, inputs, h, pool, state, scratch)
            : detect(model, inputs, h, scratch.contact.outcome.corrected, pool, state, scratch,
                     report);  // the sweeps may have gone beyond the list
    ContactWorld contact = contact_world(model, h, state, scratch);
    const int held =
        tracked ? certify(model.surface, scratch.watched, scratch.watched_distance, state.x, scratch.p, scratch.certify)
                : certify(contact, scratch.contact, scratch.certify);
    if (held == 0) return;
    report.held += held;
    if (hold_rigids(model, h, state, scratch)) place_rigids(model, scratch);
    for (std::size_t n = 0; n < state.x.size(); ++n) {
        if (scratch.certify.kept[n] < 1.0) state.v[n] = (scratch.p[n] - state.x[n]) / h;
    }
}

void commit(const Model& model, State& state, Scratch& scratch) {
    state.x.assign(scratch.p.begin(), scratch.p.end());
    commit_rigids(model, state, scratch);
    for (std::size_t t = 0; t < model.tools.size(); ++t) {
        state.tools[t].pull = scratch.holds[t].multiplier;
        if (model.tools[t].kind == ToolKind::sphere) {
            scratch.tool_impulse[t] += scratch.contact.outcome.force[at(model.tools[t].node)];
        } else if (!scratch.holds[t].nodes.empty()) {
            scratch.tool_impulse[t] -= scratch.holds[t].multiplier;
        }
    }
}

bool find_flags(const Model& model, const State& state, StepReport& report) {
    bool lost = !report.is_valid();
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        bool finite = true;
        for (std::size_t n = at(body.first_node); n < at(body.first_node + body.nodes); ++n) {
            finite = finite && is_finite(state.x[n]) && is_finite(state.v[n]);
        }
        if (!finite) {
            report.raise(FlagKind::non_finite, static_cast<std::int32_t>(b));
            lost = true;
        } else if (mass_spring::is_longer_than(model.network, state.x, static_cast<int>(b),
                                               1.0 + model.stretch_limit)) {
            report.raise(FlagKind::overstretched, static_cast<std::int32_t>(b));
        }
    }
    return lost;
}

}  // namespace plica
