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

PLICA_KERNEL WideVec3 gather3(const double* x, const std::int32_t (&node)[8]) {
    const WideTriple t = gather_triples(x, node);
    return {t.x, t.y, t.z};
}

void measure_pairs(const double* x, const std::int32_t (&node)[5][8], int nodes, const double (&near)[8],
                   double (&squared_distance)[8]) {
    const WideVec3 p = gather3(x, node[0]);
    const WideVec3 q = gather3(x, node[1]);
    const WideVec3 a = gather3(x, node[2]);
    const WideVec3 b = gather3(x, node[3]);
    if (nodes == 4) {
        store(closest_segment_segment(p, q, a, b).squared_distance, squared_distance);
        return;
    }
    // Most triangles that a box test lets through are sheets that run beside the tube: the segment lies wholly on one
    // side of the triangle's plane, too far away.
    const WideVec3 c = gather3(x, node[4]);
    const WideVec3 n = cross(b - a, c - a);
    const Wide hp = dot(n, p - a);
    const Wide hq = dot(n, q - a);
    const Wide least = min(abs(hp), abs(hq));
    const Wide limit = load(near);
    const Wide nn = squared_norm(n);
    // Where there is hardly an area the normal is rounding, and its plane no bound.
    const Mask has_face = nn > Wide(1e-24) * squared_norm(b - a) * squared_norm(c - a);
    const Mask beside = has_face & (hp * hq > Wide(0.0)) & (least * least > limit * limit * Wide(1.0 + 1e-9) * nn);
    Wide d(__builtin_inf());
    if (any(!beside)) d = select(beside, d, closest_segment_triangle(p, q, a, b, c).squared_distance);
    store(d, squared_distance);
}

}  // namespace plica::PLICA_ISA
