#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "scene/description.hpp"
#include "scene/file/nifty/read_model.hpp"
#include "scene/file/overrides.hpp"
#include "scene/file/read_body.hpp"
#include "scene/file/read_environment.hpp"
#include "scene/file/read_friction.hpp"
#include "scene/file/read_hand.hpp"
#include "scene/file/read_joint.hpp"
#include "scene/file/read_tool.hpp"
#include "scene/file/table_reader.hpp"
#include "scene/file/xml_parts.hpp"

namespace plica {
namespace {

ResponseKind read_response(TableReader& reader) {
    const std::string name = reader.choice(
        "response", "consistent", {"consistent", "raghupathi", "raghupathi_printed", "johnsen", "penalty", "reaction"});
    if (name == "raghupathi") return ResponseKind::raghupathi;
    if (name == "raghupathi_printed") return ResponseKind::raghupathi_printed;
    if (name == "johnsen") return ResponseKind::johnsen;
    if (name == "reaction") return ResponseKind::reaction;
    return name == "penalty" ? ResponseKind::penalty : ResponseKind::consistent;
}

void read_solver(TableReader& reader, SceneDescription& scene) {
    scene.dt = reader.number("dt", scene.dt, {1e-6, 1.0});
    scene.substeps = reader.integer("substeps", scene.substeps, 1, 10000);
    const std::string detector = reader.choice("detector", "auto", {"auto", "brute", "grid", "bvh", "tracked"});
    for (const DetectorKind kind :
         {DetectorKind::brute, DetectorKind::grid, DetectorKind::bvh, DetectorKind::tracked}) {
        if (detector == detector_name(kind)) scene.detector = kind;
    }
    scene.tracked_pairs = reader.integer("tracked_pairs", scene.tracked_pairs, 0, 10'000'000);
    scene.contact.response = read_response(reader);
    scene.budget = reader.number("budget", scene.budget, {0.0, 1.0});
    scene.adapt = reader.boolean("adapt", scene.adapt);
    scene.certify = reader.boolean("certify", scene.certify);
    scene.exact = reader.choice("precision", "single", {"single", "double"}) == "double";
    scene.stop_at_rest = reader.choice("until", "end", {"end", "rest"}) == "rest";
    reader.finish();
}

// The papers' and the penalty response know rounded normals only.
NormalKind read_normals(TableReader& reader, ResponseKind response) {
    const std::string name = reader.choice("normals", "rounded", {"rounded", "facet", "smooth"});
    if (name == "rounded") return NormalKind::rounded;
    if (response != ResponseKind::consistent) {
        reader.complain("normals", fmt::format("{}: found \"{}\", expected \"rounded\": other normals need "
                                               "solver.response = \"consistent\"",
                                               reader.path_of("normals"), name));
    }
    return name == "facet" ? NormalKind::facet : NormalKind::smooth;
}

void read_contact(TableReader& reader, SceneDescription& scene) {
    ContactSettings& contact = scene.contact;
    contact.enabled = reader.boolean("enabled", contact.enabled);
    contact.friction = reader.number("friction", contact.friction, friction_range);
    contact.sweeps = reader.integer("sweeps", contact.sweeps, 1, 1000);
    contact.push_out = reader.number("push_out", contact.push_out, {0.0, 1.0});
    contact.penalty_stiffness = reader.number("penalty_stiffness", contact.penalty_stiffness, positive);
    contact.reaction_rate = reader.number("reaction_rate", contact.reaction_rate, positive);
    contact.normals = read_normals(reader, contact.response);
    contact.rate_layer = reader.number("rate_layer", contact.rate_layer, {0.0, 0.1});
    reader.array("pair");  // read when all bodies are known
    reader.finish();
}

// Calls read(reader, index) for each table of an array of tables, under the name it carries.
template <class Read>
void for_each_entry(TableReader& root, const std::string& key, Read&& read) {
    const toml::array* entries = root.array(key);
    if (entries == nullptr) return;
    for (const toml::node& entry : *entries) {
        const toml::table* table = entry.as_table();
        if (table == nullptr) {
            root.mistakes().add(entry.source(), key,
                                fmt::format("{}: found {}, expected [[{}]]", key, describe(entry), key));
            continue;
        }
        TableReader reader(*table, (*table)["name"].value_or(key), root.mistakes());
        read(reader);
    }
}

// Names of bodies and tools, each with where its entry stands.
class Names {
public:
    void add(const std::string& name, TableReader& entry) {
        if (name.empty()) return;  // told already
        if (std::find(m_seen.begin(), m_seen.end(), name) != m_seen.end()) {
            entry.mistakes().add(
                entry.source().source(), name,
                fmt::format("the name \"{}\" is used twice; expected a name of its own for each body and tool", name));
        }
        m_seen.push_back(name);
    }

private:
    std::vector<std::string> m_seen;
};

// The papers' detector knows segments only: a mesentery must be touched by its edges.
void check_tracked(TableReader& reader, const SceneDescription& scene, const BodyDescription& body) {
    const bool triangles = body.has_mesentery() && !body.mesentery_edges;
    if (scene.detector != DetectorKind::tracked || !triangles) return;
    reader.complain("mesentery_contact",
                    fmt::format("{}: found {}, expected \"edges\": solver.detector = \"tracked\" tests segments only",
                                reader.path_of("mesentery_contact"),
                                reader.has("mesentery_contact") ? "\"triangles\"" : "none (\"triangles\")"));
}

// What a scene says besides its bodies and tools.
void read_settings(TableReader& root, SceneDescription& scene) {
    scene.title = root.text("title", scene.title);
    scene.seconds = root.number("seconds", scene.seconds, positive);
    scene.settled = root.choice("start", "built", {"built", "settled"}) == "settled";
    const auto section = [&](const char* key, auto read) {
        if (const toml::table* table = root.table(key)) {
            TableReader reader(*table, key, root.mistakes());
            read(reader, scene);
        }
    };
    section("solver", read_solver);
    section("contact", read_contact);
    section("environment", read_environment);
}

// Bodies that a program brings itself.
void add_tissues(const SceneSource& source, TableReader& root, Names& names, SceneDescription& scene) {
    for (const auto& [name, tissue] : source.tissues) {
        if (name.empty()) root.complain("body", "found a tissue without a name; expected one");
        names.add(name, root);
        BodyDescription body;
        body.name = name;
        body.tissue = TissueKind::own;
        body.own = tissue;
        scene.bodies.push_back(body);
    }
}

// A tool that no hand leads, and where its entry says so.
using Unled = std::pair<std::string, toml::source_region>;

// A joint must hold it. Where something else is wrong, a joint may be, that is told first.
void check_unled(TableReader& root, const SceneDescription& scene, const std::vector<Unled>& unled) {
    if (!root.mistakes().empty()) return;
    for (const auto& [name, where] : unled) {
        const auto holds = [&](const JointDescription& joint) { return joint.second == name; };
        if (std::any_of(scene.joints.begin(), scene.joints.end(), holds)) continue;
        const std::string path = name + ".stiffness";
        root.mistakes().add(where, path,
                            fmt::format("{}: found 0, expected more, or a [[joint]] that it turns on", path));
    }
}

void read_tools(TableReader& root, const Files& files, Names& names, SceneDescription& scene) {
    std::vector<Unled> unled;
    for_each_entry(root, "tool", [&](TableReader& reader) {
        scene.tools.push_back(read_tool(reader, files, scene));
        const ToolDescription& tool = scene.tools.back();
        names.add(tool.tool.name, reader);
        if (tool.coupling && reader.has("stiffness") && tool.coupling->stiffness == 0.0)
            unled.emplace_back(tool.tool.name, reader.source().get("stiffness")->source());
    });
    for_each_entry(root, "joint", [&](TableReader& reader) { scene.joints.push_back(read_joint(reader, scene)); });
    check_unled(root, scene, unled);
}

void read_all(const SceneSource& source, TableReader& root, const Files& files, SceneDescription& scene) {
    const int version = root.integer("plica", 0, 1, 1);
    if (version == 0 && !root.has("plica"))
        root.complain("plica", "the scene does not say its version; expected a line plica = 1");
    read_settings(root, scene);
    Names names;
    for_each_entry(root, "body", [&](TableReader& reader) {
        scene.bodies.push_back(read_body(reader, files));
        const BodyDescription& body = scene.bodies.back();
        names.add(body.name, reader);
        check_tracked(reader, scene, body);
        if (body.has_mesentery()) names.add(body.mesentery_name, reader);
    });
    add_tissues(source, root, names, scene);
    read_tools(root, files, names, scene);
    read_friction_pairs(root, scene);
    if (scene.bodies.empty()) root.complain("body", "the scene has no body; expected at least one [[body]]");
    root.finish();
}

Files files_of(const SceneSource& source) {
    if (source.files) return source.files;
    return std::make_shared<FileSource>(std::filesystem::path(source.file).parent_path().string());
}

// Behind a model's XML the text may go on as TOML: where its files are, and what the program adds, a hand say. The
// same tables take overrides.
SceneDescription read_model_scene(const SceneSource& source, HandTool* hand) {
    const XmlParts parts = split_xml(source.text);
    toml::table root = parse_toml(parts.rest, source.file);
    const HandReader hand_reader(source, root, hand);
    Mistakes mistakes(source.file, apply_overrides(root, hand_reader.scene_overrides()));
    TableReader reader(root, "", mistakes);
    const Files files = files_of(source);
    files->set_folder(reader.text("folder", files->folder()));
    SceneDescription scene = nifty::read_model(source.file, parts.xml, *files);
    scene.files = files;
    read_settings(reader, scene);
    Names names;
    for (const BodyDescription& body : scene.bodies) names.add(body.name, reader);
    for (const ToolDescription& tool : scene.tools) names.add(tool.tool.name, reader);
    add_tissues(source, reader, names, scene);
    read_tools(reader, files, names, scene);
    read_friction_pairs(reader, scene);
    reader.finish();
    if (!mistakes.empty()) throw Error(mistakes.text());
    hand_reader.add_to(scene);
    return scene;
}

SceneDescription read_any(const SceneSource& source, HandTool* hand) {
    if (is_xml(source.text)) return read_model_scene(source, hand);
    toml::table root = parse_toml(source.text, source.file);
    const HandReader hand_reader(source, root, hand);
    Mistakes mistakes(source.file, apply_overrides(root, hand_reader.scene_overrides()));
    TableReader reader(root, "", mistakes);
    SceneDescription scene;
    scene.files = files_of(source);
    read_all(source, reader, scene.files, scene);
    if (!mistakes.empty()) throw Error(mistakes.text());
    hand_reader.add_to(scene);
    return scene;
}

}  // namespace

SceneDescription read_scene(const SceneSource& source) {
    return read_any(source, nullptr);
}

SceneDescription read_scene(const SceneSource& source, HandTool& hand) {
    return read_any(source, &hand);
}

}  // namespace plica
