#include "bench/contact/surface_case.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "scene/build.hpp"

namespace plica::bench {
namespace {

using PlainJson = nlohmann::json;
constexpr double share_of_radii = 0.1;  // of the smallest contact radii: the gap

// Only the features and their triangles: tubes and probes have a search of their own.
void keep_features(const Surface& from, Surface& to) {
    const auto first = from.capsules.begin() + plain_capsules(from);
    to.capsules.assign(first, from.capsules.end());
    to.triangles = from.triangles;
    to.features = from.features;
    for (std::int32_t& near : to.features.near) near -= plain_capsules(from);
}

double find_gap(const Surface& surface) {
    double least = 0.0;
    for (const Capsule& c : surface.capsules) least = least > 0.0 ? std::min(least, c.radius) : c.radius;
    return 2.0 * share_of_radii * least;
}

// Rows of three numbers, as a trajectory of one node.
void write_rows(const std::string& folder, const std::vector<Vec3>& rows) {
    NpyWriter writer(folder + "/positions.npy", {1, 3});
    for (const Vec3& row : rows) writer.append(std::span(&row.x, 3));
    writer.close();
}

void make_folders(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Error(folder + ": cannot create this folder: " + error.message(), Status::environment);
}

}  // namespace

SurfaceCase make_surface_case(const Model& model) {
    SurfaceCase made;
    keep_features(model.surface, made.surface);
    std::vector<std::int32_t> number(model.nodes(), -1);
    const auto renumber = [&](std::int32_t& node) {
        std::int32_t& now = number[at(node)];
        if (now < 0) {
            now = static_cast<std::int32_t>(made.node.size());
            made.node.push_back(node);
            made.rest.push_back(model.rest[at(node)]);
        }
        node = now;
    };
    made.bodies.resize(model.bodies.size());
    for (Triangle& t : made.surface.triangles) {
        for (std::int32_t* node : {&t.a, &t.b, &t.c}) renumber(*node);
        made.bodies[at(t.body)].closed = t.chain < 0;
    }
    for (Capsule& c : made.surface.capsules) {
        renumber(c.a);
        renumber(c.b);
    }
    for (const RigidBody& rigid : model.rigids) {
        made.bodies[at(rigid.body)].rigid = rigid.tool < 0;  // what a tool moves is searched as if it were soft
    }
    made.gap = find_gap(made.surface);
    return made;
}

void write_case_file(const CaseFile& file, const std::string& folder) {
    make_folders(folder);
    AtomicFile out(folder + "/surface.json");
    out.write(PlainJson{{"scene", file.scene}, {"overrides", file.overrides}, {"gap", file.gap}}.dump());
    out.commit();
}

SurfaceCase read_surface_case(const std::string& folder) {
    const std::string name = folder + "/surface.json";
    std::ifstream in(name);
    if (!in) throw Error(name + ": cannot be read", Status::environment);
    try {
        const PlainJson json = PlainJson::parse(in);
        const auto overrides = json.at("overrides").get<std::vector<std::string>>();
        const Built built = build_scene(find_scene(json.at("scene").get<std::string>(), overrides), 1);
        SurfaceCase made = make_surface_case(built.model);
        made.gap = json.at("gap").get<double>();
        return made;
    } catch (const std::exception& error) {
        throw Error(name + ": " + error.what());
    }
}

void write_window(const FeatureWindow& window, const std::string& folder) {
    make_folders(folder + "/pairs");
    NpyWriter writer(folder + "/positions.npy", {window.frames.nodes, 3});
    for (std::size_t i = 0; i < window.frames.frames(); ++i) {
        writer.append({&window.frames.frame(i)[0].x, 3 * window.frames.nodes});
    }
    writer.close();
    std::vector<Vec3> rows;
    for (std::size_t i = 0; i < window.near.size(); ++i) {
        for (const PairIndices& pair : window.near[i]) {
            rows.push_back({static_cast<double>(i), static_cast<double>(pair[0]), static_cast<double>(pair[1])});
        }
    }
    write_rows(folder + "/pairs", rows);
}

FeatureWindow read_window(const std::string& folder) {
    FeatureWindow window{read_trajectory(folder)};
    window.near.resize(std::max<std::size_t>(1, window.frames.frames()) - 1);
    for (const Vec3& row : read_trajectory(folder + "/pairs").positions) {
        if (!(row.x >= 0.0 && row.x < static_cast<double>(window.near.size()))) {
            throw Error(folder + "/pairs: a pair of a substep that is not there");
        }
        window.near[static_cast<std::size_t>(row.x)].push_back(
            {static_cast<std::int32_t>(row.y), static_cast<std::int32_t>(row.z)});
    }
    return window;
}

}  // namespace plica::bench
