#include "geometry/mesh/mass.hpp"

namespace plica {
namespace {

// Integrals over the volume of 1, x and x x^T.
struct Moments {
    double volume = 0.0;
    Vec3 first{};
    Symmetric second{};
};

// Of the tetrahedron that a triangle makes with the origin: the second moment is V/20 (sum of p p^T + s s^T), s the sum
// of its corners.
void add_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c, Moments& m) {
    const double volume = dot(a, cross(b, c)) / 6.0;
    const Vec3 s = a + b + c;
    m.volume += volume;
    m.first += s * (0.25 * volume);
    for (const Vec3& p : {a, b, c, s}) {
        const Vec3 q = p * (0.05 * volume);
        m.second.xx += p.x * q.x;
        m.second.yy += p.y * q.y;
        m.second.zz += p.z * q.z;
        m.second.xy += p.x * q.y;
        m.second.xz += p.x * q.z;
        m.second.yz += p.y * q.z;
    }
}

}  // namespace

MassShape compute_mass_shape(const SurfaceMesh& mesh) {
    if (mesh.nodes.empty()) return {};
    const Vec3 origin = mesh.nodes[0];  // near it: no digits are lost far from the frame's
    const auto place = [&](std::int32_t n) { return mesh.nodes[static_cast<std::size_t>(n)] - origin; };
    Moments m;
    for (const auto& t : mesh.triangles) add_tetrahedron(place(t[0]), place(t[1]), place(t[2]), m);
    if (!(m.volume > 0.0)) return {};
    const Vec3 c = m.first / m.volume;
    const double over = 1.0 / m.volume;
    const Symmetric s{m.second.xx * over - c.x * c.x, m.second.yy * over - c.y * c.y, m.second.zz * over - c.z * c.z,
                      m.second.xy * over - c.x * c.y, m.second.xz * over - c.x * c.z, m.second.yz * over - c.y * c.z};
    return {m.volume, c + origin, {s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz}};
}

}  // namespace plica
