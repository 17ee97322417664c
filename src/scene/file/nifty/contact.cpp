#include "scene/file/nifty/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "core/error.hpp"
#include "scene/file/nifty/contact_object.hpp"
#include "scene/file/nifty/contact_surface.hpp"

namespace plica::nifty {
namespace {

// Of the mean edge: what contact adds to a surface when the model does not say, and what it may say.
constexpr double usual_thickness = 0.05, least_thickness = 0.01, most_thickness = 0.25;
constexpr double depth_of_sheets = 0.2;  // at most, of the shortest edge

std::vector<RigidSurface> read_surfaces(Document& document, const pugi::xml_node& model, FileSource& files) {
    const std::map<std::string_view, const char*> stems{{"ContactSurface", "surface"},
                                                        {"ContactPlate", "plate"},
                                                        {"ContactCylinder", "cylinder"},
                                                        {"ContactUSProbe", "probe"}};
    std::map<std::string_view, int> count;
    std::vector<RigidSurface> surfaces;
    for (const pugi::xml_node node : model.children()) {
        const auto stem = stems.find(node.name());
        if (stem == stems.end()) continue;
        const int number = ++count[stem->first];
        std::optional<RigidSurface> surface = stem->first == "ContactSurface"
                                                  ? read_contact_surface(document, node, files)
                                                  : read_contact_object(document, node);
        if (!surface) continue;
        surface->name = fmt::format("{}{}", stem->second, number);
        surfaces.push_back(std::move(*surface));
    }
    return surfaces;
}

// m: what contact adds to every surface, half of it on either side of a contact.
double choose_thickness(Document& document, const System& system, const std::vector<TouchedBody>& touched) {
    double edge = std::numeric_limits<double>::infinity();
    for (const TouchedBody& body : touched) edge = std::min(edge, body.edge);
    if (system.margin == 0.0) return usual_thickness * edge;
    const double used = std::clamp(system.margin, least_thickness * edge, most_thickness * edge);
    if (used != system.margin) {
        document.note(system.margin_node, fmt::format("ContactSafetyMargin: {} is used, within {} and {} of the mean "
                                                      "edge of the finest surface",
                                                      used, least_thickness, most_thickness));
    }
    return used;
}

double find_shortest_edge(const SurfaceMesh& mesh) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& t : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            least = std::min(least, distance(mesh.nodes[static_cast<std::size_t>(t[k])],
                                             mesh.nodes[static_cast<std::size_t>(t[(k + 1) % 3])]));
        }
    }
    return least;
}

Vec3 find_middle(const SurfaceMesh& mesh) {
    Vec3 low = mesh.nodes.front(), high = low;
    for (const Vec3& p : mesh.nodes) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return (low + high) * 0.5;
}

// One that stands is a body, one that moves a tool whose frame turns about the center of its rotation.
void add_surface(RigidSurface surface, double thickness, SceneDescription& scene) {
    RigidDescription rigid;
    rigid.shape.clear();
    rigid.thickness = thickness;
    if (!surface.motion.moves()) {
        BodyDescription body;
        body.name = surface.name;
        body.tissue = TissueKind::rigid;
        body.rigid = rigid;
        body.rigid.given = std::make_shared<const SurfaceMesh>(std::move(surface.mesh));
        scene.bodies.push_back(std::move(body));
        return;
    }
    if (norm(surface.motion.angles) == 0.0) surface.motion.center = find_middle(surface.mesh);
    for (Vec3& p : surface.mesh.nodes) p -= surface.motion.center;
    ToolDescription tool;
    tool.tool.name = surface.name;
    tool.tool.kind = ToolKind::rigid;
    tool.rigid_force = std::numeric_limits<double>::infinity();  // a machine's, no hand's
    tool.rigid = rigid;
    tool.rigid.given = std::make_shared<const SurfaceMesh>(std::move(surface.mesh));
    tool.path = make_path(surface.motion, scene.seconds, scene.dt);
    scene.tools.push_back(std::move(tool));
}

// The scene's one number is the largest of the model's; pairs that have less say so.
void set_friction(Document& document, const System& system, const std::vector<RigidSurface>& surfaces,
                  SceneDescription& scene) {
    if (!system.bodies_touch && system.friction_node) {
        document.note(system.friction_node, "DeformableFrictionCoefficient has no effect: bodies do not collide");
    }
    double& most = scene.contact.friction;
    most = system.bodies_touch ? system.friction : 0.0;
    for (const RigidSurface& surface : surfaces) most = std::max(most, surface.friction);
    const auto add_pair = [&](const std::string& a, const std::string& b, double friction) {
        if (friction < most) scene.friction_pairs.push_back({a, b, false, friction});
    };
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        for (std::size_t j = 0; j <= i && system.bodies_touch; ++j)
            add_pair(scene.bodies[j].name, scene.bodies[i].name, system.friction);
        for (const RigidSurface& surface : surfaces) add_pair(scene.bodies[i].name, surface.name, surface.friction);
    }
}

// Bodies that collide are whole meshes here: parts of one collide where it touches itself.
void set_self_contact(Document& document, const System& system, const std::vector<TouchedBody>& touched,
                      SceneDescription& scene) {
    for (std::size_t i = 0; i < touched.size(); ++i) {
        const bool parts = system.bodies_touch && touched[i].pieces > 1;
        scene.bodies[i].organ.self_contact = system.touch_themselves || parts;
        if (system.touch_themselves || !parts) continue;
        document.note(touched[i].where,
                      fmt::format("the mesh has {} parts, which collide; so does each with itself", touched[i].pieces));
    }
}

}  // namespace

void read_contact(Document& document, const pugi::xml_node& model, FileSource& files, const System& system,
                  const std::vector<TouchedBody>& touched, SceneDescription& scene) {
    std::vector<RigidSurface> surfaces = read_surfaces(document, model, files);
    set_friction(document, system, surfaces, scene);
    scene.contact.enabled = system.bodies_touch || !surfaces.empty();
    if (!scene.contact.enabled && system.margin_node)
        document.note(system.margin_node, "ContactSafetyMargin has no effect: nothing touches");
    if (!scene.contact.enabled || touched.empty()) return;
    set_self_contact(document, system, touched, scene);
    if (!system.bodies_touch && touched.size() > 1) {
        document.note(touched[1].where,
                      "bodies collide with each other as well: there is no switch for rigid surfaces alone");
    }
    const double thickness = choose_thickness(document, system, touched);
    for (std::size_t i = 0; i < touched.size(); ++i) scene.bodies[i].organ.thickness = thickness;
    for (RigidSurface& surface : surfaces) {
        const pugi::xml_node where = surface.where;
        try {
            close_surface(surface.mesh, std::min(thickness, depth_of_sheets * find_shortest_edge(surface.mesh)));
            add_surface(std::move(surface), thickness, scene);
        } catch (const Error& error) {
            document.complain(where, fmt::format("{}: {}", where.name(), error.what()));
        }
    }
}

}  // namespace plica::nifty
