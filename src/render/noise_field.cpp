#include "render/noise_field.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "geometry/vec3.hpp"

namespace plica::render {
namespace {

std::size_t wrapped(int i, int j, int k, int n) {
    const auto w = [n](int a) { return static_cast<std::size_t>((a % n + n) % n); };
    const auto m = static_cast<std::size_t>(n);
    return (w(k) * m + w(j)) * m + w(i);
}

double fade(double t) {
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

// Gradient noise: a random slope at every corner of the cells, blended.
double noise_at(const std::vector<Vec3>& slopes, double x, double y, double z) {
    const int i = static_cast<int>(x), j = static_cast<int>(y), k = static_cast<int>(z);
    const double u = x - i, v = y - j, w = z - k;
    double sum = 0.0;
    for (int c = 0; c < 8; ++c) {
        const int a = c & 1, b = (c >> 1) & 1, d = c >> 2;
        const Vec3 from{u - a, v - b, w - d};
        const double share = (a == 0 ? 1.0 - fade(u) : fade(u)) * (b == 0 ? 1.0 - fade(v) : fade(v)) *
                             (d == 0 ? 1.0 - fade(w) : fade(w));
        sum += share * dot(slopes[wrapped(i + a, j + b, k + d, noise_cells)], from);
    }
    return sum;
}

std::uint8_t to_byte(double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(128.0 + 127.0 * value, 0.0, 255.0)));
}

}  // namespace

NoiseField make_noise_field(int size) {
    Random random(7);
    std::vector<Vec3> slopes;
    for (int i = 0; i < noise_cells * noise_cells * noise_cells; ++i) {
        slopes.push_back(1.6 * normalized({random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5}));
    }
    const double step = static_cast<double>(noise_cells) / size;
    std::vector<double> values;
    for (int k = 0; k < size; ++k) {
        for (int j = 0; j < size; ++j) {
            for (int i = 0; i < size; ++i) values.push_back(noise_at(slopes, i * step, j * step, k * step));
        }
    }
    NoiseField field{size, {}};
    const auto slope = [&](std::size_t ahead, std::size_t behind) {
        return to_byte(0.5 * (values[ahead] - values[behind]) / (2.0 * step));
    };
    for (int k = 0; k < size; ++k) {
        for (int j = 0; j < size; ++j) {
            for (int i = 0; i < size; ++i) {
                field.texels.push_back(slope(wrapped(i + 1, j, k, size), wrapped(i - 1, j, k, size)));
                field.texels.push_back(slope(wrapped(i, j + 1, k, size), wrapped(i, j - 1, k, size)));
                field.texels.push_back(slope(wrapped(i, j, k + 1, size), wrapped(i, j, k - 1, size)));
                field.texels.push_back(to_byte(values[wrapped(i, j, k, size)]));
            }
        }
    }
    return field;
}

}  // namespace plica::render
