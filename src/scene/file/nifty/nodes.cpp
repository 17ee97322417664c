#include "scene/file/nifty/nodes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <numbers>

#include "core/elementary.hpp"

namespace plica::nifty {
namespace {

Vec3 to_place(const std::vector<double>& values, std::size_t first = 0) {
    return {values[first], values[first + 1], values[first + 2]};
}

// Turned about z, then y, then x.
Vec3 turn(Vec3 p, const Vec3& angles) {
    const auto turn_pair = [](double angle, double& a, double& b) {
        const double c = elementary::cos(angle), s = elementary::sin(angle), before = a;
        a = c * a - s * b;
        b = s * before + c * b;
    };
    turn_pair(angles.z, p.x, p.y);
    turn_pair(angles.y, p.z, p.x);
    turn_pair(angles.x, p.y, p.z);
    return p;
}

}  // namespace

bool read_nodes(Document& document, const pugi::xml_node& node, std::vector<Vec3>& places) {
    document.check_attributes(node, {"DOF", "NumNodes"});
    document.check_children(node, {});
    const std::int64_t degrees = node.attribute("DOF") ? document.count(node, "DOF") : 3;
    if (degrees != 3) document.complain(node, "Nodes: expected DOF=\"3\"");
    const std::int64_t count = document.count(node, "NumNodes");
    std::vector<double> values;
    if (!document.numbers(node, values) || count < 0 || degrees != 3) return false;
    if (values.size() % 3 != 0 || static_cast<std::uint64_t>(count) != values.size() / 3) {
        document.complain(node, fmt::format("Nodes: found {} numbers, expected 3 for each of the {} nodes of NumNodes",
                                            values.size(), count));
        return false;
    }
    for (std::size_t i = 0; i < values.size(); i += 3) places.push_back(to_place(values, i));
    return true;
}

bool read_corners(Document& document, const pugi::xml_node& node, std::size_t each, std::size_t nodes,
                  std::vector<std::int64_t>& corners) {
    const std::int64_t count = document.count(node, "NumEls");
    if (!document.integers(node, corners) || each == 0 || count < 0) return false;
    if (corners.size() % each != 0 || static_cast<std::uint64_t>(count) != corners.size() / each || count == 0) {
        document.complain(node, fmt::format("Elements: found {} numbers, expected {} for each of the {} elements of "
                                            "NumEls, and at least one element",
                                            corners.size(), each, count));
        return false;
    }
    const auto most = static_cast<std::int64_t>(nodes);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (corners[i] >= 0 && corners[i] < most) continue;
        document.complain(node, fmt::format("Elements: element {} has the node {}, expected 0 to {}", i / each,
                                            corners[i], most - 1));
        return false;
    }
    return true;
}

bool place_nodes(Document& document, const pugi::xml_node& node, std::vector<Vec3>& places) {
    std::vector<double> values;
    if (const pugi::xml_node rotation = node.child("Rotation")) {
        if (!document.numbers(rotation, 6, values)) return false;
        const Vec3 center = to_place(values), angles = to_place(values, 3) * (std::numbers::pi / 180.0);
        for (Vec3& p : places) p = center + turn(p - center, angles);
    }
    if (const pugi::xml_node scale = node.child("ScaleFactor")) {
        double factor = 1.0;
        if (!document.number(scale, {0.0, 1e9, true}, factor)) return false;
        for (Vec3& p : places) p = p * factor;
    }
    if (const pugi::xml_node translation = node.child("Translation")) {
        if (!document.numbers(translation, 3, values)) return false;
        for (Vec3& p : places) p += to_place(values);
    }
    return true;
}

std::string find_file(Document& document, const pugi::xml_node& node, FileSource& files) {
    const std::string name = Document::text(node);
    if (name.empty()) {
        document.complain(node, fmt::format("{}: found no file, expected its name as the text", node.name()));
        return "";
    }
    return files.locate(name);
}

}  // namespace plica::nifty
