#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

// The collision geometry: primitives over nodes. Detection sees this, positions and nothing else. Each primitive is
// made of what is measured, of where it stands in its body, and of how contact takes it.
namespace plica {

// A swept sphere; a == b is a sphere.
struct Segment {
    std::int32_t a, b;  // end nodes
    double radius;      // m
};

// A triangle with a thickness.
struct Facet {
    std::int32_t a, b, c;   // nodes
    double half_thickness;  // m
};

// A chain is one organ whose pieces are numbered along its length by columns (the gut's node j and the mesentery nodes
// that hang on it are column j). Pieces of one chain that are close along it touch by construction and are left out.
struct SegmentPlace {
    std::int32_t body;      // index into the model's bodies
    std::int32_t chain;     // -1: none
    std::int32_t column;    // of node a; node b is column + 1
    std::int32_t exclude;   // ceil(pi r / h): a tube cannot meet itself closer than a U-turn of arc pi r
    bool exempt;            // in the anatomy's root zone: overlaps some of its own mesentery by construction
    std::int32_t span = 1;  // columns from node a to node b; 0 for an edge within one column
};
struct FacetPlace {
    std::int32_t body;
    std::int32_t chain;
    std::int32_t column_min, column_max;
};

struct Capsule : Segment, SegmentPlace {
    bool edge = false;   // of a mesh whose triangles contact knows by their edges only (Raghupathi 2004, sec. 4.1)
    bool sheet = false;  // a corner or an edge of a sheet or of a solid's surface: a feature
    bool own = true;     // a feature: touches its own body as well
    bool inner = false;  // a tube whose node b is the next one's node a
};

struct Triangle : Facet, FacetPlace {
    bool sheet = false;  // its corners and edges are features
    bool own = true;     // then: it touches its own body as well
};

// Sheets and solids that touch themselves and each other, triangle against triangle: corner against triangle and edge
// against edge. Corners (spheres) and edges are features: the last capsules of a surface, corners first.
struct SurfaceFeatures {
    std::int32_t corners = 0, edges = 0;
    std::vector<std::int32_t> first_near{};  // per feature and one more: where its list in `near` begins
    std::vector<std::int32_t> near{};        // primitives too close to it as built to be told apart, ascending
};

struct Surface {
    std::vector<Capsule> capsules;
    std::vector<Triangle> triangles;
    std::vector<std::array<std::int32_t, 2>> overlaps{};       // exempt capsule, triangle: overlapping as built, sorted
    std::vector<std::array<std::int32_t, 2>> edge_overlaps{};  // exempt capsule, edge: the same
    std::vector<Triangle> spanned{};  // by edges: no primitives of contact, but drawn, dumped and audited
    SurfaceFeatures features{};
};

// Primitives are numbered capsules first, then triangles.
inline int primitive_count(const Surface& s) {
    return static_cast<int>(s.capsules.size() + s.triangles.size());
}

inline std::int32_t body_of(const Surface& s, std::int32_t primitive) {
    const auto i = static_cast<std::size_t>(primitive);
    return i < s.capsules.size() ? s.capsules[i].body : s.triangles[i - s.capsules.size()].body;
}

// Capsules that are no features of a sheet; the features come behind them.
inline std::int32_t plain_capsules(const Surface& s) {
    return static_cast<std::int32_t>(s.capsules.size()) - s.features.corners - s.features.edges;
}

// What a body is made of, whatever form contact gives it: tubes, spheres and triangles, without edges and features.
Surface without_edges(const Surface& surface);

// Gives the sheets that touch themselves their features, behind all other capsules, and tells the tubes which are
// inner. Corners on a tube, and edges along one, are left to the tube.
void add_surface_features(Surface& surface, std::size_t nodes);

// Pairs (feature, primitive) that are never to touch, ascending; those of two chains are passed over.
void list_near_features(Surface& surface, std::span<const std::array<std::int32_t, 2>> pairs);

inline bool is_near_feature(const Surface& s, std::size_t feature, std::size_t other) {
    if (s.features.near.empty()) return false;
    const auto i = feature - static_cast<std::size_t>(plain_capsules(s));
    const std::int32_t* begin = s.features.near.data() + s.features.first_near[i];
    const std::int32_t* end = s.features.near.data() + s.features.first_near[i + 1];
    const auto wanted = static_cast<std::int32_t>(other);
    if (begin == end || wanted < *begin || wanted > end[-1]) return false;  // most are
    return std::binary_search(begin, end, wanted);
}

// Is it of the surface of a solid body?
inline bool is_solid(const Surface& s, std::int32_t primitive) {
    const auto i = static_cast<std::size_t>(primitive);
    if (i < s.capsules.size()) return s.capsules[i].sheet && s.capsules[i].chain < 0;
    const Triangle& t = s.triangles[i - s.capsules.size()];
    return t.sheet && t.chain < 0;
}

// Can features touch any? Not those of one body alone that leaves itself alone.
inline bool have_partners(const Surface& s) {
    const auto first = std::find_if(s.triangles.begin(), s.triangles.end(), [](const Triangle& t) { return t.sheet; });
    return std::any_of(first, s.triangles.end(),
                       [&](const Triangle& t) { return t.sheet && (t.own || t.body != first->body); });
}

// A tube and an edge of its own mesentery: apart when no node of the edge is in a column that the tube leaves out.
inline bool is_clear_of(const SegmentPlace& tube, const SegmentPlace& edge) {
    return edge.column + edge.span < tube.column - tube.exclude || edge.column > tube.column + 1 + tube.exclude;
}

// A tube and the edge of a solid. The closest points of a tube and a triangle jump when the tube lies on it, from one
// end of where they touch to the other, and what carries the load there is left alone: it would rock for ever. So a
// tube meets solids as they meet each other, its nodes triangles and its segments edges, and these points stay where
// they are.
inline bool is_tube_on_edge(const Capsule& tube, const Capsule& feature) {
    return tube.a != tube.b && !tube.edge && feature.a != feature.b && feature.chain < 0;
}
// Its node a alone meets this triangle; node b is the next tube's.
inline bool is_node_on(const Capsule& capsule, const Triangle& t) {
    return capsule.a == capsule.b || (capsule.inner && t.sheet && t.chain < 0);
}

// May these two touch?
inline bool can_touch(const Capsule& a, const Capsule& b) {
    if (a.sheet != b.sheet) return a.sheet ? is_tube_on_edge(b, a) : is_tube_on_edge(a, b);
    if (a.sheet) {
        if (a.body == b.body && !a.own) return false;
        const bool edges = a.a != a.b && b.a != b.b;
        return edges && a.a != b.a && a.a != b.b && a.b != b.a && a.b != b.b;
    }
    if (a.edge && b.edge) return false;
    if (a.chain < 0 || a.chain != b.chain) return true;
    if (a.edge || b.edge) return a.edge ? is_clear_of(b, a) : is_clear_of(a, b);
    const int apart = b.column > a.column ? b.column - a.column : a.column - b.column;
    return apart > (a.exclude > b.exclude ? a.exclude : b.exclude);
}

// Capsules a and b, by their indices: what overlaps as built counts as well.
inline bool capsules_can_touch(const Surface& s, std::size_t a, std::size_t b) {
    const Capsule& p = s.capsules[a];
    const Capsule& q = s.capsules[b];
    if (!can_touch(p, q)) return false;
    if (p.sheet && q.sheet) return !is_near_feature(s, std::min(a, b), std::max(a, b));
    if (!(p.edge ? q.exempt : p.exempt && q.edge)) return true;
    const auto tube = static_cast<std::int32_t>(p.edge ? b : a);
    const std::array<std::int32_t, 2> pair{tube, static_cast<std::int32_t>(p.edge ? a : b)};
    return !std::binary_search(s.edge_overlaps.begin(), s.edge_overlaps.end(), pair);
}

// Capsule a and triangle t, by their indices.
inline bool can_touch(const Surface& s, std::size_t a, std::size_t t) {
    const Capsule& capsule = s.capsules[a];
    const Triangle& triangle = s.triangles[t];
    if (capsule.edge) return false;
    if (capsule.sheet) {
        if (capsule.body == triangle.body && !capsule.own) return false;
        const bool corner = capsule.a == triangle.a || capsule.a == triangle.b || capsule.a == triangle.c;
        return capsule.a == capsule.b && triangle.sheet && !corner && !is_near_feature(s, a, s.capsules.size() + t);
    }
    if (capsule.chain < 0 || capsule.chain != triangle.chain) return true;
    if (triangle.column_max >= capsule.column - capsule.exclude &&
        triangle.column_min <= capsule.column + 1 + capsule.exclude) {
        return false;
    }
    const std::array<std::int32_t, 2> pair{static_cast<std::int32_t>(a), static_cast<std::int32_t>(t)};
    return !capsule.exempt || !std::binary_search(s.overlaps.begin(), s.overlaps.end(), pair);
}

}  // namespace plica
