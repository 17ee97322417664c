#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plica/error.hpp"
#include "plica/tissue.hpp"
#include "plica/types.hpp"

namespace plica {

// A tube that bends, e.g. a thread or a piece of gut. SI units.
struct RopeShape {
    Point from{0, 0, 0};       // m, its first node
    Point direction{1, 0, 0};  // of the rest
    double length = 1.0;       // m
    double radius = 0.01;      // m
    int segments = 50;
    bool fixed_start = false, fixed_end = false;
};

// A mesh as arrays, by its own nodes. SI units.
struct MeshShape {
    std::vector<Point> nodes;                               // m
    std::vector<std::array<std::int32_t, 3>> triangles{};   // of a surface: heat tissue, a rigid body
    std::vector<std::array<std::int32_t, 4>> tetrahedra{};  // of a solid
};

// A scene as a value: loaded, written, or put together in code, changed by the keys of docs/scenes.md, and built into
// as many simulations as wanted. What is added in code is kept as a scene's text, so that recordings can be replayed;
// only an own tissue is not. Mistakes are told when a simulation is built. A scene belongs to one thread at a time.
class Scene {
public:
    // Empty: it needs a body, of a file's tissues or of one's own.
    Scene();
    // A built-in scene or a file; a text.
    static Scene load(const std::string& name_or_path);
    static Scene from_text(const std::string& toml);
    ~Scene();
    Scene(const Scene&);
    Scene& operator=(const Scene&);
    Scene(Scene&&) noexcept;
    Scene& operator=(Scene&&) noexcept;

    // Any value by its key, as --set: set("gut.segments", "400"), set("environment.gravity", "[0, 0, 0]").
    Scene& set(const std::string& key, const std::string& value);
    Scene& set(const std::string& key, double value);

    // Further keys of a body or tool: {"mass_per_length", "0.5"}, with the value as a scene's text has it.
    using Keys = std::vector<std::pair<std::string, std::string>>;
    Scene& add_rope(const std::string& name, const RopeShape& rope, const Keys& keys = {});
    // With its mesentery, as the keys say: {"preset", "\"human\""}, {"segments", "300"}.
    Scene& add_intestine(const std::string& name, const Keys& keys = {});
    // A body of tissue "tled", "heat" or "rigid" from a mesh.
    Scene& add_mesh(const std::string& name, const std::string& tissue, const MeshShape& mesh, const Keys& keys = {});
    // The same from a shape or a file by key: {"shape", "\"liver\""} or {"mesh", "\"liver.stl\""}.
    Scene& add_body(const std::string& name, const std::string& tissue, const Keys& keys);
    // Kinds "grab", "sphere" and "rigid". A tool that waits for the program has a path whose time never comes:
    // {"path", "[ { t = 1e9, at = \"gut:0.5\" } ]"}.
    Scene& add_tool(const std::string& name, const std::string& kind, const Keys& keys);
    // A body of a tissue that Plica does not know; the object is shared by all simulations of the scene. Paths of tools
    // name it like others: {"path", "[ { t = 1, at = \"balloon\", near = [0, 0, 0.1] } ]"}.
    Scene& add_tissue(const std::string& name, std::shared_ptr<const Tissue> tissue);

    // As a scene file has it, without overrides and own tissues.
    [[nodiscard]] const std::string& text() const;

    // What the library's own sources use; no part of the interface.
    struct Inside;
    [[nodiscard]] const Inside& inside() const { return *m_inside; }

private:
    std::unique_ptr<Inside> m_inside;
};

}  // namespace plica
