#include "engine/tuning.hpp"

#include <cmath>

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

void tune_springs(const mass_spring::Network& scene, const Tuning& tuning, mass_spring::Network& tuned) {
    for (std::size_t i = 0; i < scene.springs.size(); ++i) {
        tuned.springs[i].stiffness = scene.springs[i].stiffness * tuning.stiffness;
    }
    for (std::size_t i = 0; i < scene.sheets.size(); ++i) {
        tuned.sheets[i].bending = scene.sheets[i].bending * tuning.stiffness;
        tuned.sheets[i].viscosity = scene.sheets[i].viscosity * tuning.damping;
    }
}

// Hourglass control keeps its stiffness: it is a number of each cell, and small.
void tune_organs(const std::vector<tled::Organ>& scene, const Tuning& tuning, std::vector<tled::Organ>& tuned) {
    for (std::size_t i = 0; i < scene.size(); ++i) {
        tuned[i].damping = scene[i].damping * tuning.damping;
        for (std::size_t m = 0; m < scene[i].materials.size(); ++m) {
            const tled::Material& own = scene[i].materials[m];
            tled::Material& material = tuned[i].materials[m];
            material.shear = own.shear * tuning.stiffness;
            material.bulk = own.bulk * tuning.stiffness;
            material.fibre.stiffness = own.fibre.stiffness * tuning.stiffness;
        }
    }
}

// Heat pulls as before; what answers to it does not.
void tune_membranes(const std::vector<heat::Membrane>& scene, const Tuning& tuning,
                    std::vector<heat::Membrane>& tuned) {
    for (std::size_t i = 0; i < scene.size(); ++i) {
        for (std::size_t e = 0; e < scene[i].edges.size(); ++e) {
            tuned[i].edges[e].energy = scene[i].edges[e].energy * tuning.stiffness;
        }
        for (std::size_t n = 0; n < scene[i].size(); ++n) {
            tuned[i].anchor[n] = scene[i].anchor[n] * tuning.stiffness;
            tuned[i].damping[n] = scene[i].damping[n] * tuning.damping;
        }
        for (std::size_t p = 0; p < scene[i].pieces.size(); ++p) {
            tuned[i].pieces[p].anchors = scene[i].pieces[p].anchors * tuning.stiffness;
        }
        tuned[i].settings.bulk = scene[i].settings.bulk * tuning.stiffness;
        tuned[i].contact_step = scene[i].contact_step / std::sqrt(tuning.stiffness);
    }
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
    tune_springs(scene.network, tuning, tuned.network);
    tune_organs(scene.organs, tuning, tuned.organs);
    tune_membranes(scene.membranes, tuning, tuned.membranes);
    const auto friction = [&](double own) { return tuning.friction < 0.0 ? own : tuning.friction; };
    tuned.contact.friction = friction(scene.contact.friction);
    for (std::size_t i = 0; i < scene.walls.size(); ++i) {
        tuned.walls[i].friction = friction(scene.walls[i].friction);
    }
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
