#include "apps/plica/dump.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "apps/plica/organ_numbers.hpp"
#include "core/error.hpp"
#include "engine/tissues/field.hpp"

namespace plica::app {
namespace {

// Segments, triangles and spheres of one body.
void add_primitives(const Surface& surface, std::size_t index, nlohmann::ordered_json& body) {
    auto segments = nlohmann::ordered_json::array();
    auto spheres = nlohmann::ordered_json::array();
    auto triangles = nlohmann::ordered_json::array();
    for (const Capsule& c : surface.capsules) {
        if (static_cast<std::size_t>(c.body) != index) continue;
        if (c.a == c.b) {
            spheres.push_back({c.a, c.radius});
        } else {
            segments.push_back({c.a, c.b, c.radius});
        }
    }
    for (const Triangle& t : surface.triangles) {
        if (static_cast<std::size_t>(t.body) == index) triangles.push_back({t.a, t.b, t.c, t.half_thickness});
    }
    body["segments"] = segments;
    body["triangles"] = triangles;
    body["tetrahedra"] = nlohmann::ordered_json::array();
    body["spheres"] = spheres;
}

// Cells of a solid body, by nodes of the world; source_cells are their numbers in the mesh that was read.
void add_cells(const tled::Organ& organ, nlohmann::ordered_json& body) {
    auto tetrahedra = nlohmann::ordered_json::array(), hexahedra = nlohmann::ordered_json::array();
    for (std::size_t c = 0; c < organ.cells(); ++c) {
        const tled::CellNodes nodes = tled::nodes_of(organ, c);
        auto cell = nlohmann::ordered_json::array();
        for (int k = 0; k < nodes.count; ++k) cell.push_back(organ.first_node + nodes.node[k]);
        (nodes.count == 4 ? tetrahedra : hexahedra).push_back(cell);
    }
    body["tetrahedra"] = tetrahedra;
    body["hexahedra"] = hexahedra;
    body["source_cells"] = organ.source;  // tetrahedra come first
}

// Where they are not those of the triangles' nodes: a graded mesentery hangs on the tube by its rim alone.
void add_triangle_columns(const Surface& surface, std::span<const std::int32_t> columns, std::size_t index,
                          nlohmann::ordered_json& body) {
    auto ranges = nlohmann::ordered_json::array();
    bool differ = false;
    for (const Triangle& t : surface.triangles) {
        if (static_cast<std::size_t>(t.body) != index) continue;
        const auto column = [&](std::int32_t node) { return columns[static_cast<std::size_t>(node)]; };
        const auto [lo, hi] = std::minmax({column(t.a), column(t.b), column(t.c)});
        const bool none = t.column_min > t.column_max;
        differ = differ || t.column_min != lo || t.column_max != hi;
        auto range = nlohmann::ordered_json::array();
        if (!none) range = {t.column_min, t.column_max};
        ranges.push_back(range);
    }
    if (differ) body["triangle_columns"] = ranges;
}

bool touches_itself(const Surface& surface, std::size_t body) {
    return std::any_of(surface.triangles.begin(), surface.triangles.end(), [body](const Triangle& t) {
        return t.sheet && t.own && static_cast<std::size_t>(t.body) == body;
    });
}

bool is_closed(const Surface& surface, std::size_t body) {
    return std::any_of(surface.triangles.begin(), surface.triangles.end(),
                       [body](const Triangle& t) { return t.chain < 0 && static_cast<std::size_t>(t.body) == body; });
}

std::string prepared(const std::string& folder) {
    make_folder(folder);
    return folder;
}

}  // namespace

void make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder)) {
        throw Error(folder + ": cannot create this folder: " + error.message(), Status::environment);
    }
}

nlohmann::ordered_json describe_shapes(const Shapes& shapes, const Model* model) {
    auto bodies = nlohmann::ordered_json::array();
    const Surface surface = without_edges(shapes.surface);
    for (std::size_t b = 0; b < shapes.bodies.size(); ++b) {
        const Body& body = shapes.bodies[b];
        nlohmann::ordered_json entry{{"name", body.name},
                                     {"tissue", traits_of(body.tissue).name},
                                     {"nodes", {body.first_node, body.first_node + body.nodes}}};
        add_primitives(surface, b, entry);
        const tled::Organ* organ = model != nullptr ? find_organ(*model, body) : nullptr;
        if (organ != nullptr) add_cells(*organ, entry);
        entry["exempt"] = body.exempt;
        if (touches_itself(surface, b)) entry["self_contact"] = true;
        if (is_closed(surface, b)) entry["closed"] = true;
        auto columns = nlohmann::ordered_json::array();
        for (std::int32_t n = body.first_node; n < body.first_node + body.nodes; ++n) {
            columns.push_back(shapes.column[static_cast<std::size_t>(n)]);
        }
        entry["columns"] = columns;
        if (body.tissue == TissueKind::mass_spring) add_triangle_columns(surface, shapes.column, b, entry);
        bodies.push_back(entry);
    }
    auto tools = nlohmann::ordered_json::array();
    for (const Tool& tool : shapes.tools) tools.push_back(tool.name);
    return {{"units", "SI"}, {"dt", shapes.dt}, {"bodies", bodies}, {"tools", tools}};
}

Dump::Dump(const std::string& folder, const RecordingHeader& world, const Model* model)
    : m_scene(prepared(folder) + "/scene.json"),
      m_rest(folder + "/rest.npy", {3}),
      m_positions(folder + "/positions.npy", {static_cast<std::size_t>(world.nodes), 3}),
      m_times(folder + "/times.npy", {}),
      m_tools(folder + "/tools.npy", {static_cast<std::size_t>(world.tools), 6}) {
    for (const Field& field : world.fields) {
        if (field.name != "temperature") continue;
        m_temperatures.emplace(folder + "/temperatures.npy", std::vector<std::size_t>{count_values(field)});
    }
    m_scene.write(
        describe_shapes(world.shapes, model).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    m_scene.write("\n");
    for (const Vec3& p : world.shapes.rest) m_rest.append(std::array{p.x, p.y, p.z});
}

void Dump::add_frame(double time, std::span<const Vec3> positions, std::span<const float> temperature) {
    m_row.clear();
    for (const Vec3& p : positions) m_row.insert(m_row.end(), {p.x, p.y, p.z});
    m_positions.append(m_row);
    m_times.append(std::span(&time, 1));
    if (!m_temperatures) return;
    m_row.assign(temperature.begin(), temperature.end());
    m_temperatures->append(m_row);
}

void Dump::add_tools(std::span<const Vec3> force, std::span<const Vec3> torque) {
    m_row.clear();
    for (std::size_t t = 0; t < force.size(); ++t) {
        m_row.insert(m_row.end(), {force[t].x, force[t].y, force[t].z, torque[t].x, torque[t].y, torque[t].z});
    }
    m_tools.append(m_row);
}

void Dump::close() {
    m_rest.close();
    m_positions.close();
    m_times.close();
    m_tools.close();
    if (m_temperatures) m_temperatures->close();
    m_scene.commit();
}

}  // namespace plica::app
