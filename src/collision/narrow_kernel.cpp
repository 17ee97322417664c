#include "collision/narrow.hpp"
#include "core/wide.hpp"
#include "geometry/closest.hpp"

namespace plica::PLICA_ISA {

using WideVec3 = Vec3Of<Wide>;

// Bit k: box i + k overlaps along this axis.
PLICA_KERNEL Mask overlaps(const BoxArrays& boxes, int i, const Box& box, int axis) {
    return (load(boxes.lo[axis] + i) <= Wide(box.hi[axis])) & (Wide(box.lo[axis]) <= load(boxes.hi[axis] + i));
}
PLICA_KERNEL Mask overlaps_in_space(const BoxArrays& boxes, int i, const Box& box) {
    return overlaps(boxes, i, box, 0) & overlaps(boxes, i, box, 1) & overlaps(boxes, i, box, 2);
}

int find_overlaps(const BoxArrays& boxes, const std::int32_t* id, int first, int last, const Box& box,
                  std::int32_t* out) {
    int found = 0;
    for (int i = first; i < last; i += lanes) {
        unsigned bits = to_bits(overlaps_in_space(boxes, i, box) & !overlaps(boxes, i, box, 3));
        if (last - i < lanes) bits &= (1U << (last - i)) - 1U;
        while (bits != 0) {
            out[found++] = id[i + __builtin_ctz(bits)];
            bits &= bits - 1;
        }
    }
    return found;
}

void bound_level(const BoxArrays& lower, int count, double* const (&lo)[3], double* const (&hi)[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < count; i += lanes) {
            const double* l = lower.lo[axis] + i;
            const double* h = lower.hi[axis] + i;
            double least = l[0];
            double most = h[0];
            for (int k = 1; k < lanes; ++k) {
                least = l[k] < least ? l[k] : least;
                most = h[k] > most ? h[k] : most;
            }
            lo[axis][i / lanes] = least;
            hi[axis][i / lanes] = most;
        }
    }
}

int find_in_tree(const BoxTree& tree, const Box& box, std::int32_t* out) {
    std::int32_t stack[lanes * most_levels][2];
    int depth = 0;
    int found = 0;
    stack[depth][0] = tree.levels - 1;
    stack[depth++][1] = 0;
    while (depth > 0) {
        --depth;
        const int level = stack[depth][0];
        const int first = stack[depth][1];
        const BoxArrays& boxes = tree.level[level];
        const Mask hit = overlaps_in_space(boxes, first, box);
        unsigned bits = level > 0 ? to_bits(hit) : to_bits(hit & !overlaps(boxes, first, box, 3));
        while (bits != 0) {
            const int i = first + __builtin_ctz(bits);
            bits &= bits - 1;
            if (level == 0) {
                out[found++] = tree.id[i];
            } else {
                stack[depth][0] = level - 1;
                stack[depth++][1] = lanes * i;
            }
        }
    }
    return found;
}

PLICA_KERNEL WideVec3 gather3(const double* x, const std::int32_t* node) {
    const WideTriple t = gather_triples(x, node);
    return {t.x, t.y, t.z};
}

void compute_planes(const double* x, const std::int32_t* const (&node)[3], int triangles, double* const (&normal)[3],
                    double* offset) {
    for (int i = 0; i < triangles; i += lanes) {
        const WideVec3 a = gather3(x, node[0] + i);
        const WideVec3 ab = gather3(x, node[1] + i) - a;
        const WideVec3 ac = gather3(x, node[2] + i) - a;
        const WideVec3 n = cross(ab, ac);
        const Wide nn = squared_norm(n);
        // Where there is hardly an area the normal is rounding, and its plane no bound.
        const Mask has_face = nn > Wide(1e-24) * squared_norm(ab) * squared_norm(ac);
        const WideVec3 unit = n * select(has_face, Wide(1.0) / sqrt(select(has_face, nn, Wide(1.0))), Wide(0.0));
        store(unit.x, normal[0] + i);
        store(unit.y, normal[1] + i);
        store(unit.z, normal[2] + i);
        store(dot(unit, a), offset + i);
    }
}

int keep_beside(const PlaneArrays& planes, const double* near, const SegmentQuery& query, int first, std::int32_t* ids,
                int count) {
    const WideVec3 p{Wide(query.p[0]), Wide(query.p[1]), Wide(query.p[2])};
    const WideVec3 q{Wide(query.q[0]), Wide(query.q[1]), Wide(query.q[2])};
    const Wide radius(query.radius);
    int kept = 0;
    for (int i = 0; i < count; i += lanes) {
        std::int32_t id[lanes];
        std::int32_t triangle[lanes];
        unsigned others = 0;
        for (int k = 0; k < lanes; ++k) {
            id[k] = i + k < count ? ids[i + k] : ids[i];
            others |= (id[k] < first ? 1U : 0U) << k;
            triangle[k] = id[k] < first ? 0 : id[k] - first;
        }
        const WideVec3 n{gather(planes.nx, triangle, 1, 0), gather(planes.ny, triangle, 1, 0),
                         gather(planes.nz, triangle, 1, 0)};
        const Wide offset = gather(planes.offset, triangle, 1, 0);
        const Wide hp = dot(n, p) - offset;
        const Wide hq = dot(n, q) - offset;
        // A hair more, for the rounding of the plane and of the exact distance.
        const Wide limit = (radius + gather(near, triangle, 1, 0)) * Wide(1.0 + 1e-9) + Wide(1e-12);
        const Mask beside = (hp * hq > Wide(0.0)) & (min(abs(hp), abs(hq)) > limit);
        unsigned bits = ~to_bits(beside) | others;
        bits &= count - i < lanes ? (1U << (count - i)) - 1U : 0xffU;
        while (bits != 0) {
            ids[kept++] = id[__builtin_ctz(bits)];
            bits &= bits - 1;
        }
    }
    return kept;
}

void measure_pairs(const double* x, const std::int32_t (&node)[5][8], int nodes, double (&squared_distance)[8]) {
    const WideVec3 p = gather3(x, node[0]);
    const WideVec3 q = gather3(x, node[1]);
    const WideVec3 a = gather3(x, node[2]);
    const WideVec3 b = gather3(x, node[3]);
    store(nodes == 4 ? closest_segment_segment(p, q, a, b).squared_distance
                     : closest_segment_triangle(p, q, a, b, gather3(x, node[4])).squared_distance,
          squared_distance);
}

}  // namespace plica::PLICA_ISA
