#include "collision/surface.hpp"

namespace plica {

Surface without_edges(const Surface& surface) {
    Surface plain;
    for (const Capsule& c : surface.capsules) {
        if (!c.edge) plain.capsules.push_back(c);
    }
    plain.triangles = surface.triangles;
    plain.triangles.insert(plain.triangles.end(), surface.spanned.begin(), surface.spanned.end());
    return plain;
}

}  // namespace plica
