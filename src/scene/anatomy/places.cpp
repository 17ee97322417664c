#include "scene/anatomy/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/index.hpp"
#include "core/nearest.hpp"
#include "scene/placed_error.hpp"

namespace plica {
namespace {

double coordinate(const Vec3& p, int axis) {
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

bool is_selected(const NodeSelection& s, const Vec3& p) {
    switch (s.kind) {
        case NodeSelection::Kind::box:
            return p.x >= s.low.x && p.y >= s.low.y && p.z >= s.low.z && p.x <= s.high.x && p.y <= s.high.y &&
                   p.z <= s.high.z;
        case NodeSelection::Kind::ball:
            return squared_norm(p - s.center) <= s.radius * s.radius;
        case NodeSelection::Kind::half:
            return dot(p - s.center, s.normal) >= 0.0;
        default:
            return true;
    }
}

std::vector<std::int32_t> select_side(const NodeSelection& s, std::span<const Vec3> places) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vec3& p : places) {
        low = std::min(low, coordinate(p, s.axis));
        high = std::max(high, coordinate(p, s.axis));
    }
    const double slack = 1e-6 * (high - low);
    std::vector<std::int32_t> nodes;
    for (std::size_t n = 0; n < places.size(); ++n) {
        const double c = coordinate(places[n], s.axis);
        if (s.towards_high ? c >= high - slack : c <= low + slack) nodes.push_back(static_cast<std::int32_t>(n));
    }
    return nodes;
}

std::vector<std::int32_t> select_nearest(const NodeSelection& s, std::span<const Vec3> places) {
    const auto nearest = std::min_element(places.begin(), places.end(), [&](const Vec3& a, const Vec3& b) {
        return squared_norm(a - s.center) < squared_norm(b - s.center);
    });
    return {static_cast<std::int32_t>(nearest - places.begin())};
}

std::vector<std::int32_t> select_set(const NodeSelection& s, std::span<const NodeSet> sets) {
    std::vector<std::string> names;
    for (const NodeSet& set : sets) {
        if (set.name == s.set) return set.nodes;
        names.push_back(set.name);
    }
    throw Error(fmt::format("the mesh has no node set \"{}\"; expected {}", s.set,
                            names.empty() ? "one that has node sets" : join_choices(names)));
}

std::vector<std::int32_t> select_list(const NodeSelection& s, std::size_t count, std::span<const std::int32_t> order) {
    for (const std::int32_t old : order) count = std::max(count, at(old) + 1);
    std::vector<std::int32_t> number(count, -1);  // -1: dropped, for nothing used it
    for (std::size_t n = 0; n < (order.empty() ? count : order.size()); ++n) {
        number[order.empty() ? n : at(order[n])] = static_cast<std::int32_t>(n);
    }
    std::vector<std::int32_t> nodes;
    nodes.reserve(s.nodes.size());
    for (const std::int32_t n : s.nodes) {
        if (n < 0 || at(n) >= count) {
            throw Error(fmt::format("node {} of a constraint, expected 0 to {}", n, count - 1));
        }
        if (number[at(n)] < 0) throw Error(fmt::format("node {} of a constraint belongs to no triangle or cell", n));
        nodes.push_back(number[at(n)]);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

}  // namespace

namespace {

std::vector<std::int32_t> select_any(const NodeSelection& selection, std::span<const Vec3> places,
                                     std::span<const NodeSet> sets, std::span<const std::int32_t> order) {
    std::vector<std::int32_t> nodes;
    if (selection.kind == NodeSelection::Kind::side) {
        nodes = select_side(selection, places);
    } else if (selection.kind == NodeSelection::Kind::nearest) {
        nodes = select_nearest(selection, places);
    } else if (selection.kind == NodeSelection::Kind::set) {
        nodes = select_set(selection, sets);
    } else if (selection.kind == NodeSelection::Kind::list) {
        nodes = select_list(selection, places.size(), order);
    } else {
        for (std::size_t n = 0; n < places.size(); ++n) {
            if (is_selected(selection, places[n])) nodes.push_back(static_cast<std::int32_t>(n));
        }
    }
    if (nodes.empty()) throw Error("a place that holds no node; expected one within the body");
    return nodes;
}

}  // namespace

std::vector<std::int32_t> select_nodes(const NodeSelection& selection, std::span<const Vec3> places,
                                       std::span<const NodeSet> sets, std::span<const std::int32_t> order) {
    try {
        return select_any(selection, places, sets, order);
    } catch (const Error& error) {
        rethrow_at(error, "", selection.line);
    }
}

std::vector<std::array<std::int32_t, 3>> select_triangles(std::span<const std::array<std::int32_t, 3>> surface,
                                                          std::span<const std::int32_t> nodes, std::size_t count) {
    std::vector<std::uint8_t> chosen(count, 0);
    for (const std::int32_t n : nodes) chosen[at(n)] = 1;
    std::vector<std::array<std::int32_t, 3>> triangles;
    for (const auto& t : surface) {
        if (chosen[at(t[0])] != 0 && chosen[at(t[1])] != 0 && chosen[at(t[2])] != 0) triangles.push_back(t);
    }
    if (triangles.empty()) throw Error("a load on no part of the surface; expected a place with whole triangles of it");
    return triangles;
}

}  // namespace plica
