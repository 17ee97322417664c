#pragma once
#include <array>

#include "geometry/vec3.hpp"

namespace plica::render {

using Matrix = std::array<float, 16>;  // by columns, as OpenGL has it

Matrix operator*(const Matrix& a, const Matrix& b);
// Axes of the eye: x to the right, y up, looking along -z.
Matrix look(const Vec3& eye, const Vec3& right, const Vec3& up, const Vec3& forward);
// field: rad, vertical; nearest and farthest: m.
Matrix perspective(double field, double aspect, double nearest, double farthest);
// Puts the unit axes at x, y, z and the origin at `origin`.
Matrix place(const Vec3& x, const Vec3& y, const Vec3& z, const Vec3& origin);

}  // namespace plica::render
