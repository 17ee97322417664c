#include "experiments/johnsen/near_pairs.hpp"

#include <algorithm>
#include <iterator>

#include "audit/separation.hpp"
#include "collision/tree/bounds.hpp"
#include "core/index.hpp"

namespace plica::experiments {
namespace {

struct Way {
    std::span<const Vec3> x, p;

    [[nodiscard]] Vec3 place(std::int32_t node, double t) const {
        return x[at(node)] + (p[at(node)] - x[at(node)]) * t;
    }
};

class Search {
public:
    Search(const Surface& surface, const Way& way)
        : m_surface(surface), m_way(way), m_capsules(static_cast<std::int32_t>(surface.capsules.size())) {
        for (const Capsule& c : surface.capsules) add_box({c.a, c.b, c.b}, c.radius);
        for (const Triangle& t : surface.triangles) add_box({t.a, t.b, t.c}, t.half_thickness);
    }

    std::vector<FeaturePair> find() const {
        std::vector<FeaturePair> found;
        const std::int32_t first_edge = m_capsules - m_surface.features.edges;
        const auto end = static_cast<std::int32_t>(m_boxes.size());
        for (std::int32_t a = plain_capsules(m_surface); a < m_capsules; ++a) {
            const bool corner = a < first_edge;
            const std::int32_t last = corner ? end : m_capsules;
            for (std::int32_t b = corner ? m_capsules : a + 1; b < last; ++b) {
                if (overlap(m_boxes[at(a)], m_boxes[at(b)]) && is_allowed(a, b) && is_near(a, b)) {
                    found.push_back({a, b});
                }
            }
        }
        return found;
    }

private:
    void add_box(const std::array<std::int32_t, 3>& nodes, double radius) {
        Bounds box;
        for (const std::int32_t n : nodes) {
            include(box, m_way.x[at(n)]);
            include(box, m_way.p[at(n)]);
        }
        m_boxes.push_back(grown(box, radius));
    }
    [[nodiscard]] bool is_allowed(std::int32_t a, std::int32_t b) const {
        return b < m_capsules ? capsules_can_touch(m_surface, at(a), at(b))
                              : can_touch(m_surface, at(a), at(b - m_capsules));
    }
    [[nodiscard]] bool is_near(std::int32_t a, std::int32_t b) const {
        const Capsule& c = m_surface.capsules[at(a)];
        const double other =
            b < m_capsules ? m_surface.capsules[at(b)].radius : m_surface.triangles[at(b - m_capsules)].half_thickness;
        for (const double t : {0.0, 0.5, 1.0}) {
            if (distance_at(c, b, t) < c.radius + other) return true;
        }
        return false;
    }
    [[nodiscard]] double distance_at(const Capsule& c, std::int32_t b, double t) const {
        const auto place = [&](std::int32_t node) { return m_way.place(node, t); };
        if (b < m_capsules) {
            const Capsule& d = m_surface.capsules[at(b)];
            return separation(audit::Edge{place(c.a), place(c.b)}, audit::Edge{place(d.a), place(d.b)});
        }
        const Triangle& d = m_surface.triangles[at(b - m_capsules)];
        return separation(place(c.a), audit::Face{place(d.a), place(d.b), place(d.c)});
    }

    const Surface& m_surface;
    Way m_way;
    std::int32_t m_capsules;
    std::vector<Bounds> m_boxes;
};

}  // namespace

std::vector<FeaturePair> find_near_pairs(const Surface& surface, std::span<const Vec3> x, std::span<const Vec3> p) {
    return Search(surface, {x, p}).find();
}

std::vector<FeaturePair> find_unlisted(const std::vector<FeaturePair>& near, std::span<const FeaturePair> listed) {
    std::vector<FeaturePair> missed;
    std::set_difference(near.begin(), near.end(), listed.begin(), listed.end(), std::back_inserter(missed));
    return missed;
}

}  // namespace plica::experiments
