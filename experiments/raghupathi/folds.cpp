#include "experiments/raghupathi/folds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/common/pictures.hpp"
#include "render/curvature.hpp"
#include "render/intersections.hpp"
#include "render/skin.hpp"

namespace plica::experiments {
namespace {

constexpr double leg = 6.0;  // in radii

// The place after a way along the fold, which opens towards -x.
Vec3 place_at(double way, double straight, double bend) {
    const double turned = std::numbers::pi * bend;
    if (way < straight) return {way - straight, -bend, 0.0};
    if (way > straight + turned) return {straight + turned - way, bend, 0.0};
    const double angle = (way - straight) / bend - 0.5 * std::numbers::pi;
    return {bend * std::cos(angle), bend * std::sin(angle), 0.0};
}

int nearest(double value) {
    return std::max(1, static_cast<int>(std::lround(value)));
}

Cover measure_folds(const render::Mesh& mesh, std::size_t cells, int sides, int rings) {
    return {static_cast<int>(cells), sides, rings, mesh.triangles.size(), render::count_self_intersections(mesh)};
}

}  // namespace

Fold::Fold(double radius, double bend) {
    const double straight = leg * radius;
    const double length = 2.0 * straight + std::numbers::pi * bend;
    const int count = nearest(length / radius);
    render::Tube tube;
    for (int i = 0; i <= count; ++i) {
        tube.nodes.push_back(i);
        tube.radius.push_back(radius);
        frame.positions.push_back(place_at(length * i / count, straight, bend));
    }
    drawing.tubes.push_back(tube);
    drawing.nodes = frame.positions.size();
}

double Fold::tightest() const {
    const render::Spline spline(drawing.tubes[0].nodes, frame.positions);
    double most = 0.0;
    for (std::size_t i = 0; i < spline.segments(); ++i) {
        most = std::max(most, find_curvature_maximum(spline.segment(i)).curvature);
    }
    return 1.0 / most;
}

Cover cover_ours(const Fold& fold) {
    const render::Detail detail = fine_style().detail;
    std::vector<render::AxisFrame> frames;
    find_axis_frames(fold.drawing.tubes, fold.frame.positions, detail.largest_turn, frames);
    return measure_folds(compute_skin_mesh(frames, detail.sides, detail.rings), frames.size() - 1, detail.sides,
                         detail.rings);
}

Cover cover_sweep(const Fold& fold, std::size_t triangles) {
    const double faces = 0.5 * static_cast<double>(triangles) / fold.segments();
    const int cells = nearest(faces / fine_style().detail.sides);
    const int sides = nearest(faces / cells);
    std::vector<render::AxisFrame> frames;
    find_axis_frames_even(fold.drawing.tubes, fold.frame.positions, cells, frames);
    return measure_folds(compute_sweep_mesh(frames, sides), frames.size() - 1, sides, 1);
}

Cover cover_papers(const Fold& fold, std::size_t triangles) {
    std::vector<render::AxisFrame> frames;
    find_axis_frames_adaptive(fold.drawing.tubes, fold.frame.positions, fine_style().eps, frames);
    const double faces = 0.5 * static_cast<double>(triangles) / static_cast<double>(frames.size() - 1);
    const int rings = nearest(faces / fine_style().detail.sides);
    const int sides = nearest(faces / rings);
    return measure_folds(compute_skin_mesh(frames, sides, rings), frames.size() - 1, sides, rings);
}

}  // namespace plica::experiments
