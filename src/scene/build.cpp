#include "scene/build.hpp"

#include <algorithm>
#include <limits>

#include "audit/solids.hpp"
#include "core/error.hpp"
#include "engine/tuning.hpp"
#include "scene/body_kinds.hpp"
#include "scene/build_overlaps.hpp"
#include "scene/build_rigid.hpp"
#include "scene/build_sheets.hpp"
#include "scene/placed_error.hpp"

namespace plica {
namespace {

void add_tool(const ToolDescription& description, Built& built) {
    Tool tool = description.tool;
    Model& model = built.model;
    if (tool.kind == ToolKind::sphere) {
        const auto body = static_cast<std::int32_t>(model.bodies.size());
        tool.node = static_cast<std::int32_t>(model.nodes());
        tool.capsule = static_cast<std::int32_t>(model.surface.capsules.size());
        model.bodies.push_back({tool.name, TissueKind::tool, tool.node, 1, {}});
        model.rest.push_back(description.path.front().where);
        model.inverse_mass.push_back(1.0 / description.mass);
        model.contact_radius.push_back(-1.0);  // the hand stops it, not the wall
        model.column.push_back(-1);
        model.surface.capsules.push_back({tool.node, tool.node, tool.radius, body, -1, 0, 0, false});
    }
    if (tool.kind == ToolKind::rigid) {
        const Waypoint& first = description.path.front();
        add_rigid(tool.name, description.rigid, static_cast<std::int32_t>(model.tools.size()),
                  {first.where, first.turn.value_or(Vec3{})}, model);
        if (description.coupling) couple(*description.coupling, model);
    }
    model.tools.push_back(tool);
}

// Without sheets against themselves.
double find_thinnest_pair(const Surface& surface) {
    if (plain_capsules(surface) == 0) return 0.0;
    double capsule = std::numeric_limits<double>::infinity();
    for (const Capsule& c : surface.capsules) capsule = c.edge || c.sheet ? capsule : std::min(capsule, c.radius);
    double other = capsule;
    for (const Capsule& c : surface.capsules) other = c.sheet ? other : std::min(other, c.radius);
    for (const Triangle& t : surface.triangles) other = std::min(other, t.half_thickness);
    return capsule + other;
}

// Of features: of sheets, or of solids.
double find_thinnest_features(const Surface& surface, bool solids) {
    double least = std::numeric_limits<double>::infinity();
    for (const Capsule& c : surface.capsules) {
        if (c.sheet && (c.chain < 0) == solids) least = std::min(least, 2.0 * c.radius);
    }
    return least;
}

const char* kind_of(const Capsule& c) {
    if (c.sheet && c.a == c.b) return " corner ";
    return c.edge || c.sheet ? " edge " : " segment ";
}

// "gut segment 12", "mesentery triangle 7", "mesentery edge 9"; numbered within the body.
std::string primitive_name(const Model& model, std::int32_t primitive) {
    const auto p = static_cast<std::size_t>(primitive);
    const std::vector<Capsule>& capsules = model.surface.capsules;
    const std::vector<Triangle>& triangles = model.surface.triangles;
    const bool capsule = p < capsules.size();
    const std::int32_t body = capsule ? capsules[p].body : triangles[p - capsules.size()].body;
    std::size_t number = 0;
    for (std::size_t i = 0; capsule && i < p; ++i) number += capsules[i].body == body ? 1U : 0U;
    for (std::size_t i = 0; !capsule && i < p - capsules.size(); ++i) number += triangles[i].body == body ? 1U : 0U;
    const char* kind = capsule ? kind_of(capsules[p]) : " triangle ";
    return model.bodies[static_cast<std::size_t>(body)].name + kind + std::to_string(number);
}

// A body that starts in a wall would be shot out of it.
void check_walls(const Model& model) {
    for (const Body& body : model.bodies) {
        for (auto n = static_cast<std::size_t>(body.first_node);
             n < static_cast<std::size_t>(body.first_node + body.nodes); ++n) {
            if (model.inverse_mass[n] == 0.0 || model.contact_radius[n] < 0.0) continue;
            for (const Wall& wall : model.walls) {
                const double gap = sample_wall(wall, model.rest[n]).distance - model.contact_radius[n];
                if (gap >= -1e-6) continue;
                throw Error("the scene starts with node " +
                            std::to_string(n - static_cast<std::size_t>(body.first_node)) + " of " + body.name + " " +
                            std::to_string(-gap) + " m inside a wall; expected bodies within their surroundings");
            }
        }
    }
}

[[noreturn]] void complain_of_start(const Model& model, std::int32_t a, std::int32_t b) {
    throw Error("the scene starts with " + primitive_name(model, a) + " and " + primitive_name(model, b) +
                " through each other; expected bodies apart");
}

// What is through another body, or through itself, when a scene starts has no side to be pushed to.
void check_start(const Model& model) {
    audit::Solids solids(model.surface);
    const auto crossing = solids.find(model.rest.data());
    if (!crossing.empty()) complain_of_start(model, crossing.front()[0], crossing.front()[1]);
    const std::vector<std::uint8_t> enabled(model.surface.capsules.size(), 1);
    const std::vector<double> margin(model.nodes(), 0.0);
    ThreadPool pool;
    DetectorScratch scratch;
    std::vector<Pair> pairs;
    find_pairs_grid({model.surface, enabled, model.rest}, margin, pool, scratch, pairs);
    for (const Pair& pair : pairs) {
        const Contact c = measure(model.surface, pair, model.rest, {});
        if (c.distance > 1e-6 * (c.distance - pair.gap_at_build)) continue;
        complain_of_start(model, pair.a, pair.b);
    }
}

void check_tracking(const Model& model) {
    if (can_track(model)) return;
    const Body& body = model.bodies[static_cast<std::size_t>(model.surface.triangles[0].body)];
    throw Error(body.name + ": found triangles with detector = \"tracked\", which tests segments only; expected " +
                "mesentery_contact = \"edges\"");
}

}  // namespace

namespace {

// Errors of what is called name the body or tool that it is about, and its line.
template <class Call>
void naming(const std::string& name, int line, const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        const bool named = std::string_view(error.what()).starts_with(name);
        rethrow_at(error, named ? "" : name + ": ", line);
    }
}

}  // namespace

Built build_scene(const SceneDescription& scene, const std::string& file, std::uint64_t seed) {
    try {
        return build_scene(scene, seed);
    } catch (const Error& error) {
        const int line = line_of(error);
        throw Error(file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + error.what(), error.status());
    }
}

Built build_scene(const SceneSource& source, std::uint64_t seed) {
    return build_scene(read_scene(source), source.file, seed);
}

Built build_scene(const SceneDescription& scene, std::uint64_t seed) {
    Built built;
    Model& model = built.model;
    model.dt = scene.dt;
    model.substeps = scene.substeps;
    model.adapt = scene.adapt;
    model.drag = scene.drag;
    model.certify = scene.certify;
    model.contact = scene.contact;
    model.walls = scene.walls;
    State& state = built.state;
    state.random.state = seed;
    for (const BodyDescription& body : scene.bodies) {
        const std::size_t first = model.nodes();
        naming(body.name, body.line, [&] { kind_of(body.tissue).add(body, scene.exact, model); });
        state.v.resize(model.nodes());
        for (std::size_t n = first; n < model.nodes(); ++n) {
            if (model.inverse_mass[n] > 0.0) state.v[n] = body.velocity;
            if (model.inverse_mass[n] == 0.0 || body.noise == 0.0) continue;
            const double a = state.random.uniform(-body.noise, body.noise);
            const double b = state.random.uniform(-body.noise, body.noise);
            state.v[n] += {a, b, state.random.uniform(-body.noise, body.noise)};
        }
    }
    model.tissue_nodes = model.nodes();
    for (const ToolDescription& tool : scene.tools) naming(tool.tool.name, tool.line, [&] { add_tool(tool, built); });
    state.x = model.rest;
    state.tools.resize(model.tools.size());
    for (const RigidBody& rigid : model.rigids) {
        state.rigids.push_back(rigid.start);
        if (rigid.tool < 0) continue;
        ToolState& tool = state.tools[static_cast<std::size_t>(rigid.tool)];
        tool.handle = rigid.start.position;
        tool.turn = rigid.start.turn;
    }
    state.v.resize(model.nodes());
    add_sheets(model);
    model.thinnest_tube = find_thinnest_pair(model.surface);
    model.thinnest_pair = std::min(model.thinnest_tube, find_thinnest_features(model.surface, false));
    model.thinnest_solid = have_partners(model.surface) ? find_thinnest_features(model.surface, true)
                                                        : std::numeric_limits<double>::infinity();
    thin_out_solids(model);
    model.carried_inverse_mass = mass_spring::lump_carried(model.of<Springs>(), model.inverse_mass);
    model.detector = scene.detector.value_or(best_detector(model.surface));
    list_overlaps(model);
    model.tracking.draws = scene.tracked_pairs;
    if (model.detector == DetectorKind::tracked) {
        check_tracking(model);
        prepare_tracking(model);
    }
    check_walls(model);
    if (model.contact.enabled) check_start(model);
    return built;
}

}  // namespace plica
