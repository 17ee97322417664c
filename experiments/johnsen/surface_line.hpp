#pragma once
#include <optional>

#include "geometry/mesh/mesh.hpp"
#include "geometry/smooth_normals.hpp"

// Normals of a surface where rays meet it.
namespace plica::experiments {

// A place of the surface and its unit normals.
struct SurfaceSample {
    double along;  // m, of the ray, on its line
    Vec3 place;    // m
    Vec3 facet;    // of the triangle: constant
    Vec3 smooth;   // continuous, weighted by angles
    Vec3 printed;  // continuous, weighted by angles and areas: Johnsen 2012, eq. 8
    Vec3 split;    // as `smooth`, but split at creases of 40 degrees: as solids have them in contact
};

// A surface that rays are cast at.
class RayTarget {
public:
    explicit RayTarget(SurfaceMesh surface);

    // Where the ray meets it first, coming from outside.
    [[nodiscard]] std::optional<SurfaceSample> cast(const Vec3& origin, const Vec3& direction) const;
    [[nodiscard]] const SurfaceMesh& surface() const { return m_surface; }

private:
    SurfaceMesh m_surface;
    SmoothNormals m_smooth, m_printed, m_split;
};

// Parallel rays through a straight line in the plane of a picture.
struct RayLine {
    Vec3 centre;          // m, of the line
    Vec3 along;           // unit
    Vec3 forward;         // unit, perpendicular to `along`: where one looks
    double length = 0.1;  // m
    int rays = 1000;
};

// Of the rays that meet the surface. With `apart` there are rays between those whose places are further apart (m), but
// for where one part of the surface hides another.
std::vector<SurfaceSample> sample_line(const RayTarget& target, const RayLine& line, double apart = 1e300);

// As many rays from all sides to the centre of a star-shaped surface, evenly (Fibonacci's spiral).
std::vector<SurfaceSample> sample_around(const RayTarget& target, int rays, double far);

// For each sample the nearest of the reference: how far the kind of normal is from the reference's facets, root mean
// square of |n - n'|.
using NormalOf = Vec3 SurfaceSample::*;
double rms_difference(const std::vector<SurfaceSample>& samples, NormalOf kind,
                      const std::vector<SurfaceSample>& reference);
// Between two kinds on one surface.
double rms_difference(const std::vector<SurfaceSample>& samples, NormalOf one, NormalOf other);
// rad: largest turn from a sample to the next, if that is at most `apart` (m) away.
double largest_jump(const std::vector<SurfaceSample>& samples, NormalOf kind, double apart);

}  // namespace plica::experiments
