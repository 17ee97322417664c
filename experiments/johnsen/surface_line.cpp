#include "experiments/johnsen/surface_line.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/index.hpp"

namespace plica::experiments {
namespace {

struct RayHit {
    double far;
    double weight[3];
};

// Moeller and Trumbore; from outside only.
std::optional<RayHit> meet(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 e1 = b - a, e2 = c - a;
    const Vec3 across = cross(direction, e2);
    const double det = dot(e1, across);
    if (!(det > 0.0)) return {};  // seen from behind or along
    const Vec3 d = origin - a;
    const double u = dot(d, across) / det;
    const double v = dot(direction, cross(d, e1)) / det;
    if (u < 0.0 || v < 0.0 || u + v > 1.0) return {};
    return RayHit{dot(e2, cross(d, e1)) / det, {1.0 - u - v, u, v}};
}

double turn_between(const Vec3& a, const Vec3& b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

}  // namespace

RayTarget::RayTarget(SurfaceMesh surface)
    : m_surface(std::move(surface)),
      m_smooth(m_surface.triangles, m_surface.nodes, std::numbers::pi),
      m_printed(m_surface.triangles, m_surface.nodes, std::numbers::pi),
      m_split(m_surface.triangles, m_surface.nodes) {
    m_printed.update(m_surface.nodes, NormalWeight::angle_and_area);
}

std::optional<SurfaceSample> RayTarget::cast(const Vec3& origin, const Vec3& direction) const {
    double nearest = std::numeric_limits<double>::infinity();
    std::optional<SurfaceSample> found;
    for (std::size_t t = 0; t < m_surface.triangles.size(); ++t) {
        const auto& [a, b, c] = m_surface.triangles[t];
        const auto hit =
            meet(origin, direction, m_surface.nodes[at(a)], m_surface.nodes[at(b)], m_surface.nodes[at(c)]);
        if (!hit || hit->far < 0.0 || hit->far >= nearest) continue;
        nearest = hit->far;
        const auto blend = [&](const SmoothNormals& normals) {
            const std::array<Vec3, 3> n = normals.corners(t);
            return normalized(n[0] * hit->weight[0] + n[1] * hit->weight[1] + n[2] * hit->weight[2]);
        };
        found = {0.0,           origin + direction * hit->far, m_smooth.facet(t), blend(m_smooth), blend(m_printed),
                 blend(m_split)};
    }
    return found;
}

std::vector<SurfaceSample> sample_line(const RayTarget& target, const RayLine& line, double apart) {
    std::vector<SurfaceSample> samples;
    const auto cast = [&](double along) {
        auto found = target.cast(line.centre + line.along * along - line.forward, line.forward);
        if (found) found->along = along;
        return found;
    };
    // What lies between the last sample and this one, then this one.
    const auto add = [&](const auto& self, const SurfaceSample& sample, int depth) -> void {
        if (depth > 0 && !samples.empty() && distance(samples.back().place, sample.place) > apart) {
            const auto middle = cast(0.5 * (samples.back().along + sample.along));
            if (middle) self(self, *middle, depth - 1);
            self(self, sample, depth - 1);
        } else {
            samples.push_back(sample);
        }
    };
    for (int i = 0; i < line.rays; ++i) {
        const auto found = cast(((i + 0.5) / line.rays - 0.5) * line.length);
        if (found) add(add, *found, 8);
    }
    return samples;
}

std::vector<SurfaceSample> sample_around(const RayTarget& target, int rays, double far) {
    std::vector<SurfaceSample> samples;
    for (int i = 0; i < rays; ++i) {
        const double z = 1.0 - 2.0 * (i + 0.5) / rays, r = std::sqrt(1.0 - z * z);
        const double turn = i * std::numbers::pi * (3.0 - std::sqrt(5.0));
        const Vec3 from{r * std::cos(turn), r * std::sin(turn), z};
        const auto found = target.cast(from * far, -from);
        if (found) samples.push_back(*found);
    }
    return samples;
}

double rms_difference(const std::vector<SurfaceSample>& samples, NormalOf kind,
                      const std::vector<SurfaceSample>& reference) {
    double sum = 0.0;
    for (const SurfaceSample& s : samples) {
        const auto nearest =
            std::min_element(reference.begin(), reference.end(), [&](const SurfaceSample& a, const SurfaceSample& b) {
                return squared_norm(a.place - s.place) < squared_norm(b.place - s.place);
            });
        sum += squared_norm(s.*kind - nearest->facet);
    }
    return std::sqrt(sum / static_cast<double>(samples.size()));
}

double rms_difference(const std::vector<SurfaceSample>& samples, NormalOf one, NormalOf other) {
    double sum = 0.0;
    for (const SurfaceSample& s : samples) sum += squared_norm(s.*one - s.*other);
    return std::sqrt(sum / static_cast<double>(samples.size()));
}

double largest_jump(const std::vector<SurfaceSample>& samples, NormalOf kind, double apart) {
    double most = 0.0;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        if (distance(samples[i - 1].place, samples[i].place) > apart) continue;
        most = std::max(most, turn_between(samples[i - 1].*kind, samples[i].*kind));
    }
    return most;
}

}  // namespace plica::experiments
