#include "collision/find_pairs.hpp"

#include <limits>

#include "core/index.hpp"

namespace plica {
namespace {

// A primitive's nodes; unused places repeat the last.
struct Nodes {
    std::int32_t node[3];
    double radius;
    std::int32_t chain, first, last;  // place along the chain, as can_touch() compares it
};
Nodes nodes_of(const Capsule& c) {
    if (c.sheet) return {{c.a, c.b, c.b}, c.radius, -1, 0, 0};  // what it cannot touch is listed
    // A tube at column c covers c + 1 as well; a triangle or an edge is compared with both.
    const std::int32_t first = c.edge ? c.column - 1 : c.column;
    return {{c.a, c.b, c.b}, c.radius, c.chain, first, c.edge ? c.column + c.span : c.column};
}
Nodes nodes_of(const Triangle& t) {
    return {{t.a, t.b, t.c}, t.half_thickness, t.chain, t.column_min - 1, t.column_max};
}

// Chains lie far behind each other on the fourth axis; what belongs to none is nowhere on it.
constexpr double chain_length = 1e9;

// A hair is added, so that rounding of the exact distance cannot hide a pair.
void bound(const Nodes& p, std::span<const Vec3> x, std::span<const double> margin, std::size_t i, Boxes& boxes,
           std::vector<double>& primitive_margin) {
    const Vec3& a = x[at(p.node[0])];
    const Vec3& b = x[at(p.node[1])];
    const Vec3& c = x[at(p.node[2])];
    primitive_margin[i] = std::max(std::max(margin[at(p.node[0])], margin[at(p.node[1])]), margin[at(p.node[2])]);
    const double grown = (p.radius + primitive_margin[i]) * (1.0 + 1e-9) + 1e-12;
    boxes.lo[0][i] = std::min(std::min(a.x, b.x), c.x) - grown;
    boxes.lo[1][i] = std::min(std::min(a.y, b.y), c.y) - grown;
    boxes.lo[2][i] = std::min(std::min(a.z, b.z), c.z) - grown;
    boxes.hi[0][i] = std::max(std::max(a.x, b.x), c.x) + grown;
    boxes.hi[1][i] = std::max(std::max(a.y, b.y), c.y) + grown;
    boxes.hi[2][i] = std::max(std::max(a.z, b.z), c.z) + grown;
    constexpr double nowhere = std::numeric_limits<double>::infinity();
    boxes.lo[3][i] = p.chain < 0 ? nowhere : p.chain * chain_length + p.first;
    boxes.hi[3][i] = p.chain < 0 ? -nowhere : p.chain * chain_length + p.last;
}

// Eight pairs of one kind on their way through the exact test.
struct PairBatch {
    std::int32_t node[5][8];
    double squared_distance[8];
    RawPair* pair[8];
    int count = 0;
};

}  // namespace

void Boxes::resize(std::size_t count) {
    constexpr double nowhere = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 4; ++k) {
        lo[k].resize(count + 8);
        hi[k].resize(count + 8);
        std::fill(lo[k].end() - 8, lo[k].end(), nowhere);
        std::fill(hi[k].end() - 8, hi[k].end(), -nowhere);
    }
}

BoxArrays Boxes::arrays() const {
    return {{lo[0].data(), lo[1].data(), lo[2].data(), lo[3].data()},
            {hi[0].data(), hi[1].data(), hi[2].data(), hi[3].data()}};
}

void compute_planes(const Surface& surface, std::span<const Vec3> x, DetectorScratch& s) {
    const std::size_t triangles = surface.triangles.size();
    if (triangles == 0) return;
    Planes& planes = s.planes;
    for (std::vector<std::int32_t>& list : planes.node) list.assign(triangles + 8, 0);
    for (auto* each : {&planes.nx, &planes.ny, &planes.nz, &planes.offset, &planes.near}) each->resize(triangles + 8);
    for (std::size_t t = 0; t < triangles; ++t) {
        planes.node[0][t] = surface.triangles[t].a;
        planes.node[1][t] = surface.triangles[t].b;
        planes.node[2][t] = surface.triangles[t].c;
    }
    const double* margin = s.primitive_margin.data() + surface.capsules.size();
    for (std::size_t t = 0; t < triangles; ++t) planes.near[t] = surface.triangles[t].half_thickness + margin[t];
    const auto compute = PLICA_PICK_KERNEL(s.isa, compute_planes);
    compute(&x[0].x, {planes.node[0].data(), planes.node[1].data(), planes.node[2].data()}, static_cast<int>(triangles),
            {planes.nx.data(), planes.ny.data(), planes.nz.data()}, planes.offset.data());
}

void bound_primitives(const Surface& surface, std::span<const Vec3> x, std::span<const double> margin,
                      DetectorScratch& s) {
    const auto count = static_cast<std::size_t>(primitive_count(surface));
    s.boxes.resize(count);
    s.primitive_margin.resize(count);
    std::size_t i = 0;
    for (const Capsule& c : surface.capsules) bound(nodes_of(c), x, margin, i++, s.boxes, s.primitive_margin);
    for (const Triangle& t : surface.triangles) bound(nodes_of(t), x, margin, i++, s.boxes, s.primitive_margin);
    compute_planes(surface, x, s);
}

int drop_far_triangles(const Surface& surface, std::span<const Vec3> x, const DetectorScratch& scratch, std::int32_t a,
                       std::int32_t* hits, int count) {
    if (surface.triangles.empty() || count == 0) return count;
    const Capsule& c = surface.capsules[at(a)];
    const Vec3& p = x[at(c.a)];
    const Vec3& q = x[at(c.b)];
    const SegmentQuery query{{p.x, p.y, p.z}, {q.x, q.y, q.z}, c.radius + scratch.primitive_margin[at(a)]};
    const auto keep_beside = PLICA_PICK_KERNEL(scratch.isa, keep_beside);
    return keep_beside(scratch.planes.arrays(), scratch.planes.near.data(), query,
                       static_cast<int>(surface.capsules.size()), hits, count);
}

std::int64_t keep_near(const Surface& surface, std::span<const Vec3> x, const DetectorScratch& scratch,
                       std::vector<RawPair>& raw) {
    const auto measure = PLICA_PICK_KERNEL(scratch.isa, measure_pairs);
    const auto capsules = static_cast<std::int32_t>(surface.capsules.size());
    const auto flush = [&](PairBatch& batch, int nodes) {
        for (int lane = batch.count; lane < 8; ++lane) {
            for (int k = 0; k < nodes; ++k) batch.node[k][lane] = batch.node[k][0];
        }
        measure(&x[0].x, batch.node, nodes, batch.squared_distance);
        for (int lane = 0; lane < batch.count; ++lane) batch.pair[lane]->distance = batch.squared_distance[lane];
        batch.count = 0;
    };
    const auto radii = [&](const RawPair& pair) {
        const double r = surface.capsules[at(pair.a)].radius;
        return pair.b < capsules ? r + surface.capsules[at(pair.b)].radius
                                 : r + surface.triangles[at(pair.b - capsules)].half_thickness;
    };
    PairBatch open[2];
    for (RawPair& pair : raw) {
        const bool is_triangle = pair.b >= capsules;
        PairBatch& batch = open[is_triangle ? 1 : 0];
        const int lane = batch.count++;
        const Nodes other =
            is_triangle ? nodes_of(surface.triangles[at(pair.b - capsules)]) : nodes_of(surface.capsules[at(pair.b)]);
        batch.node[0][lane] = surface.capsules[at(pair.a)].a;
        batch.node[1][lane] = surface.capsules[at(pair.a)].b;
        for (int k = 0; k < 3; ++k) batch.node[2 + k][lane] = other.node[k];
        batch.pair[lane] = &pair;
        if (batch.count == 8) flush(batch, is_triangle ? 5 : 4);
    }
    if (open[0].count > 0) flush(open[0], 4);
    if (open[1].count > 0) flush(open[1], 5);
    const auto tests = static_cast<std::int64_t>(raw.size());
    std::size_t kept = 0;
    for (const RawPair& pair : raw) {
        const double gap = std::sqrt(pair.distance) - radii(pair);
        if (gap > scratch.primitive_margin[at(pair.a)] + scratch.primitive_margin[at(pair.b)]) continue;
        raw[kept++] = {pair.a, pair.b, gap};
    }
    raw.resize(kept);
    return tests;
}

}  // namespace plica
