#include "scene/file/nifty/contact_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary.hpp"
#include "geometry/mesh/sweep.hpp"
#include "scene/file/nifty/contact_surface.hpp"

namespace plica::nifty {
namespace {

constexpr int around = 48;  // corners of a ring
constexpr int of_tip = 8;   // rings of a half ball
constexpr double most_rings = 64.0;
constexpr double largest_place = 1e9;  // m

bool read_vector(Document& document, const pugi::xml_node& object, const char* name, bool required, Vec3& value) {
    const pugi::xml_node node = object.child(name);
    if (!node) {
        if (required) document.complain(object, fmt::format("{}: found no {}, expected it", object.name(), name));
        return !required;
    }
    document.check_attributes(node, {});
    document.check_children(node, {});
    std::vector<double> values;
    if (!document.numbers(node, 3, values)) return false;
    value = {values[0], values[1], values[2]};
    if (norm(value) <= largest_place) return true;
    document.complain(node, fmt::format("{}: expected numbers of at most {}", name, largest_place));
    return false;
}

bool read_length(Document& document, const pugi::xml_node& object, const char* name, double& value) {
    const pugi::xml_node node = object.child(name);
    if (!node) {
        document.complain(object, fmt::format("{}: found no {}, expected it", object.name(), name));
        return false;
    }
    return document.number(node, {0.0, largest_place, true}, value);
}

// Corners a, b and c; the fourth is opposite a. It faces along ab x ac.
bool read_plate(Document& document, const pugi::xml_node& node, RigidSurface& surface) {
    Vec3 a, b, c;
    bool good = read_vector(document, node, "a", true, a);
    good = read_vector(document, node, "b", true, b) && good;
    good = read_vector(document, node, "c", true, c) && good;
    good = read_vector(document, node, "Disp", false, surface.motion.translation) && good;
    if (!good) return false;
    if (!(norm(cross(b - a, c - a)) > 1e-6 * norm(b - a) * norm(c - a))) {
        document.complain(node, "ContactPlate: found corners on one line, expected three of a rectangle");
        return false;
    }
    surface.mesh.nodes = {a, b, b + c - a, c};
    surface.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return true;
}

// A point of the outline: how far along the axis, how far from it.
struct Outline {
    double along, away;
};

std::vector<Outline> draw_outline(double radius, double length, bool tip) {
    // About four times as long as wide: few, and none that spans everything.
    const double cell = 8.0 * std::numbers::pi * radius / around;
    const int rings = static_cast<int>(std::clamp(std::round(length / cell), 1.0, most_rings));
    std::vector<Outline> outline;
    for (int i = 0; i <= rings; ++i) outline.push_back({length * i / rings, radius});
    for (int i = 1; tip && i < of_tip; ++i) {
        const double angle = 0.5 * std::numbers::pi * i / of_tip;
        outline.push_back({length + radius * elementary::sin(angle), radius * elementary::cos(angle)});
    }
    return outline;
}

// The outline, turned around the axis and closed at both ends.
SurfaceMesh revolve(const std::vector<Outline>& outline, const Vec3& origin, const Vec3& axis) {
    const double x = std::abs(axis.x), y = std::abs(axis.y), z = std::abs(axis.z);
    const Vec3 across = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 u = normalized(cross(axis, across)), v = cross(axis, u);
    std::vector<std::vector<Vec3>> rings;
    for (const Outline& point : outline) {
        std::vector<Vec3>& ring = rings.emplace_back();
        for (int k = 0; k < around; ++k) {
            const double angle = 2.0 * std::numbers::pi * k / around;
            ring.push_back(origin + axis * point.along +
                           (u * elementary::cos(angle) + v * elementary::sin(angle)) * point.away);
        }
    }
    SurfaceMesh mesh;
    add_sweep(rings, mesh);
    return mesh;
}

bool read_rod(Document& document, const pugi::xml_node& node, bool tip, RigidSurface& surface) {
    Vec3 origin, axis;
    double radius = 0.0, length = 0.0, change = 0.0;
    bool good = read_vector(document, node, "Origin", true, origin);
    good = read_vector(document, node, "Axis", true, axis) && good;
    good = read_length(document, node, "Radius", radius) && good;
    good = read_length(document, node, "Length", length) && good;
    good = read_vector(document, node, "OrigDisp", false, surface.motion.translation) && good;
    const pugi::xml_node changes = node.child("RadChange");
    good = (!changes || document.number(changes, {-largest_place, largest_place}, change)) && good;
    if (change != 0.0) document.complain(changes, "RadChange is not supported: the surface is rigid; supported is 0");
    if (!good || change != 0.0) return false;
    const double size = norm(axis);
    if (!(size > 1e-9)) {
        document.complain(node.child("Axis"), "Axis: found a vector without length, expected one like 0 0 1");
        return false;
    }
    if (std::abs(size - 1.0) > 1e-3) document.note(node.child("Axis"), "Axis is taken as a direction, of length 1");
    surface.mesh = revolve(draw_outline(radius, length, tip), origin, axis / size);
    // The last node closes the end.
    if (tip) surface.mesh.nodes.back() = origin + axis * ((length + radius) / size);
    return true;
}

}  // namespace

std::optional<RigidSurface> read_contact_object(Document& document, const pugi::xml_node& node) {
    const std::string_view name = node.name();
    const bool plate = name == "ContactPlate";
    document.check_attributes(node, {});
    document.check_children(node,
                            {plate ? Names{"a", "b", "c", "Disp", "SlvNodes"}
                                   : Names{"Origin", "Axis", "Radius", "Length", "OrigDisp", "RadChange", "SlvNodes"},
                             {}});
    document.check_empty(node);
    check_slaves(document, node);
    if (!node.child("SlvNodes")) {
        document.note(node,
                      fmt::format("{} has no SlvNodes: NiftySim would let nothing touch it, here all does", name));
    }
    RigidSurface surface;
    surface.where = node;
    surface.motion.smooth = true;
    const bool good =
        plate ? read_plate(document, node, surface) : read_rod(document, node, name == "ContactUSProbe", surface);
    if (!good) return std::nullopt;
    return surface;
}

}  // namespace plica::nifty
