#pragma once
#include "contact/rows.hpp"
#include "core/wide.hpp"
#include "geometry/vec3.hpp"

// What the vector kernels of the rows share: eight rows' nodes in registers, and back.
namespace plica::PLICA_ISA {

using WideVec3 = Vec3Of<Wide>;

PLICA_KERNEL WideVec3 load3(const double (&from)[3][8]) {
    return {load(from[0]), load(from[1]), load(from[2])};
}
PLICA_KERNEL void store3(const WideVec3& v, double (&to)[3][8]) {
    store(v.x, to[0]);
    store(v.y, to[1]);
    store(v.z, to[2]);
}

// The nodes of eight rows.
template <Shape S>
struct Gathered {
    WideVec3 at[static_cast<unsigned>(nodes_in(S))];
};
template <Shape S>
PLICA_KERNEL Gathered<S> gather_nodes(const double* x, const RowBatch& batch) {
    Gathered<S> g;
    for (int k = 0; k < nodes_in(S); ++k) {
        const WideTriple t = gather_triples(x, batch.node[k]);
        g.at[k] = {t.x, t.y, t.z};
    }
    return g;
}

// x[node] += weight w impulse, lane by lane: a sphere has one node twice. Nodes that the row does not move are left
// alone: other rows may be at them at the same time.
template <Shape S>
PLICA_KERNEL void scatter(const Wide (&weight)[5], const WideVec3& impulse, const double* w, const RowBatch& batch,
                          double* x) {
    for (int k = 0; k < nodes_in(S); ++k) {
        const Wide share = weight[k] * gather(w, batch.node[k], 1, 0);
        Lanes part, dx, dy, dz;
        store(share, part.at);
        store(impulse.x * share, dx.at);
        store(impulse.y * share, dy.at);
        store(impulse.z * share, dz.at);
        for (int lane = 0; lane < batch.count; ++lane) {
            if (part.at[lane] == 0.0) continue;
            double* to = x + 3 * batch.node[k][lane];
            to[0] += dx.at[lane];
            to[1] += dy.at[lane];
            to[2] += dz.at[lane];
        }
    }
}

// What the rows keep their sides apart.
template <Shape S>
PLICA_KERNEL Wide load_apart(const RowBatch& batch) {
    if constexpr (S == Shape::point_facet || S == Shape::segments) return load(batch.apart);
    return load(batch.radii);
}

// Calls work for the batch's shape: work.template operator()<S>().
template <class Work>
PLICA_KERNEL void by_shape(Shape shape, const Work& work) {
    switch (shape) {
        case Shape::segments:
            return work.template operator()<Shape::segments>();
        case Shape::segment_triangle:
            return work.template operator()<Shape::segment_triangle>();
        case Shape::point_triangle:
            return work.template operator()<Shape::point_triangle>();
        case Shape::point_facet:
            return work.template operator()<Shape::point_facet>();
    }
}

}  // namespace plica::PLICA_ISA
