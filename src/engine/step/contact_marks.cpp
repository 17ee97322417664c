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
        marks.push_back({point_between(model.surface, pair, contact, state.x), pair.push * rate * rate,
                         body_of(model.surface, pair.a), body_of(model.surface, pair.b), contact.normal,
                         pair.friction * (rate * rate)});
    }
}

void add_wall_marks(const Model& model, const State& state, std::vector<ContactMark>& marks) {
    const double rate = static_cast<double>(state.substeps) / model.dt;  // 1/s, of substeps
    const std::size_t nodes = model.nodes();
    std::size_t body = 0;
    for (std::size_t i = 0; i < state.wall_memory.size(); ++i) {
        const WallMemory& memory = state.wall_memory[i];
        const std::size_t node = i % nodes;
        if (node == 0) body = 0;
        const auto end = [&] { return model.bodies[body].first_node + model.bodies[body].nodes; };
        while (body + 1 < model.bodies.size() && static_cast<std::int32_t>(node) >= end()) ++body;
        if (!(memory.push > 0.0)) continue;
        const SurfaceSample wall = sample_wall(model.walls[i / nodes], state.x[node]);
        marks.push_back({state.x[node] - wall.normal * wall.distance, memory.push * rate * rate,
                         static_cast<std::int32_t>(body), -1, wall.normal, memory.friction * (rate * rate)});
    }
}

}  // namespace plica
