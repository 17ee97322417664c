#include "tissue/tled/cell_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "core/index.hpp"

namespace plica::tled {
namespace {

void store(const Vec3& v, std::size_t first, CellNumbers& numbers) {
    numbers.at[first] = v.x;
    numbers.at[first + 1] = v.y;
    numbers.at[first + 2] = v.z;
}

Vec3 read(const CellNumbers& numbers, std::size_t first) {
    return {numbers.at[first], numbers.at[first + 1], numbers.at[first + 2]};
}

CellNumbers tetrahedron(std::span<const Vec3> rest, std::span<const std::int32_t> n) {
    const Vec3 a = rest[at(n[1])] - rest[at(n[0])];
    const Vec3 b = rest[at(n[2])] - rest[at(n[0])];
    const Vec3 c = rest[at(n[3])] - rest[at(n[0])];
    const double six = dot(a, cross(b, c));
    CellNumbers numbers;
    store(cross(b, c) / six, 0, numbers);
    store(cross(c, a) / six, 3, numbers);
    store(cross(a, b) / six, 6, numbers);
    numbers.at[9] = six / 6.0;
    return numbers;
}

constexpr double corner_signs[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
// Volume and volume x mean gradient of each corner's shape function, by 2 x 2 x 2 Gauss points, which is exact.
double add_gradients(std::span<const Vec3> rest, std::span<const std::int32_t> n, std::array<Vec3, 8>& sum) {
    double volume = 0.0;
    const double where = 1.0 / std::sqrt(3.0);
    for (const auto& q : corner_signs) {
        const double p[3] = {q[0] * where, q[1] * where, q[2] * where};
        Vec3 derivative[8];
        Vec3 along[3];  // columns dX/dxi
        for (std::size_t c = 0; c < 8; ++c) {
            const auto& s = corner_signs[c];
            const double f[3] = {1.0 + s[0] * p[0], 1.0 + s[1] * p[1], 1.0 + s[2] * p[2]};
            derivative[c] = Vec3{s[0] * f[1] * f[2], s[1] * f[0] * f[2], s[2] * f[0] * f[1]} / 8.0;
            along[0] += rest[at(n[c])] * derivative[c].x;
            along[1] += rest[at(n[c])] * derivative[c].y;
            along[2] += rest[at(n[c])] * derivative[c].z;
        }
        volume += dot(along[0], cross(along[1], along[2]));
        for (std::size_t c = 0; c < 8; ++c) {
            sum[c] += cross(along[1], along[2]) * derivative[c].x + cross(along[2], along[0]) * derivative[c].y +
                      cross(along[0], along[1]) * derivative[c].z;
        }
    }
    return volume;
}

CellNumbers hexahedron(std::span<const Vec3> rest, std::span<const std::int32_t> n, const Material& material,
                       double hourglass) {
    std::array<Vec3, 8> gradient{};
    const double volume = add_gradients(rest, n, gradient);
    CellNumbers numbers;
    double squares = 0.0;
    for (std::size_t c = 0; c < 8; ++c) {
        gradient[c] = gradient[c] / volume;
        store(gradient[c], 3 * c, numbers);
        squares += squared_norm(gradient[c]);
    }
    for (std::size_t k = 0; k < 4; ++k) {
        Vec3 sum;
        for (std::size_t c = 0; c < 8; ++c) sum += rest[at(n[c])] * hourglass_signs[k][c];
        store(sum, 24 + 3 * k, numbers);
    }
    numbers.at[36] = volume;
    numbers.at[37] = 0.5 * hourglass * material.shear * volume * squares / 8.0;
    return numbers;
}

template <class Visit>
void for_each_gradient(const CellNumbers& numbers, ElementKind kind, Visit&& visit) {
    Vec3 fourth;
    for (std::size_t c = 0; c < (kind == ElementKind::h8 ? 8U : 3U); ++c) {
        visit(read(numbers, 3 * c));
        fourth -= read(numbers, 3 * c);
    }
    if (kind != ElementKind::h8) visit(fourth);
}

}  // namespace

CellNumbers compute_cell_numbers(std::span<const Vec3> rest, std::span<const std::int32_t> nodes,
                                 const Material& material, double hourglass) {
    return nodes.size() == 4 ? tetrahedron(rest, nodes) : hexahedron(rest, nodes, material, hourglass);
}

double compute_volume(std::span<const Vec3> rest, std::span<const std::int32_t> nodes) {
    if (nodes.size() == 4) return tetrahedron(rest, nodes).at[9];
    std::array<Vec3, 8> unused{};
    return add_gradients(rest, nodes, unused);
}

double largest_eigenvalue(const double (&s)[6]) {  // by its characteristic equation
    const double mean = (s[0] + s[1] + s[2]) / 3.0;
    const double a = s[0] - mean, b = s[1] - mean, c = s[2] - mean;
    const double p = std::sqrt((a * a + b * b + c * c + 2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])) / 6.0);
    if (p == 0.0) return mean;
    const double det = a * (b * c - s[3] * s[3]) - s[5] * (s[5] * c - s[3] * s[4]) + s[4] * (s[5] * s[3] - b * s[4]);
    return mean + 2.0 * p * elementary::cos(elementary::acos(std::clamp(det / (2.0 * p * p * p), -1.0, 1.0)) / 3.0);
}

double least_altitude(const CellNumbers& numbers, ElementKind kind) {
    double largest = 0.0;
    for_each_gradient(numbers, kind, [&](const Vec3& g) { largest = std::max(largest, squared_norm(g)); });
    return 1.0 / std::sqrt(largest);
}

double bound_frequency(const CellNumbers& numbers, ElementKind kind, const Material& material) {
    const bool tetrahedral = kind != ElementKind::h8;
    double s[6] = {};
    const auto add = [&](const Vec3& g) {
        s[0] += g.x * g.x;
        s[1] += g.y * g.y;
        s[2] += g.z * g.z;
        s[3] += g.y * g.z;
        s[4] += g.x * g.z;
        s[5] += g.x * g.y;
    };
    for_each_gradient(numbers, kind, add);
    const double elastic = material.lame() * (s[0] + s[1] + s[2]) + 2.0 * material.shear * largest_eigenvalue(s);
    const double fibre = 4.0 * material.fibre.stiffness * (s[0] + s[1] + s[2]);
    return (tetrahedral ? 4.0 : 8.0) / material.density * (elastic + fibre);
}

}  // namespace plica::tled
