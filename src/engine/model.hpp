#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "collision/candidates.hpp"
#include "collision/surface.hpp"
#include "collision/tracked.hpp"
#include "contact/respond.hpp"
#include "geometry/pose.hpp"
#include "geometry/symmetric.hpp"
#include "geometry/wall.hpp"
#include "tissue/heat/membrane.hpp"
#include "tissue/mass_spring/network.hpp"
#include "tissue/tled/organ.hpp"

namespace plica {

// A contiguous range of nodes with a name.
struct Body {
    std::string name;
    std::string tissue;
    std::int32_t first_node = 0;
    std::int32_t nodes = 0;
    std::vector<std::int32_t> exempt;  // nodes of the anatomy's root zone
    std::string shape{};               // of a solid or rigid one: as the scene calls it; empty: from a file
};

enum class ToolKind : std::uint8_t {
    grab,    // holds a node of a body by a spring of limited force
    sphere,  // a ball on such a spring, which touches what it meets
    rigid    // an instrument with a shape, which goes where its path says, or on a coupling to there
};

struct Tool {
    std::string name;
    ToolKind kind = ToolKind::grab;
    double stiffness = 2000.0;  // N/m
    double damping = 5.0;       // N s/m
    double max_force = 3.0;     // N
    double radius = 0.0;        // m, sphere
    double grip = 0.0;          // m, grab on a solid body: holds its nodes this close at rest to the one it takes
    std::int32_t node = -1;     // the sphere's own node
    std::int32_t capsule = -1;  // and its primitive
};

// Where a rigid body is: turned about the vector's direction by its length (rad), then moved.
struct RigidState {
    static constexpr bool packed_doubles = true;
    Vec3 position;  // m
    Vec3 turn;      // rad
    // Of one on a coupling; others keep zero.
    Vec3 velocity{};  // m/s, of its centre of mass
    Vec3 spin{};      // rad/s
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
    std::int32_t tool = -1;      // that moves it; -1: it stands
    std::vector<Vec3> local;     // m, per node, in its own frame
    double radius = 0.0;         // m, furthest of them from the frame's origin
    RigidState start;            // as built
    std::int32_t floating = -1;  // its number among those on couplings; -1: its way is given
    Coupling coupling{};         // of such a one, nothing negative
    Vec3 centre{};               // m, of mass, in its own frame
    Symmetric inertia{};         // kg m^2, about it
};

// Everything that does not change while a scene runs.
struct Model {
    // Per node.
    std::vector<double> inverse_mass;    // 1/kg, 0: held
    std::vector<double> contact_radius;  // m, against walls
    std::vector<std::int32_t> column;    // place along its chain, -1: none
    std::vector<Vec3> rest;              // m, as built

    std::vector<Body> bodies;      // sphere tools are bodies too, with tissue "tool", behind all others
    std::size_t tissue_nodes = 0;  // nodes before the first tool's
    std::vector<Tool> tools;
    mass_spring::Network network;
    std::vector<tled::Organ> organs;        // solid bodies, by their nodes
    std::vector<heat::Membrane> membranes;  // surfaces of heat tissue, by their nodes
    std::vector<RigidBody> rigids;
    Surface surface;
    std::vector<Wall> walls;

    double dt = 1.0 / 30.0;  // s, one published frame
    int substeps = 20;
    bool adapt = true;  // double the substeps while something is very fast
    double drag = 0.0;  // 1/s, of the surrounding fluid
    DetectorKind detector = DetectorKind::grid;
    TrackSettings tracking;  // detector tracked only
    Neighbours neighbours;   // the same
    bool certify = true;
    ContactSettings contact;
    double thinnest_pair = 0.0;   // m, smallest sum of two contact radii; 0: nothing can touch
    double thinnest_solid = 0.0;  // m, the same of two solids; infinite: none
    double thinnest_tube = 0.0;   // m, the same of pairs with a tube or a sphere: what margins are measured by
    double stretch_limit = 0.5;   // a spring stretched beyond this raises a flag

    [[nodiscard]] bool has_couplings() const {
        return std::any_of(rigids.begin(), rigids.end(), [](const RigidBody& r) { return r.floating >= 0; });
    }
    [[nodiscard]] std::size_t nodes() const { return inverse_mass.size(); }
    // That have a temperature.
    [[nodiscard]] std::int32_t warm_nodes() const {
        std::int32_t count = 0;
        for (const heat::Membrane& membrane : membranes) count += membrane.nodes;
        return count;
    }
    // The body whose nodes begin there.
    [[nodiscard]] std::int32_t find_body(std::int32_t first_node) const {
        const auto found =
            std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.first_node == first_node; });
        return static_cast<std::int32_t>(found - bodies.begin());
    }
};

}  // namespace plica
