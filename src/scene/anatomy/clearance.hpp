#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"
#include "scene/anatomy/intestine.hpp"

namespace plica {

double segment_segment_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);
double segment_triangle_distance(const Vec3& a0, const Vec3& a1, const std::array<Vec3, 3>& triangle);

// Segments that are at most this far apart along the gut touch by construction: a tube cannot meet itself closer than
// a U-turn of arc pi r.
int excluded_columns(double radius, double chord);

// Finds gut segments that are too close to each other or to the mesentery. A tree over the columns bounds a run of gut
// segments, and each row of the mesentery over a run of columns, by a capsule; two runs are split while these overlap.
class GutClearance {
public:
    GutClearance(const IntestineGeometry& geometry, double half_thickness);
    // A pair of segments that may touch is closer than the sum of its radii.
    [[nodiscard]] bool gut_overlaps() const { return gut_overlaps(0, 0); }
    // One of the segments first..last-1 is closer than r + half thickness to a triangle it may touch.
    [[nodiscard]] bool mesentery_overlaps(int first, int last) const { return mesentery_overlaps(0, 0, first, last); }
    // The last (first) such segment; -1: none.
    [[nodiscard]] int last_overlap(int first, int last) const;
    [[nodiscard]] int first_overlap(int first, int last) const;

private:
    struct Capsule {
        Vec3 a, b;
        double radius;
    };
    // Columns first..last: gut segments and mesentery quads first..last-1.
    struct Run {
        int first, last;
        std::int32_t left, right;  // -1: one segment
        Capsule gut;
        double max_radius;  // of the tube
        int min_exclude;
    };
    std::int32_t add_run(int first, int last);
    void bound(Run& run);
    [[nodiscard]] Vec3 at(int row, int column) const;
    [[nodiscard]] bool gut_overlaps(std::int32_t a, std::int32_t b) const;
    [[nodiscard]] bool mesentery_overlaps(std::int32_t gut, std::int32_t mesentery, int first, int last) const;
    [[nodiscard]] bool rows_near(const Run& gut, std::int32_t mesentery) const;
    [[nodiscard]] bool quads_overlap(int segment, int column) const;
    [[nodiscard]] static double gap(const Capsule& a, const Capsule& b);

    const IntestineGeometry& m_geometry;
    double m_half_thickness;
    int m_columns, m_bands;  // bands: strips of the mesentery between two rows
    std::vector<int> m_exclude;
    std::vector<Run> m_runs;
    std::vector<Capsule> m_strips;  // runs x bands
};

}  // namespace plica
