#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/contact/surface_case.hpp"
#include "collision/tree/bounds.hpp"
#include "collision/tree/leaves.hpp"
#include "core/isa.hpp"

// What every search ends with, so that only the way to it differs: are two features nearer than their contact radii and
// the gap? Measured eight at a time by Plica's own kernel, for all.
namespace plica::bench {

class FeatureFilter {
public:
    explicit FeatureFilter(const SurfaceCase& asked);

    void begin(std::span<const Vec3> x);
    // A corner and a triangle (capsules + its number), or two edges, the smaller number first; may they touch has been
    // asked.
    void measure(std::int32_t a, std::int32_t b);
    void finish();

    [[nodiscard]] const std::vector<PairIndices>& found() const { return m_found; }
    [[nodiscard]] std::int64_t tests() const { return m_tests; }

private:
    struct Batch {
        std::int32_t node[5][8];
        PairIndices pair[8];
        double limit[8];  // m^2
        int count = 0;
    };
    void flush(Batch& batch, int nodes);

    const Surface& m_surface;
    double m_gap;
    Isa m_isa = best_isa();
    std::vector<double> m_radius;  // m, per primitive
    std::span<const Vec3> m_x;
    Batch m_corners{}, m_edges{};
    std::vector<PairIndices> m_found;
    std::int64_t m_tests = 0;
};

// The same for searches that find pairs of triangles: to each pair of features answer the two triangles that have them
// first.
class FacetFilter {
public:
    explicit FacetFilter(const SurfaceCase& asked);

    // Computes the boxes around the triangles: two overlap when features of theirs are near enough.
    void begin(std::span<const Vec3> x);
    [[nodiscard]] const std::vector<Bounds>& boxes() const { return m_boxes; }
    // Two triangles, in any order.
    void consider(std::int32_t a, std::int32_t b);
    void finish() { m_features.finish(); }

    // m: half of how near a triangle's features are to others' that are asked for, at most.
    [[nodiscard]] double reach(std::size_t triangle) const { return m_reach[triangle]; }
    [[nodiscard]] const std::vector<PairIndices>& found() const { return m_features.found(); }
    [[nodiscard]] std::int64_t tests() const { return m_features.tests(); }

private:
    void consider_corners(const Leaf& a, const Leaf& b, const Bounds& box);
    void consider_edges(const Leaf& a, const Leaf& b);
    [[nodiscard]] Bounds edge_box(const Leaf& leaf, std::size_t edge) const;

    const Surface& m_surface;
    FeatureFilter m_features;
    std::vector<Leaf> m_leaves;  // by triangles
    std::vector<double> m_reach;
    std::vector<Bounds> m_boxes;
    std::span<const Vec3> m_x;
};

}  // namespace plica::bench
