#include "scene/file/read_places.hpp"

#include <fmt/format.h>

#include <limits>

namespace plica {
namespace {

void read_side(TableReader& reader, NodeSelection& where) {
    const std::string side = reader.choice("side", "-x", {"-x", "+x", "-y", "+y", "-z", "+z"});
    where.kind = NodeSelection::Kind::side;
    where.axis = side[1] - 'x';
    where.towards_high = side[0] == '+';
}

void read_half(const toml::table& table, TableReader& reader, NodeSelection& where) {
    TableReader half(table, reader.path_of("half"), reader.mistakes());
    where.kind = NodeSelection::Kind::half;
    where.center = half.vector("point", {});
    const Vec3 normal = half.vector("normal", {0, 0, 1});
    if (norm(normal) == 0.0) {
        half.complain("normal", "normal: found a zero vector, expected a direction like [0, 0, 1]");
    }
    where.normal = normalized(normal);
    half.finish();
}

void read_list(TableReader& reader, NodeSelection& where) {
    where.kind = NodeSelection::Kind::list;
    const toml::array* list = reader.array("nodes");
    if (list == nullptr) return;
    for (const toml::node& entry : *list) {
        const auto number = entry.value<std::int64_t>();
        if (!number || *number < 0 || *number > std::numeric_limits<std::int32_t>::max()) {
            reader.complain("nodes",
                            fmt::format("nodes: found {}, expected numbers of nodes, from 0", describe(entry)));
            return;
        }
        where.nodes.push_back(static_cast<std::int32_t>(*number));
    }
}

}  // namespace

void for_each_table(TableReader& reader, const std::string& key, const std::string& example,
                    const std::function<void(TableReader&)>& read) {
    const toml::array* entries = reader.array(key);
    if (entries == nullptr) return;
    for (const toml::node& entry : *entries) {
        const toml::table* table = entry.as_table();
        if (table == nullptr) {
            reader.mistakes().add(entry.source(), reader.path_of(key),
                                  fmt::format("{}: found {}, expected {}", key, describe(entry), example));
            continue;
        }
        TableReader each(*table, reader.path_of(key), reader.mistakes());
        read(each);
        each.finish();
    }
}

bool read_mesh_path(TableReader& reader, const FileSource& files, std::string& mesh, double& scale) {
    if (!reader.has("mesh")) return false;
    if (reader.has("shape")) reader.complain("shape", "shape: found together with mesh, expected one or the other");
    reader.node("shape");
    mesh = files.locate(reader.text("mesh", ""));
    scale = reader.number("scale", 1.0, positive);
    return true;
}

NodeSelection read_selection(TableReader& reader, bool optional) {
    NodeSelection where;
    where.line = reader.line();
    int ways = 0;
    for (const char* key : {"side", "box", "ball", "half", "nearest", "set", "nodes"})
        ways += reader.node(key) != nullptr ? 1 : 0;
    if (ways > 1 || (ways == 0 && !optional)) {
        reader.complain("side", fmt::format("{}: found {} places, expected one of side = \"-x\", box = [[...], [...]], "
                                            "ball = {{ center = [...], radius = ... }}, half = {{ point = [...], "
                                            "normal = [...] }}, nearest = [...], "
                                            "set = \"name\" and nodes = [0, 1]",
                                            reader.path_of("where"), ways == 0 ? "no" : "several"));
    }
    if (reader.has("side")) {
        read_side(reader, where);
    } else if (reader.has("box")) {
        where.kind = NodeSelection::Kind::box;
        const std::vector<Vec3> corners = reader.vectors("box", {{}, {}});
        if (corners.size() != 2) {
            reader.complain("box", "box: expected two corners, [[x, y, z], [x, y, z]]");
        } else {
            where.low = corners[0];
            where.high = corners[1];
        }
    } else if (const toml::table* table = reader.table("ball")) {
        TableReader ball(*table, reader.path_of("ball"), reader.mistakes());
        where.kind = NodeSelection::Kind::ball;
        where.center = ball.vector("center", {});
        where.radius = ball.number("radius", 0.01, positive);
        ball.finish();
    } else if (const toml::table* half = reader.table("half")) {
        read_half(*half, reader, where);
    } else if (reader.has("nearest")) {
        where.kind = NodeSelection::Kind::nearest;
        where.center = reader.vector("nearest", {});
    } else if (reader.has("nodes")) {
        read_list(reader, where);
    } else if (reader.has("set")) {
        where.kind = NodeSelection::Kind::set;
        where.set = reader.text("set", "");
    }
    return where;
}

Ramp read_ramp(TableReader& reader) {
    Ramp ramp;
    const std::string shape = reader.choice("ramp", "smooth", {"smooth", "linear", "step"});
    ramp.shape = shape == "smooth" ? RampShape::smooth : shape == "linear" ? RampShape::linear : RampShape::step;
    ramp.begin = reader.number("from", 0.0, not_negative);
    ramp.end = reader.number("until", ramp.begin, not_negative);
    if (ramp.end < ramp.begin) {
        reader.complain("until", fmt::format("until: found {}, expected at least from = {}", ramp.end, ramp.begin));
    }
    return ramp;
}

void read_loads(TableReader& reader, std::vector<LoadDescription>& loads) {
    for_each_table(reader, "load", "{ pressure = 100, side = \"+x\" }", [&](TableReader& each) {
        LoadDescription load;
        int kinds = 0;
        for (const char* key : {"pressure", "traction", "force"}) kinds += each.node(key) != nullptr ? 1 : 0;
        if (kinds != 1) {
            each.complain("pressure", fmt::format("{}: found {} kinds of load, expected one of pressure = Pa, traction "
                                                  "= [Pa, Pa, Pa] and force = [N, N, N]",
                                                  reader.path_of("load"), kinds == 0 ? "no" : "several"));
        }
        if (each.has("pressure")) {
            load.load.kind = LoadKind::pressure;
            load.load.value.x = each.number("pressure", 0.0);
        } else if (each.has("traction")) {
            load.load.kind = LoadKind::traction;
            load.load.value = each.vector("traction", {});
        } else {
            load.load.kind = LoadKind::force;
            load.load.value = each.vector("force", {});
        }
        load.where = read_selection(each, load.load.kind == LoadKind::pressure);
        load.load.ramp = read_ramp(each);
        loads.push_back(load);
    });
}

}  // namespace plica
