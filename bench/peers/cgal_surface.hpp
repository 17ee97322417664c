#pragma once
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/box_intersection_d.h>

#include <algorithm>
#include <array>
#include <vector>

#include "bench/contact/feature_filter.hpp"
#include "bench/contact/feature_run.hpp"

// CGAL on the surfaces of solids.
namespace plica::bench {

// box_self_intersection_d on boxes that are larger by half of what is near.
class CgalBoxes : public TimedDetector {
public:
    explicit CgalBoxes(const SurfaceCase& asked) : m_filter(asked) {}

    std::int64_t detect(std::span<const Vec3> x) override {
        m_filter.begin(x);
        m_boxes.clear();
        for (std::size_t i = 0; i < m_filter.boxes().size(); ++i) {
            const Bounds& b = m_filter.boxes()[i];
            std::array low{b.lo.x, b.lo.y, b.lo.z};
            std::array high{b.hi.x, b.hi.y, b.hi.z};
            m_boxes.emplace_back(low.data(), high.data(), static_cast<std::int32_t>(i));
        }
        CGAL::box_self_intersection_d(m_boxes.begin(), m_boxes.end(),
                                      [&](const Box& p, const Box& q) { m_filter.consider(p.info(), q.info()); });
        m_filter.finish();
        return m_filter.tests();
    }
    void collect(std::vector<PairIndices>& pairs) const override { pairs = m_filter.found(); }

private:
    using Box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, std::int32_t>;
    FacetFilter m_filter;
    std::vector<Box> m_boxes;
};

// AABB_tree, built anew for each substep and asked for the triangles that meet each one's box, larger by what is near.
class CgalTree : public TimedDetector {
public:
    explicit CgalTree(const SurfaceCase& asked) : m_surface(asked.surface), m_filter(asked) {
        for (std::size_t i = 0; i < m_surface.triangles.size(); ++i) {
            m_reach = std::max(m_reach, m_filter.reach(i));
        }
    }

    std::int64_t detect(std::span<const Vec3> x) override {
        m_filter.begin(x);
        m_triangles.clear();
        for (const plica::Triangle& t : m_surface.triangles) {
            m_triangles.emplace_back(to_cgal(x, t.a), to_cgal(x, t.b), to_cgal(x, t.c));
        }
        m_tree.clear();
        m_tree.insert(m_triangles.begin(), m_triangles.end());
        m_tree.build();
        for (std::size_t i = 0; i < m_triangles.size(); ++i) {
            m_met.clear();
            const Bounds b = grown(m_filter.boxes()[i], m_reach);
            m_tree.all_intersected_primitives(CGAL::Bbox_3(b.lo.x, b.lo.y, b.lo.z, b.hi.x, b.hi.y, b.hi.z),
                                              std::back_inserter(m_met));
            for (const Place& place : m_met) {
                const auto k = static_cast<std::size_t>(place - m_triangles.begin());
                if (k > i) m_filter.consider(static_cast<std::int32_t>(i), static_cast<std::int32_t>(k));
            }
        }
        m_filter.finish();
        return m_filter.tests();
    }
    void collect(std::vector<PairIndices>& pairs) const override { pairs = m_filter.found(); }

private:
    using Kernel = CGAL::Simple_cartesian<double>;
    using Place = std::vector<Kernel::Triangle_3>::const_iterator;
    using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, CGAL::AABB_triangle_primitive<Kernel, Place>>>;

    static Kernel::Point_3 to_cgal(std::span<const Vec3> x, std::int32_t node) {
        const Vec3& v = x[static_cast<std::size_t>(node)];
        return {v.x, v.y, v.z};
    }

    const Surface& m_surface;
    FacetFilter m_filter;
    double m_reach = 0.0;  // m
    std::vector<Kernel::Triangle_3> m_triangles;
    Tree m_tree;
    std::vector<Place> m_met;
};

}  // namespace plica::bench
