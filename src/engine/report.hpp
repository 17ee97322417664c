#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica {

enum class Stage : std::uint8_t { tissue, detect, respond, certify };
inline constexpr std::size_t stage_count = 4;
inline constexpr std::array<const char*, stage_count> stage_names{"tissue", "detect", "respond", "certify"};

enum class FlagKind : std::uint8_t {
    non_finite,     // a node's position or velocity is not a number: the step was undone
    overstretched,  // a spring is beyond the model's stretch limit
    inverted,       // a cell of an organ has lost its volume, however short the substeps: the step was undone
    unstable,       // an organ's cell grows without bound, however short the substeps: the step was undone
    overheated      // heat pulls on a surface more than its rest shape can answer: it softens instead of stiffening
};
inline const char* flag_name(FlagKind kind) {
    constexpr std::array<const char*, 5> names{"non_finite", "overstretched", "inverted", "unstable", "overheated"};
    return names[static_cast<std::size_t>(kind)];
}

struct Flag {
    FlagKind kind;
    std::int32_t body;       // index into the model's bodies; -1: a tool
    std::int32_t cell = -1;  // of the body's mesh, where it is about one
};

// What a step tells; fixed size, so that telling allocates nothing.
struct StepReport {
    std::array<double, stage_count> stage_seconds{};
    double seconds = 0.0;  // the whole step; CPU time of the calling thread when it is the only one
    int substeps = 0;      // taken; more than the model's when something is very fast
    std::int64_t distance_tests = 0;
    int retries = 0;       // of the step with shorter substeps, because an organ did not bear the first
    bool at_rest = false;  // all organs that relax have come to rest
    int rebuilds = 0;      // of the candidate list
    int candidates = 0;
    std::int64_t held = 0;  // nodes that certify held back, summed over the substeps
    int sweeps = 0;         // of contact, summed over the substeps
    double contacts = 0.0;  // mean number of pairs that carry load, over the substeps
    std::array<Flag, 8> flags{};
    int flag_count = 0;
    std::uint64_t hash = 0;  // of State after the step

    void raise(FlagKind kind, std::int32_t body, std::int32_t cell = -1) {
        if (flag_count >= static_cast<int>(flags.size())) return;
        flags[static_cast<std::size_t>(flag_count++)] = {kind, body, cell};
    }
    [[nodiscard]] bool is_valid() const {
        for (int i = 0; i < flag_count; ++i) {
            const FlagKind kind = flags[static_cast<std::size_t>(i)].kind;
            if (kind != FlagKind::overstretched && kind != FlagKind::overheated) return false;
        }
        return true;
    }
};

struct ToolPose {
    Vec3 handle;             // m
    std::int32_t node = -1;  // that a grab holds
    bool present = false;
    Vec3 turn{};  // rad, of a rigid one
};

// Where two bodies press on each other.
struct ContactMark {
    Vec3 point;          // m, midway between the two surfaces' closest points
    double force = 0.0;  // N
};

// What a field over the nodes tells.
enum class FieldKind : std::uint8_t {
    none,
    stress,       // von Mises, Pa
    stretch,      // largest principal stretch, 1 at rest
    temperature,  // of heat tissue, J/m^2
    conductivity  // of heat tissue, m^2/s
};

// What the renderer, the recorder and bindings read: complete, and unchanged until the next step publishes.
struct Frame {
    std::uint64_t step = 0;
    double time = 0.0;  // s
    std::vector<Vec3> positions;
    std::vector<Vec3> tool_force;   // N, what each tool feels, mean over the step
    std::vector<Vec3> tool_torque;  // N m, about the tool's centre
    std::vector<Vec3> hand_force;   // N, what the coupling of each tool gives to it, mean over the step; 0: it has none
    std::vector<Vec3> hand_torque;  // N m, about the tool's centre of mass
    std::vector<ToolPose> tools;
    std::vector<Vec3> rigid_force;      // N, what each rigid body feels, mean over the step
    std::vector<ContactMark> contacts;  // empty unless asked for
    std::vector<float> temperature;     // J/m^2, of the nodes of heat tissue in their order
    std::vector<float> field;           // per node, empty unless asked for; what it is: field_kind
    FieldKind field_kind = FieldKind::none;
};

}  // namespace plica
