#include "scene/anatomy/membrane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "geometry/mesh/membrane.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "geometry/mesh/shapes.hpp"
#include "scene/anatomy/organ.hpp"

namespace plica {
namespace {

SurfaceMesh make_shape(const MembraneDescription& m) {
    if (m.shape == "plane" || m.shape == "net") return make_plane(m.size.x, m.size.y, m.columns, m.rows);
    if (m.shape == "sphere") return make_superquadric(m.nodes, 1.0, {m.radius, m.radius, m.radius});
    if (m.shape == "liver") return make_liver_surface(m.fineness);
    return make_superquadric(m.nodes, m.exponent, m.size * 0.5);
}

// m, half of the largest extent
double half_size_of(const SurfaceMesh& mesh) {
    Vec3 low = mesh.nodes.front(), high = low;
    for (const Vec3& p : mesh.nodes) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return 0.5 * std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

}  // namespace

SurfaceMesh make_membrane_mesh(const MembraneDescription& membrane, std::vector<std::int32_t>* old_node) {
    const bool from_file = !membrane.mesh.empty();
    SurfaceMesh mesh =
        from_file ? read_surface_mesh(*membrane.files, membrane.mesh, membrane.scale) : make_shape(membrane);
    MembraneReport report = check_membrane(mesh, from_file ? membrane.mesh : "the surface");
    if (old_node != nullptr) *old_node = std::move(report.old_node);
    for (Vec3& p : mesh.nodes) p = turn_about_axes(p, membrane.turn) + membrane.center;
    return mesh;
}

std::vector<double> find_conductivities(const MembraneDescription& membrane, const SurfaceMesh& mesh,
                                        std::span<const std::int32_t> old_node) {
    const std::string& name = membrane.conductivity_from;
    if (name.empty()) return {};
    std::vector<std::string> names;
    for (const NodeValues& values : mesh.values) {
        names.push_back(values.name);
        if (values.name != name) continue;
        for (std::size_t n = 0; n < values.numbers.size(); ++n) {
            const double k = values.numbers[n];
            if (std::isfinite(k) && k > 0.0) continue;
            throw Error(fmt::format("{}: {} of node {} is {}, expected a finite number above 0", membrane.mesh, name,
                                    old_node[n], k));
        }
        return values.numbers;
    }
    throw Error(fmt::format(
        "{}: found no values \"{}\" of its nodes, expected {}", membrane.mesh, name,
        names.empty() ? "a file that has some (a property of PLY vertices, VTK point data)" : join_choices(names)));
}

heat::Settings fill_settings(const MembraneDescription& membrane, const SurfaceMesh& mesh) {
    const double half_size = half_size_of(mesh);
    const double load = membrane.load > 0.0 ? membrane.load : standard_load * half_size * half_size;
    const heat::Settings standard = heat::scale_settings({}, half_size, load);
    heat::Settings settings = membrane.settings;
    for (double heat::Settings::* each : sized_settings) {
        if (std::isnan(settings.*each)) settings.*each = standard.*each;
    }
    return settings;
}

}  // namespace plica
