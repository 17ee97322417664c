#include <cmath>

#include "engine/step/features.hpp"
#include "engine/step/verbs.hpp"
#include "engine/world.hpp"

// A world as bytes: what they may say, and the order they say it in.
namespace plica {
namespace {

constexpr double most_saved_substeps = 1e6;  // a step of more does not end
constexpr std::uint64_t most_saved_steps = 1'000'000'000;

bool is_saved_value(double value) {
    return std::isfinite(value);
}
bool is_saved_value(const Vec3& value) {
    return is_finite(value);
}
bool is_saved_value(const WallMemory& wall) {
    return std::isfinite(wall.push) && is_finite(wall.friction);
}
bool is_saved_value(const JointMemory& joint) {
    return is_finite(joint.push) && is_finite(joint.bend) && std::isfinite(joint.drive) && std::isfinite(joint.stop);
}
bool is_saved_value(const RigidState& rigid) {
    return is_finite(rigid.position) && is_finite(rigid.turn) && is_finite(rigid.velocity) && is_finite(rigid.spin) &&
           is_finite(rigid.load) && is_finite(rigid.twist) && rigid.pace >= 0.0 && rigid.pace <= 1.0;
}
bool is_saved_value(const tled::OrganState::Numbers& numbers) {
    return numbers.limit > 0.0 && std::isfinite(numbers.limit) && numbers.damping >= 0.0 &&
           std::isfinite(numbers.damping) && numbers.age >= 0 && numbers.calm >= 0;
}
// History of cells, ledgers: what is wrong in them is flagged as non-finite by the step that meets it.
template <class T>
bool is_saved_value(const T& /*value*/) {
    return true;
}

bool is_saved_tool(const ToolState& tool, std::size_t nodes) {
    return is_finite(tool.handle) && is_finite(tool.turn) && is_finite(tool.pull) && tool.node >= -1 &&
           tool.node < static_cast<std::int32_t>(nodes) && (tool.present == 0 || tool.present == 1);
}

bool is_saved_pair(const Pair& pair, const Surface& surface) {
    const auto capsules = static_cast<std::int32_t>(surface.capsules.size());
    return pair.a >= 0 && pair.a < capsules && pair.b > pair.a && pair.b < primitive_count(surface) &&
           std::isfinite(pair.gap_at_build) && std::isfinite(pair.push) && is_finite(pair.friction) &&
           is_finite(pair.side);
}

const auto is_any = [](const auto& value, const auto&...) { return is_saved_value(value); };

// The list with all pairs, as a step has it.
template <class Pairs, class Part, class Archive>
void visit_list(const Model& model, Pairs& pairs, Part& list, Archive& archive) {
    const std::size_t nodes = model.nodes();
    archive.list(pairs, [&](const Pair& pair, const Pair*) { return is_saved_pair(pair, model.surface); });
    const std::size_t built = archive.list(list.built, is_any);
    const std::size_t margins =
        archive.list(list.margin, [](double m, const double*) { return m >= 0.0 && std::isfinite(m); });
    archive.require((built == 0 || built == nodes) && (margins == 0 || margins == nodes) && built <= margins);
}

template <class Part, class Archive>
void visit_state(const Model& model, std::uint64_t step, Part& state, Archive& archive) {
    archive.fixed(state.x, is_any);
    archive.fixed(state.v, is_any);
    archive.list(state.active, [&](const ActivePair& pair, const ActivePair*) {
        return pair.a >= 0 && pair.a < pair.b && static_cast<std::size_t>(pair.b) < model.surface.capsules.size();
    });
    archive.fixed(state.wall_memory, is_any);
    archive.fixed(state.tools, [&](const ToolState& tool) { return is_saved_tool(tool, model.nodes()); });
    archive.fixed(state.rigids, is_any);
    archive.fixed(state.joints, is_any);
    Tissues::visit_state(state.tissues, [&](auto values) { archive.fixed(values, is_any); });
    archive.value(state.random.state);
    archive.value(state.step, [&](std::uint64_t saved) { return saved == step && step <= most_saved_steps; });
    archive.value(state.substeps,
                  [](std::uint64_t count) { return static_cast<double>(count) <= most_saved_substeps; });
}

}  // namespace

template <class Self, class Archive>
void World::visit(Self& self, std::uint64_t step, Archive& archive) {
    visit_state(self.model(), step, self.m_state, archive);
    auto& scratch = self.m_scratch;
    for (auto* sums : {&scratch.tools.impulse, &scratch.rigids.impulse, &scratch.rigids.twist,
                       &scratch.rigids.hand_force, &scratch.rigids.hand_torque}) {
        archive.fixed(*sums, is_any);
    }
    auto& list = self.m_state.candidates;
    if constexpr (std::is_const_v<Self>) {  // between steps the state's list is a part of the whole one
        const std::vector<Pair>& whole = scratch.detect.unfolded;
        visit_list(self.model(), whole.empty() ? list.pairs : whole, list, archive);
    } else {
        visit_list(self.model(), list.pairs, list, archive);
    }
}

void World::save(ByteWriter& archive) const {
    visit(*this, m_state.step, archive);
    if (m_scratch.detect.features) m_scratch.detect.features->tree.save(archive);
}

void World::load(ByteReader& archive, std::uint64_t step) {
    visit(*this, step, archive);
    if (m_scratch.detect.features) m_scratch.detect.features->tree.load(archive);
    if (!archive.stores() || !archive.ok()) return;
    m_scratch.detect.unfolded.clear();
    forget_pairs(contact_world(in_force(), m_model->dt / m_model->substeps, m_state, m_scratch), m_scratch.contact);
    fold_pairs(*m_model, m_state, m_scratch);
    publish_frame();
}

}  // namespace plica
