#include "scene/file/nifty/read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "scene/file/nifty/constraint.hpp"
#include "scene/file/nifty/contact.hpp"
#include "scene/file/nifty/material.hpp"
#include "scene/file/nifty/system.hpp"

namespace plica::nifty {
namespace {

constexpr double shortest_frame = 1e-4, longest_frame = 1.0 / 30.0;  // s
constexpr double frames_a_run = 100.0;
constexpr double most_substeps = 10000.0;

const Names body_parts{"Nodes", "Elements", "MSHMesh", "VTKMesh", "ElementSet", "Constraint"};
const Names unsupported_parts{"ShellElements", "ShellElementSet",          "KinematicContact",
                              "ReducedBasis",  "DeformableContactSurface", "SelfCollisionBVH",
                              "Membrane"};

Vocabulary vocabulary_of(bool whole, bool divided) {
    Names known = divided ? Names{} : body_parts;
    if (whole) known.insert(known.end(), {"SubModel", "SubModelNodeMergerDistance", "SystemParams", "Output"});
    known.insert(known.end(), contact_parts.begin(), contact_parts.end());
    return {known, unsupported_parts};
}

Names repeated_parts() {
    Names repeated{"SubModel", "ElementSet", "Constraint"};
    repeated.insert(repeated.end(), contact_parts.begin(), contact_parts.end());
    return repeated;
}

// m: mean over the pieces of the boundary.
double find_mean_edge(const ModelMesh& mesh) {
    double sum = 0.0, count = 0.0;
    for (const Face& face : mesh.boundary) {
        for (int k = 0; k < face.corners; ++k) {
            const auto a = face.node[static_cast<std::size_t>(k)];
            const auto b = face.node[static_cast<std::size_t>((k + 1) % face.corners)];
            sum += distance(mesh.mesh.nodes[static_cast<std::size_t>(a)], mesh.mesh.nodes[static_cast<std::size_t>(b)]);
            count += 1.0;
        }
    }
    return sum / count;
}

// A frame that a film can show, a whole number of which make up the time; within one, steps of at most NiftySim's.
void set_steps(const System& system, SceneDescription& scene) {
    const double frame = std::clamp(system.total_time / frames_a_run, shortest_frame, longest_frame);
    const double fewest = std::max(system.total_time / frame, system.total_time / (most_substeps * system.time_step));
    const double frames = std::max(1.0, std::ceil(fewest - 1e-9));
    scene.seconds = system.total_time;
    scene.dt = system.total_time / frames;
    scene.substeps = static_cast<int>(std::clamp(std::ceil(scene.dt / system.time_step - 1e-9), 1.0, most_substeps));
}

void read_body(Document& document, const pugi::xml_node& node, const std::string& name, FileSource& files,
               const System& system, std::vector<TouchedBody>& touched, SceneDescription& scene) {
    std::optional<ModelMesh> mesh = read_model_mesh(document, node, files);
    if (!mesh) return;
    BodyDescription body;
    body.name = name;
    body.line = static_cast<int>(document.line_of(node));
    body.tissue = TissueKind::tled;
    OrganDescription& organ = body.organ;
    organ.damping = system.damping;
    organ.hexahedra = mesh->kind == tled::ElementKind::h8;
    organ.settings.tetrahedra = organ.hexahedra ? tled::ElementKind::t4 : mesh->kind;
    organ.by_region = read_materials(document, node, system.density, *mesh);
    if (!finish_mesh(document, node, *mesh)) return;
    read_constraints(document, node, *mesh, system.total_time, organ);
    touched.push_back({node, mesh->pieces, find_mean_edge(*mesh)});
    organ.given = std::make_shared<const VolumeMesh>(std::move(mesh->mesh));
    scene.bodies.push_back(std::move(body));
}

// They belong to all bodies.
void refuse_surfaces(Document& document, const pugi::xml_node& part) {
    for (const std::string_view name : contact_parts) {
        for (const pugi::xml_node node : part.children(std::string(name).c_str()))
            document.complain(node, fmt::format("{}: found in a SubModel, expected in the Model", name));
    }
}

void read_merger(Document& document, const pugi::xml_node& model) {
    const pugi::xml_node merger = model.child("SubModelNodeMergerDistance");
    double distance = 0.0;
    if (!merger || !document.number(merger, {-1e9, 1e9}, distance)) return;
    if (distance < 0.0) {
        document.note(merger, "SubModelNodeMergerDistance is off");
    } else {
        document.complain(merger, "SubModelNodeMergerDistance is not supported: sub-models are bodies of their own");
    }
}

}  // namespace

SceneDescription read_model(const std::string& file, std::string_view xml, FileSource& files) {
    Document document(file, xml);
    const pugi::xml_node model = document.model();
    const bool divided = static_cast<bool>(model.child("SubModel"));
    document.check_attributes(model, {});
    document.check_children(model, vocabulary_of(true, divided), repeated_parts());
    document.check_empty(model);
    const System system = read_system(document, model);
    read_output(document, model);
    read_merger(document, model);
    SceneDescription scene;
    scene.title = "A NiftySim model";
    scene.gravity = {};
    set_steps(system, scene);
    std::vector<TouchedBody> touched;
    if (divided) {
        int number = 0;
        for (const pugi::xml_node part : model.children("SubModel")) {
            document.check_attributes(part, {});
            document.check_children(part, vocabulary_of(false, false), repeated_parts());
            document.check_empty(part);
            refuse_surfaces(document, part);
            read_body(document, part, fmt::format("submodel{}", ++number), files, system, touched, scene);
        }
    } else {
        read_body(document, model, "model", files, system, touched, scene);
    }
    read_contact(document, model, files, system, touched, scene);
    document.finish();
    scene.notes = document.notes();
    return scene;
}

}  // namespace plica::nifty
