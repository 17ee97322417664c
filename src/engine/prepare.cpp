#include "engine/prepare.hpp"

#include "core/index.hpp"
#include "engine/step/features.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/couplings.hpp"

namespace plica {
namespace {

void prepare_tools(const Model& model, State& state, Scratch& scratch, Frame& frame) {
    const std::size_t tools = model.tools.size();
    state.tools.resize(tools);
    scratch.tools.holds.resize(tools);
    scratch.tools.held_nodes.resize(tools);
    scratch.tools.impulse.resize(tools);
    frame.tools.resize(tools);
    for (auto* each : {&frame.tool_force, &frame.tool_torque, &frame.hand_force, &frame.hand_torque}) {
        each->resize(tools);
    }
    const auto is_sphere = [](const Tool& tool) { return tool.kind == ToolKind::sphere; };
    const bool felt = !model.rigids.empty() || std::any_of(model.tools.begin(), model.tools.end(), is_sphere);
    if (felt) scratch.contact.outcome.force.resize(model.nodes());
}

void prepare_rigids(const Model& model, Scratch& scratch, Frame& frame) {
    RigidScratch& rigids = scratch.rigids;
    rigids.now.resize(model.rigids.size());
    for (const RigidBody& rigid : model.rigids) {
        rigids.groups.push_back({static_cast<std::size_t>(rigid.first_node), rigid.local.size()});
    }
    for (const Hinge& hinge : model.hinges) rigids.groups[at(hinge.rigid[1])].joined = hinge.rigid[0];
    rigids.joints.resize(model.hinges.size());
    frame.joints.resize(model.hinges.size());
    rigids.impulse.resize(model.rigids.size());
    rigids.twist.resize(model.rigids.size());
    frame.rigid_force.resize(model.rigids.size());
    prepare_couplings(model, scratch);
}

std::size_t count_floating_nodes(const Model& model) {
    std::size_t nodes = 0;
    for (const RigidBody& rigid : model.rigids) nodes += rigid.floating >= 0 ? rigid.local.size() : 0;
    return nodes;
}

void reserve_pairs(const Model& model, State& state, Scratch& scratch) {
    const Surface& surface = model.surface;
    const std::size_t pairs = 64 * static_cast<std::size_t>(plain_capsules(surface)) +
                              24 * static_cast<std::size_t>(surface.features.corners + surface.features.edges);
    state.candidates.pairs.reserve(pairs);
    scratch.last_good.candidates.pairs.reserve(pairs);
    scratch.detect.unfolded.reserve(pairs);
    reserve_pairs_for(pairs, scratch.contact);
    scratch.contact.walls.reserve(state.wall_memory.size());
    scratch.contact.floating_walls.reserve(count_floating_nodes(model) * model.walls.size());
    reserve_pairs_for(surface, pairs, scratch.detect.detector);
    CertifyScratch& certify = scratch.certify;  // whose arrays grow when something comes close or is held
    certify.primitive_moved.reserve(static_cast<std::size_t>(primitive_count(surface)));
    for (std::vector<double>* each : {&certify.node_moved, &certify.kept, &certify.before})
        each->reserve(model.nodes());
    certify.slowed.reserve(model.nodes());
    certify.close.reserve(pairs + 8);
    certify.wanted.reserve(model.nodes());
    if (model.detector == DetectorKind::tracked) reserve_tracked_pairs(model, state, scratch);
}

void prepare_detection(const Model& model, Isa isa, Scratch& scratch) {
    scratch.detect.detector.isa = isa;
    scratch.detect.features = make_feature_search(model);
    scratch.detect.capsule_enabled.assign(model.surface.capsules.size(), 1);
    for (std::size_t i = 0; i < model.surface.capsules.size(); ++i) {
        if (model.surface.capsules[i].sheet) scratch.detect.capsule_enabled[i] = 0;  // the tree's
    }
}

// A rigid body without a tool stands: its nodes are left out but for a few, which stand for the others. See NodeRange.
std::vector<NodeRange> list_moving(const Model& model) {
    constexpr std::size_t block = 8;
    std::vector<NodeRange> moving;
    std::size_t first = 0;
    for (const RigidBody& rigid : model.rigids) {  // in the order of their nodes
        const std::size_t begin = at(rigid.first_node), end = begin + rigid.local.size();
        const std::size_t stands = (begin + block - 1) / block * block + block, moves = end / block * block;
        if (rigid.tool >= 0 || moves <= stands) continue;
        moving.push_back({first, stands});
        first = moves;
    }
    moving.push_back({first, model.nodes()});
    return moving;
}

}  // namespace

void reserve_tracked_pairs(const Model& model, State& state, Scratch& scratch) {
    scratch.detect.watched.pairs.reserve(state.candidates.pairs.capacity());
    reserve_tracks(model.neighbours, model.tracking, state.active, scratch.detect.tracker);
    scratch.last_good.active.reserve(state.active.capacity());
}

void prepare(const Model& model, Isa isa, ThreadPool& pool, State& state, Scratch& scratch, Frame& frame) {
    state.wall_memory.resize(model.walls.size() * model.nodes());
    state.joints.resize(model.hinges.size());
    scratch.p.resize(model.nodes());
    scratch.all = {{0, model.nodes()}};
    scratch.moving = list_moving(model);
    prepare_tools(model, state, scratch, frame);
    prepare_rigids(model, scratch, frame);
    prepare_detection(model, isa, scratch);
    if (scratch.detect.features) scratch.detect.features->tree.work_with(pool);
    scratch.contact.kernels = row_kernels(isa);
    scratch.contact.pool = &pool;
    if (model.contact.normals != NormalKind::rounded && model.contact.response == ResponseKind::consistent) {
        scratch.facets = std::make_unique<FacetNormals>(model.surface, model.rest, model.contact.normals);
    }
    scratch.shortfalls.limited.resize(model.bodies.size());
    scratch.shortfalls.held.resize(model.bodies.size());
    reserve_pairs(model, state, scratch);
    Preparation preparation{model, isa, pool, state, scratch};
    Tissues::prepare(preparation);
    forget_pairs(contact_world(model, model.dt / model.substeps, state, scratch), scratch.contact);
}

}  // namespace plica
