#include "scene/file/read_rigid.hpp"

#include <fmt/format.h>

#include <filesystem>

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

void read_rigid(TableReader& reader, const std::string& folder, RigidDescription& rigid) {
    if (reader.has("mesh")) {
        if (reader.has("shape")) reader.complain("shape", "shape: found together with mesh, expected one or the other");
        const std::filesystem::path path(reader.text("mesh", ""));
        rigid.mesh = path.is_absolute() ? path.string() : (std::filesystem::path(folder) / path).string();
        rigid.scale = reader.number("scale", 1.0, positive);
        reader.node("shape");
    } else {
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

}  // namespace plica
