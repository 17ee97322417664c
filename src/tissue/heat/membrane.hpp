#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/mesh/mesh.hpp"
#include "geometry/pose.hpp"
#include "tissue/heat/conduction.hpp"
#include "tissue/heat/factor.hpp"
#include "tissue/heat/rigid.hpp"
#include "tissue/heat/settings.hpp"
#include "tissue/load.hpp"

// A surface whose inner forces come from heat (Zhong 2005): the work of what touches it warms it there, warmth spreads
// over the rest surface, and differences of temperature pull along the edges. What the paper lacks, a rest shape, is
// a potential of the edges, an anchor to the rest shape wherever that has gone, and a bulk modulus
// (docs/papers/zhong.md).
namespace plica::heat {

// An edge as a pass over the forces reads it.
struct MembraneEdge {
    std::int32_t a = 0, b = 0;
    double inverse_square = 0.0;  // 1/m^2, 1 / L0^2
    double energy = 0.0;          // J, kappa_e
    double tension = 0.0;         // m^2: tau_e over a difference of temperatures, c k_e w_e L0
};

// What hangs together. It has a frame, a rest volume and a momentum of its own.
struct Piece {
    std::int32_t first_node = 0, nodes = 0;          // into Membrane::piece_nodes
    std::int32_t first_triangle = 0, triangles = 0;  // into Membrane::triangles
    bool closed = false;                             // has an inside, which resists
    bool rooted = false;                             // three or more fixed nodes off a line: its frame stays
    bool fixed = false;                              // has a fixed node: its momentum is not its own
    double volume = 0.0;                             // m^3, at rest; of closed ones
    double anchors = 0.0;                            // N/m, sum of omega
    double mass = 0.0;                               // kg
    Vec3 centre{};                                   // m, at rest, weighted by omega
};

struct Membrane {
    std::int32_t first_node = 0, nodes = 0;  // of the world
    Settings settings;
    std::vector<Vec3> rest;                              // m
    std::vector<std::array<std::int32_t, 3>> triangles;  // piece by piece
    Conduction conduction;
    std::vector<MembraneEdge> edges;   // as conduction.edges, but for the diagonals of quads
    std::vector<double> mass;          // kg, per node
    std::vector<double> damping;       // 1/s, per node: gamma_i / m_i
    std::vector<double> anchor;        // N/m, per node: omega_i
    std::vector<double> conductivity;  // m^2/s, per node
    std::vector<std::uint8_t> fixed;   // per node: D_x, does not move
    std::vector<std::uint8_t> cold;    // per node: D_T, stays at the temperature it is held at
    std::vector<double> held_at;       // J/m^2 over the capacity, per node: that temperature; empty: 0 everywhere
    int quads = 0;
    std::vector<Piece> pieces;
    std::vector<std::int32_t> piece_nodes;  // ascending per piece
    double rest_area = 0.0;                 // m^2
    std::vector<Load> loads;                // from outside, besides gravity and contact
    double contact_step = 0.0;              // s, as find_contact_step() has it; 0: not looked at
    double euler_step = 0.0;                // s, as find_euler_step() has it; 0: motion is implicit

    [[nodiscard]] std::size_t size() const { return rest.size(); }
};

// fixed, cold and tensors may be empty: none, none, and isotropic with the harmonic mean of the corners' conductivity.
// Nodes that are cold may be given other temperatures than 0 afterwards, in held_at.
// Throws Error, naming what is wrong with which element, for a surface that cannot conduct or settings out of range.
Membrane build_membrane(const SurfaceMesh& mesh, std::span<const double> conductivity_of_nodes,
                        std::span<const FaceConductivity> tensors, std::span<const std::uint8_t> fixed,
                        std::span<const std::uint8_t> cold, const Settings& settings);

// What changes about a membrane besides its nodes.
struct MembraneState {
    std::vector<double> temperature;  // J/m^2 over the capacity, per node
    std::vector<Vec3> touch;          // N, per node: mean of contact, holds and loads over the last step
    std::vector<Vec3> before;         // m, where the nodes were when heat was last conducted; the ledger's
    std::vector<Vec3> ahead;          // m/s, per node: the velocity that eq. 22 goes on with; Motion::euler only
    // W_ext + W_weight = change of energy + damping + active + what the steps' own error takes.
    struct Numbers {
        static constexpr bool packed_doubles = true;
        double external_work = 0.0;  // J, of state.touch
        double weight_work = 0.0;    // J, of gravity
        double active_work = 0.0;    // J, taken up by the heat tensions; negative: they gave it
        double damping_work = 0.0;   // J, taken by damping
        double heat_given = 0.0;     // J, that contacts put into the surface
        double heat_lost = 0.0;      // J, that relaxation and cold nodes took out of it
        Vec3 gravity{};              // m/s^2, of the last substep
    } numbers;
};

// How far the last conduct() and step_membrane() went.
struct Reached {
    double tension = 0.0;                            // most tau_e / kappa_e; the envelope ends at most_tension
    double least_stretch = 1.0, most_stretch = 1.0;  // L / L0
    double least_warmth = 0.0, most_warmth = 0.0;    // of the temperatures
    bool touch_ignored = false;                      // it was not finite
    bool overstretched = false;                      // L / L0 outside [0.05, 20]
    bool lost = false;                               // a factor failed, or something is not finite
};
inline constexpr double most_tension = 0.75;                  // of kappa_e: beyond, the response softens
inline constexpr double least_edge = 0.05, most_edge = 20.0;  // L / L0

// Work arrays of one membrane. Nothing in it outlives a step but what prepare() can make again.
struct Workspace {
    Factor heat, motion;
    SymmetricMatrix heat_matrix, motion_matrix;
    std::vector<std::int32_t> diagonal;         // per node: its entry in the matrices
    std::vector<std::int32_t> upper, lower;     // per edge: its two entries
    std::vector<std::uint8_t> held;             // per node, as the motion's factor has them
    double heat_dt = 0.0, motion_h = 0.0;       // s, of the factors; 0: none
    double majorant = 0.0;                      // of the edges\' stiffness in the motion\'s matrix, over kappa / L0^2
    std::vector<double> tension, last_tension;  // per edge: tau_e / L0^2, N/m, now and a step earlier
    std::vector<double> warmth, flow, source;   // per node, buffers
    std::vector<std::int32_t> patch;            // touched nodes, patch by patch, up to patch_end
    std::vector<std::uint8_t> patched;          // per node: is among them
    std::size_t patch_end = 0;
    std::vector<Vec3> force, normal;  // per node, buffers
    std::vector<Vec3> gradient;       // m^2, per node: of its closed piece's volume; 0 in open ones
    std::vector<Vec3> yielding;       // the motion's answer to that
    std::vector<Pose> frames;         // per piece: turns the rest shape about its centre, shifts by where that is now
    std::vector<Rigid> rigid;         // per piece
    std::vector<Vec3> wobble;         // m/s, per node: its velocity without that of the piece as a rigid body
    std::vector<std::uint8_t> own;    // per piece: nothing holds it, its momentum is its own
    Reached reached;
};

// Allocates, factors the heat's matrix for steps of dt; state is sized and, where it was empty, at rest and cold.
void prepare(const Membrane& membrane, double dt, Workspace& work, MembraneState& state);

}  // namespace plica::heat
