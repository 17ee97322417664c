#pragma once
#include "tissue/heat/membrane.hpp"

namespace plica::heat {

// Where a piece's rest shape is now: turned about its centre at rest, which has come to `shift`. The turn is the one
// that brings it nearest to x, weighted by the anchors. Rooted pieces and those of the paper stay where they were.
Pose find_frame(const Membrane& membrane, const Piece& piece, std::span<const Vec3> x);
inline Vec3 rest_place(const Membrane& membrane, const Piece& piece, const Pose& frame, std::int32_t node) {
    return apply(frame, membrane.rest[static_cast<std::size_t>(node)] - piece.centre);
}
inline std::span<const std::int32_t> nodes_of(const Membrane& membrane, const Piece& piece) {
    return std::span(membrane.piece_nodes)
        .subspan(static_cast<std::size_t>(piece.first_node), static_cast<std::size_t>(piece.nodes));
}

// tau_e / L0^2 of these temperatures, capped where the mode says so; returns the most tau_e / kappa_e.
double find_tensions(const Membrane& membrane, std::span<const double> temperature, std::span<double> tension);

// Adds the forces of a complete membrane on its nodes, N, with work.tension and work.frames; v only for edge damping,
// may be empty. Notes the stretches in work.reached. Returns what damping takes, W.
double add_forces(const Membrane& membrane, std::span<const Vec3> x, std::span<const Vec3> v, Workspace& work,
                  std::span<Vec3> force);

// Zhong 2005, eq. 18 and 19: adds g, towards the neighbours.
void add_paper_forces(const Membrane& membrane, std::span<const Vec3> x, Workspace& work, std::span<Vec3> force);

// J.
struct MembraneEnergy {
    double kinetic = 0.0;
    double edges = 0.0, anchor = 0.0, bulk = 0.0;  // of the rest shape
    double tension = 0.0;                          // sum of tau_e ln(L / L0): frozen heat's potential

    [[nodiscard]] double stored() const { return edges + anchor + bulk; }
};
MembraneEnergy compute_energy(const Membrane& membrane, std::span<const Vec3> x, std::span<const Vec3> v,
                              std::span<const double> temperature);

// m^3, of a piece.
double compute_volume(const Membrane& membrane, const Piece& piece, std::span<const Vec3> x);

}  // namespace plica::heat
