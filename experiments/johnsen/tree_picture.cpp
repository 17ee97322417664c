#include "experiments/johnsen/tree_picture.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "experiments/common/pictures.hpp"
#include "experiments/johnsen/tree_trials.hpp"

namespace plica::experiments {
namespace {

constexpr double border = 1.08;  // height of the picture over that of what it shows
constexpr double ink = 0.3;

// Neighbouring numbers get colours that are far apart.
Colour colour_of(std::size_t i) {
    const double turn = 6.0 * std::fmod(0.618033988749895 * static_cast<double>(i) + 0.02, 1.0);
    const double value = i % 3 == 1 ? 0.75 : 0.98;
    const auto channel = [&](double middle) {
        const double apart = std::abs(std::fmod(turn - middle + 9.0, 6.0) - 3.0);
        return value * (1.0 - 0.62 * std::clamp(apart - 1.0, 0.0, 1.0));
    };
    return {channel(0.0), channel(2.0), channel(4.0)};
}

std::vector<Vec3> move_apart(const Model& model, std::vector<Vec3> places, const BodyView& view) {
    for (std::size_t b = 0; b < view.apart.size(); ++b) {
        const Body& body = model.bodies[b];
        for (std::int32_t n = body.first_node; n < body.first_node + body.nodes; ++n) places[at(n)] += view.apart[b];
    }
    return places;
}

// All of the nodes that triangles have.
MeshView fit_view(const Model& model, std::span<const Vec3> places, const BodyView& view, int width, int height) {
    MeshView fitted;
    const double ca = std::cos(view.azimuth), sa = std::sin(view.azimuth);
    const double ce = std::cos(view.elevation), se = std::sin(view.elevation);
    fitted.right = {-sa, ca, 0.0};
    fitted.up = {-se * ca, -se * sa, ce};
    fitted.width_pixels = width;
    fitted.height_pixels = height;
    Vec3 lo{1e9, 1e9, 0.0}, hi{-1e9, -1e9, 0.0};
    for (const Triangle& t : model.surface.triangles) {
        for (const std::int32_t n : {t.a, t.b, t.c}) {
            const double x = dot(places[at(n)], fitted.right), y = dot(places[at(n)], fitted.up);
            lo = {std::min(lo.x, x), std::min(lo.y, y), 0.0};
            hi = {std::max(hi.x, x), std::max(hi.y, y), 0.0};
        }
    }
    const Vec3 middle = 0.5 * (lo + hi);
    fitted.centre = fitted.right * middle.x + fitted.up * middle.y;
    fitted.height = border * std::max(hi.y - lo.y, (hi.x - lo.x) * height / width);
    return fitted;
}

std::array<std::int32_t, 3> corners(const Triangle& t) {
    return {t.a, t.b, t.c};
}

// One colour for each of these volumes, which no two share a triangle.
render::Picture draw_volumes(const Model& model, const TreeShape& shape, std::span<const std::int32_t> volumes,
                             const std::vector<Vec3>& places, const MeshView& view) {
    MeshPicture picture(view);
    SurfaceMesh part{places, {}};
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        part.triangles.clear();
        for (std::int32_t l = shape.first[at(volumes[i])]; l < shape.last[at(volumes[i])]; ++l) {
            part.triangles.push_back(corners(model.surface.triangles[at(shape.facet[at(l)])]));
        }
        picture.draw(part, colour_of(i), ink);
    }
    return picture.finish();
}

}  // namespace

render::Picture draw_bodies(const Model& model, const std::vector<std::vector<Vec3>>& places, const BodyView& view,
                            int width, int height) {
    constexpr std::array<Colour, 3> colours{Colour{0.80, 0.45, 0.36}, {0.93, 0.80, 0.62}, {0.6, 0.7, 0.8}};
    const MeshView fitted = fit_view(model, move_apart(model, places.front(), view), view, width, height);
    std::vector<render::Picture> row;
    for (const std::vector<Vec3>& each : places) {
        MeshPicture picture(fitted);
        SurfaceMesh mesh{move_apart(model, each, view), {}};
        for (std::size_t b = 0; b < model.bodies.size(); ++b) {
            mesh.triangles.clear();
            for (const Triangle& t : model.surface.triangles) {
                if (at(t.body) == b) mesh.triangles.push_back(corners(t));
            }
            picture.draw(mesh, colours[b % colours.size()], ink);
        }
        row.push_back(picture.finish());
    }
    return side_by_side(row);
}

render::Picture draw_merging(const Model& model, std::span<const int> levels, const BodyView& view, int width,
                             int height) {
    const std::vector<Vec3> places = move_apart(model, model.rest, view);
    const MeshView fitted = fit_view(model, places, view, width, height);
    const std::vector<TreeBody> bodies = list_tree_bodies(model);
    std::vector<render::Picture> rows;
    for (const TreeBuilder builder : all_builders) {
        const SurfaceTree tree(model.surface, bodies, model.rest, {.builder = builder});
        std::vector<render::Picture> row;
        for (const int level : levels) {
            row.push_back(draw_volumes(model, tree.shape(), place_patches_at(tree.shape(), level), places, fitted));
        }
        row.push_back(draw_volumes(model, tree.shape(), tree.patches().volume, places, fitted));
        rows.push_back(side_by_side(row));
    }
    return one_below_another(rows);
}

}  // namespace plica::experiments
