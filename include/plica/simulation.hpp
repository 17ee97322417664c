#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plica/error.hpp"
#include "plica/scene.hpp"
#include "plica/types.hpp"

namespace plica {

// "0.1.0"
[[nodiscard]] std::string version();

// All that the steps to come depend on: positions, velocities, what contact remembers, tools, the script's progress,
// parameters. It belongs to its scene, whichever simulation runs that.
class SavedState {
public:
    SavedState() = default;
    explicit SavedState(std::vector<std::byte> bytes) : m_bytes(std::move(bytes)) {}
    // With a version, the scene's fingerprint and a checksum; for machines of the same byte order.
    [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; }

private:
    friend class Simulation;
    std::vector<std::byte> m_bytes;
};

// A scene that runs: its world, the script of its tools, what a program took over, what it tuned, a recording. All that
// goes wrong throws Error. A simulation belongs to one thread at a time; several on threads of their own do not
// disturb each other. References and spans that it gives are its own memory: they last until its next step(), reset()
// or restore(), or as long as the simulation where nothing else is said.
class Simulation {
public:
    // A built-in scene ("intestine") or a path to a .toml file or a NiftySim model.
    static Simulation load(const std::string& scene, const LoadOptions& options = {});
    // A scene written in the program itself, as text or in code.
    static Simulation from_text(const std::string& toml, const LoadOptions& options = {});
    static Simulation build(const Scene& scene, const LoadOptions& options = {});
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    // Advances by dt(). Tools follow the scene's paths until they are taken over. Allocates nothing once warm, but for
    // a recording. Throws when a recording cannot be written; the step was taken all the same. Throws when a function
    // of a plica::Tissue does, with the body's name; all is then as it was before the step.
    StepInfo step();
    // Back to the scene's start: tools are the script's again and a recording ends; parameters stay as they were set.
    void reset();

    // Saving, restoring, forking. A restored simulation goes on bit for bit, also in the middle of contact. What was
    // not saved by a simulation of this scene, or was damaged since, is refused with an Error and changes nothing.
    // While a recording runs nothing can be restored.
    [[nodiscard]] SavedState save() const;
    void save(SavedState& into) const;  // reuses its memory
    void restore(const SavedState& state);
    // Another simulation that is as this one is, and shares its model: several can run, each on a thread of its own.
    // It records nothing. threads: 0, as many as this has.
    [[nodiscard]] Simulation fork(int threads = 0) const;

    [[nodiscard]] double dt() const;    // s
    [[nodiscard]] double time() const;  // s
    [[nodiscard]] const std::vector<BodyInfo>& bodies() const;
    [[nodiscard]] std::size_t node_count() const;
    [[nodiscard]] Point position(std::size_t node) const;  // m
    // x, y, z of every node, m and m/s, as of the last step.
    [[nodiscard]] std::span<const double> positions() const;
    [[nodiscard]] std::span<const double> velocities() const;
    [[nodiscard]] std::size_t body(const std::string& name) const;  // index into bodies()
    // For a renderer of one's own; they never change. Built by each call.
    [[nodiscard]] BodySurface surface(std::size_t body) const;
    [[nodiscard]] BodyCells cells(std::size_t body) const;  // none but of solids
    [[nodiscard]] RigidInfo rigid(std::size_t body) const;  // of a rigid body, a tool's too

    // Of the last step, bodies first, then walls; empty before the first. Computed by each call, which overwrites what
    // the one before gave.
    [[nodiscard]] std::span<const ContactInfo> contacts() const;
    // Fields at nodes that this scene has: "temperature", "stress", ..., and what own tissues publish.
    [[nodiscard]] std::vector<FieldInfo> fields() const;
    // One number a node, in the field's unit; not a number where the tissue has no such field. Computed by each call,
    // which overwrites what the one before gave.
    [[nodiscard]] std::span<const float> field(const std::string& name) const;

    // Node of a body at a fraction of its length, e.g. node_at("gut", 0.5).
    [[nodiscard]] std::size_t node_at(const std::string& body, double fraction) const;
    // Node of a body's surface that is nearest to this place (m) now; for solids and heat tissue.
    [[nodiscard]] std::size_t nearest_node(const std::string& body, const Point& place) const;
    // J/m^2, of a node of heat tissue as of the last step; not a number for others.
    [[nodiscard]] double temperature(std::size_t node) const;

    // Index of a tool of the scene by its name.
    [[nodiscard]] std::size_t tool(const std::string& name) const;
    // Taking a tool over: it begins as it is, with its place, its turn and what it holds; from then on it stays as the
    // program says, until give_back() or reset(). All of it takes effect with the next step.
    // A grab takes hold of this node, its handle where the node is.
    void hold(std::size_t tool, std::size_t node);
    // Its handle is to be there (m) at the end of the next step; a rigid tool keeps its turn, a ball appears.
    void move(std::size_t tool, const Point& target);
    // A rigid tool is to be turned like this (rad, about the vector's direction) at the end of the next step.
    void turn(std::size_t tool, const Point& turn);
    // A grab lets go, a ball is withdrawn; a rigid tool stays where it is.
    void release(std::size_t tool);
    // It is the script's again.
    void give_back(std::size_t tool);
    // N, what the tool felt in the last step, mean over it: the opposite of what the tissue got.
    [[nodiscard]] Point tool_force(std::size_t tool) const;
    [[nodiscard]] ToolInfo tool_info(std::size_t tool) const;
    [[nodiscard]] std::size_t tool_count() const;

    // s of wall time that a step should end in, as solver.budget is in a window; 0, as it begins: it takes what it
    // takes. One that falls behind takes fewer passes over contact, StepInfo::late_substeps says how many; so results
    // depend on the machine, but a recording knows and replays bit for bit. Throws Error beyond 0 to 1.
    void set_budget(double seconds);

    // m/s^2; the scene's own until set.
    void set_gravity(const Point& gravity);
    // Parameters by name, with the next step; recorded and replayed like tools. stiffness and damping are factors on
    // the scene's values, of all tissue or, as in "gut.stiffness", of a body; friction is a coefficient; gravity.x, .y
    // and .z are m/s^2. The next step after a change may allocate.
    [[nodiscard]] std::vector<std::string> parameters() const;
    [[nodiscard]] double parameter(const std::string& name) const;
    void set_parameter(const std::string& name, double value);
    // brute, grid, bvh or tracked; "scene": the scene's own. One that the scene cannot have is the scene's own too.
    void set_detector(const std::string& name);

    // Writes a recording that `plica replay` verifies and `plica render` draws, from the scene's start: call it before
    // the first step or after reset(). The file is complete after stop_recording(), reset() or the simulation's end;
    // only the first tells of a full disk.
    void record(const std::string& path);
    void stop_recording();
    // Starts again and takes a recording's inputs, step by step, up to the first whose hash is not the recorded one.
    // For scenes that `plica replay` cannot build, because their tissue is the program's own.
    ReplayInfo replay(const std::string& recording);

    // From now on each step is checked by an audit with geometry of its own: did anything go through anything? It takes
    // longer than a step does.
    void start_audit();
    [[nodiscard]] AuditInfo audit() const;

    // "overstretched:gut"
    [[nodiscard]] std::string name_of(const FlagInfo& flag) const;

    // What the project's own drivers use; no part of the interface.
    class Inside;
    explicit Simulation(std::unique_ptr<Inside> inside);
    [[nodiscard]] Inside& inside() { return *m_inside; }
    [[nodiscard]] const Inside& inside() const { return *m_inside; }

private:
    std::unique_ptr<Inside> m_inside;
};

}  // namespace plica
