#include "engine/world.hpp"

#include <algorithm>

#include "core/clock.hpp"
#include "core/profile.hpp"
#include "engine/step/contact_marks.hpp"
#include "engine/step/features.hpp"
#include "engine/step/substep.hpp"
#include "engine/tissues/membranes.hpp"
#include "engine/tissues/organs.hpp"
#include "engine/tools/couplings.hpp"
#include "engine/tools/rigids.hpp"
#include "engine/tuning.hpp"

namespace plica {

World::World(Model model, State state, int threads, Isa isa)
    : m_model(std::move(model)), m_state(std::move(state)), m_pool(std::make_unique<ThreadPool>(threads)) {
    const std::size_t nodes = m_model.nodes();
    m_state.wall_memory.resize(m_model.walls.size() * nodes);
    m_state.tools.resize(m_model.tools.size());
    m_scratch.p.resize(nodes);
    m_scratch.holds.resize(m_model.tools.size());
    m_scratch.tool_impulse.resize(m_model.tools.size());
    m_scratch.capsule_enabled.assign(m_model.surface.capsules.size(), 1);
    for (const Tool& tool : m_model.tools) {
        if (tool.kind == ToolKind::sphere) m_scratch.contact.outcome.force.resize(nodes);
    }
    if (!m_model.rigids.empty()) m_scratch.contact.outcome.force.resize(nodes);
    m_scratch.rigids.resize(m_model.rigids.size());
    for (const RigidBody& rigid : m_model.rigids) {
        m_scratch.groups.push_back({static_cast<std::size_t>(rigid.first_node), rigid.local.size()});
    }
    m_scratch.rigid_impulse.resize(m_model.rigids.size());
    m_scratch.rigid_twist.resize(m_model.rigids.size());
    m_frame.rigid_force.resize(m_model.rigids.size());
    prepare_couplings(m_model, m_scratch);
    mass_spring::prepare(m_model.network, m_scratch.springs, isa);
    m_scratch.detector.isa = isa;
    m_scratch.contact.kernels = row_kernels(isa);
    m_scratch.features = make_feature_search(m_model);
    const ContactSettings& contact = m_model.contact;
    if (contact.normals != NormalKind::rounded && contact.response == ResponseKind::consistent) {
        m_scratch.facets = std::make_unique<FacetNormals>(m_model.surface, m_model.rest, contact.normals);
    }
    for (std::size_t i = 0; i < m_model.surface.capsules.size(); ++i) {
        if (m_model.surface.capsules[i].sheet) m_scratch.capsule_enabled[i] = 0;  // the tree's
    }
    reserve_pairs();
    m_scratch.held_nodes.resize(m_model.tools.size());
    prepare_organs(m_model, isa, *m_pool, m_state, m_scratch);
    prepare_membranes(m_model, m_state, m_scratch);
    forget_pairs(contact_world(m_model, m_model.dt / m_model.substeps, m_state, m_scratch), m_scratch.contact);
    m_frame.tool_force.resize(m_model.tools.size());
    m_frame.tool_torque.resize(m_model.tools.size());
    m_frame.hand_force.resize(m_model.tools.size());
    m_frame.hand_torque.resize(m_model.tools.size());
    m_frame.tools.resize(m_model.tools.size());
    publish();
}

// Room for more pairs than a dense pile of tubes and folded sheets ever has, so that a warm step does not grow
// anything.
void World::reserve_pairs() {
    const Surface& surface = m_model.surface;
    const std::size_t pairs = 64 * static_cast<std::size_t>(plain_capsules(surface)) +
                              24 * static_cast<std::size_t>(surface.features.corners + surface.features.edges);
    m_state.candidates.pairs.reserve(pairs);
    m_scratch.last_good.candidates.pairs.reserve(pairs);
    m_scratch.unfolded.reserve(pairs);
    reserve_pairs_for(pairs, m_scratch.contact);
    m_scratch.contact.walls.reserve(m_state.wall_memory.size());
    reserve_pairs_for(m_model.surface, pairs, m_scratch.detector);
    CertifyScratch& certify = m_scratch.certify;  // whose arrays grow when something comes close or is held
    certify.primitive_moved.reserve(static_cast<std::size_t>(primitive_count(m_model.surface)));
    for (std::vector<double>* each : {&certify.node_moved, &certify.kept, &certify.before})
        each->reserve(m_model.nodes());
    certify.close.reserve(pairs + 8);
    certify.wanted.reserve(m_model.nodes());
    if (m_model.detector == DetectorKind::tracked) reserve_tracked_pairs();
}

void World::reserve_tracked_pairs() {
    const Model& model = in_force();
    m_scratch.watched.pairs.reserve(m_state.candidates.pairs.capacity());
    reserve_tracks(model.neighbours, model.tracking, m_state.active, m_scratch.tracker);
    m_scratch.last_good.active.reserve(m_state.active.capacity());
}

// Where nothing changes, and most steps change nothing, nothing is done.
void World::take_tuning(const Tuning& tuning) {
    if (tuning == m_tuning) return;
    if (!m_tuned) m_tuned = std::make_unique<Model>(m_model);
    apply_tuning(m_model, tuning, *m_tuned);
    m_tuning = tuning;
    mass_spring::prepare(m_tuned->network, m_scratch.springs, isa());
    forget_factors(m_scratch);
    if (m_tuned->detector == DetectorKind::tracked) reserve_tracked_pairs();
}

StepReport World::step(const Inputs& inputs) {
    const double began = threads() > 1 ? wall_seconds() : thread_cpu_seconds();
    StepReport report;
    take_tuning(inputs.tuning);
    const Model& model = in_force();
    int substeps = choose_substeps(model, inputs, m_state);
    m_scratch.last_good = m_state;
    unfold_pairs(m_state, m_scratch);
    // An organ that does not bear the substeps gets shorter ones: nothing of the failed attempt is kept.
    constexpr int most_retries = 4;
    while (!advance(inputs, substeps, report)) {
        if (report.retries == most_retries) {
            flag_organs(model, model.dt / substeps, m_state, m_scratch, report);
            break;
        }
        ++report.retries;
        report.flag_count = 0;
        substeps = count_more_substeps(model, substeps, m_state, m_scratch.last_good);
        take_back(m_scratch.last_good);
    }
    report.contacts /= substeps;
    report.substeps = substeps;
    report.candidates = static_cast<int>(m_state.candidates.pairs.size());
    fold_pairs(model, m_state, m_scratch);
    for (std::size_t t = 0; t < model.tools.size(); ++t) {
        m_state.tools[t].handle = inputs.tools[t].target;
        m_state.tools[t].turn = inputs.tools[t].turn;
    }
    ++m_state.step;
    flag_membranes(model, m_scratch, report);
    if (find_flags(model, m_state, report)) restore(m_scratch.last_good);
    report.at_rest = are_at_rest(model, m_state);
    publish();
    report.hash = compute_hash(m_state);
    report.seconds = (threads() > 1 ? wall_seconds() : thread_cpu_seconds()) - began;
    return report;
}

// One go at a step; false when an organ did not bear it.
bool World::advance(const Inputs& inputs, int substeps, StepReport& report) {
    const Model& model = in_force();
    const double h = model.dt / substeps;
    double last_h = m_state.substeps == 0 ? 0.0 : model.dt / static_cast<double>(m_state.substeps);
    StageClock clock(report.stage_seconds, m_stages_by_cpu ? thread_cpu_seconds : wall_seconds);
    const auto lap = [&](Stage stage) { clock.lap(static_cast<std::size_t>(stage)); };
    take_inputs(model, inputs, m_state, m_scratch);
    hand_list_over(model, m_state);
    rescale_multipliers(substeps, m_state);
    m_scratch.trail.clear();
    if (m_scratch.trail_interval > 0) extend_trail();
    m_scratch.contact.outcome.distance_tests = 0;
    report.contacts = 0.0;
    conduct_membranes(model, m_state, m_scratch, report);
    for (int k = 1; k <= substeps; ++k) {
        predict(model, inputs, h, static_cast<double>(k) / substeps, m_state, m_scratch);
        if (!predict_organs(model, inputs, h, last_h, k, *m_pool, m_state, m_scratch)) return false;
        lap(Stage::tissue);
        detect_ahead(model, inputs, h, *m_pool, m_state, m_scratch, report);
        lap(Stage::detect);
        ContactWorld contact = contact_world(model, h, m_state, m_scratch);
        note_flight(model, m_scratch);
        begin_contact(contact, m_state, m_scratch);
        predict_membranes(model, inputs, h, k, m_state, m_scratch, report);
        mass_spring::step_network(model.network, m_scratch.springs, m_state.x, m_scratch.flight, model.inverse_mass, h,
                                  m_scratch.p);
        lap(Stage::tissue);
        begin_sweeps(contact, m_state, m_scratch);
        for (int pass = 0; is_wanted(model.contact, pass, m_scratch); ++pass) {
            detect(model, inputs, h, pass == 0, *m_pool, m_state, m_scratch, report);
            lap(Stage::detect);
            sweep_contact(contact, pass, m_state, m_scratch);
            ++report.sweeps;
            lap(Stage::respond);
        }
        keep_motions(model, h, k, m_state, m_scratch);
        end_sweeps(model, contact, m_state, m_scratch);
        add_touch(model, h, m_state, m_scratch);
        lap(Stage::respond);
        certify(model, inputs, h, *m_pool, m_state, m_scratch, report);
        extend_paths(contact, m_scratch.contact);
        lap(Stage::certify);
        commit(model, m_state, m_scratch);
        if (m_scratch.trail_interval > 0 && (k % m_scratch.trail_interval == 0 || k == substeps)) extend_trail();
        report.contacts += m_scratch.contact.outcome.contacts;
        last_h = h;
        lap(Stage::respond);
    }
    report.distance_tests += m_scratch.contact.outcome.distance_tests;
    const bool held = have_organs_held(model, h, substeps, *m_pool, m_state, m_scratch);
    lap(Stage::tissue);
    return held;
}

void World::publish() {
    m_frame.step = m_state.step;
    m_frame.time = static_cast<double>(m_state.step) * m_model.dt;
    m_frame.positions.assign(m_state.x.begin(), m_state.x.end());
    // Sum of force h^2 over the substeps, as a mean force.
    const double substeps = std::max(1.0, static_cast<double>(m_state.substeps));
    for (std::size_t t = 0; t < m_model.tools.size(); ++t) {
        const ToolState& tool = m_state.tools[t];
        m_frame.tools[t] = {tool.handle, tool.node, tool.present != 0, tool.turn};
        m_frame.tool_force[t] = m_scratch.tool_impulse[t] * (substeps / (m_model.dt * m_model.dt));
    }
    const double to_force = substeps / (m_model.dt * m_model.dt);
    for (std::size_t i = 0; i < m_model.rigids.size(); ++i) {
        m_frame.rigid_force[i] = m_scratch.rigid_impulse[i] * to_force;
        const std::int32_t t = m_model.rigids[i].tool;
        if (t < 0) continue;
        m_frame.tool_force[static_cast<std::size_t>(t)] = m_frame.rigid_force[i];
        m_frame.tool_torque[static_cast<std::size_t>(t)] = m_scratch.rigid_twist[i] * to_force;
        m_frame.hand_force[static_cast<std::size_t>(t)] = m_scratch.hand_force[i] / substeps;
        m_frame.hand_torque[static_cast<std::size_t>(t)] = m_scratch.hand_torque[i] / substeps;
    }
    publish_temperatures(m_state, m_frame);
    m_frame.contacts.clear();
    if (m_marking) add_contact_marks(m_model, m_state, m_frame.contacts);
}

void World::take_back(const State& state) {
    m_state = state;
    m_scratch.unfolded.clear();
    if (m_scratch.features) m_scratch.features->tree.forget();
    for (auto* sums : {&m_scratch.tool_impulse, &m_scratch.rigid_impulse, &m_scratch.rigid_twist, &m_scratch.hand_force,
                       &m_scratch.hand_torque}) {
        std::fill(sums->begin(), sums->end(), Vec3{});  // what led here is not known
    }
    forget_pairs(contact_world(in_force(), m_model.dt / m_model.substeps, m_state, m_scratch), m_scratch.contact);
}

void World::restore(const State& state) {
    take_back(state);
    publish();
}

void World::mark_contacts(bool mark) {
    if (mark == m_marking) return;
    m_marking = mark;
    if (mark) m_frame.contacts.reserve(m_state.candidates.pairs.capacity());
    publish();
}

void World::keep_trail(bool keep, int interval) {
    m_scratch.trail_interval = keep ? std::max(1, interval) : 0;
    m_scratch.trail.clear();
    if (!keep) return;
    const int rows = 2 + (m_model.substeps - 1) / m_scratch.trail_interval;
    m_scratch.trail.reserve(static_cast<std::size_t>(rows) * m_model.nodes());
}

void World::extend_trail() {
    m_scratch.trail.insert(m_scratch.trail.end(), m_state.x.begin(), m_state.x.end());
}

}  // namespace plica
