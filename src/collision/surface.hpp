#pragma once
#include <cstdint>
#include <vector>

namespace plica {

// What can be touched: primitives over nodes. Detection sees this, positions and nothing else.
//
// A chain is one organ whose parts are numbered along its length by columns (the gut's node j and the mesentery nodes
// that hang on it are column j). Parts of one chain that are close along it touch by construction and are left out.
struct Capsule {
    std::int32_t a, b;     // end nodes; a == b is a sphere
    double radius;         // m
    std::int32_t body;     // index into the model's bodies
    std::int32_t chain;    // -1: none
    std::int32_t column;   // of node a; node b is column + 1
    std::int32_t exclude;  // ceil(pi r / h): a tube cannot meet itself closer than a U-turn of arc pi r
    bool exempt;           // never tested against triangles of its own chain (the anatomy's root zone)
};

struct Triangle {
    std::int32_t a, b, c;
    double half_thickness;  // m
    std::int32_t body;
    std::int32_t chain;
    std::int32_t column_min, column_max;
};

struct Surface {
    std::vector<Capsule> capsules;
    std::vector<Triangle> triangles;
};

// Primitives are numbered capsules first, then triangles.
inline int primitive_count(const Surface& s) {
    return static_cast<int>(s.capsules.size() + s.triangles.size());
}

// May these two touch? i < j are indices of capsules.
inline bool can_touch(const Capsule& a, const Capsule& b) {
    if (a.chain < 0 || a.chain != b.chain) return true;
    const int apart = b.column > a.column ? b.column - a.column : a.column - b.column;
    return apart > (a.exclude > b.exclude ? a.exclude : b.exclude);
}

inline bool can_touch(const Capsule& a, const Triangle& t) {
    if (a.chain < 0 || a.chain != t.chain) return true;
    return !a.exempt && (t.column_max < a.column - a.exclude || t.column_min > a.column + 1 + a.exclude);
}

}  // namespace plica
