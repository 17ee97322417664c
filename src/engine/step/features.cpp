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
    for (std::size_t b = 0; b < bodies.size(); ++b) bodies[b].closed = bodies[b].closed && !model.bodies[b].open;
    for (const RigidBody& rigid : model.rigids) bodies[static_cast<std::size_t>(rigid.body)].rigid = true;
    return bodies;
}

// A step as short as a hand's has few substeps over which a large search could be spread: many small ones cost more in
// all, but none costs much.
TreeSettings settings_of(const Model& model) {
    constexpr double short_step = 0.004;  // s
    TreeSettings settings;
    settings.layer = model.contact.rate_layer;
    if (model.dt < short_step) settings.soon = 0.1;
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

bool find_feature_pairs(StepContext& c) {
    FeatureSearch& search = *c.scratch.detect.features;
    for (std::size_t i = 0; i < c.model.rigids.size(); ++i) {
        const auto body = static_cast<std::size_t>(c.model.rigids[i].body);
        search.start[body] = motion_of(c.model.rigids[i], c.state.rigids[i]);
        search.end[body] = motion_of(c.model.rigids[i], c.scratch.rigids.now[i]);
    }
    return search.tree.update(c.state.x, c.scratch.p, search.start, search.end);
}

void unfold_pairs(State& state, Scratch& scratch) {
    if (!scratch.detect.unfolded.empty()) state.candidates.pairs.swap(scratch.detect.unfolded);
    scratch.detect.unfolded.clear();
}

void fold_pairs(const Model& model, State& state, Scratch& scratch) {
    if (!scratch.detect.features) return;
    std::vector<Pair>& pairs = state.candidates.pairs;
    const auto is_remembered = [](const Pair& pair) { return pair.push > 0.0 || pair.side != Vec3{}; };
    scratch.detect.unfolded.swap(pairs);
    const auto first = find_first_feature(model.surface, scratch.detect.unfolded);
    pairs.assign(scratch.detect.unfolded.begin(), first);
    std::copy_if(first, scratch.detect.unfolded.end(), std::back_inserter(pairs), is_remembered);
}

}  // namespace plica
