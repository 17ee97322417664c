#include "engine/step/features.hpp"

#include <algorithm>

namespace plica {
namespace {

// Motion of a rigid body from where it was built.
Pose motion_of(const RigidBody& rigid, const RigidState& now) {
    return compose(make_pose(now.turn, now.position), invert(make_pose(rigid.start.turn, rigid.start.position)));
}

std::vector<TreeBody> list_bodies(const Model& model) {
    std::vector<TreeBody> bodies(model.bodies.size());
    for (const Triangle& t : model.surface.triangles) {
        TreeBody& body = bodies[static_cast<std::size_t>(t.body)];
        body.closed = t.chain < 0;
    }
    for (const heat::Membrane& membrane : model.membranes) {
        for (const heat::Piece& piece : membrane.pieces) {
            if (!piece.closed) bodies[static_cast<std::size_t>(model.find_body(membrane.first_node))].closed = false;
        }
    }
    for (const RigidBody& rigid : model.rigids) bodies[static_cast<std::size_t>(rigid.body)].rigid = true;
    return bodies;
}

TreeSettings settings_of(const Model& model) {
    TreeSettings settings;
    settings.layer = model.contact.rate_layer;
    return settings;
}

}  // namespace

FeatureSearch::FeatureSearch(const Model& model)
    : surface(model.surface),
      tree(surface, list_bodies(model), model.rest, settings_of(model)),
      start(model.bodies.size()),
      end(model.bodies.size()) {}

std::unique_ptr<FeatureSearch> make_feature_search(const Model& model) {
    if (!have_partners(model.surface)) return nullptr;
    return std::make_unique<FeatureSearch>(model);
}

bool find_feature_pairs(const Model& model, const State& state, Scratch& scratch) {
    FeatureSearch& search = *scratch.features;
    for (std::size_t i = 0; i < model.rigids.size(); ++i) {
        const auto body = static_cast<std::size_t>(model.rigids[i].body);
        search.start[body] = motion_of(model.rigids[i], state.rigids[i]);
        search.end[body] = motion_of(model.rigids[i], scratch.rigids[i]);
    }
    return search.tree.update(state.x, scratch.p, search.start, search.end);
}

void unfold_pairs(State& state, Scratch& scratch) {
    if (!scratch.unfolded.empty()) state.candidates.pairs.swap(scratch.unfolded);
    scratch.unfolded.clear();
}

void fold_pairs(const Model& model, State& state, Scratch& scratch) {
    if (!scratch.features) return;
    std::vector<Pair>& pairs = state.candidates.pairs;
    const auto is_remembered = [](const Pair& pair) { return pair.push > 0.0 || pair.side != Vec3{}; };
    scratch.unfolded.swap(pairs);
    const auto first = find_first_feature(model.surface, scratch.unfolded);
    pairs.assign(scratch.unfolded.begin(), first);
    std::copy_if(first, scratch.unfolded.end(), std::back_inserter(pairs), is_remembered);
}

}  // namespace plica
