#pragma once
// Plica as a library: load or write a scene, step it, move its tools, read positions and forces. SI units.
// Everything that goes wrong throws an exception derived from std::runtime_error that says what and where.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace plica {

using Point = std::array<double, 3>;  // m, m/s or N

struct BodyInfo {
    std::string name;
    std::size_t first_node;  // of its contiguous range
    std::size_t nodes;
};

struct StepInfo {
    bool valid;                      // false: something was not finite; the last good state was kept
    double seconds;                  // that the step took
    double contacts;                 // pairs that carry load, mean over the substeps
    std::uint64_t hash;              // of the whole state: equal runs have equal hashes
    std::vector<std::string> flags;  // e.g. "overstretched:gut"
};

struct LoadOptions {
    std::vector<std::string> overrides;  // as --set: "gut.segments=400"
    std::uint64_t seed = 1;
    int threads = 1;
};

class Simulation {
public:
    // A built-in scene ("intestine") or a path to a .toml file.
    static Simulation load(const std::string& scene, const LoadOptions& options = {});
    // A scene written in the program itself.
    static Simulation from_text(const std::string& toml, const LoadOptions& options = {});
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    // Advances by dt(). Tools follow the scene's paths until they are taken over by hold() or move().
    StepInfo step();

    [[nodiscard]] double dt() const;    // s
    [[nodiscard]] double time() const;  // s
    [[nodiscard]] const std::vector<BodyInfo>& bodies() const;
    [[nodiscard]] std::size_t node_count() const;
    [[nodiscard]] Point position(std::size_t node) const;
    // x, y, z of every node, as of the last step; the memory belongs to the simulation and changes with the next one.
    [[nodiscard]] std::span<const double> positions() const;

    // Node of a body at a fraction of its length, e.g. node_at("gut", 0.5).
    [[nodiscard]] std::size_t node_at(const std::string& body, double fraction) const;
    // Node of a body's surface that is nearest to this place now; for solids and heat tissue.
    [[nodiscard]] std::size_t nearest_node(const std::string& body, const Point& place) const;
    // J/m^2, of a node of heat tissue as of the last step; not a number for others.
    [[nodiscard]] double temperature(std::size_t node) const;
    // Index of a tool of the scene by its name.
    [[nodiscard]] std::size_t tool(const std::string& name) const;
    // Takes the tool over: a grab takes hold of this node, its handle where the node is.
    void hold(std::size_t tool, std::size_t node);
    // Takes the tool over: its handle is to be there at the end of the next step.
    void move(std::size_t tool, const Point& target);
    // Takes the tool over and withdraws it.
    void release(std::size_t tool);
    // N, what the tool felt in the last step: the opposite of what the tissue got.
    [[nodiscard]] Point tool_force(std::size_t tool) const;
    // m/s^2; the scene's own until set.
    void set_gravity(const Point& gravity);

private:
    struct Parts;
    explicit Simulation(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

}  // namespace plica
