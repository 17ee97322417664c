#include "core/wide.hpp"
#include "geometry/angle.hpp"
#include "geometry/smooth_normals.hpp"
#include "geometry/smooth_projection.hpp"

namespace plica::PLICA_ISA {

using WideVec3 = Vec3Of<Wide>;

PLICA_KERNEL WideVec3 gather_nodes(const double* x, const std::int32_t* index) {
    const WideTriple t = gather_triples(x, index);
    return {t.x, t.y, t.z};
}
PLICA_KERNEL WideVec3 load_vector(const double (&from)[3][8]) {
    return {load(from[0]), load(from[1]), load(from[2])};
}

void compute_facets(const double* x, const std::int32_t* const (&node)[3], int triangles, bool by_area,
                    double* const (&normal)[3], double* const (&weight)[3]) {
    const Wide zero(0.0);
    const Wide one(1.0);
    for (int i = 0; i < triangles; i += lanes) {
        const WideVec3 a = gather_nodes(x, node[0] + i);
        const WideVec3 b = gather_nodes(x, node[1] + i);
        const WideVec3 c = gather_nodes(x, node[2] + i);
        const WideVec3 ab = b - a;
        const WideVec3 bc = c - b;
        const WideVec3 ca = a - c;
        const WideVec3 across = cross(ca, ab);
        const Wide area = sqrt(squared_norm(across));  // twice the area: the same sine, times lengths, at each corner
        const Mask has_area = area > zero;
        const WideVec3 n = select(has_area, across / select(has_area, area, one), WideVec3{});
        store(n.x, normal[0] + i);
        store(n.y, normal[1] + i);
        store(n.z, normal[2] + i);
        const Wide l_ab = sqrt(squared_norm(ab));
        const Wide l_bc = sqrt(squared_norm(bc));
        const Wide l_ca = sqrt(squared_norm(ca));
        const Wide scale = by_area ? area : one;
        store(scale * angle_of(area, -dot(ca, ab), l_ca * l_ab), weight[0] + i);
        store(scale * angle_of(area, -dot(ab, bc), l_ab * l_bc), weight[1] + i);
        store(scale * angle_of(area, -dot(bc, ca), l_bc * l_ca), weight[2] + i);
    }
}

void project_eight(const ProjectionQueries& queries, ProjectionAnswers& answers) {
    WideVec3 corner[3], normal[3];
    for (int k = 0; k < 3; ++k) {
        corner[k] = load_vector(queries.corner[k]);
        normal[k] = load_vector(queries.normal[k]);
    }
    const SmoothProjectionOf<Wide> found = project_smoothly(load_vector(queries.point), corner, normal);
    for (int k = 0; k < 3; ++k) store(found.weight[k], answers.weight[k]);
    store(found.normal.x, answers.normal[0]);
    store(found.normal.y, answers.normal[1]);
    store(found.normal.z, answers.normal[2]);
    store(found.gap, answers.gap);
    store(found.iterations, answers.iterations);
    answers.converged = to_bits(found.converged);
}

}  // namespace plica::PLICA_ISA
