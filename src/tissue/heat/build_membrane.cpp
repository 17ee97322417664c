#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "geometry/mesh/membrane.hpp"
#include "tissue/heat/forces.hpp"
#include "tissue/heat/membrane.hpp"

namespace plica::heat {
namespace {

// Below this an edge would have no stiffness, or a negative one.
constexpr double least_weight = 0.1;

void need(bool fine, const char* name, double value, const char* expected) {
    if (!fine || !std::isfinite(value))
        throw Error(fmt::format("membrane: {} is {}, expected {}", name, value, expected));
}

void check(const Settings& s) {
    const auto positive = [](const char* name, double value) { need(value > 0.0, name, value, "more than 0"); };
    const auto not_negative = [](const char* name, double value) { need(value >= 0.0, name, value, "0 or more"); };
    positive("capacity", s.capacity);
    positive("relaxation", s.relaxation);
    positive("conductivity", s.conductivity);
    positive("young", s.young);
    positive("anchor", s.anchor);
    positive("density", s.density);
    not_negative("coupling", s.coupling);
    not_negative("bulk", s.bulk);
    not_negative("drag", s.area_damping);
    not_negative("edge_damping", s.edge_damping);
    need(s.smoothing >= 0.0 && s.smoothing <= 1.0, "smoothing", s.smoothing, "0 to 1");
    not_negative("contrast_power", s.contrast_power);
    need(s.contrast_most >= 1.0, "contrast_most", s.contrast_most, "1 or more");
    positive("punch_radius", s.punch_radius);
    positive("punch_young", s.punch_young);
    if (s.motion == Motion::euler)  // without damping it is stable at no step
        need(s.area_damping > 0.0, "drag", s.area_damping, "more than 0 with explicit motion");
    need(s.punch_poisson > -1.0 && s.punch_poisson <= 0.5, "punch_poisson", s.punch_poisson, "-1 to 0.5");
}

void check_count(const char* name, std::size_t found, std::size_t expected) {
    if (found != 0 && found != expected)
        throw Error(fmt::format("membrane: {} {} for {} nodes, expected none or one each", found, name, expected));
}

double contrast(const Settings& s, double most, double k) {
    return std::min(elementary::pow(most / k, s.contrast_power), s.contrast_most);
}

void add_nodes(Membrane& m) {
    const Settings& s = m.settings;
    const double most = *std::max_element(m.conductivity.begin(), m.conductivity.end());
    for (const double area : m.conduction.area) m.rest_area += area;
    const double mean = m.rest_area / static_cast<double>(m.size());
    for (std::size_t i = 0; i < m.size(); ++i) {
        const double area = m.conduction.area[i];
        m.mass.push_back(s.density * (s.even ? mean : area));
        m.damping.push_back(s.area_damping / s.density);
        m.anchor.push_back(s.anchor * contrast(s, most, m.conductivity[i]) * area);
    }
}

// The edge between two triangles that make a rectangle. Its weight in the heat is zero, so that a net of rectangles
// conducts as Zhong 2005, eq. 9 has it.
bool is_diagonal(const Membrane& m, const SurfaceMesh& mesh, const SurfaceEdge& edge) {
    constexpr double rounding = 1e-6;
    if (edge.face[1] < 0) return false;
    Vec3 corner[2], normal[2];
    for (std::size_t f = 0; f < 2; ++f) {
        const auto& t = mesh.triangles[at(edge.face[f])];
        for (const std::int32_t n : t) corner[f] = n != edge.a && n != edge.b ? m.rest[at(n)] : corner[f];
        const Vec3 p = m.rest[at(edge.a)] - corner[f], q = m.rest[at(edge.b)] - corner[f];
        normal[f] = cross(p, q) / (norm(p) * norm(q));
        if (std::abs(dot(p, q)) > rounding * norm(p) * norm(q)) return false;
    }
    const Vec3 other = corner[0] + corner[1] - m.rest[at(edge.a)] - m.rest[at(edge.b)];
    return norm(cross(normal[0], normal[1])) < rounding && norm(other) < rounding * distance(corner[0], corner[1]);
}

// Zhong 2005, eq. 18 has no width: its edges pull harder the more of them there are. Ours have their dual length.
void add_edges(const SurfaceMesh& mesh, Membrane& m) {
    const Settings& s = m.settings;
    const double most = *std::max_element(m.conductivity.begin(), m.conductivity.end());
    for (std::size_t e = 0; e < m.conduction.edges.size(); ++e) {
        const auto [a, b, face] = m.conduction.edges[e];
        if (s.quads && is_diagonal(m, mesh, m.conduction.edges[e])) {
            ++m.quads;
            continue;
        }
        const double length = distance(m.rest[at(a)], m.rest[at(b)]);
        const double weight = std::max(m.conduction.weight[e], least_weight);
        const double k = 2.0 / (1.0 / m.conductivity[at(a)] + 1.0 / m.conductivity[at(b)]);
        MembraneEdge edge{a, b};
        edge.inverse_square = 1.0 / (length * length);
        edge.energy = 1.5 * s.young * weight * length * length * contrast(s, most, k);
        edge.tension = s.mode == Mode::complete ? s.coupling * k * weight * length : k;
        m.edges.push_back(edge);
    }
}

bool is_rooted(const Membrane& m, std::span<const std::int32_t> nodes) {
    std::vector<Vec3> held;
    for (const std::int32_t n : nodes) {
        if (m.fixed[at(n)] != 0) held.push_back(m.rest[at(n)]);
    }
    if (held.size() < 3) return false;
    const auto farther = [&](const Vec3& p, const Vec3& q) { return distance(p, held[0]) < distance(q, held[0]); };
    const Vec3 line = *std::max_element(held.begin(), held.end(), farther) - held[0];
    return std::any_of(held.begin(), held.end(),
                       [&](const Vec3& p) { return norm(cross(p - held[0], line)) > 1e-3 * squared_norm(line); });
}

void measure(Membrane& m, Piece& piece) {
    for (const std::int32_t n : nodes_of(m, piece)) {
        piece.mass += m.mass[at(n)];
        piece.anchors += m.anchor[at(n)];
        piece.centre += m.rest[at(n)] * m.anchor[at(n)];
        piece.fixed = piece.fixed || m.fixed[at(n)] != 0;
    }
    piece.centre = piece.centre / piece.anchors;
    piece.rooted = is_rooted(m, nodes_of(m, piece));
    if (piece.closed) piece.volume = compute_volume(m, piece, m.rest);
    piece.closed = piece.closed && piece.volume != 0.0;
}

void add_pieces(const SurfaceMesh& mesh, const MembraneReport& report, Membrane& m) {
    for (std::size_t p = 0; p < report.closed.size(); ++p) {
        Piece piece;
        piece.closed = report.closed[p] != 0;
        piece.first_node = static_cast<std::int32_t>(m.piece_nodes.size());
        piece.first_triangle = static_cast<std::int32_t>(m.triangles.size());
        for (std::int32_t n = 0; n < m.nodes; ++n) {
            if (at(report.piece[at(n)]) == p) m.piece_nodes.push_back(n);
        }
        for (const auto& t : mesh.triangles) {
            if (at(report.piece[at(t[0])]) == p) m.triangles.push_back(t);
        }
        piece.nodes = static_cast<std::int32_t>(m.piece_nodes.size()) - piece.first_node;
        piece.triangles = static_cast<std::int32_t>(m.triangles.size()) - piece.first_triangle;
        measure(m, piece);
        m.pieces.push_back(piece);
    }
}

// With all triangles of a piece facing the same side; its nodes and triangles are as they were.
SurfaceMesh check(const SurfaceMesh& given, MembraneReport& report) {
    SurfaceMesh mesh = given;
    report = check_membrane(mesh, "membrane");
    for (std::size_t i = 0; i < given.nodes.size(); ++i) {
        if (i >= report.old_node.size() || at(report.old_node[i]) != i)
            throw Error(fmt::format("membrane: node {} is of no triangle", i));
    }
    return mesh;
}

// What heat flows by. As printed, conductivities are inside the Laplacian: W is then that of 1.
Conduction make_conduction(const SurfaceMesh& mesh, const Membrane& m, std::span<const FaceConductivity> tensors) {
    const std::vector<FaceConductivity> scalars = conductivity_of_faces(mesh, m.conductivity);
    if (m.settings.spread == Spread::printed) {
        if (!tensors.empty())
            throw Error("membrane: conductivities that are tensors, expected numbers: eq. 10 and 12 know no others");
        return build_conduction(mesh, std::vector<FaceConductivity>(mesh.triangles.size(), {1.0, 1.0, {}}));
    }
    return build_conduction(mesh, tensors.empty() ? std::span<const FaceConductivity>(scalars) : tensors);
}

std::vector<std::uint8_t> flags(std::span<const std::uint8_t> given, std::size_t nodes) {
    return given.empty() ? std::vector<std::uint8_t>(nodes, 0) : std::vector<std::uint8_t>(given.begin(), given.end());
}

}  // namespace

Membrane build_membrane(const SurfaceMesh& given, std::span<const double> conductivity_of_nodes,
                        std::span<const FaceConductivity> tensors, std::span<const std::uint8_t> fixed,
                        std::span<const std::uint8_t> cold, const Settings& settings) {
    check(settings);
    MembraneReport report;
    const SurfaceMesh mesh = check(given, report);
    check_count("conductivities", conductivity_of_nodes.size(), mesh.nodes.size());
    check_count("flags of fixed nodes", fixed.size(), mesh.nodes.size());
    check_count("flags of cold nodes", cold.size(), mesh.nodes.size());
    Membrane m;
    m.nodes = static_cast<std::int32_t>(mesh.nodes.size());
    m.settings = settings;
    m.rest = mesh.nodes;
    m.conductivity.assign(conductivity_of_nodes.begin(), conductivity_of_nodes.end());
    if (m.conductivity.empty()) m.conductivity.assign(mesh.nodes.size(), settings.conductivity);
    m.conduction = make_conduction(mesh, m, tensors);
    m.fixed = flags(fixed, m.size());
    m.cold = flags(cold, m.size());
    add_nodes(m);
    add_edges(mesh, m);
    add_pieces(mesh, report, m);
    return m;
}

}  // namespace plica::heat
