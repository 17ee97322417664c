#pragma once
#include <span>

#include "geometry/vec3.hpp"
#include "render/drawing.hpp"
#include "render/matrix.hpp"

namespace plica::render {

// Looks at a point from a distance; the direction is given by two angles about `up`.
struct Camera {
    Vec3 target;             // m
    double distance = 1.0;   // m
    double azimuth = 0.0;    // rad, about z
    double elevation = 0.5;  // rad, above the xy plane
    double field = 0.6;      // rad, vertical field of view

    [[nodiscard]] double nearest() const { return 0.02 * distance; }  // m, what is closer is not drawn
    [[nodiscard]] double farthest() const { return 8.0 * distance; }
    [[nodiscard]] Vec3 eye() const;
    [[nodiscard]] Vec3 right() const;
    [[nodiscard]] Vec3 up() const;
    [[nodiscard]] Vec3 forward() const;
    [[nodiscard]] Matrix view() const;
    [[nodiscard]] Matrix projection(double aspect) const;
};

struct Ray {
    Vec3 origin, direction;  // m; unit
};

// Through a place of the picture, from (0, 0) at its upper left to (1, 1) at its lower right.
Ray ray_through(const Camera& camera, double aspect, double x, double y);
// Where a point is in the picture; z is the distance along the view, m.
Vec3 place_in_picture(const Camera& camera, double aspect, const Vec3& point);

// A view that shows all of the scene from the surgeon's side.
Camera choose_camera(const Drawing& drawing, std::span<const Vec3> positions);

}  // namespace plica::render
