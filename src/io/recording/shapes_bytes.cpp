#include "io/recording/shapes_bytes.hpp"

#include <cstdint>

namespace plica::recording_format {
namespace {

constexpr double farthest = 1e9;       // m; far from where anybody's numbers overflow
constexpr double strongest = 1e300;    // of numbers that are only told
constexpr std::size_t least_text = 8;  // bytes of an empty one

void put_body(std::string& bytes, const Body& body) {
    put_text(bytes, body.name);
    put_text(bytes, std::string(traits_of(body.tissue).name));
    put_text(bytes, body.shape);
    for (const std::int32_t value : {body.first_node, body.nodes, body.tool}) put_i32(bytes, value);
    put_u32(bytes, body.open ? 1 : 0);
    put_u64(bytes, body.exempt.size());
    for (const std::int32_t node : body.exempt) put_i32(bytes, node);
}

// A tissue that this program has no name for is one from outside.
Body take_body(ByteCursor& cursor, std::int32_t nodes, std::int32_t tools) {
    Body body;
    body.name = cursor.text();
    body.tissue = find_tissue(cursor.text()).value_or(TissueKind::own);
    body.shape = cursor.text();
    body.first_node = cursor.i32(0, nodes);
    body.nodes = cursor.i32(0, nodes - body.first_node);
    body.tool = cursor.i32(-1, tools - 1);
    body.open = cursor.flag();
    body.exempt.resize(cursor.count(4));
    for (std::int32_t& node : body.exempt) node = cursor.i32(0, nodes - 1);
    return body;
}

void put_tool(std::string& bytes, const Tool& tool) {
    put_text(bytes, tool.name);
    put_u32(bytes, static_cast<std::uint32_t>(tool.kind));
    put_real(bytes, tool.radius);
    put_real(bytes, tool.max_force);
    put_i32(bytes, tool.node);
}

Tool take_tool(ByteCursor& cursor, std::int32_t nodes) {
    Tool tool;
    tool.name = cursor.text();
    tool.kind = static_cast<ToolKind>(cursor.i32(0, static_cast<std::int64_t>(ToolKind::rigid)));
    tool.radius = cursor.real(farthest);
    tool.max_force = cursor.real(strongest);
    tool.node = cursor.i32(tool.kind == ToolKind::sphere ? 0 : -1, nodes - 1);
    cursor.require(tool.radius >= 0.0);
    return tool;
}

void put_wall(std::string& bytes, const Wall& wall) {
    put_u32(bytes, static_cast<std::uint32_t>(wall.kind));
    for (const Vec3& each : {wall.center, wall.normal, wall.radii}) put_vector(bytes, each);
    put_real(bytes, wall.friction);
}

Wall take_wall(ByteCursor& cursor) {
    Wall wall;
    wall.kind = static_cast<WallKind>(cursor.i32(0, static_cast<std::int64_t>(WallKind::ellipsoid)));
    for (Vec3* each : {&wall.center, &wall.normal, &wall.radii}) *each = cursor.vector(farthest);
    wall.friction = cursor.real(strongest);
    return wall;
}

void put_surface(std::string& bytes, const Surface& surface) {
    put_u64(bytes, surface.capsules.size());
    for (const Capsule& c : surface.capsules) {
        for (const std::int32_t value : {c.a, c.b, c.body, c.chain}) put_i32(bytes, value);
        put_real(bytes, c.radius);
    }
    put_u64(bytes, surface.triangles.size());
    for (const Triangle& t : surface.triangles) {
        for (const std::int32_t value : {t.a, t.b, t.c, t.body, t.chain}) put_i32(bytes, value);
        for (const bool flag : {t.sheet, t.own}) put_u32(bytes, flag ? 1 : 0);
        put_real(bytes, t.half_thickness);
    }
}

Surface take_surface(ByteCursor& cursor, std::int32_t nodes, std::int64_t last_body) {
    Surface surface;
    surface.capsules.resize(cursor.count(24));
    for (Capsule& c : surface.capsules) {
        for (std::int32_t* node : {&c.a, &c.b}) *node = cursor.i32(0, nodes - 1);
        c.body = cursor.i32(-1, last_body);
        c.chain = cursor.i32(-1, INT32_MAX);
        c.radius = cursor.real(farthest);
        cursor.require(c.radius >= 0.0);
    }
    surface.triangles.resize(cursor.count(36));
    for (Triangle& t : surface.triangles) {
        for (std::int32_t* node : {&t.a, &t.b, &t.c}) *node = cursor.i32(0, nodes - 1);
        t.body = cursor.i32(-1, last_body);
        t.chain = cursor.i32(-1, INT32_MAX);
        for (bool* flag : {&t.sheet, &t.own}) *flag = cursor.flag();
        t.half_thickness = cursor.real(farthest);
        cursor.require(t.half_thickness >= 0.0);
    }
    return surface;
}

}  // namespace

void put_shapes(std::string& bytes, const Shapes& shapes) {
    put_u64(bytes, shapes.bodies.size());
    for (const Body& body : shapes.bodies) put_body(bytes, body);
    put_surface(bytes, without_edges(shapes.surface));
    put_u64(bytes, shapes.walls.size());
    for (const Wall& wall : shapes.walls) put_wall(bytes, wall);
    put_u64(bytes, shapes.tools.size());
    for (const Tool& tool : shapes.tools) put_tool(bytes, tool);
    put_u64(bytes, shapes.column.size());
    for (const std::int32_t column : shapes.column) put_i32(bytes, column);
    put_u64(bytes, shapes.rest.size());
    for (const Vec3& place : shapes.rest) put_vector(bytes, place);
}

Shapes take_shapes(ByteCursor& cursor, std::int32_t nodes, std::int32_t tools) {
    Shapes shapes;
    const std::size_t bodies = cursor.count(3 * least_text);
    for (std::size_t i = 0; i < bodies && cursor.ok; ++i) shapes.bodies.push_back(take_body(cursor, nodes, tools));
    const auto last_body = static_cast<std::int64_t>(bodies) - 1;
    shapes.surface = take_surface(cursor, nodes, last_body);
    shapes.walls.resize(cursor.count(84));
    for (Wall& wall : shapes.walls) wall = take_wall(cursor);
    const std::size_t count = cursor.count(least_text);
    for (std::size_t i = 0; i < count && cursor.ok; ++i) shapes.tools.push_back(take_tool(cursor, nodes));
    shapes.column.resize(cursor.count(4));
    for (std::int32_t& column : shapes.column) column = cursor.i32(-1, INT32_MAX);
    shapes.rest.resize(cursor.count(24));
    for (Vec3& place : shapes.rest) place = cursor.vector(farthest);
    // Whoever writes a recording without surfaces has none of them.
    const auto fits = [](std::size_t found, std::int32_t all) {
        return found == 0 || found == static_cast<std::size_t>(all);
    };
    const bool drawn = !shapes.surface.capsules.empty() || !shapes.surface.triangles.empty();
    cursor.require(fits(shapes.rest.size(), nodes) && fits(shapes.tools.size(), tools) &&
                   shapes.column.size() == shapes.rest.size() && (!drawn || !shapes.rest.empty()));
    return shapes;
}

void put_fields(std::string& bytes, std::span<const Field> fields) {
    put_u64(bytes, fields.size());
    for (const Field& field : fields) {
        put_text(bytes, field.name);
        put_text(bytes, field.unit);
        put_u64(bytes, field.where.size());
        for (const Field::Range& range : field.where) {
            put_i32(bytes, range.first_node);
            put_i32(bytes, range.nodes);
        }
    }
}

std::vector<Field> take_fields(ByteCursor& cursor, std::int32_t nodes) {
    std::vector<Field> fields(cursor.count(3 * least_text));
    for (Field& field : fields) {
        if (!cursor.ok) break;
        field.name = cursor.text();
        field.unit = cursor.text();
        field.where.resize(cursor.count(8));
        std::int32_t free = 0;  // ranges rise and do not overlap
        for (Field::Range& range : field.where) {
            range.first_node = cursor.i32(free, nodes);
            range.nodes = cursor.i32(0, nodes - range.first_node);
            free = range.first_node + range.nodes;
        }
    }
    return fields;
}

}  // namespace plica::recording_format
