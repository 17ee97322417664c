#include "engine/world.hpp"

#include <algorithm>

#include "core/clock.hpp"
#include "engine/prepare.hpp"
#include "engine/slice.hpp"
#include "engine/step/contact_marks.hpp"
#include "engine/step/features.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/pushing.hpp"
#include "engine/tuning.hpp"

namespace plica {

World::World(std::shared_ptr<const Model> model, State state, int threads, Isa isa)
    : m_model(std::move(model)), m_state(std::move(state)), m_isa(isa), m_pool(std::make_unique<ThreadPool>(threads)) {
    prepare(*m_model, isa, *m_pool, m_state, m_scratch, m_frame);
    publish_frame();
}

World::World(Model model, State state, int threads, Isa isa)
    : World(std::make_shared<const Model>(std::move(model)), std::move(state), threads, isa) {}

// Where nothing changes, and most steps change nothing, nothing is done.
void World::take_tuning(const Tuning& tuning) {
    if (tuning == m_tuning) return;
    if (!m_tuned) m_tuned = std::make_unique<Model>(*m_model);
    apply_tuning(*m_model, tuning, *m_tuned);
    m_tuning = tuning;
    Tissues::retune(*m_tuned, m_scratch);
    if (m_tuned->detector == DetectorKind::tracked) reserve_tracked_pairs(*m_tuned, m_state, m_scratch);
}

double World::seconds() const {
    return threads() > 1 ? wall_seconds() : thread_cpu_seconds();
}

StepReport World::step(const Inputs& inputs) {
    const double began = seconds();
    StepReport report;
    StageClock<stage_count> clock(report.stage_seconds, m_stages_by_cpu ? thread_cpu_seconds : wall_seconds);
    take_tuning(inputs.tuning);
    StepContext c{in_force(), inputs, *m_pool, m_state, m_scratch, report, clock, m_stop, m_budget, wall_seconds()};
    c.substeps = choose_substeps(c.model, inputs, m_state);
    m_scratch.last_good = m_state;
    unfold_pairs(m_state, m_scratch);
    // A tissue that does not bear the substeps gets shorter ones: nothing of the failed attempt is kept.
    const bool pushed = has_pushed_tools(c.model);
    const int most_retries = pushed ? 2 : 4;
    const int most_substeps = 4 * c.substeps;  // what asks for more is being crushed
    bool held = advance(c);
    for (; !held && !report.interrupted && report.retries < most_retries; held = advance(c)) {
        if (pushed && Tissues::count_substeps(c.model, m_state).stable > most_substeps) break;
        const int more = choose_more_substeps(c.model, c.substeps, m_state, m_scratch.last_good);
        if (more == c.substeps && !pushed) break;
        report.retries = more == c.substeps ? most_retries : report.retries + 1;
        c.tools_wait = pushed && report.retries == most_retries;
        report.flag_count = 0;
        c.substeps = more;
        take_back(m_scratch.last_good);
    }
    if (report.interrupted) return give_up(report, began);
    report.contacts /= c.substeps;
    report.substeps = c.substeps;
    report.candidates = static_cast<int>(m_state.candidates.pairs.size());
    fold_pairs(c.model, m_state, m_scratch);
    if (!held && (pushed || (c.model.adapt && c.model.contact.enabled))) held = hold_step(c, pushed);
    if (!end_step(c, !held)) take_back(m_scratch.last_good);
    report.at_rest = are_at_rest(c.model, m_state);
    publish_frame();
    report.hash = compute_hash(m_state);
    report.seconds = seconds() - began;
    return report;
}

// The frame is still that of the step before.
StepReport World::give_up(StepReport& report, double began) {
    take_back(m_scratch.last_good);
    report.hash = compute_hash(m_state);
    report.seconds = seconds() - began;
    return report;
}

// One go at a step; false when a tissue did not bear it, or when it was given up.
bool World::advance(StepContext& c) {
    c.clock.skip();
    take_inputs(c);
    begin_trail(c);
    Tissues::begin_step(c);
    while (begin_substep(c)) {
        predict(c);
        if (!Tissues::predict(c)) return false;
        c.lap(Stage::tissue);
        detect_ahead(c);
        c.lap(Stage::detect);
        begin_contact(c);
        Tissues::answer_to_contact(c);
        c.lap(Stage::tissue);
        solve_contact(c);
        if (c.is_given_up()) return false;
        Tissues::keep_motions(c);
        end_contact(c);
        Tissues::after_contact(c);
        c.lap(Stage::respond);
        certify(c);
        commit(c);
    }
    c.report.distance_tests += c.scratch.contact.outcome.distance_tests;
    c.report.certify_tests += c.scratch.certify.tests;
    const bool held = Tissues::end_step(c);
    c.lap(Stage::tissue);
    return held;
}

// What tools squeezed until it broke, or broke where it fell, stays where it was when the step began, without speed,
// and tools begin anew slowly. False: nothing did. Without tools only what grows without bound is held: other tissue is
// lost by its law, and would be in the next step.
bool World::hold_step(StepContext& c, bool pushed) {
    Tissues::flag(c, true);
    Shortfalls& found = m_scratch.shortfalls;
    bool any = false, lost = false;
    for (int i = 0; i < c.report.flag_count; ++i) {
        const Flag& flag = c.report.flags[static_cast<std::size_t>(i)];
        if (!is_fatal(flag.kind) || flag.body < 0) continue;
        lost = lost || (!pushed && flag.kind != FlagKind::unstable);
        found.held[static_cast<std::size_t>(flag.body)] = 1;
        any = true;
    }
    c.report.flag_count = 0;
    if (!any || lost) return false;
    take_back(m_scratch.last_good);
    stop_tools(c.model, m_state);
    for (std::size_t b = 0; b < c.model.bodies.size(); ++b) {
        if (found.held[b] == 0) continue;
        for (Vec3& v : slice(c.model.bodies[b], m_state.v)) v = {};
    }
    begin_trail(c);
    c.k = c.substeps;
    extend_trail(c);
    return true;
}

void World::publish_frame() {
    publish(*m_model, m_state, m_scratch, m_frame);
    m_frame.contacts.clear();
    if (m_marking) add_contact_marks(*m_model, m_state, m_frame.contacts);
}

void World::take_back(const State& state) {
    m_state = state;
    m_scratch.detect.unfolded.clear();
    if (m_scratch.detect.features) m_scratch.detect.features->tree.forget();
    RigidScratch& rigids = m_scratch.rigids;
    for (auto* sums :
         {&m_scratch.tools.impulse, &rigids.impulse, &rigids.twist, &rigids.hand_force, &rigids.hand_torque}) {
        std::fill(sums->begin(), sums->end(), Vec3{});  // what led here is not known
    }
    forget_pairs(contact_world(in_force(), m_model->dt / m_model->substeps, m_state, m_scratch), m_scratch.contact);
}

void World::restore(const State& state) {
    take_back(state);
    publish_frame();
}

void World::mark_contacts(bool mark) {
    if (mark == m_marking) return;
    m_marking = mark;
    if (mark) m_frame.contacts.reserve(m_state.candidates.pairs.capacity());
    publish_frame();
}

void World::keep_trail(bool keep, int interval) {
    Trail& trail = m_scratch.trail;
    trail.interval = keep ? std::max(1, interval) : 0;
    trail.positions.clear();
    if (!keep) return;
    const int rows = 2 + (m_model->substeps - 1) / trail.interval;
    trail.positions.reserve(static_cast<std::size_t>(rows) * m_model->nodes());
}

}  // namespace plica
