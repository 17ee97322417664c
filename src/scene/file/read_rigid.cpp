#include "scene/file/read_rigid.hpp"

#include <fmt/format.h>

#include "scene/file/read_places.hpp"

namespace plica {

namespace {

void read_bars(TableReader& reader, RigidDescription& rigid) {
    rigid.radius = reader.number("radius", 0.012, {1e-4, 1.0});
    rigid.length = reader.number("length", rigid.length, {1e-3, 10.0});
    if (rigid.shape == "bar") return;
    rigid.apart = reader.number("apart", rigid.apart, {1e-3, 10.0});
    if (rigid.apart <= 2.0 * rigid.radius) {
        reader.complain("apart", fmt::format("apart: found {}, expected more than twice the radius, {}: the bars "
                                             "would be in each other",
                                             rigid.apart, 2.0 * rigid.radius));
    }
}

}  // namespace

void read_rigid(TableReader& reader, const Files& files, RigidDescription& rigid) {
    if (!read_mesh_path(reader, files, rigid)) {
        rigid.shape = reader.choice("shape", "ball", {"ball", "block", "ribs", "bar", "bars", "jaw"});
        if (rigid.shape == "ball") {
            rigid.radius = reader.number("radius", rigid.radius, positive);
            rigid.fineness = reader.integer("fineness", rigid.fineness, 0, 7);
        } else if (rigid.shape == "block") {
            rigid.size = reader.vector("size", rigid.size, positive);
        } else if (rigid.shape == "bar" || rigid.shape == "bars") {
            read_bars(reader, rigid);
        }
    }
    rigid.turn = reader.vector("turn", {}, {-100.0, 100.0});
    rigid.center = reader.vector("center", {});
    rigid.thickness = reader.number("thickness", rigid.thickness, {1e-6, 0.1});
}

void read_rigid_body(TableReader& reader, const Files& files, BodyDescription& body) {
    read_rigid(reader, files, body.rigid);
}

}  // namespace plica
