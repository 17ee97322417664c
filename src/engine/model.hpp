#pragma once
#include <limits>

#include "collision/candidates.hpp"
#include "collision/tracked.hpp"
#include "contact/respond.hpp"
#include "engine/shapes.hpp"
#include "engine/tissues/tissues.hpp"
#include "geometry/pose.hpp"
#include "geometry/symmetric.hpp"

namespace plica {

// Where a rigid body is: turned about the vector's direction by its length (rad), then moved.
struct RigidState {
    static constexpr bool packed_doubles = true;
    Vec3 position;  // m
    Vec3 turn;      // rad
    // Of one on a coupling; others keep zero.
    Vec3 velocity{};  // m/s, of its centre of mass
    Vec3 spin{};      // rad/s
    // Of one whose way is given.
    Vec3 load{};        // kg m, what rows gave it in the last substep: force h^2
    Vec3 twist{};       // kg m^2, the same about its position
    double pace = 1.0;  // share of its way that it tries in a substep
};

// A spring and a damper of six degrees of freedom between a hand and the instrument it leads. They act between the
// instrument's centre of mass and where that would be if the hand held it rigidly. Negative: by default.
struct Coupling {
    double mass = 0.1;                                           // kg, of the instrument
    double stiffness = 0.0;                                      // N/m
    double damping = -1.0;                                       // N s/m, of the motion against the hand's
    double turn_stiffness = -1.0;                                // N m/rad
    double turn_damping = -1.0;                                  // N m s/rad
    double max_force = std::numeric_limits<double>::infinity();  // N, of spring and damper together; not of the torque
};

// A body whose nodes keep their places in its own frame.
struct RigidBody {
    std::int32_t body = -1;
    std::int32_t first_node = 0;
    std::int32_t tool = -1;                  // that moves it; -1: it stands
    std::vector<Vec3> local;                 // m, per node, in its own frame
    double radius = 0.0;                     // m, furthest of them from the frame's origin
    double half_thickness = 0.0;             // m
    std::vector<std::uint8_t> stopped_by{};  // of a tool, per wall: it stops the tool
    RigidState start;                        // as built
    // N, which it does not exceed for long where its way is given: it stops.
    double max_force = std::numeric_limits<double>::infinity();
    std::int32_t floating = -1;  // its number among those on couplings; -1: its way is given
    Coupling coupling{};         // of such a one, nothing negative
    Vec3 centre{};               // m, of mass, in its own frame
    Symmetric inertia{};         // kg m^2, about it
};

// A joint of two of them.
struct Hinge {
    std::int32_t rigid[2] = {-1, -1};  // the second turns on the first
    Vec3 axis{};                       // unit, as built
    Joint joint{};                     // all of it that stays as it is
};

// Everything that does not change while a scene runs.
struct Model : Shapes {
    // Per node.
    std::vector<double> inverse_mass;          // 1/kg, 0: held
    std::vector<double> carried_inverse_mass;  // the same for contact, whose nodes carry others; empty: none does
    std::vector<double> contact_radius;        // m, against walls

    std::size_t tissue_nodes = 0;  // nodes before the first tool's
    Tissues::Models tissues;
    std::vector<RigidBody> rigids;
    std::vector<Hinge> hinges;

    int substeps = 20;
    bool adapt = true;  // double the substeps while something is very fast
    double drag = 0.0;  // 1/s, of the surrounding fluid
    DetectorKind detector = DetectorKind::grid;
    TrackSettings tracking;  // detector tracked only
    Neighbours neighbours;   // the same
    bool certify = true;
    ContactSettings contact;
    FrictionRules friction_rules;
    Frictions frictions;          // what they come to; unused where there are none
    double thinnest_pair = 0.0;   // m, smallest sum of two contact radii; 0: nothing can touch
    double thinnest_solid = 0.0;  // m, the same of two solids; infinite: none
    double thinnest_tube = 0.0;   // m, the same of pairs with a tube or a sphere: what margins are measured by
    double stretch_limit = 0.5;   // a spring stretched beyond this raises a flag

    [[nodiscard]] const std::vector<double>& contact_inverse_mass() const {
        return carried_inverse_mass.empty() ? inverse_mass : carried_inverse_mass;
    }
    // All that the model has of a tissue.
    template <class Group>
    [[nodiscard]] const typename Group::Models& of() const {
        return std::get<Tissues::index<Group>>(tissues);
    }
    template <class Group>
    [[nodiscard]] typename Group::Models& of() {
        return std::get<Tissues::index<Group>>(tissues);
    }

    [[nodiscard]] bool has_couplings() const {
        return std::any_of(rigids.begin(), rigids.end(), [](const RigidBody& r) { return r.floating >= 0; });
    }
};

}  // namespace plica
