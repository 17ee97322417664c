#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Plain values that a Simulation takes and gives. SI units; indices count from 0.
namespace plica {

using Point = std::array<double, 3>;  // m, m/s, N or N m

// No body, cell or node.
inline constexpr std::size_t no_index = static_cast<std::size_t>(-1);

struct LoadOptions {
    std::vector<std::string> overrides{};  // as --set: "gut.segments=400", applied in order
    std::uint64_t seed = 1;                // of the noise that a scene may start with
    int threads = 1;                       // that a step works on; results do not depend on it
};

// A body owns a contiguous range of nodes.
struct BodyInfo {
    std::string name;
    std::size_t first_node;
    std::size_t nodes;
    std::string tissue{};  // "mass_spring", "tled", "heat", "own", "rigid", or "tool": the ball of a tool
};

// A surface as contact knows it, over nodes of the world.
struct BodySurface {
    struct Triangle {
        std::array<std::size_t, 3> nodes;
        double half_thickness;  // m
    };
    struct Segment {
        std::array<std::size_t, 2> nodes;  // twice the same: a ball
        double radius;                     // m
    };
    std::vector<Triangle> triangles;
    std::vector<Segment> segments;
};

// The finite elements of a solid, by nodes of the world.
struct BodyCells {
    std::vector<std::array<std::size_t, 4>> tetrahedra;
    std::vector<std::array<std::size_t, 8>> hexahedra;
};

// Where two bodies, or a body and a wall, press on each other.
struct ContactInfo {
    std::size_t body_a, body_b;  // b is no_index: a wall
    Point point;                 // m, between the two surfaces
    Point normal;                // unit, from b to a
    double force;                // N, that pushes a along the normal, in the last substep
    Point friction;              // N, on a, across the normal
};

// Where a rigid body is: turned about the vector's direction by its length, then moved.
struct RigidInfo {
    Point position;  // m
    Point turn;      // rad
    Point velocity;  // m/s, of the centre of mass of one on a coupling; others: 0
    Point spin;      // rad/s, the same
};

// How a tool is. Forces are means over the last step.
struct ToolInfo {
    std::string_view name;
    Point place;                    // m, of its handle
    Point turn;                     // rad, of a rigid one
    bool present;                   // false: it touches and pulls nothing; a rigid one is always there
    std::size_t node = no_index;    // that a grab holds
    Point force, torque;            // N, N m about its centre: what it felt
    Point hand_force, hand_torque;  // N, N m about its centre of mass: what its coupling gave it; 0 without one
};

// Numbers at nodes.
struct FieldInfo {
    std::string name, unit;
};

// What an independent check found since start_audit().
struct AuditInfo {
    std::int64_t pass_throughs = 0;  // pairs that went through each other
    std::int64_t intersections = 0;  // most pairs of triangles of closed bodies that were in each other at one look
    double worst = 0.0;              // deepest penetration, over half the sum of two contact radii
    bool passed = true;
};

// What a recording's inputs gave.
struct ReplayInfo {
    std::size_t steps = 0;     // in the recording
    std::size_t verified = 0;  // from its first on, whose hash is the recorded one
    [[nodiscard]] bool matches() const { return steps > 0 && verified == steps; }
};

// What a step may find wrong, without allocating: name_of(FlagInfo) of the simulation gives the words.
struct FlagInfo {
    enum class Kind : std::uint8_t {
        non_finite,     // a position, a velocity or a number of an own tissue is none: the step was undone
        overstretched,  // a spring is stretched beyond its limit
        inverted,       // a cell was turned inside out and will not come back: the step was undone
        unstable,       // a cell grows without bound: the step was undone
        overheated,     // heat pulls on a surface more than its rest shape can answer
        limited,        // a tool is behind its path, or tissue was thrown: it goes no further than contact can follow
        held,           // its contact was not resolved with the work a step may do: parts of it stayed where they were
        crushed         // cells were pressed flat, or further: they come back
    };
    Kind kind = Kind::non_finite;
    std::size_t body = no_index;  // index into bodies()
    std::size_t cell = no_index;  // of the body's mesh, as its file numbers them
};

// A list of fixed room.
class FlagList {
public:
    static constexpr std::size_t most = 8;
    void push_back(const FlagInfo& flag) {
        if (m_count < most) m_flags[m_count++] = flag;
    }
    [[nodiscard]] std::size_t size() const { return m_count; }
    [[nodiscard]] bool empty() const { return m_count == 0; }
    [[nodiscard]] const FlagInfo& operator[](std::size_t i) const { return m_flags[i]; }
    [[nodiscard]] const FlagInfo* begin() const { return m_flags.data(); }
    [[nodiscard]] const FlagInfo* end() const { return m_flags.data() + m_count; }

private:
    std::array<FlagInfo, most> m_flags{};
    std::size_t m_count = 0;
};

// What a step tells; nothing in it is allocated.
struct StepInfo {
    bool valid = true;       // false: the step was undone, the last good state was kept
    double seconds = 0.0;    // that the step took: CPU time with one thread, wall time with more
    double contacts = 0.0;   // pairs that carry load, mean over the substeps
    std::uint64_t hash = 0;  // of the whole state: equal runs have equal hashes
    FlagList flags{};
    int substeps = 0;
    int late_substeps = 0;  // of them and of tries that failed: those that took one pass over contact, for a budget
    double tissue_seconds = 0.0, detect_seconds = 0.0, respond_seconds = 0.0, certify_seconds = 0.0;  // wall time
};

}  // namespace plica
