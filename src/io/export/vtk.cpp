#include "io/export/vtk.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/atomic_file.hpp"
#include "io/export/frame_check.hpp"
#include "io/export/vtk_numbers.hpp"

namespace plica {
namespace {

using vtk::put;

void put_points(std::string& text, std::span<const Vec3> positions) {
    text += "POINTS " + std::to_string(positions.size()) + " double\n";
    for (const Vec3& p : positions) put(text, p);
    text += '\n';
}

void put_lines(std::string& text, const std::vector<Capsule>& lines) {
    if (lines.empty()) return;
    text += "LINES " + std::to_string(lines.size()) + ' ' + std::to_string(3 * lines.size()) + '\n';
    for (const Capsule& c : lines) {
        for (const std::int32_t value : {2, c.a, c.b}) put(text, value);
    }
    text += '\n';
}

void put_polygons(std::string& text, const std::vector<Triangle>& triangles) {
    if (triangles.empty()) return;
    text += "POLYGONS " + std::to_string(triangles.size()) + ' ' + std::to_string(4 * triangles.size()) + '\n';
    for (const Triangle& t : triangles) {
        for (const std::int32_t value : {3, t.a, t.b, t.c}) put(text, value);
    }
    text += '\n';
}

void put_cell_data(std::string& text, const std::vector<Capsule>& lines, const std::vector<Triangle>& triangles) {
    if (lines.empty() && triangles.empty()) return;
    text += "CELL_DATA " + std::to_string(lines.size() + triangles.size()) + '\n';
    text += "SCALARS radius double 1\nLOOKUP_TABLE default\n";
    for (const Capsule& c : lines) put(text, c.radius);
    for (const Triangle& t : triangles) put(text, t.half_thickness);
    text += "\nSCALARS body int 1\nLOOKUP_TABLE default\n";
    for (const Capsule& c : lines) put(text, c.body);
    for (const Triangle& t : triangles) put(text, t.body);
    text += '\n';
}

std::string name_in_vtk(const std::string& name) {
    std::string text;
    for (const char c : name) {
        const bool plain = c > ' ' && c < 0x7F && c != '%' && c != '"';
        text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return text;
}

void put_point_data(std::string& text, std::span<const PointField> fields, std::size_t points) {
    if (fields.empty()) return;
    text += "POINT_DATA " + std::to_string(points) + '\n';
    for (const PointField& field : fields) {
        text += "SCALARS " + name_in_vtk(field.name) + " double 1\nLOOKUP_TABLE default\n";
        for (const float value : field.values) put(text, static_cast<double>(value));
        text += '\n';
    }
}

}  // namespace

void write_vtk_frame(const std::string& path, std::span<const Vec3> positions, const Surface& surface) {
    write_vtk_frame_with({}, path, positions, surface);
}

void write_vtk_frame_with(std::span<const PointField> fields, const std::string& path, std::span<const Vec3> positions,
                          const Surface& surface) {
    check_surface_nodes(path, surface, positions.size());
    std::vector<Capsule> lines;
    for (const Capsule& c : surface.capsules) {
        if (c.a != c.b) lines.push_back(c);
    }
    std::string text = "# vtk DataFile Version 3.0\nPlica frame\nBINARY\nDATASET POLYDATA\n";
    put_points(text, positions);
    put_lines(text, lines);
    put_polygons(text, surface.triangles);
    put_cell_data(text, lines, surface.triangles);
    put_point_data(text, fields, positions.size());
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace plica
