#include "render/skin.hpp"

#include <cmath>
#include <numbers>

namespace plica::render {
namespace {

Vec3 wide(const float* v) {
    return {v[0], v[1], v[2]};
}

// One end of a cell, for a vertex at an angle.
struct End {
    Vec3 centre, tangent;
    Vec3 out, around;  // m: from the axis to the vertex; its derivative by the angle

    End(const AxisFrame& frame, double c, double s) : centre(wide(frame.position)), tangent(wide(frame.tangent)) {
        const Vec3 k = wide(frame.normal);
        const Vec3 b = cross(tangent, k);
        const double r = frame.radius;
        out = (r * c) * k + (r * s) * b;
        around = (r * c) * b - (r * s) * k;
        const Vec3 bend = wide(frame.bend);
        const double tightness = norm(bend);
        if (!(tightness > 0.0)) return;
        const Vec3 inward = bend / tightness;
        const double q = dot(out, inward);
        out += (flattened(q, tightness) - q) * inward;
        around += (flattened_slope(q, tightness) - 1.0) * dot(around, inward) * inward;
    }
};

constexpr double begins = 0.6, ends = 0.92;  // of the way to the line about which the axis turns

// Faces between ring `first` and the next, of `sides` vertices each.
void add_faces(std::int32_t first, std::int32_t sides, Mesh& mesh) {
    for (std::int32_t k = 0; k < sides; ++k) {
        const std::int32_t a = first + k, b = first + (k + 1) % sides;
        mesh.triangles.push_back({a, b, a + sides});
        mesh.triangles.push_back({b, b + sides, a + sides});
    }
}

void add_ring(const AxisFrame& from, const AxisFrame& to, double z, int sides, Mesh& mesh) {
    for (int k = 0; k < sides; ++k) {
        const SkinPoint p = compute_skin(from, to, 2.0 * std::numbers::pi * k / sides, z);
        mesh.positions.push_back(p.position);
        mesh.normals.push_back(p.normal);
    }
}

}  // namespace

double flattened(double q, double bend) {
    const double from = begins / bend, room = (ends - begins) / bend;
    return q > from ? from + room * (1.0 - std::exp(-(q - from) / room)) : q;
}

double flattened_slope(double q, double bend) {
    const double from = begins / bend, room = (ends - begins) / bend;
    return q > from ? std::exp(-(q - from) / room) : 1.0;
}

double skin_weight(double z) {
    const double z2 = z * z;
    if (z2 < 0.25) return 1.0 - 2.0 * z2;
    return (1.0 - z2) * (1.0 - z2) / (0.75 + 1.5 * z2);
}

double skin_weight_slope(double z) {
    const double z2 = z * z;
    if (z2 < 0.25) return -4.0 * z;
    const double below = 0.75 + 1.5 * z2;
    return -(1.0 - z2) * z * (4.0 * below + 3.0 * (1.0 - z2)) / (below * below);
}

SkinPoint compute_skin(const AxisFrame& from, const AxisFrame& to, double angle, double z) {
    const double c = std::cos(angle), s = std::sin(angle);
    const End a(from, c, s), b(to, c, s);
    const double length = from.half_length;
    const double w = skin_weight(z);
    const Vec3 m1 = a.centre + a.out + (z * length) * a.tangent;
    const Vec3 m2 = b.centre + b.out + ((z - 1.0) * length) * b.tangent;
    const Vec3 along = skin_weight_slope(z) * (m1 - m2) + length * (w * a.tangent + (1.0 - w) * b.tangent);
    const Vec3 around = w * a.around + (1.0 - w) * b.around;
    const Vec3 out = w * a.out + (1.0 - w) * b.out;
    const Vec3 normal = cross(around, along);
    const double size = norm(normal);
    const bool regular = size > 1e-6 * norm(around) * norm(along);
    return {w * m1 + (1.0 - w) * m2, regular ? normal / size : normalized(out)};
}

Mesh compute_skin_mesh(std::span<const AxisFrame> frames, int sides, int rings) {
    Mesh mesh;
    for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
        if (frames[i].half_length == 0.0F) continue;
        // The ring of the last cell is that of this one, unless a tube begins here.
        const bool begins = i == 0 || frames[i - 1].half_length == 0.0F;
        for (int k = begins ? 0 : 1; k <= rings; ++k) {
            add_ring(frames[i], frames[i + 1], static_cast<double>(k) / rings, sides, mesh);
            const auto vertices = static_cast<std::int32_t>(mesh.positions.size());
            if (k > 0) add_faces(vertices - 2 * sides, sides, mesh);
        }
    }
    return mesh;
}

Mesh compute_sweep_mesh(std::span<const AxisFrame> frames, int sides) {
    Mesh mesh;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        // At a cell's start the skin is the ring itself.
        AxisFrame frame = frames[i];
        frame.half_length = 1.0F;
        add_ring(frame, frame, 0.0, sides, mesh);
        const auto vertices = static_cast<std::int32_t>(mesh.positions.size());
        if (i > 0 && frames[i - 1].half_length > 0.0F) add_faces(vertices - 2 * sides, sides, mesh);
    }
    return mesh;
}

}  // namespace plica::render
