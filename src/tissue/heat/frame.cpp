#include <array>
#include <cmath>

#include "core/index.hpp"
#include "tissue/heat/forces.hpp"

// Where a rest shape is now: the rotation nearest to a sum of outer products, as the unit quaternion that is the
// greatest eigenvector of a symmetric 4 x 4 matrix (Horn 1987). It needs no case for flat or mirrored shapes.
namespace plica::heat {
namespace {

using Four = std::array<double, 4>;
using Matrix4 = std::array<Four, 4>;

// Rows of sum omega (x - c) (x0 - c0)^T.
struct Outer {
    Vec3 row[3];
    void add(const Vec3& now, const Vec3& rest) {
        row[0] += rest * now.x;
        row[1] += rest * now.y;
        row[2] += rest * now.z;
    }
};

Matrix4 quaternion_matrix(const Outer& s) {
    const Vec3 &x = s.row[0], &y = s.row[1], &z = s.row[2];
    // s.row[i].j is (now i)(rest j); Horn's S_ab is (rest a)(now b).
    const double xy = y.x - x.y, yz = z.y - y.z, zx = x.z - z.x;
    Matrix4 m{};
    m[0] = {x.x + y.y + z.z, yz, zx, xy};
    m[1] = {yz, x.x - y.y - z.z, x.y + y.x, x.z + z.x};
    m[2] = {zx, x.y + y.x, y.y - x.x - z.z, y.z + z.y};
    m[3] = {xy, x.z + z.x, y.z + z.y, z.z - x.x - y.y};
    return m;
}

// Jacobi's rotation in the plane (p, q), from both sides; the columns of v follow.
void rotate(Matrix4& m, Matrix4& v, std::size_t p, std::size_t q) {
    if (m[p][q] == 0.0) return;
    const double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
    const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
    for (std::size_t k = 0; k < 4; ++k) {
        const double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (std::size_t k = 0; k < 4; ++k) {
        const double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
        const double f = v[k][p], g = v[k][q];
        v[k][p] = c * f - s * g;
        v[k][q] = s * f + c * g;
    }
}

Four greatest_eigenvector(Matrix4 m) {
    Matrix4 v{};
    for (std::size_t k = 0; k < 4; ++k) v[k][k] = 1.0;
    for (int sweep = 0; sweep < 16; ++sweep) {
        double off = 0.0, on = 0.0;
        for (std::size_t p = 0; p < 4; ++p) {
            on += m[p][p] * m[p][p];
            for (std::size_t q = p + 1; q < 4; ++q) off += m[p][q] * m[p][q];
        }
        if (!(off > 1e-40 * on)) break;
        for (std::size_t p = 0; p < 4; ++p) {
            for (std::size_t q = p + 1; q < 4; ++q) rotate(m, v, p, q);
        }
    }
    std::size_t most = 0;
    for (std::size_t k = 1; k < 4; ++k) most = m[k][k] > m[most][most] ? k : most;
    return {v[0][most], v[1][most], v[2][most], v[3][most]};
}

Pose pose_of(const Four& q, const Vec3& shift) {
    const auto [w, x, y, z] = q;
    Pose pose;
    pose.row[0] = {w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)};
    pose.row[1] = {2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)};
    pose.row[2] = {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z};
    pose.shift = shift;
    return pose;
}

}  // namespace

Pose find_frame(const Membrane& membrane, const Piece& piece, std::span<const Vec3> x) {
    if (piece.rooted || membrane.settings.mode != Mode::complete) return {.shift = piece.centre};
    Vec3 centre;
    for (const std::int32_t n : nodes_of(membrane, piece)) centre += x[at(n)] * membrane.anchor[at(n)];
    centre = centre / piece.anchors;
    Outer sum{};
    for (const std::int32_t n : nodes_of(membrane, piece))
        sum.add((x[at(n)] - centre) * membrane.anchor[at(n)], membrane.rest[at(n)] - piece.centre);
    return pose_of(greatest_eigenvector(quaternion_matrix(sum)), centre);
}

}  // namespace plica::heat
