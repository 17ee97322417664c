#include "scene/build.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "engine/tuning.hpp"
#include "scene/body_kinds.hpp"
#include "scene/build_friction.hpp"
#include "scene/build_joint.hpp"
#include "scene/build_overlaps.hpp"
#include "scene/build_rigid.hpp"
#include "scene/build_sheets.hpp"
#include "scene/check_start.hpp"
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
        if (description.walls) stop_by_walls(model);
        model.rigids.back().max_force = description.rigid_force;
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

// N: no row of a scene in which tools go given ways carries more than the strongest of them can push; without them,
// any. Rows that contradict each other, a tool's and a held node's, would otherwise throw what is between them.
double find_largest_force(const Model& model) {
    double most = 0.0;
    for (const RigidBody& rigid : model.rigids) {
        if (rigid.tool >= 0 && rigid.floating < 0) most = std::max(most, rigid.max_force);
    }
    return most > 0.0 ? most : std::numeric_limits<double>::infinity();
}

// Of features: of sheets, or of solids.
double find_thinnest_features(const Surface& surface, bool solids) {
    double least = std::numeric_limits<double>::infinity();
    for (const Capsule& c : surface.capsules) {
        if (c.sheet && (c.chain < 0) == solids) least = std::min(least, 2.0 * c.radius);
    }
    return least;
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
    std::vector<int> lines;  // per body of the model
    for (const BodyDescription& body : scene.bodies) {
        const std::size_t first = model.nodes();
        naming(body.name, body.line, [&] { kind_of(body.tissue).add(body, scene.exact, model); });
        note_friction(body.friction, model);
        lines.resize(model.bodies.size(), body.line);
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
    for (const ToolDescription& tool : scene.tools) {
        naming(tool.tool.name, tool.line, [&] { add_tool(tool, built); });
        note_friction(tool.friction, model);
        lines.resize(model.bodies.size(), tool.line);
    }
    for (const JointDescription& joint : scene.joints) add_joint(joint, model);
    add_friction(scene, model);
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
    model.contact.max_force = find_largest_force(model);
    check_walls(model, lines);
    if (model.contact.enabled) check_start(scene, model, lines);
    return built;
}

}  // namespace plica
