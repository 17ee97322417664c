#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>

#include "engine/frame.hpp"
#include "render/drawing.hpp"
#include "render/tube_cells.hpp"

// A tube of two straight legs and a half circle, and the ways to cover it with triangles.
namespace plica::experiments {

struct Fold {
    render::Drawing drawing;
    Frame frame;

    // bend: m, of the axis; nodes lie one radius apart, as in the built-in scenes.
    Fold(double radius, double bend);

    [[nodiscard]] int segments() const { return static_cast<int>(frame.positions.size()) - 1; }
    // m, of the curve that is drawn through the nodes.
    [[nodiscard]] double tightest() const;
};

struct Cover {
    int cells = 0;  // of the axis, all in all
    int sides = 0, rings = 0;
    std::size_t triangles = 0;
    std::size_t crossings = 0;  // pairs of triangles that meet and share no vertex
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cover, cells, sides, rings, triangles, crossings)

// Ours at the detail that pictures are made with. The others get as many triangles, as far as whole numbers allow: as
// many rings as come next to it, then as many sides.
Cover cover_ours(const Fold& fold);
Cover cover_sweep(const Fold& fold, std::size_t triangles);
// Raghupathi 2004, sec. 5.1 and 5.2, as corrected.
Cover cover_papers(const Fold& fold, std::size_t triangles);

}  // namespace plica::experiments
