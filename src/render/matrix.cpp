#include "render/matrix.hpp"

#include <cmath>

namespace plica::render {
namespace {
float narrow(double value) {
    return static_cast<float>(value);
}
}  // namespace

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix c{};
    for (std::size_t j = 0; j < 4; ++j) {
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t k = 0; k < 4; ++k) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
        }
    }
    return c;
}

Matrix look(const Vec3& eye, const Vec3& right, const Vec3& up, const Vec3& forward) {
    const Vec3 z = -forward;
    return {narrow(right.x),          narrow(up.x),          narrow(z.x),          0.0F,
            narrow(right.y),          narrow(up.y),          narrow(z.y),          0.0F,
            narrow(right.z),          narrow(up.z),          narrow(z.z),          0.0F,
            narrow(-dot(right, eye)), narrow(-dot(up, eye)), narrow(-dot(z, eye)), 1.0F};
}

Matrix perspective(double field, double aspect, double nearest, double farthest) {
    const double f = 1.0 / std::tan(0.5 * field);
    Matrix m{};
    m[0] = narrow(f / aspect);
    m[5] = narrow(f);
    m[10] = narrow((farthest + nearest) / (nearest - farthest));
    m[11] = -1.0F;
    m[14] = narrow(2.0 * farthest * nearest / (nearest - farthest));
    return m;
}

Matrix place(const Vec3& x, const Vec3& y, const Vec3& z, const Vec3& origin) {
    return {narrow(x.x), narrow(x.y), narrow(x.z), 0.0F, narrow(y.x),      narrow(y.y),      narrow(y.z),      0.0F,
            narrow(z.x), narrow(z.y), narrow(z.z), 0.0F, narrow(origin.x), narrow(origin.y), narrow(origin.z), 1.0F};
}

}  // namespace plica::render
