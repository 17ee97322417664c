#include "scene/build_own.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"
#include "engine/tissues/call_own.hpp"

namespace plica {
namespace {

[[noreturn]] void complain(const BodyDescription& body, const std::string& what) {
    throw Error(fmt::format("{} ({}): {}", body.name, body.own->kind(), what));
}

// What a program hands over is looked at like a file.
void check_shape(const BodyDescription& body, const TissueShape& shape) {
    const std::size_t nodes = shape.masses.size();
    if (nodes == 0 || shape.nodes.size() != 3 * nodes) {
        complain(body, fmt::format("found {} coordinates and {} masses, expected three coordinates and a mass a node",
                                   shape.nodes.size(), nodes));
    }
    for (const double x : shape.nodes) {
        if (!std::isfinite(x)) complain(body, "found a coordinate that is no number");
    }
    for (const double m : shape.masses) {
        if (!std::isfinite(m) || m < 0.0) complain(body, fmt::format("found a mass of {} kg, expected 0 or more", m));
    }
    for (const auto& triangle : shape.triangles) {
        for (const std::int32_t n : triangle) {
            if (n >= 0 && at(n) < nodes) continue;
            complain(body, fmt::format("node {} of a triangle, expected 0 to {}", n, nodes - 1));
        }
    }
    if (!(shape.thickness > 0.0) || !std::isfinite(shape.thickness)) {
        complain(body, fmt::format("found a thickness of {} m, expected more than 0", shape.thickness));
    }
}

}  // namespace

void add_own_body(const BodyDescription& body, bool /*exact*/, Model& model) {
    const TissueShape shape = call_own(body.name, "shape", [&] { return body.own->shape(); });
    const std::string kind = call_own(body.name, "kind", [&] { return body.own->kind(); });
    const Tissue::FieldName field = call_own(body.name, "field", [&] { return body.own->field(); });
    check_shape(body, shape);
    const auto first = static_cast<std::int32_t>(model.nodes()), nodes = static_cast<std::int32_t>(shape.masses.size());
    const auto index = static_cast<std::int32_t>(model.bodies.size());
    const double half = 0.5 * shape.thickness;
    model.bodies.push_back({body.name, TissueKind::own, first, nodes, {}, kind, -1, !shape.closed});
    for (std::size_t n = 0; n < shape.masses.size(); ++n) {
        model.rest.push_back(Vec3{shape.nodes[3 * n], shape.nodes[3 * n + 1], shape.nodes[3 * n + 2]} + body.center);
        model.inverse_mass.push_back(shape.masses[n] > 0.0 ? 1.0 / shape.masses[n] : 0.0);
    }
    model.contact_radius.resize(model.rest.size(), -1.0);
    model.column.resize(model.rest.size(), -1);
    for (const auto& t : shape.triangles) {
        model.surface.triangles.push_back(
            {first + t[0], first + t[1], first + t[2], half, index, -1, -1, -1, true, shape.self_contact});
        for (const std::int32_t n : t) model.contact_radius[at(first + n)] = half;
    }
    model.of<OwnTissues>().push_back({body.own, first, nodes, field});
}

}  // namespace plica
