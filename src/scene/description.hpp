#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contact/respond.hpp"
#include "core/file_source.hpp"
#include "engine/model.hpp"
#include "geometry/vec3.hpp"
#include "geometry/wall.hpp"
#include "scene/anatomy/intestine.hpp"
#include "scene/anatomy/membrane.hpp"
#include "scene/anatomy/organ.hpp"
#include "scene/anatomy/rigid.hpp"
#include "scene/anatomy/rope.hpp"

namespace plica {

enum class Anatomy : std::uint8_t { intestine, rope };

// A scene file's content, checked, with every default filled in. SI units.
struct BodyDescription {
    std::string name;
    int line = 0;  // of the scene's file, where its mesh is named or the body begins; 0: of none
    TissueKind tissue = TissueKind::mass_spring;
    std::optional<double> friction = {};     // Coulomb's coefficient; none: the scene's
    Anatomy anatomy = Anatomy::intestine;    // tissue mass_spring
    std::shared_ptr<const Tissue> own = {};  // tissue own
    OrganDescription organ{};                // tissue tled
    MembraneDescription membrane{};          // tissue heat
    RigidDescription rigid{};                // tissue rigid
    std::string mesentery_name = "mesentery";
    IntestineParameters intestine{};
    RopeParameters rope{};
    bool fixed_start = false, fixed_end = false;  // rope
    double mass_per_length = 0.0;                 // kg/m
    double axial_stiffness = 0.0;                 // N, Young's modulus times wall section
    double bending_stiffness = 0.0;               // N m^2
    double viscosity = 0.0;                       // s
    double mesentery_stiffness = 0.0;             // N/m, Young's modulus times thickness
    double mesentery_compression = 0.0;           // share of that stiffness when compressed: a membrane wrinkles
    double mesentery_density = 0.0;               // kg/m^2
    bool mesentery_edges = false;                 // touched by its mesh edges instead of its triangles
    bool mesentery_self_contact = false;          // the mesentery touches itself
    double noise = 0.0;                           // m/s, random initial velocity
    Vec3 velocity;                                // m/s, at the start
    Vec3 center;                                  // m
    Vec3 axis{0, 0, 1};                           // direction of the mesenteric root

    [[nodiscard]] bool has_mesentery() const {
        return tissue == TissueKind::mass_spring && anatomy == Anatomy::intestine && intestine.mesentery;
    }
};

enum class WaypointKind : std::uint8_t {
    at,      // grab: take hold here; sphere: appear here
    move,    // go this far from the last waypoint
    to,      // go there
    stay,    // wait
    release  // let go and leave
};

struct Waypoint {
    double t = 0.0;  // s
    WaypointKind kind = WaypointKind::stay;
    Vec3 where;                  // m
    std::string body;            // grab
    double fraction = 0.0;       // of the body's length
    Vec3 near{};                 // m, a solid body: the point of its surface that is nearest
    std::optional<Vec3> turn{};  // rad, rigid: turned like this when it is there; none: as before
};

struct ToolDescription {
    Tool tool;
    int line = 0;                         // as of a body
    double mass = 0.05;                   // kg, sphere
    std::optional<double> friction = {};  // as of a body
    RigidDescription rigid{};
    bool walls = true;                   // rigid: they stop it
    std::optional<Coupling> coupling{};  // rigid: what leads it; none: it goes its way up to
    double rigid_force = 50.0;           // N: what a hand pushes with an instrument it holds like a pen or a knife
    double repeat = 0.0;                 // s, after which the path begins anew; 0: never
    std::vector<Waypoint> path;
};

// A hinge: the second turns on the first.
struct JointDescription {
    std::string first, second;  // rigid bodies or tools
    int line = 0;
    Vec3 place, axis;  // m, as the scene starts; unit
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();  // rad
    double stiffness = 0.0;                                       // N m/rad, of the drive
    double damping = -1.0;                                        // N m s/rad; negative: critical
    double max_torque = std::numeric_limits<double>::infinity();  // N m, of the drive
};

// The friction of two bodies or tools, or of one on a wall, instead of the mean of their own.
struct FrictionPair {
    std::string body, other;
    bool on_wall = false;  // `other` is one, by wall_name()
    double friction = 0.0;
};

// Gravity turns by 90 degrees at once, again and again, about each axis in turn.
struct GravityTurn {
    double every = 0.0;      // s
    std::vector<Vec3> axes;  // unit, one or more
};

// The cavity and all that is fixed to it swing to and fro; seen from inside, a force on everything.
struct Shake {
    double amplitude = 0.0;  // m
    double frequency = 0.0;  // Hz
    Vec3 direction;          // unit
};

struct SceneDescription {
    std::string title;
    double seconds = 10.0;  // how long a run lasts when nobody says otherwise
    bool settled = false;   // starts as it lies when all has come to rest
    double dt = 1.0 / 30.0;
    int substeps = 20;
    bool adapt = true;
    std::optional<DetectorKind> detector;  // none: the one that is fastest for this many primitives
    int tracked_pairs = -1;                // random pairs a detection; -1: as many as there are segments
    bool certify = true;
    double budget = 0.0;        // s of wall time that a live step should end in; 0: it takes what it takes
    bool exact = false;         // solver.precision = "double"
    bool stop_at_rest = false;  // a run ends when all organs that relax are at rest
    ContactSettings contact;
    std::vector<FrictionPair> friction_pairs;
    Vec3 gravity{0, 0, -9.81};
    std::optional<GravityTurn> gravity_turn;
    std::optional<Shake> shake;
    double drag = 0.0;
    std::vector<Wall> walls;
    std::vector<BodyDescription> bodies;
    std::vector<ToolDescription> tools;
    std::vector<JointDescription> joints;
    Files files = std::make_shared<FileSource>("");  // that the scene names; holds those that were read
    std::vector<std::string> notes;  // what a model of another program says that changes nothing here, file:line first
};

// A scene's text and where it came from; overrides are `path=value` texts, applied in order.
struct SceneSource {
    std::string name;  // as the user wrote it
    std::string file;  // what errors name
    std::string text;
    std::vector<std::string> overrides;
    Files files{};  // that the text names; none: of the disk, beside `file`
    // Bodies of tissues that no text can hold, by name; they come behind the text's, and its tools may hold them.
    std::vector<std::pair<std::string, std::shared_ptr<const Tissue>>> tissues{};
};

struct BuiltinScene {
    std::string name, text;
};
const std::vector<BuiltinScene>& builtin_scenes();

// A built-in name or a path to a .toml file or to a NiftySim model (docs/niftysim.md). Throws Error naming the nearest
// built-in when there is neither.
SceneSource find_scene(const std::string& name_or_path, std::vector<std::string> overrides = {});

// Throws Error with every mistake in the scene, one a line: file:line: what was found, what was expected.
SceneDescription read_scene(const SceneSource& source);

// The user's hand: a grab tool that waits for one, behind the scene's own. Its table, put at the end of the scene's
// text, gives the same scene again.
struct HandTool {
    std::string name;   // "hand", or the next that is free
    std::string table;  // as in a scene file
};
// The scene with a hand. It is as strong as the scene's first grab tool; --set hand.max_force=5 works.
SceneDescription read_scene(const SceneSource& source, HandTool& hand);

}  // namespace plica
