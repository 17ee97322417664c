#include <cmath>

#include "core/elementary.hpp"
#include "core/index.hpp"
#include "tissue/heat/forces.hpp"

namespace plica::heat {
namespace {

void add_edges(const Membrane& membrane, std::span<const Vec3> x, std::span<const double> tension,
               MembraneEnergy& energy) {
    for (std::size_t e = 0; e < membrane.edges.size(); ++e) {
        const MembraneEdge& edge = membrane.edges[e];
        const double s = squared_norm(x[at(edge.b)] - x[at(edge.a)]) * edge.inverse_square;
        const double strain = std::sqrt(s) - 1.0 / std::sqrt(s);
        energy.edges += edge.energy / 8.0 * strain * strain;
        energy.tension += 0.5 * tension[e] / edge.inverse_square * elementary::log(s);
    }
}

void add_piece(const Membrane& membrane, const Piece& piece, std::span<const Vec3> x, MembraneEnergy& energy) {
    const Pose frame = find_frame(membrane, piece, x);
    for (const std::int32_t n : nodes_of(membrane, piece)) {
        const Vec3 moved = x[at(n)] - rest_place(membrane, piece, frame, n);
        energy.anchor += 0.5 * membrane.anchor[at(n)] * squared_norm(moved);
    }
    if (!piece.closed) return;
    const double change = std::abs(compute_volume(membrane, piece, x) / piece.volume - 1.0);
    const double share = change < 1.0 ? 0.5 * change * change : change - 0.5;
    energy.bulk += membrane.settings.bulk * std::abs(piece.volume) * share;
}

}  // namespace

MembraneEnergy compute_energy(const Membrane& membrane, std::span<const Vec3> x, std::span<const Vec3> v,
                              std::span<const double> temperature) {
    MembraneEnergy energy;
    for (std::size_t n = 0; n < v.size(); ++n) energy.kinetic += 0.5 * membrane.mass[n] * squared_norm(v[n]);
    std::vector<double> tension(membrane.edges.size());
    find_tensions(membrane, temperature, tension);
    add_edges(membrane, x, tension, energy);
    for (const Piece& piece : membrane.pieces) add_piece(membrane, piece, x, energy);
    return energy;
}

}  // namespace plica::heat
