#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "geometry/mesh/shapes.hpp"

// NiftySim models as texts, and what a block of their neo-Hookean material does.
namespace plica::testing {

inline constexpr double mu = 1000.0, kappa = 5000.0;  // Pa
inline constexpr double side = 0.1;                   // m

inline std::string list(const std::vector<std::int32_t>& numbers) {
    std::string text;
    for (const std::int32_t n : numbers) fmt::format_to(std::back_inserter(text), "{} ", n);
    return text;
}

// Nodes where a coordinate has this value.
inline std::vector<std::int32_t> nodes_at(const VolumeMesh& mesh, int axis, double value) {
    std::vector<std::int32_t> nodes;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
        const Vec3& p = mesh.nodes[n];
        const double c = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
        if (std::abs(c - value) < 1e-9) nodes.push_back(static_cast<std::int32_t>(n));
    }
    return nodes;
}

inline VolumeMesh moved(VolumeMesh mesh, const Vec3& by) {
    for (Vec3& p : mesh.nodes) p += by;
    return mesh;
}

inline VolumeMesh make_cube(bool hexahedra, int cells) {
    const Vec3 high{side, side, side};
    return hexahedra ? make_hexahedral_block({}, high, {cells, cells, cells})
                     : make_tetrahedral_block({}, high, {cells, cells, cells});
}

inline std::string mesh_text(const VolumeMesh& mesh, const std::string& type) {
    std::string text = fmt::format("<Nodes DOF=\"3\" NumNodes=\"{}\">\n", mesh.nodes.size());
    const auto out = std::back_inserter(text);
    for (const Vec3& p : mesh.nodes) fmt::format_to(out, "{} {} {}\n", p.x, p.y, p.z);
    fmt::format_to(out, "</Nodes>\n<Elements NumEls=\"{}\" Type=\"{}\">\n", mesh.cells(), type);
    for (const auto& cell : mesh.tetrahedra) text += list({cell.begin(), cell.end()}) + "\n";
    for (const auto& cell : mesh.hexahedra) text += list({cell.begin(), cell.end()}) + "\n";
    return text + "</Elements>\n";
}

inline std::string material_text(double shear = mu, const std::string& size = "all", const std::string& members = "0") {
    return fmt::format(
        "<ElementSet Size=\"{}\"><Material Type=\"NH\"><ElasticParams NumParams=\"2\">{} {}</ElasticParams>"
        "</Material>{}</ElementSet>\n",
        size, shear, kappa, members);
}

inline std::string constraint_text(const std::string& attributes, const std::vector<std::int32_t>& nodes,
                                   const std::string& rest = "") {
    return fmt::format("<Constraint {} NumNodes=\"{}\"><Nodes>{}</Nodes>{}</Constraint>\n", attributes, nodes.size(),
                       list(nodes), rest);
}

inline std::string uniform(double value) {
    return fmt::format("<Magnitudes Type=\"UNIFORM\">{}</Magnitudes>", value);
}

// Three sides of a cube on rollers.
inline std::string rollers(const VolumeMesh& mesh) {
    return constraint_text("Type=\"Fix\" DOF=\"0\"", nodes_at(mesh, 0, 0.0)) +
           constraint_text("Type=\"Fix\" DOF=\"1\"", nodes_at(mesh, 1, 0.0)) +
           constraint_text("Type=\"Fix\" DOF=\"2\"", nodes_at(mesh, 2, 0.0));
}

inline std::string system_text(double time, double step, double damping) {
    return fmt::format(
        "<SystemParams><TimeStep>{}</TimeStep><TotalTime>{}</TotalTime><DampingCoeff>{}</DampingCoeff>"
        "<Density>1000</Density></SystemParams>\n",
        step, time, damping);
}

// The same with more among the parameters, switches of contact say.
inline std::string system_text(double time, double step, double damping, const std::string& more) {
    std::string text = system_text(time, step, damping);
    return text.insert(text.find("</SystemParams>"), more);
}

// A rectangle at this height, seen by what is below it, as a rigid surface of squares.
inline std::string sheet_text(double low, double high, double z, const std::string& more, int cells = 2) {
    std::string nodes, squares;
    const auto at = [&](int i) { return low + (high - low) * i / cells; };
    for (int i = 0; i <= cells; ++i) {
        for (int j = 0; j <= cells; ++j) fmt::format_to(std::back_inserter(nodes), "{} {} {}\n", at(i), at(j), z);
    }
    const auto number = [&](int i, int j) { return (cells + 1) * i + j; };
    for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < cells; ++j)
            squares += list({number(i, j), number(i, j + 1), number(i + 1, j + 1), number(i + 1, j)}) + "\n";
    }
    return fmt::format(
        "<ContactSurface>\n<Nodes NumNodes=\"{}\">\n{}</Nodes>\n<Elements NumEls=\"{}\" Type=\"Q4\">\n{}</Elements>\n"
        "{}</ContactSurface>\n",
        (cells + 1) * (cells + 1), nodes, cells * cells, squares, more);
}

inline std::string model_text(const std::string& content) {
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Model>\n" + content + "</Model>\n";
}

// W = mu/2 (J^(-2/3) I1 - 3) + kappa/2 (J - 1)^2; principal first Piola stresses at stretches a along x, b across, Pa.
struct Stresses {
    double along, across;
};
inline Stresses neo_hookean(double shear, double a, double b) {
    const double j = a * b * b, i1 = a * a + 2.0 * b * b, y2 = std::pow(j, -2.0 / 3.0);
    const auto stress = [&](double l) { return shear * y2 * (l - i1 / (3.0 * l)) + kappa * (j - 1.0) * j / l; };
    return {stress(a), stress(b)};
}

// The stretch across at which nothing acts there.
inline double free_width(double shear, double a) {
    double low = 0.3, high = 2.0;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        (neo_hookean(shear, a, middle).across > 0.0 ? high : low) = middle;
    }
    return low;
}

// The stretch along x at which Cauchy's stress is this, the sides free, Pa.
inline double stretch_under(double shear, double stress) {
    double low = 0.3, high = 2.0;
    for (int i = 0; i < 200; ++i) {
        const double a = 0.5 * (low + high), b = free_width(shear, a);
        (neo_hookean(shear, a, b).along / (b * b) > stress ? high : low) = a;
    }
    return low;
}

}  // namespace plica::testing
