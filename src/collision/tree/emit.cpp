#include <algorithm>

#include "collision/narrow.hpp"
#include "collision/tree/margins.hpp"
#include "collision/tree/surface_tree.hpp"
#include "core/index.hpp"

// From pairs of facets to pairs of features that are near.
namespace plica {
void SurfaceTree::emit(const Leaf& a, const Leaf& b, const Search& s) {
    m_facet_pairs.push_back({a.patch, b.patch});
    Vec3 pa[3], pb[3];
    for (int k = 0; k < 3; ++k) {
        pa[k] = m_patches.corner(a.place[k]);
        pb[k] = m_patches.corner(b.place[k]);
        pb[k] = s.turned ? apply(s.b_to_a, pb[k]) : pb[k] + s.b_to_a.shift;
    }
    const double within =
        m_settings.layer + s.margin + m_patches.margin[at(a.patch)] + m_patches.margin[at(b.patch)] + rounding;
    emit_corners(a, b, pa, pb, within);
    emit_corners(b, a, pb, pa, within);
    emit_edges(a, b, pa, pb, within);
}

void SurfaceTree::emit_corners(const Leaf& a, const Leaf& b, const Vec3 (&pa)[3], const Vec3 (&pb)[3], double within) {
    const double near = within + m_surface.triangles[at(b.triangle)].half_thickness;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t corner = a.corner_feature[k];
        if (corner < 0 || !can_touch(m_surface, at(corner), at(b.triangle))) continue;
        FeatureBatch& batch = m_corner_batch;
        batch.pair[batch.count] = {corner, static_cast<std::int32_t>(m_surface.capsules.size()) + b.triangle};
        batch.limit[batch.count] = near + m_surface.capsules[at(corner)].radius;
        Vec3* point = batch.point + 5 * batch.count++;
        point[0] = point[1] = pa[k];
        std::copy(pb, pb + 3, point + 2);
        if (batch.count == FeatureBatch::size) keep_near(batch, 5);
    }
}

void SurfaceTree::emit_edges(const Leaf& a, const Leaf& b, const Vec3 (&pa)[3], const Vec3 (&pb)[3], double within) {
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3 && a.edge_feature[i] >= 0; ++j) {
            if (b.edge_feature[j] < 0) continue;
            const auto [e, f] = std::minmax(a.edge_feature[i], b.edge_feature[j]);
            if (!capsules_can_touch(m_surface, at(e), at(f))) continue;
            FeatureBatch& batch = m_edge_batch;
            batch.pair[batch.count] = {e, f};
            batch.limit[batch.count] = within + m_surface.capsules[at(e)].radius + m_surface.capsules[at(f)].radius;
            Vec3* point = batch.point + 5 * batch.count++;
            point[0] = pa[i];
            point[1] = pa[(i + 1) % 3];
            point[2] = pb[j];
            point[3] = pb[(j + 1) % 3];
            if (batch.count == FeatureBatch::size) keep_near(batch, 4);
        }
    }
}

// Measures what has been gathered, eight at a time, and lists what is not too far.
void SurfaceTree::keep_near(FeatureBatch& batch, int points) {
    std::int32_t index[5][FeatureBatch::size];
    for (int k = 0; k < 5; ++k) {
        for (int lane = 0; lane < FeatureBatch::size; ++lane) index[k][lane] = 5 * lane + k;
    }
    double squared_distance[FeatureBatch::size];
    const auto measure = PLICA_PICK_KERNEL(m_isa, measure_pairs);
    measure(&batch.point[0].x, index, points, squared_distance);
    for (int lane = 0; lane < batch.count; ++lane) {
        if (!(squared_distance[lane] > batch.limit[lane] * batch.limit[lane])) m_found.push_back(batch.pair[lane]);
    }
    batch.count = 0;
}

}  // namespace plica
