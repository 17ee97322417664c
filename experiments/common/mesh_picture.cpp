#include "experiments/common/mesh_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plica::experiments {
namespace {

constexpr int fine = 2;          // samples a pixel, across
constexpr double lift = 1.5e-3;  // m: lines lie this much above the surface

double area(double ax, double ay, double bx, double by) {
    return ax * by - ay * bx;
}

}  // namespace

MeshPicture::MeshPicture(const MeshView& view)
    : m_view(view),
      m_width(fine * view.width_pixels),
      m_height(fine * view.height_pixels),
      m_scale(m_height / view.height) {
    const auto pixels = static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height);
    m_depth.assign(pixels, -std::numeric_limits<double>::infinity());
    m_colour.assign(pixels, Colour{1.0, 1.0, 1.0});
}

MeshPicture::Point MeshPicture::place(const Vec3& v) const {
    const Vec3 d = v - m_view.centre;
    return {0.5 * m_width + m_scale * dot(d, m_view.right), 0.5 * m_height - m_scale * dot(d, m_view.up),
            dot(d, cross(m_view.right, m_view.up))};
}

void MeshPicture::fill(const Point (&corner)[3], const Colour& colour, double ink, double bias) {
    const auto& [a, b, c] = corner;
    const double whole = area(b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y);
    if (whole == 0.0) return;
    const auto limits = [&](double p, double q, double r, int size) {
        return std::array<int, 2>{std::max(0, static_cast<int>(std::floor(std::min({p, q, r})))),
                                  std::min(size - 1, static_cast<int>(std::ceil(std::max({p, q, r}))))};
    };
    const auto [left, right] = limits(a.x, b.x, c.x, m_width);
    const auto [top, bottom] = limits(a.y, b.y, c.y, m_height);
    const double side[3] = {std::hypot(c.x - b.x, c.y - b.y), std::hypot(a.x - c.x, a.y - c.y),
                            std::hypot(b.x - a.x, b.y - a.y)};
    for (int y = top; y <= bottom; ++y) {
        for (int x = left; x <= right; ++x) {
            const double px = x + 0.5, py = y + 0.5;
            const double w[3] = {area(b.x - px, b.y - py, c.x - px, c.y - py) / whole,
                                 area(c.x - px, c.y - py, a.x - px, a.y - py) / whole,
                                 area(a.x - px, a.y - py, b.x - px, b.y - py) / whole};
            if (w[0] < 0.0 || w[1] < 0.0 || w[2] < 0.0) continue;
            const double depth = w[0] * a.depth + w[1] * b.depth + w[2] * c.depth + bias;
            const std::size_t at =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(m_width) + static_cast<std::size_t>(x);
            if (depth < m_depth[at]) continue;
            m_depth[at] = depth;
            double to_side = 1e9;  // pixels
            for (int k = 0; k < 3; ++k) to_side = std::min(to_side, w[k] * std::abs(whole) / side[k]);
            const double light = to_side < 0.5 * fine ? 1.0 - ink : 1.0;
            m_colour[at] = {colour[0] * light, colour[1] * light, colour[2] * light};
        }
    }
}

void MeshPicture::draw(const SurfaceMesh& surface, const Colour& colour, double ink) {
    const Vec3 eye = cross(m_view.right, m_view.up);
    const Vec3 lamp = normalized(eye + 0.6 * m_view.up - 0.5 * m_view.right);
    for (const auto& triangle : surface.triangles) {
        Vec3 x[3];
        for (std::size_t k = 0; k < 3; ++k) x[k] = surface.nodes[static_cast<std::size_t>(triangle[k])];
        const Vec3 n = normalized(cross(x[1] - x[0], x[2] - x[0]));
        if (dot(n, eye) <= 0.0) continue;
        const double light = 0.3 + 0.7 * std::max(0.0, dot(n, lamp));
        const Point corner[3] = {place(x[0]), place(x[1]), place(x[2])};
        fill(corner, {colour[0] * light, colour[1] * light, colour[2] * light}, ink, 0.0);
    }
}

void MeshPicture::stroke(const Point& a, const Point& b, const Colour& colour, double width) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length == 0.0) return;
    const double half = 0.5 * fine * width / length;
    const double sx = -(b.y - a.y) * half, sy = (b.x - a.x) * half;
    const Point one[3] = {{a.x - sx, a.y - sy, a.depth}, {a.x + sx, a.y + sy, a.depth}, {b.x + sx, b.y + sy, b.depth}};
    const Point two[3] = {{a.x - sx, a.y - sy, a.depth}, {b.x + sx, b.y + sy, b.depth}, {b.x - sx, b.y - sy, b.depth}};
    fill(one, colour, 0.0, lift);
    fill(two, colour, 0.0, lift);
}

void MeshPicture::draw_line(const std::vector<Vec3>& places, const Colour& colour, double width) {
    for (std::size_t i = 1; i < places.size(); ++i) stroke(place(places[i - 1]), place(places[i]), colour, width);
}

void MeshPicture::draw_arrow(const Vec3& from, const Vec3& to, const Colour& colour, double width) {
    const Point a = place(from), b = place(to);
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const double head = std::min(5.0 * fine * width, 0.6 * length);  // pixels
    if (length < 1e-9) return;
    const double dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
    const double share = 1.0 - head / length;
    const Point neck{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.depth + share * (b.depth - a.depth)};
    stroke(a, neck, colour, width);
    const Point tip[3] = {{neck.x - 0.4 * head * dy, neck.y + 0.4 * head * dx, neck.depth},
                          {neck.x + 0.4 * head * dy, neck.y - 0.4 * head * dx, neck.depth},
                          b};
    fill(tip, colour, 0.0, lift);
}

render::Picture MeshPicture::finish() const {
    render::Picture large{m_width, m_height, {}};
    large.rgb.reserve(3 * m_colour.size());
    for (const Colour& colour : m_colour) {
        for (const double c : colour) {
            large.rgb.push_back(static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(c, 0.0, 1.0))));
        }
    }
    return render::halve(large);
}

}  // namespace plica::experiments
