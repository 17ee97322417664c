#include "scene/file/read_environment.hpp"

namespace plica {
namespace {

Vec3 read_direction(TableReader& reader, const std::string& key, const Vec3& standard) {
    const Vec3 direction = reader.vector(key, standard);
    if (norm(direction) == 0.0)
        reader.complain(key, key + ": found a zero vector, expected a direction like [0, 0, 1]");
    return normalized(direction);
}

void read_solid(TableReader& environment, const std::string& key, const std::vector<std::string>& kinds,
                SceneDescription& scene) {
    const toml::table* table = environment.table(key);
    if (table == nullptr) return;
    TableReader reader(*table, environment.path_of(key), environment.mistakes());
    Wall wall;
    wall.friction = reader.number("friction", scene.contact.friction, friction_range);
    const std::string kind = reader.choice("kind", kinds[0], kinds);
    wall.center = reader.vector(kind == "plane" ? "point" : "center", {});
    if (kind == "plane") {
        wall.kind = WallKind::plane;
        wall.normal = read_direction(reader, "normal", {0, 0, 1});
    } else if (kind == "bowl") {
        wall.kind = WallKind::bowl;
        const double radius = reader.number("radius", 0.15, positive);
        wall.radii = {radius, radius, radius};
    } else {
        wall.kind = WallKind::ellipsoid;
        wall.radii = reader.vector("radii", {0.22, 0.22, 0.16}, positive);
    }
    reader.finish();
    scene.walls.push_back(wall);
}

// A value that a table of its own cannot do without.
double read_required(TableReader& reader, const std::string& key, const std::string& example, Range range) {
    if (!reader.has(key)) reader.complain(key, reader.path_of(key) + ": found none, expected a line like " + example);
    return reader.number(key, range.hi, range);
}

void read_gravity_turn(TableReader& environment, SceneDescription& scene) {
    const toml::table* table = environment.table("gravity_turn");
    if (table == nullptr) return;
    TableReader reader(*table, environment.path_of("gravity_turn"), environment.mistakes());
    GravityTurn turn;
    turn.every = read_required(reader, "every", "every = 2.0", {1e-3, 1e6});
    turn.axes = reader.vectors("axes", {{1, 0, 0}});
    for (Vec3& axis : turn.axes) {
        if (norm(axis) == 0.0)
            reader.complain("axes", "axes: found a zero vector, expected directions like [[1, 0, 0], [0, 0, 1]]");
        axis = normalized(axis);
    }
    reader.finish();
    scene.gravity_turn = turn;
}

void read_shake(TableReader& environment, SceneDescription& scene) {
    const toml::table* table = environment.table("shake");
    if (table == nullptr) return;
    TableReader reader(*table, environment.path_of("shake"), environment.mistakes());
    Shake shake;
    shake.amplitude = read_required(reader, "amplitude", "amplitude = 0.02", {0.0, 10.0});
    shake.frequency = read_required(reader, "frequency", "frequency = 3.0", {0.0, 1000.0, true});
    shake.direction = read_direction(reader, "direction", {1, 0, 0});
    reader.finish();
    scene.shake = shake;
}

}  // namespace

void read_environment(TableReader& reader, SceneDescription& scene) {
    scene.gravity = reader.vector("gravity", scene.gravity, {-1000.0, 1000.0});
    scene.drag = reader.number("drag", scene.drag, {0.0, 1000.0});
    read_gravity_turn(reader, scene);
    read_shake(reader, scene);
    read_solid(reader, "plane", {"plane"}, scene);
    read_solid(reader, "bowl", {"bowl"}, scene);
    read_solid(reader, "cavity", {"ellipsoid"}, scene);
    reader.finish();
}

}  // namespace plica
