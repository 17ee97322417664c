#include "engine/tuning.hpp"

namespace plica {
namespace {

DetectorKind choose_detector(const Model& scene, std::int32_t wanted) {
    for (const DetectorKind kind :
         {DetectorKind::brute, DetectorKind::grid, DetectorKind::bvh, DetectorKind::tracked}) {
        if (static_cast<std::int32_t>(kind) != wanted) continue;
        return kind == DetectorKind::tracked && !can_track(scene) ? scene.detector : kind;
    }
    return scene.detector;
}

}  // namespace

bool can_track(const Model& model) {
    return model.surface.triangles.empty();
}

void prepare_tracking(Model& model) {
    model.neighbours = find_neighbours(model.surface);
    if (model.tracking.draws < 0) model.tracking.draws = model.neighbours.segments;
}

void apply_tuning(const Model& scene, const Tuning& tuning, Model& tuned) {
    Tissues::tune(scene, tuning, tuned);
    const auto friction = [&](double own) { return tuning.friction < 0.0 ? own : tuning.friction; };
    tuned.contact.friction = friction(scene.contact.friction);
    for (std::size_t i = 0; i < scene.walls.size(); ++i) {
        tuned.walls[i].friction = friction(scene.walls[i].friction);
    }
    if (!scene.friction_rules.empty()) tuned.frictions.fill(scene.friction_rules, tuned.contact.friction, tuned.walls);
    tuned.detector = choose_detector(scene, tuning.detector);
    if (tuned.detector == DetectorKind::tracked && tuned.neighbours.first.empty()) prepare_tracking(tuned);
}

void hand_list_over(const Model& model, State& state) {
    const bool tracked = model.detector == DetectorKind::tracked;
    if (tracked == state.candidates.margin.empty()) return;
    state.candidates.margin.clear();
    state.candidates.built.clear();
    state.active.clear();
}

}  // namespace plica
