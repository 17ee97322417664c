#pragma once
#include <span>
#include <vector>

#include "engine/model.hpp"
#include "experiments/common/mesh_picture.hpp"
#include "render/picture.hpp"

// Which triangles a tree's volumes hold, and what a scene's bodies look like as meshes.
namespace plica::experiments {

// Where bodies are looked at from. They may be drawn apart, so that none hides another.
struct BodyView {
    double azimuth = 0.0;       // rad, about z, of the eye
    double elevation = 0.0;     // rad, above the xy plane
    std::vector<Vec3> apart{};  // m, per body: moved by this in the picture; empty: as they are
};

// Bodies in colours of their own, at each of the places. One row.
render::Picture draw_bodies(const Model& model, const std::vector<std::vector<Vec3>>& places, const BodyView& view,
                            int width, int height);

// A row for each builder: the bodies' surfaces coloured by the volumes of some levels of the tree (as many pictures),
// and by those whose subtrees are refitted as one. Nodes as in the model's rest.
render::Picture draw_merging(const Model& model, std::span<const int> levels, const BodyView& view, int width,
                             int height);

}  // namespace plica::experiments
