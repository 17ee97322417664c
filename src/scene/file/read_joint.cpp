#include "scene/file/read_joint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest.hpp"

namespace plica {
namespace {

// Names of all that is rigid; of those alone that contact can move.
std::vector<std::string> list_rigid(const SceneDescription& scene, bool floating) {
    std::vector<std::string> names;
    for (const BodyDescription& body : scene.bodies) {
        if (!floating && body.tissue == TissueKind::rigid) names.push_back(body.name);
    }
    for (const ToolDescription& tool : scene.tools) {
        if (tool.tool.kind == ToolKind::rigid && (!floating || tool.coupling)) names.push_back(tool.tool.name);
    }
    return names;
}

bool is_among(const std::string& name, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void check_member(TableReader& reader, const std::string& name, const std::vector<std::string>& names,
                  const char* what) {
    if (is_among(name, names)) return;
    const std::string nearest = find_nearest(name, names);
    reader.complain("bodies", fmt::format("{}: found \"{}\", expected {}{}", reader.path_of("bodies"), name, what,
                                          nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
}

void read_members(TableReader& reader, const SceneDescription& scene, JointDescription& joint) {
    const toml::array* bodies = reader.array("bodies");
    if (bodies == nullptr && reader.has("bodies")) return;  // told already
    const auto text_at = [&](std::size_t i) { return (*bodies)[i].value<std::string>(); };
    if (bodies == nullptr || bodies->size() != 2 || !text_at(0) || !text_at(1)) {
        reader.complain("bodies", fmt::format("{}: expected two names, e.g. bodies = [\"shaft\", \"jaw\"]",
                                              reader.path_of("bodies")));
        return;
    }
    joint.first = *text_at(0);
    joint.second = *text_at(1);
    check_member(reader, joint.first, list_rigid(scene, false), "a rigid body or tool");
    check_member(reader, joint.second, list_rigid(scene, true), "a rigid tool with stiffness (0: no hand leads it)");
    if (joint.first == joint.second) {
        reader.complain("bodies",
                        fmt::format("{}: found \"{}\" twice, expected two", reader.path_of("bodies"), joint.first));
    }
    const auto turns = [&](const JointDescription& other) { return other.second == joint.second; };
    if (std::any_of(scene.joints.begin(), scene.joints.end(), turns)) {
        reader.complain("bodies", fmt::format("{}: {} turns on another joint already; expected one",
                                              reader.path_of("bodies"), joint.second));
    }
}

void read_limits(TableReader& reader, JointDescription& joint) {
    const toml::array* limits = reader.array("limits");
    if (limits == nullptr) return;
    const auto number = [&](std::size_t i) { return (*limits)[i].value<double>(); };
    const bool two = limits->size() == 2 && number(0) && number(1);
    if (two && *number(0) >= -3.0 && *number(0) <= 0.0 && *number(1) >= 0.0 && *number(1) <= 3.0) {
        joint.lower = *number(0);
        joint.upper = *number(1);
        return;
    }
    reader.complain("limits",
                    fmt::format("{}: expected two angles from -3 to 0 and from 0 to 3 rad: a joint starts at 0",
                                reader.path_of("limits")));
}

}  // namespace

JointDescription read_joint(TableReader& reader, const SceneDescription& scene) {
    JointDescription joint;
    joint.line = reader.line();
    read_members(reader, scene, joint);
    if (!reader.has("at"))
        reader.complain("at", reader.path_of("at") + ": found none, expected a line like at = [0, 0, 0]");
    joint.place = reader.vector("at", {});
    joint.axis = reader.vector("axis", {0, 1, 0});
    if (norm(joint.axis) == 0.0)
        reader.complain("axis", reader.path_of("axis") + ": found a zero vector, expected a direction like [0, 1, 0]");
    joint.axis = normalized(joint.axis);
    read_limits(reader, joint);
    joint.stiffness = reader.number("stiffness", 0.0, not_negative);
    joint.damping = reader.number("damping", joint.damping, not_negative);
    joint.max_torque = reader.number("max_torque", joint.max_torque, not_negative);
    reader.finish();
    return joint;
}

}  // namespace plica
