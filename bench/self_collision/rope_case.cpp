#include "bench/self_collision/rope_case.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace plica::bench {
namespace {

using PlainJson = nlohmann::json;

PlainJson to_json(const Vec3& v) {
    return {v.x, v.y, v.z};
}

PlainJson to_json(const std::vector<Vec3>& list) {
    PlainJson j = PlainJson::array();
    for (const Vec3& v : list) j.push_back(to_json(v));
    return j;
}

Vec3 to_vec3(const PlainJson& j) {
    return {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>()};
}

std::vector<Vec3> to_list(const PlainJson& j) {
    std::vector<Vec3> list;
    for (const PlainJson& v : j) list.push_back(to_vec3(v));
    return list;
}

RopeCase to_case(const PlainJson& j) {
    RopeCase rope;
    rope.radius = j.at("radius").get<double>();
    rope.mass_per_length = j.at("mass_per_length").get<double>();
    rope.gravity = to_vec3(j.at("gravity"));
    rope.drag = j.at("drag").get<double>();
    rope.friction = j.at("friction").get<double>();
    rope.bowl_radius = j.at("bowl_radius").get<double>();
    rope.bowl_center = to_vec3(j.at("bowl_center"));
    rope.margin = j.at("margin").get<double>();
    rope.seconds = j.at("seconds").get<double>();
    rope.frames_per_second = j.at("frames_per_second").get<int>();
    rope.window = j.at("window").get<int>();
    rope.nodes = to_list(j.at("nodes"));
    rope.velocities = to_list(j.at("velocities"));
    if (rope.nodes.size() < 2 || rope.nodes.size() != rope.velocities.size()) {
        throw Error("a rope needs two nodes and a velocity for each");
    }
    return rope;
}

}  // namespace

int RopeCase::frames() const {
    return std::max(1, static_cast<int>(std::lround(seconds * frames_per_second)));
}

Surface rope_surface(const RopeCase& rope) {
    double length = 0.0;
    for (std::size_t i = 0; i + 1 < rope.nodes.size(); ++i) length += distance(rope.nodes[i], rope.nodes[i + 1]);
    const double h = length / rope.segments();
    const auto exclude = static_cast<std::int32_t>(std::max(1.0, std::ceil(std::numbers::pi * rope.radius / h)));
    Surface surface;
    for (std::int32_t i = 0; i < rope.segments(); ++i) {
        surface.capsules.push_back({i, i + 1, rope.radius, 0, 0, i, exclude, false});
    }
    return surface;
}

void write_case(const RopeCase& rope, const std::string& file) {
    const PlainJson j{{"radius", rope.radius},
                      {"mass_per_length", rope.mass_per_length},
                      {"gravity", to_json(rope.gravity)},
                      {"drag", rope.drag},
                      {"friction", rope.friction},
                      {"bowl_radius", rope.bowl_radius},
                      {"bowl_center", to_json(rope.bowl_center)},
                      {"margin", rope.margin},
                      {"seconds", rope.seconds},
                      {"frames_per_second", rope.frames_per_second},
                      {"window", rope.window},
                      {"nodes", to_json(rope.nodes)},
                      {"velocities", to_json(rope.velocities)}};
    AtomicFile out(file);
    out.write(j.dump());
    out.commit();
}

RopeCase read_case(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw Error(file + ": cannot be read", Status::environment);
    try {
        return to_case(PlainJson::parse(in));
    } catch (const std::exception& error) {
        throw Error(file + ": " + error.what());
    }
}

}  // namespace plica::bench
