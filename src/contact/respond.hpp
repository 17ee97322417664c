#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "contact/contact.hpp"
#include "contact/facet_normals.hpp"
#include "contact/floating.hpp"
#include "contact/frictions.hpp"
#include "contact/joints.hpp"
#include "contact/scratch.hpp"
#include "geometry/wall.hpp"

// The contact solver of a substep: constraint rows with warm start, projected Gauss-Seidel passes and Coulomb friction.
namespace plica {

enum class ResponseKind : std::uint8_t {
    consistent,          // ours
    raghupathi,          // Raghupathi 2004, eq. 2-9, with the errata's signs
    raghupathi_printed,  // the same, exactly as printed: to show what it does
    johnsen,             // Johnsen 2012, eq. 9 and 13: to show what it does
    penalty,             // springs where things overlap: what the papers compare themselves with
    reaction             // Platt and Barr 1988, reaction constraints: the other one
};

struct ContactSettings {
    bool enabled = true;  // between bodies; walls always hold
    ResponseKind response = ResponseKind::consistent;
    double friction = 0.2;  // Coulomb coefficient of bodies that have none of their own
    int sweeps = 2;
    int most_sweeps = 12;     // over rows with a solid on one side, which are iterated until
    double tolerance = 1e-3;  // no correction is larger, in contact radii
    double push_out = 0.05;   // share of the contact radii by which an old penetration may shrink in one substep
    double deepest = 0.24;    // contact radii: no tube or sheet ends a substep deeper in anything, or than it was
    double penalty_stiffness = 2000.0;         // N/m, response penalty only
    double reaction_rate = 100.0;              // 1/s, response reaction only: how fast an overlap decays
    NormalKind normals = NormalKind::rounded;  // of corners against facets of solids; ours only
    double rate_layer =
        0.0;  // m: what is nearer than this to a solid, beyond the contact radii, is slowed down; 0: off
    double max_force = std::numeric_limits<double>::infinity();  // N, that a row carries at most; ours only
};

// What a wall remembers of a node it touches. One per (wall, node).
struct WallMemory {
    static constexpr bool packed_doubles = true;
    double push = 0.0;  // kg m, normal Lagrange multiplier
    Vec3 friction;      // kg m, tangential Lagrange multiplier
};

// A tool's hold on one node, or on a bit of tissue: its nodes' centre of mass, each taking force by its mass, so that
// they move alike. A damped spring whose force is limited.
struct Hold {
    std::span<const std::int32_t> nodes;  // empty: none
    Vec3 target;                          // m
    double stiffness;                     // N/m
    double damping;                       // N s/m
    double max_force;                     // N
    Vec3 multiplier;                      // kg m, out: force on the node times h^2
};

// Nodes that only move together.
struct NodeGroup {
    std::size_t first, count;
    std::int32_t joined = -1;  // to this other group, by a joint; -1: to none
};

// One substep of contact. All spans are over the world's nodes.
struct ContactWorld {
    const Surface& surface;
    std::span<const Wall> walls;
    std::span<const double> node_radius;  // m, against walls; negative: never
    std::span<const double> w;
    ContactSettings settings;
    double h;
    std::span<const Vec3> x;  // start of the substep
    std::span<Vec3> p;        // predicted, corrected here
    CandidateList& candidates;
    std::span<WallMemory> wall_memory;
    std::span<Hold> holds;
    std::span<const NodeGroup> groups{};  // rigid bodies
    Floating* floating = nullptr;         // those that contact moves; then w is theirs. None: nullptr
    FacetNormals* facets = nullptr;       // none: normals are rounded
    // Of pairs, and of nodes by their bodies; none: the settings' one number, and the walls'.
    const Frictions* frictions = nullptr;
    std::span<const std::int32_t> body_of_node{};
    std::span<const Joint> joints{};  // of floating bodies
    std::span<JointMemory> joint_memory{};
};

// Have passes over a crowd of rows stopped helping, and is what they correct small enough? In contact radii, before and
// after some of them. A few rows are passed over until they are done, and other responses as long as they say.
inline bool is_stalled(const ContactSettings& settings, const ContactScratch& scratch, double before, double after) {
    if (settings.response != ResponseKind::consistent) return false;
    constexpr double helped = 0.7, small = 10.0;
    constexpr std::size_t many = 64;  // batches
    return scratch.rows.count > many && after > helped * before && after < small * settings.tolerance;
}

// Makes room for this many pairs.
void reserve_pairs_for(std::size_t pairs, ContactScratch& scratch);
// Called when the state was replaced: nothing is known of any pair.
void forget_pairs(const ContactWorld& world, ContactScratch& scratch);
// Called when the candidate list was: what is known of the pairs that stay is kept.
void adopt_pairs(const ContactWorld& world, ContactScratch& scratch);
// Called before the list is rebuilt within a substep: the pairs take back what the rows found.
void release_pairs(ContactWorld& world, ContactScratch& scratch);
// Gives last substep's multipliers to the prediction, so that tissues are solved under the load they carry.
void warm_start(ContactWorld& world, ContactScratch& scratch);
// One pass over all rows, each re-measured where the pass finds it; over the rows of solids alone when the others had
// their share.
void sweep(ContactWorld& world, ContactScratch& scratch, bool solids_only = false);
// The tools' holds alone; part of sweep().
void solve_holds(ContactWorld& world);
// After velocities were taken: shrinks penetrations that the sweeps left, without giving speed.
void push_out(ContactWorld& world, ContactScratch& scratch);
// Remembers sides, counts contacts, ends the sums of forces at the nodes.
void finish(ContactWorld& world, ContactScratch& scratch);
// The substep is over, p is where it ends: what was travelled belongs to the paths.
void extend_paths(const ContactWorld& world, ContactScratch& scratch);

// Raghupathi 2004, eq. 2-9: displacement and velocity corrected pair by pair, one independent of the other, without
// friction and without memory of the last substep. begin_raghupathi() drops that memory. The signs are the errata's or,
// for raghupathi_printed, the papers'.
void begin_raghupathi(ContactWorld& world, ContactScratch& scratch);
void sweep_raghupathi(ContactWorld& world, ContactScratch& scratch, std::span<Vec3> v);

// The penalty method, explicit: where primitives overlap at the start of the substep a spring of settings'
// penalty_stiffness and a dashpot push them apart; the tissue is solved under these forces. The candidates must be
// complete for x. Walls are sweep_raghupathi()'s, which leaves the pairs alone under these responses.
void begin_penalty(ContactWorld& world, ContactScratch& scratch, std::span<const Vec3> v);
// Reaction constraints: where primitives overlap at the start of the substep, what other forces do to close the gap is
// taken away, and critically damped motion to the surface added, gap'' = -2 rate gap' - rate^2 gap. All pairs at once,
// each as if it were alone. begin_raghupathi() comes before the tissue's answer, which is one
// of those forces, react() after it. The candidates must be complete for x; walls as for begin_penalty().
void react(ContactWorld& world, ContactScratch& scratch, std::span<const Vec3> v);

}  // namespace plica
