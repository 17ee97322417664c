#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/isa.hpp"
#include "geometry/vec3.hpp"

// Normals of the corners of triangles, continuous over a surface but for its creases.
namespace plica {

// rad: where two triangles turn by more at rest, each keeps a normal of its own. Without the split the rim of a box
// would have normals at 45 degrees to both of its sides.
inline constexpr double default_crease = 40.0 * 3.14159265358979323846 / 180.0;

// What a facet's unit normal counts at a corner.
enum class NormalWeight : std::uint8_t {
    angle,          // its angle there: the pseudo-normal, whose sign tells inside from outside
    angle_and_area  // times twice its area (Johnsen 2012, eq. 8)
};

// Which corners share a normal: those of triangles around a node that are connected over smooth edges. Found once, at
// rest.
struct NormalSlots {
    struct Corner {
        std::int32_t triangle, at;  // at: 0, 1 or 2
    };
    std::vector<std::array<std::int32_t, 3>> slot;  // per triangle, of each of its corners
    std::vector<std::int32_t> node;                 // per slot
    std::vector<std::int32_t> first;                // per slot, and one more: into `corners`
    std::vector<Corner> corners;
    std::vector<std::uint8_t> creased;  // per slot: 1 where an edge at its node is a crease or has no other side

    [[nodiscard]] std::size_t count() const { return node.size(); }
};

// Edges of one triangle, or of more than two, are creases. Throws Error when a triangle has a node that does not exist.
NormalSlots find_normal_slots(std::span<const std::array<std::int32_t, 3>> triangles, std::span<const Vec3> rest,
                              double crease = default_crease);

// The normals while the surface moves.
class SmoothNormals {
public:
    SmoothNormals(std::span<const std::array<std::int32_t, 3>> triangles, std::span<const Vec3> rest,
                  double crease = default_crease);

    // At these positions, of the same nodes as `rest`. Allocates nothing; the same bits for every instruction set.
    void update(std::span<const Vec3> positions, NormalWeight weight = NormalWeight::angle, Isa isa = best_isa());

    [[nodiscard]] const NormalSlots& slots() const { return m_slots; }
    // Unit, per slot; zero where every triangle of the slot has no area, or where they cancel.
    [[nodiscard]] std::span<const Vec3> normals() const { return m_normal; }
    // Of the three corners.
    [[nodiscard]] std::array<Vec3, 3> corners(std::size_t triangle) const {
        const auto& slot = m_slots.slot[triangle];
        const auto of = [&](std::size_t k) { return m_normal[static_cast<std::size_t>(slot[k])]; };
        return {of(0), of(1), of(2)};
    }
    // Unit; zero for a triangle without area.
    [[nodiscard]] Vec3 facet(std::size_t triangle) const {
        return {m_facet[0][triangle], m_facet[1][triangle], m_facet[2][triangle]};
    }

private:
    NormalSlots m_slots;
    int m_triangles = 0;
    // One array per number, filled up to a multiple of eight.
    std::array<std::vector<std::int32_t>, 3> m_node;
    std::array<std::vector<double>, 3> m_facet, m_weight;
    std::vector<Vec3> m_normal;
};

// Kernels. Unit normals of triangles and the weights of their corners; arrays are as long as the next multiple of
// eight.
PLICA_KERNEL_VARIANTS(void compute_facets(const double* x, const std::int32_t* const (&node)[3], int triangles,
                                          bool by_area, double* const (&normal)[3], double* const (&weight)[3]))

// Eight points over eight triangles, see smooth_projection.hpp.
struct ProjectionQueries {
    double point[3][8];
    double corner[3][3][8];  // corner, axis, lane
    double normal[3][3][8];
};
struct ProjectionAnswers {
    double weight[3][8], normal[3][8], gap[8], iterations[8];
    unsigned converged;  // lane k as bit k
};
PLICA_KERNEL_VARIANTS(void project_eight(const ProjectionQueries& queries, ProjectionAnswers& answers))

}  // namespace plica
