#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"
#include "geometry/smooth_normals.hpp"

// Contact normals of vertex against facet: rounded, constant per facet, or continuous across facets.
namespace plica {

// Which way a row of a corner, or of a sphere, against a facet of a solid or rigid body pushes.
enum class NormalKind : std::uint8_t {
    rounded,  // along the line between the closest points: facets, edges and corners rounded by their radii
    facet,    // across the facet whose cell the point is in (Johnsen's constant normals)
    smooth    // along the normal that is continuous from facet to facet (Johnsen 2012, eq. 6 and 7)
};

// What rows need to know of a surface whose normals are not rounded. The space above a smooth surface falls into cells,
// one a facet, with the lines along the continuous normals of its rim for walls: each point belongs to one facet.
class FacetNormals {
public:
    FacetNormals(const Surface& surface, std::span<const Vec3> rest, NormalKind kind);

    // A substep begins: normals are those of its start.
    void begin() { m_stale = true; }
    // Nothing is done where no row asks.
    void provide(std::span<const Vec3> x) {
        if (m_stale) m_smooth.update(x);
        m_stale = false;
    }

    [[nodiscard]] bool is_constant() const { return m_kind == NormalKind::facet; }
    // Of the corners of a triangle of the surface: into normals().
    [[nodiscard]] const std::array<std::int32_t, 3>& slots(std::size_t triangle) const {
        return m_smooth.slots().slot[triangle];
    }
    [[nodiscard]] const double* normals() const { return &m_smooth.normals()[0].x; }
    // Three a triangle: 1 where the side opposite to that corner is a crease or a rim, 0 where the surface is smooth
    // across it and the cell goes on.
    [[nodiscard]] const double* creases() const { return m_creases.data(); }

private:
    SmoothNormals m_smooth;
    std::vector<double> m_creases;
    NormalKind m_kind;
    bool m_stale = true;
};

}  // namespace plica
