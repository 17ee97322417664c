#include "engine/step/contact_marks.hpp"

namespace plica {
namespace {

// Midway between the surfaces: the axes' closest points, each moved by its own radius towards the other.
Vec3 point_between(const Surface& surface, const Pair& pair, const Contact& contact, std::span<const Vec3> x) {
    Vec3 a{}, b{};
    for (int k = 0; k < contact.count; ++k) {
        const Vec3 part = x[static_cast<std::size_t>(contact.node[k])] * contact.weight[k];
        contact.weight[k] > 0.0 ? a += part : b -= part;
    }
    const double radius_a = surface.capsules[static_cast<std::size_t>(pair.a)].radius;
    const double radius_b = contact_radii(surface, pair) - radius_a;
    return 0.5 * (a + b) + contact.normal * (0.5 * (radius_b - radius_a));
}

}  // namespace

void add_contact_marks(const Model& model, const State& state, std::vector<ContactMark>& marks) {
    const double rate = static_cast<double>(state.substeps) / model.dt;  // 1/s, of substeps
    for (const Pair& pair : state.candidates.pairs) {
        if (!(pair.push > 0.0)) continue;
        const Contact contact = measure(model.surface, pair, state.x, pair.side);
        marks.push_back({point_between(model.surface, pair, contact, state.x), pair.push * rate * rate});
    }
}

}  // namespace plica
