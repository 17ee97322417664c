#pragma once
#include <array>
#include <vector>

#include "geometry/mesh/mesh.hpp"
#include "render/picture.hpp"

// A surface as it is, triangle by triangle, with lines and arrows on it: for figures about meshes. Needs no OpenGL.
namespace plica::experiments {

using Colour = std::array<double, 3>;  // 0 .. 1

// Parallel rays.
struct MeshView {
    Vec3 centre;          // m, the middle of the picture
    Vec3 right, up;       // unit, perpendicular
    double height = 0.2;  // m, of the picture
    int width_pixels = 560, height_pixels = 460;
};

class MeshPicture {
public:
    explicit MeshPicture(const MeshView& view);

    // Flat triangles, their sides drawn with `ink` (0: not at all, 1: black).
    void draw(const SurfaceMesh& surface, const Colour& colour, double ink);
    // What is behind what was drawn before stays hidden. Widths in pixels.
    void draw_line(const std::vector<Vec3>& places, const Colour& colour, double width);
    void draw_arrow(const Vec3& from, const Vec3& to, const Colour& colour, double width);

    [[nodiscard]] render::Picture finish() const;

private:
    struct Point {
        double x, y, depth;  // pixels; m towards the eye
    };
    [[nodiscard]] Point place(const Vec3& v) const;
    void fill(const Point (&corner)[3], const Colour& colour, double ink, double bias);
    void stroke(const Point& a, const Point& b, const Colour& colour, double width);

    MeshView m_view;
    int m_width, m_height;
    double m_scale;  // pixels per m
    std::vector<double> m_depth;
    std::vector<Colour> m_colour;
};

}  // namespace plica::experiments
