#pragma once
#include <functional>

#include "experiments/common/mesh_picture.hpp"
#include "experiments/zhong/heat_body.hpp"

// Membranes drawn triangle by triangle.
namespace plica::experiments {

// From a direction (towards the eye; not straight up), with z up.
MeshView look_from(const Vec3& eye, const Vec3& centre, double height);

// The colour of a share, 0 .. 1: tissue to red.
Colour heat_colour(double share);

// The half behind the plane y = 0 only, at rest: what goes on inside is seen from -y.
enum class Cut { none, half };

// Each triangle in the colour of the mean of its corners' shares.
void draw_triangles(const std::vector<Vec3>& rest, const std::vector<Vec3>& x,
                    const std::vector<std::array<std::int32_t, 3>>& triangles,
                    const std::function<double(std::size_t)>& share, Cut cut, MeshPicture& picture);
// That, and the loads as arrows, `arrow_scale` m per N, that
// end where they push and begin where they pull.
render::Picture draw_shares(const HeatBody& body, const std::function<double(std::size_t)>& share, double arrow_scale,
                            const MeshView& view, Cut cut = Cut::none);
// By the root of the temperature over the highest.
render::Picture draw_warmth(const HeatBody& body, double arrow_scale, const MeshView& view, Cut cut = Cut::none);

}  // namespace plica::experiments
