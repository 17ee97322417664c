#include <algorithm>

#include "collision/narrow.hpp"
#include "collision/tree/margins.hpp"
#include "collision/tree/search.hpp"
#include "core/index.hpp"

// From pairs of facets to pairs of features that are near.
namespace plica {
namespace {

// Do all three points lie further than this from the plane of the triangle, on one side? Then nothing of them is as
// near to anything in it.
bool is_beyond(const Vec3 (&triangle)[3], const Vec3 (&points)[3], double far) {
    const Vec3 normal = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    const double a = dot(normal, points[0] - triangle[0]), b = dot(normal, points[1] - triangle[0]),
                 c = dot(normal, points[2] - triangle[0]);
    const double least = std::max(std::min({a, b, c}), -std::max({a, b, c}));
    return least > 0.0 && least * least > far * far * squared_norm(normal);
}

}  // namespace

void PairSearch::emit(const Hierarchy& tree, const Leaf& a, const Leaf& b, const Search& s, Share& share) const {
    share.facet_pairs.push_back({a.patch, b.patch});
    Corners of_a{a, {}}, of_b{b, {}};
    for (int k = 0; k < 3; ++k) {
        of_a.at[k] = tree.patches.corner(a.place[k]);
        const Vec3 place = tree.patches.corner(b.place[k]);
        of_b.at[k] = s.turned ? apply(s.b_to_a, place) : place + s.b_to_a.shift;
    }
    const double within =
        tree.settings.layer + s.margin + tree.patches.margin[at(a.patch)] + tree.patches.margin[at(b.patch)] + rounding;
    const double far = (within + a.radius + b.radius) * (1.0 + 1e-9);
    if (is_beyond(of_a.at, of_b.at, far) || is_beyond(of_b.at, of_a.at, far)) return;
    emit_corners(tree.surface, of_a, of_b, within, share);
    emit_corners(tree.surface, of_b, of_a, within, share);
    emit_edges(tree.surface, of_a, of_b, within, share);
}

void PairSearch::emit_corners(const Surface& surface, const Corners& a, const Corners& b, double within,
                              Share& share) const {
    const Leaf& own = a.leaf;
    const std::int32_t triangle = b.leaf.triangle;
    const double near = within + surface.triangles[at(triangle)].half_thickness;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t corner = own.corner_feature[k];
        if (corner < 0 || !can_touch(surface, at(corner), at(triangle))) continue;
        FeatureBatch& batch = share.corners;
        batch.pair[batch.count] = {corner, static_cast<std::int32_t>(surface.capsules.size()) + triangle};
        batch.limit[batch.count] = near + surface.capsules[at(corner)].radius;
        Vec3* point = batch.point + 5 * batch.count++;
        point[0] = point[1] = a.at[k];
        std::copy(b.at, b.at + 3, point + 2);
        if (batch.count == FeatureBatch::size) keep_near(batch, 5, share);
    }
}

void PairSearch::emit_edges(const Surface& surface, const Corners& a, const Corners& b, double within,
                            Share& share) const {
    const std::int32_t(&of_a)[3] = a.leaf.edge_feature;
    const std::int32_t(&of_b)[3] = b.leaf.edge_feature;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3 && of_a[i] >= 0; ++j) {
            if (of_b[j] < 0) continue;
            const auto [e, f] = std::minmax(of_a[i], of_b[j]);
            if (!capsules_can_touch(surface, at(e), at(f))) continue;
            FeatureBatch& batch = share.edges;
            batch.pair[batch.count] = {e, f};
            batch.limit[batch.count] = within + surface.capsules[at(e)].radius + surface.capsules[at(f)].radius;
            Vec3* point = batch.point + 5 * batch.count++;
            point[0] = a.at[i];
            point[1] = a.at[(i + 1) % 3];
            point[2] = b.at[j];
            point[3] = b.at[(j + 1) % 3];
            if (batch.count == FeatureBatch::size) keep_near(batch, 4, share);
        }
    }
}

// Measures what has been gathered, eight at a time, and lists what is not too far.
void PairSearch::keep_near(FeatureBatch& batch, int points, Share& share) const {
    std::int32_t index[5][FeatureBatch::size];
    for (int k = 0; k < 5; ++k) {
        for (int lane = 0; lane < FeatureBatch::size; ++lane) index[k][lane] = 5 * lane + k;
    }
    double squared_distance[FeatureBatch::size];
    const auto measure = PLICA_PICK_KERNEL(m_isa, measure_pairs);
    measure(&batch.point[0].x, index, points, squared_distance);
    for (int lane = 0; lane < batch.count; ++lane) {
        if (!(squared_distance[lane] > batch.limit[lane] * batch.limit[lane])) share.found.push_back(batch.pair[lane]);
    }
    batch.count = 0;
}

}  // namespace plica
