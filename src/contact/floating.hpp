#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "contact/rows.hpp"
#include "geometry/symmetric.hpp"

// Rigid bodies in the contact solver, by mass splitting: many nodes, one motion.
namespace plica {

struct ContactWorld;

// A substep of one. With an implicit spring on it, mass and inertia are larger than the body's own: what it takes to
// move it against the spring.
struct FloatingBody {
    std::size_t first_node = 0;
    std::span<const Vec3> local;                 // m, per node, in its own frame
    Vec3 centre{};                               // m, of mass, in the same
    double radius = 0.0;                         // m, half its thickness, against walls
    double reach = 0.0;                          // m, from the centre of mass to the furthest node
    std::span<const std::uint8_t> stopped_by{};  // per wall: it stops the body
    // At the start of the substep.
    Vec3 origin{};  // m, of the centre of mass
    Pose turned{};  // without a shift
    double inverse_mass = 0.0;
    Symmetric inverse_inertia{};  // about the centre of mass, as it is turned at the start
    // By the end of it.
    Vec3 shift{};     // m, of the centre of mass
    Vec3 rotation{};  // rad
    Pose pose{};      // that both lead to, see place()
};

// Multipliers of the rows of a batch.
struct RowLoads {
    double push[8] = {};
    Vec3 friction[8] = {};
};
RowLoads loads_of(const RowBatch& batch);

struct Floating {
    std::vector<FloatingBody> bodies;
    std::vector<std::int32_t> of_node;  // per node: the body, -1: none
    std::vector<double> w;              // 1/kg, per node: the world's; of floating ones as the batch at work needs it
};

// m, of a node from the centre of mass, as the body is turned at the start: x x m dv over a substep is what impulses do
// there.
Vec3 lever_of(const FloatingBody& body, std::size_t node);
// 1/kg: how far a unit multiplier at r from the centre of mass moves the body there, whatever its direction, at most.
double compliance_at(const FloatingBody& body, const Vec3& r);
// The same along a direction.
double compliance_along(const FloatingBody& body, const Vec3& r, const Vec3& direction);
// What it gets in multiplier units, at its centre of mass (kg m) and about it (kg m^2), moves the body.
void move_body(FloatingBody& body, const Vec3& push, const Vec3& twist);
// The same of an impulse at r.
void push_body(FloatingBody& body, const Vec3& r, const Vec3& impulse);

// The pose that shift and rotation lead to.
void place(FloatingBody& body);
void place_nodes(const FloatingBody& body, std::span<Vec3> p);
void place_nodes(const Floating& floating, std::span<Vec3> p);

bool has_floating(const Floating* floating, const std::int32_t (&node)[5]);

// What the row kernels do to a batch is felt by bodies as wholes. Rows of a batch share no node but may share a body,
// and none sees what the others give: each is solved as if it had to move as many bodies as there are such rows, which
// converges whatever they weigh (mass splitting).
//
// Before a kernel: the nodes where the body is now, with inverse masses that make the rows as compliant as the body.
void lift_nodes(const ContactWorld& world, const RowBatch& batch);
// After it: by how much the multipliers have grown since moves the bodies.
void move_bodies(const ContactWorld& world, const RowLoads& before, const RowBatch& batch);
// After one that measured: the compliance where the rows touch now.
void set_compliance(const ContactWorld& world, RowBatch& batch);
// After push_out: where the nodes went moves the bodies.
void follow_nodes(const ContactWorld& world, const RowBatch& batch);

}  // namespace plica
