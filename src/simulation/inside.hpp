#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "audit/audit.hpp"
#include "engine/world.hpp"
#include "plica/simulation.hpp"
#include "scene/script.hpp"
#include "simulation/recorder.hpp"
#include "simulation/scenario.hpp"

// What the project's own drivers (run, replay, render, view) see of a Simulation beyond the library's face.
namespace plica {

struct DriveOptions {
    std::uint64_t seed = 1;
    int threads = 1;
    Isa isa = best_isa();
};

// The world of a scene, as its first step finds it.
World build_world(const OpenScene& opened, const DriveOptions& options);

// Scene, world, script, take-over of tools, tuning, gravity and recorder.
class Simulation::Inside {
public:
    Inside(OpenScene opened, const DriveOptions& options);
    // As another is now, on the same model.
    Inside(const Inside& other, int threads);

    [[nodiscard]] const Scenario& scenario() const { return *m_scenario; }
    [[nodiscard]] const SceneDescription& scene() const { return m_scenario->opened.scene; }
    [[nodiscard]] const World& world() const { return m_world; }
    [[nodiscard]] World& world() { return m_world; }
    [[nodiscard]] const Model& model() const { return m_world.model(); }
    [[nodiscard]] const Frame& frame() const { return m_world.frame(); }
    [[nodiscard]] const StepReport& report() const { return m_report; }  // of the last step; zero at the start
    [[nodiscard]] const Recorder& recorder() const { return m_recorder; }

    // One step: the script's inputs, but for what was taken from it. One that is given up (World::stop_on()) is neither
    // recorded nor audited. Throws Error when a recording cannot go on; the
    // step was taken all the same. Throws Error when a tissue of the program's own throws; then all is as before.
    const StepReport& step();
    // The same with inputs that are given, a recording's say; the script goes along.
    const StepReport& step(const Inputs& inputs);

    // The tool's input once it is taken from the script: it begins as the tool is, place, turn, presence, what it
    // holds.
    ToolInput& take(std::size_t tool);
    void hold(std::size_t tool, std::int32_t node, const Vec3& where);  // m
    void move(std::size_t tool, const Vec3& target);                    // m
    void turn(std::size_t tool, const Vec3& turn);                      // rad
    void release(std::size_t tool);
    void give_back(std::size_t tool);  // to the script

    void tune(const Tuning& tuning) { m_tuning = tuning; }
    [[nodiscard]] const Tuning& tuning() const { return m_tuning; }
    void set_gravity(const std::optional<Vec3>& gravity) { m_gravity = gravity; }  // m/s^2; none: the scene's
    [[nodiscard]] Vec3 gravity() const;  // m/s^2, of the next step, without what shakes the scene

    // To the scene's start; tools are the script's again, a recording ends, what was tuned stays.
    void reset();
    void record(const std::string& path);
    void stop_recording() { m_recorder.close(); }
    [[nodiscard]] bool is_at_start() const;

    // All that the steps to come depend on, as bytes with a version, the scenario's fingerprint and a checksum.
    void save(std::vector<std::byte>& out) const;
    // Throws Error, with nothing changed, for bytes that save() did not write for this scenario.
    void load(std::span<const std::byte> bytes);

    // Inputs of a recording, from the start, up to the first step whose hash is another. Throws Error where the
    // recording is of another world.
    ReplayInfo replay(const std::string& path);

    void start_audit();
    [[nodiscard]] const AuditInfo& audited() const { return m_audited; }

    void check_tool(std::size_t tool) const;
    void check_node(std::size_t node) const;
    void check_body(std::size_t body) const;

    // What views are made of, rewritten by each call.
    mutable std::vector<ContactMark> marks;
    mutable std::vector<ContactInfo> contacts;
    mutable Frame shown;

private:
    template <class TakeInputs>
    const StepReport& take_step(const TakeInputs& take_inputs);
    void take_back(std::uint64_t step);
    void examine();
    void visit_archive(ByteReader& archive, std::uint64_t step);

    std::shared_ptr<const Scenario> m_scenario;
    World m_world;
    Script m_script;
    Inputs m_inputs;
    std::vector<std::optional<ToolInput>> m_taken;
    Tuning m_tuning;
    std::optional<Vec3> m_gravity;
    StepReport m_report;
    std::vector<std::byte> m_before;  // world and script before the step, where one may throw
    Recorder m_recorder;
    std::optional<audit::Audit> m_audit;
    AuditInfo m_audited;
};

// Throws Error.
void check_threads(int threads);

Simulation make_simulation(OpenScene opened, const DriveOptions& options);

// A node of a rigid body: no grab takes hold of one.
bool is_rigid_node(const Model& model, std::int32_t node);

inline Vec3 to_vec(const Point& p) {
    return {p[0], p[1], p[2]};
}
inline Point to_point(const Vec3& v) {
    return {v.x, v.y, v.z};
}

}  // namespace plica
