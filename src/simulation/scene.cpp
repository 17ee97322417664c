#include "plica/scene.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "simulation/scene_inside.hpp"

namespace plica {
namespace {

// As a TOML text.
std::string in_quotes(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

std::string to_text(const Point& p) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", p[0], p[1], p[2]);
}

std::string make_table(const std::string& list, const std::string& name, const Scene::Keys& keys) {
    std::string table = fmt::format("\n[[{}]]\nname = {}\n", list, in_quotes(name));
    for (const auto& [key, value] : keys) table += fmt::format("{} = {}\n", key, value);
    return table;
}

Scene::Keys joined(Scene::Keys first, const Scene::Keys& rest) {
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
}

void check_corners(const std::string& name, const MeshShape& mesh) {
    const auto nodes = static_cast<std::int32_t>(mesh.nodes.size());
    const auto check = [&](const auto& cells) {
        for (const auto& cell : cells) {
            for (const std::int32_t n : cell) {
                if (n < 0 || n >= nodes) {
                    throw Error(fmt::format("{}: found node {} in its mesh, expected 0 to {}", name, n, nodes - 1));
                }
            }
        }
    };
    check(mesh.triangles);
    check(mesh.tetrahedra);
}

// A surface as Wavefront OBJ.
std::string to_obj(const MeshShape& mesh) {
    std::string text;
    for (const Point& p : mesh.nodes) text += fmt::format("v {:.17g} {:.17g} {:.17g}\n", p[0], p[1], p[2]);
    for (const auto& t : mesh.triangles) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    return text;
}

// A volume as legacy VTK; 10 is its number for a tetrahedron.
std::string to_vtk(const MeshShape& mesh) {
    const std::size_t cells = mesh.tetrahedra.size();
    std::string text = fmt::format(
        "# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n", mesh.nodes.size());
    for (const Point& p : mesh.nodes) text += fmt::format("{:.17g} {:.17g} {:.17g}\n", p[0], p[1], p[2]);
    text += fmt::format("CELLS {} {}\n", cells, 5 * cells);
    for (const auto& c : mesh.tetrahedra) text += fmt::format("4 {} {} {} {}\n", c[0], c[1], c[2], c[3]);
    text += fmt::format("CELL_TYPES {}\n", cells);
    for (std::size_t i = 0; i < cells; ++i) text += "10\n";
    return text;
}

}  // namespace

OpenScene Scene::Inside::open(const std::vector<std::string>& overrides) const {
    SceneSource whole = source;
    whole.overrides.insert(whole.overrides.end(), overrides.begin(), overrides.end());
    whole.files = std::make_shared<FileSource>(std::filesystem::path(source.file).parent_path().string());
    for (const auto& [name, content] : meshes) whole.files->add(whole.files->locate(name), content);
    return open_scene(whole);
}

Scene::Scene() : m_inside(std::make_unique<Inside>(Inside{{"code", "code", "plica = 1\n", {}, {}}})) {}
Scene::~Scene() = default;
Scene::Scene(const Scene& other) : m_inside(std::make_unique<Inside>(*other.m_inside)) {}
Scene& Scene::operator=(const Scene& other) {
    *m_inside = *other.m_inside;
    return *this;
}
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

Scene Scene::load(const std::string& name_or_path) {
    Scene scene;
    scene.m_inside->source = find_scene(name_or_path);
    return scene;
}

Scene Scene::from_text(const std::string& toml) {
    Scene scene;
    scene.m_inside->source.text = toml;
    return scene;
}

Scene& Scene::set(const std::string& key, const std::string& value) {
    m_inside->source.overrides.push_back(key + "=" + value);
    return *this;
}

Scene& Scene::set(const std::string& key, double value) {
    return set(key, fmt::format("{:.17g}", value));
}

Scene& Scene::add_rope(const std::string& name, const RopeShape& rope, const Keys& keys) {
    const char* fixed = rope.fixed_start ? (rope.fixed_end ? "both" : "start") : (rope.fixed_end ? "end" : "none");
    const Keys own{{"anatomy", "\"rope\""},
                   {"from", to_text(rope.from)},
                   {"direction", to_text(rope.direction)},
                   {"length", fmt::format("{:.17g}", rope.length)},
                   {"radius", fmt::format("{:.17g}", rope.radius)},
                   {"segments", std::to_string(rope.segments)},
                   {"fixed", in_quotes(fixed)}};
    return add_body(name, "mass_spring", joined(own, keys));
}

Scene& Scene::add_intestine(const std::string& name, const Keys& keys) {
    return add_body(name, "mass_spring", joined({{"anatomy", "\"intestine\""}}, keys));
}

Scene& Scene::add_mesh(const std::string& name, const std::string& tissue, const MeshShape& mesh, const Keys& keys) {
    check_corners(name, mesh);
    if (mesh.triangles.empty() == mesh.tetrahedra.empty()) {
        throw Error(name + ": found both or none of triangles and tetrahedra, expected one of them");
    }
    const bool solid = !mesh.tetrahedra.empty();
    const std::string file = name + (solid ? ".vtk" : ".obj");
    m_inside->meshes.insert_or_assign(file, solid ? to_vtk(mesh) : to_obj(mesh));
    return add_body(name, tissue, joined({{"mesh", in_quotes(file)}}, keys));
}

Scene& Scene::add_body(const std::string& name, const std::string& tissue, const Keys& keys) {
    m_inside->source.text += make_table("body", name, joined({{"tissue", in_quotes(tissue)}}, keys));
    return *this;
}

Scene& Scene::add_tool(const std::string& name, const std::string& kind, const Keys& keys) {
    m_inside->source.text += make_table("tool", name, joined({{"kind", in_quotes(kind)}}, keys));
    return *this;
}

Scene& Scene::add_tissue(const std::string& name, std::shared_ptr<const Tissue> tissue) {
    if (!tissue) throw Error(name + ": found no tissue, expected one");
    m_inside->source.tissues.emplace_back(name, std::move(tissue));
    return *this;
}

const std::string& Scene::text() const {
    return m_inside->source.text;
}

}  // namespace plica
