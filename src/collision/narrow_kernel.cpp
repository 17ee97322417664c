#include "collision/narrow.hpp"

#include "core/wide.hpp"
#include "geometry/closest.hpp"

namespace plica::PLICA_ISA {

using WideVec3 = Vec3Of<Wide>;

int find_overlaps(const BoxArrays& boxes, const std::int32_t* id, int first, int last, const double (&lo)[3],
                  const double (&hi)[3], std::int32_t* out) {
    int found = 0;
    for (int i = first; i < last; i += lanes) {
        Mask hit = load(boxes.lo[0] + i) <= Wide(hi[0]);
        hit = hit & (Wide(lo[0]) <= load(boxes.hi[0] + i));
        hit = hit & (load(boxes.lo[1] + i) <= Wide(hi[1])) & (Wide(lo[1]) <= load(boxes.hi[1] + i));
        hit = hit & (load(boxes.lo[2] + i) <= Wide(hi[2])) & (Wide(lo[2]) <= load(boxes.hi[2] + i));
        unsigned bits = to_bits(hit);
        if (last - i < lanes) bits &= (1U << (last - i)) - 1U;
        while (bits != 0) {
            out[found++] = id[i + __builtin_ctz(bits)];
            bits &= bits - 1;
        }
    }
    return found;
}

PLICA_KERNEL WideVec3 gather3(const double* x, const std::int32_t (&node)[8]) {
    return {gather(x, node, 3, 0), gather(x, node, 3, 1), gather(x, node, 3, 2)};
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
    const Mask beside =
        (hp * hq > Wide(0.0)) & (least * least > limit * limit * Wide(1.0 + 1e-9) * squared_norm(n));
    Wide d(__builtin_inf());
    if (any(!beside)) d = select(beside, d, closest_segment_triangle(p, q, a, b, c).squared_distance);
    store(d, squared_distance);
}

}  // namespace plica::PLICA_ISA
