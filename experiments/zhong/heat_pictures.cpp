#include "experiments/zhong/heat_pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/index.hpp"

namespace plica::experiments {
namespace {

constexpr int shades = 24;
constexpr Colour tissue{0.86, 0.82, 0.78}, warm{0.80, 0.12, 0.08}, arrow_colour{0.05, 0.15, 0.55};

void draw_loads(const HeatBody& body, double scale, MeshPicture& picture) {
    for (std::size_t n = 0; n < body.x.size(); ++n) {
        const double size = norm(body.load[n]);
        if (size < 0.5) continue;
        const Vec3 along = body.load[n] * scale;
        const bool pushes = along.z < 0.0;
        picture.draw_arrow(pushes ? body.x[n] - along : body.x[n], pushes ? body.x[n] : body.x[n] + along, arrow_colour,
                           3.0);
    }
}

}  // namespace

MeshView look_from(const Vec3& eye, const Vec3& centre, double height) {
    MeshView view;
    const Vec3 towards = normalized(eye);
    view.centre = centre;
    view.right = normalized(cross({0, 0, 1}, towards));
    view.up = cross(towards, view.right);
    view.height = height;
    view.width_pixels = 460;
    view.height_pixels = 400;
    return view;
}

Colour heat_colour(double share) {
    const double s = std::clamp(share, 0.0, 1.0);
    Colour c{};
    for (std::size_t k = 0; k < 3; ++k) c[k] = tissue[k] + s * (warm[k] - tissue[k]);
    return c;
}

void draw_triangles(const std::vector<Vec3>& rest, const std::vector<Vec3>& x,
                    const std::vector<std::array<std::int32_t, 3>>& triangles,
                    const std::function<double(std::size_t)>& share, Cut cut, MeshPicture& picture) {
    std::array<SurfaceMesh, shades> parts;
    for (const auto& t : triangles) {
        const bool behind = rest[at(t[0])].y + rest[at(t[1])].y + rest[at(t[2])].y > 0.0;
        if (cut == Cut::half && !behind) continue;
        const double mean = (share(at(t[0])) + share(at(t[1])) + share(at(t[2]))) / 3.0;
        const double shade = std::clamp(std::floor(mean * shades), 0.0, shades - 1.0);
        auto& part = parts[static_cast<std::size_t>(shade)].triangles;
        part.push_back(t);
        if (cut == Cut::half) part.push_back({t[0], t[2], t[1]});  // its inner side
    }
    for (std::size_t k = 0; k < shades; ++k) {
        if (parts[k].triangles.empty()) continue;
        parts[k].nodes = x;
        picture.draw(parts[k], heat_colour(static_cast<double>(k) / (shades - 1.0)), 0.3);
    }
}

render::Picture draw_shares(const HeatBody& body, const std::function<double(std::size_t)>& share, double arrow_scale,
                            const MeshView& view, Cut cut) {
    MeshPicture picture(view);
    draw_triangles(body.membrane.rest, body.x, body.membrane.triangles, share, cut, picture);
    draw_loads(body, arrow_scale, picture);
    return picture.finish();
}

render::Picture draw_warmth(const HeatBody& body, double arrow_scale, const MeshView& view, Cut cut) {
    const auto& warmth = body.state.temperature;
    const double highest = *std::max_element(warmth.begin(), warmth.end());
    // Roots, so that more than the touched node is seen to be warm.
    return draw_shares(
        body, [&](std::size_t n) { return highest > 0.0 ? std::sqrt(std::max(warmth[n], 0.0) / highest) : 0.0; },
        arrow_scale, view, cut);
}

}  // namespace plica::experiments
