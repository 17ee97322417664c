#include "tissue/heat/conduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/index.hpp"

namespace plica::heat {
namespace {

using Triangle = std::array<std::int32_t, 3>;
using Three = std::array<double, 3>;

// Below this an edge's weight is rounding: the right angles of a grid have a cotangent of zero.
constexpr double rounding_weight = 1e-9;

bool positive(double k) {
    return k > 0.0 && std::isfinite(k);
}

// The sides of a face: side s lies opposite its corner s.
std::array<Vec3, 3> sides_of(const SurfaceMesh& mesh, const Triangle& t) {
    const std::array<Vec3, 3> x{mesh.nodes[at(t[0])], mesh.nodes[at(t[1])], mesh.nodes[at(t[2])]};
    return {x[2] - x[1], x[0] - x[2], x[1] - x[0]};
}

// What flows between the ends of side s for a difference of 1: -area grad(i) . K grad(j), where grad(i) = n x side_i /
// (2 area). With K = k this is k cot(corner s) / 2. The same as cotangents in the metric of K^-1, times sqrt(det K).
Three conductance_of(const std::array<Vec3, 3>& side, const FaceConductivity& k, std::size_t face) {
    const Vec3 normal = cross(side[0], side[1]);
    const double twice_area = norm(normal);
    Three g{};
    if (k.along == k.across) {
        for (std::size_t s = 0; s < 3; ++s)
            g[s] = -k.along * dot(side[(s + 1) % 3], side[(s + 2) % 3]) / (2.0 * twice_area);
        return g;
    }
    const Vec3 n = normal / twice_area;
    const Vec3 laid = k.direction - dot(k.direction, n) * n;
    if (!(norm(laid) > 1e-6 * norm(k.direction)))
        throw Error(fmt::format("face {}: the direction ({}, {}, {}) of its conductivity has no part in the face", face,
                                k.direction.x, k.direction.y, k.direction.z));
    const Vec3 d = normalized(laid);
    const Vec3 c = cross(n, d);
    for (std::size_t s = 0; s < 3; ++s) {
        const Vec3& p = side[(s + 1) % 3];
        const Vec3& q = side[(s + 2) % 3];
        g[s] = -(k.along * dot(p, c) * dot(q, c) + k.across * dot(p, d) * dot(q, d)) / (2.0 * twice_area);
    }
    return g;
}

// The corners' shares in a face's area.
Three mixed_areas(const std::array<Vec3, 3>& side, const Three& cotangent) {
    const double area = 0.5 * norm(cross(side[0], side[1]));
    for (std::size_t s = 0; s < 3; ++s) {
        if (cotangent[s] >= 0.0) continue;
        Three share{area / 4.0, area / 4.0, area / 4.0};
        share[s] = area / 2.0;
        return share;
    }
    Three share{};
    for (std::size_t s = 0; s < 3; ++s) {
        const std::size_t p = (s + 1) % 3;
        const std::size_t q = (s + 2) % 3;
        share[s] = (squared_norm(side[p]) * cotangent[p] + squared_norm(side[q]) * cotangent[q]) / 8.0;
    }
    return share;
}

struct FaceSide {
    std::int32_t a, b, face, slot;
};

std::vector<FaceSide> sorted_sides(const SurfaceMesh& mesh) {
    std::vector<FaceSide> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        const Triangle& t = mesh.triangles[f];
        for (std::size_t s = 0; s < 3; ++s) {
            const std::int32_t p = t[(s + 1) % 3];
            const std::int32_t q = t[(s + 2) % 3];
            sides.push_back(
                {std::min(p, q), std::max(p, q), static_cast<std::int32_t>(f), static_cast<std::int32_t>(s)});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const FaceSide& p, const FaceSide& q) {
        return std::array{p.a, p.b, p.face} < std::array{q.a, q.b, q.face};
    });
    return sides;
}

void check(const SurfaceMesh& mesh, std::span<const FaceConductivity> of_faces) {
    if (of_faces.size() != mesh.triangles.size())
        throw Error(
            fmt::format("{} conductivities for {} faces, expected one each", of_faces.size(), mesh.triangles.size()));
    for (std::size_t f = 0; f < of_faces.size(); ++f) {
        if (positive(of_faces[f].along) && positive(of_faces[f].across)) continue;
        throw Error(fmt::format("face {}: conductivity {} along and {} across, expected positive numbers", f,
                                of_faces[f].along, of_faces[f].across));
    }
}

struct Faces {
    std::vector<Three> cotangent, conductance;  // per face and slot
};

// Edges with their two weights; returns the conductances.
std::vector<double> add_edges(const SurfaceMesh& mesh, const Faces& faces, Conduction& result) {
    std::vector<double> conductance;
    for (const FaceSide& s : sorted_sides(mesh)) {
        const bool next = !result.edges.empty() && result.edges.back().a == s.a && result.edges.back().b == s.b;
        if (next && result.edges.back().face[1] >= 0)
            throw Error(fmt::format("the edge between the nodes {} and {} has more than two faces", s.a, s.b));
        if (next) {
            result.edges.back().face[1] = s.face;
        } else {
            result.edges.push_back({s.a, s.b, {s.face, -1}});
            result.weight.push_back(0.0);
            conductance.push_back(0.0);
        }
        result.weight.back() += 0.5 * faces.cotangent[at(s.face)][at(s.slot)];
        conductance.back() += faces.conductance[at(s.face)][at(s.slot)];
    }
    return conductance;
}

}  // namespace

std::array<double, 3> compute_cotangents(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double twice_area = norm(cross(b - a, c - a));
    return {dot(b - a, c - a) / twice_area, dot(c - b, a - b) / twice_area, dot(a - c, b - c) / twice_area};
}

Conduction build_conduction(const SurfaceMesh& mesh, std::span<const FaceConductivity> of_faces) {
    check(mesh, of_faces);
    Conduction result;
    result.area.assign(mesh.nodes.size(), 0.0);
    Faces faces;
    double largest = 0.0;
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        const Triangle& t = mesh.triangles[f];
        const std::array<Vec3, 3> side = sides_of(mesh, t);
        faces.cotangent.push_back(compute_cotangents(mesh.nodes[at(t[0])], mesh.nodes[at(t[1])], mesh.nodes[at(t[2])]));
        faces.conductance.push_back(conductance_of(side, of_faces[f], f));
        const Three share = mixed_areas(side, faces.cotangent.back());
        for (std::size_t s = 0; s < 3; ++s) result.area[at(t[s])] += share[s];
        largest = std::max({largest, of_faces[f].along, of_faces[f].across});
    }
    const std::vector<double> conductance = add_edges(mesh, faces, result);
    std::vector<Link> links;
    links.reserve(result.edges.size());
    for (const SurfaceEdge& e : result.edges) links.push_back({e.a, e.b});
    result.stiffness = make_pattern(mesh.nodes.size(), links);
    for (std::size_t e = 0; e < links.size(); ++e) {
        add_link(result.stiffness, links[e], conductance[e]);
        result.obtuse_edges += result.weight[e] < -rounding_weight ? 1 : 0;
        result.backward_links += conductance[e] < -rounding_weight * largest ? 1 : 0;
    }
    result.explicit_limit = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < result.area.size(); ++i) {
        const auto row = static_cast<std::int32_t>(i);
        const double leaving = value_at(result.stiffness, row, row);
        if (leaving > 0.0) result.explicit_limit = std::min(result.explicit_limit, result.area[i] / leaving);
    }
    return result;
}

std::vector<FaceConductivity> conductivity_of_faces(const SurfaceMesh& mesh, std::span<const double> of_nodes) {
    if (of_nodes.size() != mesh.nodes.size())
        throw Error(
            fmt::format("{} conductivities for {} nodes, expected one each", of_nodes.size(), mesh.nodes.size()));
    for (std::size_t i = 0; i < of_nodes.size(); ++i) {
        if (!positive(of_nodes[i]))
            throw Error(fmt::format("node {}: conductivity {}, expected a positive number", i, of_nodes[i]));
    }
    std::vector<FaceConductivity> result;
    result.reserve(mesh.triangles.size());
    for (const Triangle& t : mesh.triangles) {
        const double k = 3.0 / (1.0 / of_nodes[at(t[0])] + 1.0 / of_nodes[at(t[1])] + 1.0 / of_nodes[at(t[2])]);
        result.push_back({k, k, {}});
    }
    return result;
}

}  // namespace plica::heat
