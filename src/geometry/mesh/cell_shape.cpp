#include "geometry/mesh/cell_shape.hpp"

#include <algorithm>
#include <numbers>

#include "core/elementary.hpp"

namespace plica {
namespace {

constexpr double degrees = 180.0 / std::numbers::pi;
constexpr int hexahedron_sides[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                        {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
// The three neighbours of each corner, right-handed.
constexpr int neighbours[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                  {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};

const Vec3& corner_of(const HexahedronPlaces& x, int corner) {
    return x[static_cast<std::size_t>(corner)];
}

double triple_product(const Vec3& a, const Vec3& b, const Vec3& c) {
    return dot(a, cross(b, c));
}

}  // namespace

double compute_volume(const TetrahedronPlaces& x) {
    return triple_product(x[1] - x[0], x[2] - x[0], x[3] - x[0]) / 6.0;
}

CellShape compute_shape(const TetrahedronPlaces& x) {
    CellShape shape;
    shape.volume = compute_volume(x);
    // Twice the areas of the faces opposite to each corner, as vectors to the outside.
    const Vec3 normal[4] = {cross(x[2] - x[1], x[3] - x[1]), cross(x[3] - x[0], x[2] - x[0]),
                            cross(x[1] - x[0], x[3] - x[0]), cross(x[2] - x[0], x[1] - x[0])};
    double length[4];
    for (int i = 0; i < 4; ++i) length[i] = norm(normal[i]);
    const double largest = *std::max_element(length, length + 4);
    shape.altitude = 6.0 * shape.volume / largest;
    double least = -1.0;  // cosine of the smallest angle
    for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) least = std::max(least, -dot(normal[i], normal[j]) / (length[i] * length[j]));
    }
    shape.angle = elementary::acos(std::min(least, 1.0)) * degrees;
    shape.quality = std::min(shape.angle / 70.52877936550931, 1.0);  // arccos(1/3): the regular tetrahedron
    return shape;
}

std::array<double, 8> compute_gauss_jacobians(const HexahedronPlaces& x) {
    constexpr double side[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    std::array<double, 8> jacobians{};
    for (std::size_t g = 0; g < 8; ++g) {
        double at_point[3];
        for (int k = 0; k < 3; ++k) at_point[k] = side[g][k] / std::numbers::sqrt3;
        Vec3 column[3];
        for (std::size_t c = 0; c < 8; ++c) {
            double f[3];
            for (int k = 0; k < 3; ++k) f[k] = 1.0 + side[c][k] * at_point[k];
            column[0] += x[c] * (side[c][0] * f[1] * f[2] / 8.0);
            column[1] += x[c] * (f[0] * side[c][1] * f[2] / 8.0);
            column[2] += x[c] * (f[0] * f[1] * side[c][2] / 8.0);
        }
        jacobians[g] = triple_product(column[0], column[1], column[2]);
    }
    return jacobians;
}

CellShape compute_shape(const HexahedronPlaces& x) {
    CellShape shape;
    for (const double jacobian : compute_gauss_jacobians(x)) shape.volume += jacobian;
    double largest = 0.0;
    for (const auto& f : hexahedron_sides) {
        largest = std::max(largest, 0.5 * norm(cross(corner_of(x, f[2]) - corner_of(x, f[0]),
                                                     corner_of(x, f[3]) - corner_of(x, f[1]))));
    }
    shape.altitude = shape.volume / largest;
    shape.quality = 1.0;
    for (int c = 0; c < 8; ++c) {
        const Vec3 a = corner_of(x, neighbours[c][0]) - corner_of(x, c);
        const Vec3 b = corner_of(x, neighbours[c][1]) - corner_of(x, c);
        const Vec3 d = corner_of(x, neighbours[c][2]) - corner_of(x, c);
        const double lengths = norm(a) * norm(b) * norm(d);
        shape.quality = std::min(shape.quality, lengths > 0.0 ? triple_product(a, b, d) / lengths : 0.0);
    }
    return shape;
}

}  // namespace plica
