#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica {

struct ToolPose {
    Vec3 handle;             // m
    std::int32_t node = -1;  // that a grab holds
    bool present = false;
    Vec3 turn{};  // rad, of a rigid one
};

// Where two bodies press on each other.
struct ContactMark {
    Vec3 point;                   // m, midway between the two surfaces' closest points
    double force = 0.0;           // N, along the normal
    std::int32_t a = -1, b = -1;  // bodies
    Vec3 normal{};                // unit, from b to a
    Vec3 friction{};              // N, on a
};

// A joint of two rigid bodies.
struct JointPose {
    double angle = 0.0;  // rad, from how it was built
    double drive = 0.0;  // N m, that its drive gives to the second body, in the last substep
    double stop = 0.0;   // N m, that its limits give
};

// Values of some bodies' nodes, by name: "temperature" is one.
struct Field {
    struct Range {
        std::int32_t first_node = 0, nodes = 0;
        bool operator==(const Range&) const = default;
    };
    std::string name;
    std::string unit;
    std::vector<Range> where;   // bodies that have it
    std::vector<float> values;  // of their nodes, in order
};

// What the field over the nodes that is to be shown tells.
enum class FieldKind : std::uint8_t {
    none,
    stress,        // von Mises, Pa
    stretch,       // largest principal stretch, 1 at rest
    temperature,   // of heat tissue, J/m^2
    conductivity,  // of heat tissue, m^2/s
    named          // one of those that tissues publish (named_fields.hpp)
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
    std::vector<JointPose> joints;      // in the order of the scene
    std::vector<Vec3> rigid_force;      // N, what each rigid body feels, mean over the step
    std::vector<ContactMark> contacts;  // empty unless asked for
    std::vector<Field> fields;          // what tissues publish every step, by name
    std::vector<float> field;           // per node, empty unless asked for; what it is: field_kind
    FieldKind field_kind = FieldKind::none;
    std::string field_name, field_unit;  // of kind named

    // None: nullptr.
    [[nodiscard]] const Field* find_field(std::string_view name) const {
        for (const Field& each : fields) {
            if (each.name == name) return &each;
        }
        return nullptr;
    }
    // Of the field's nodes; empty: there is none.
    [[nodiscard]] std::span<const float> values_of(std::string_view name) const {
        const Field* found = find_field(name);
        return found == nullptr ? std::span<const float>{} : std::span(found->values);
    }
};

}  // namespace plica
