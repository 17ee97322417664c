#include "simulation/inside.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "scene/build.hpp"
#include "simulation/settle.hpp"

namespace plica {

World build_world(const OpenScene& opened, const DriveOptions& options) {
    Built built = build_scene(opened.scene, opened.source.file, options.seed);
    World world(std::move(built.model), std::move(built.state), options.threads, options.isa);
    if (opened.scene.settled) settle(opened, options.seed, world);
    return world;
}

void check_threads(int threads) {
    constexpr int most = 1024;
    if (threads >= 1 && threads <= most) return;
    throw Error("found " + std::to_string(threads) + " threads, expected 1 to " + std::to_string(most));
}

bool is_rigid_node(const Model& model, std::int32_t node) {
    return std::any_of(model.rigids.begin(), model.rigids.end(), [&](const RigidBody& rigid) {
        return node >= rigid.first_node && node - rigid.first_node < static_cast<std::int32_t>(rigid.local.size());
    });
}

Simulation make_simulation(OpenScene opened, const DriveOptions& options) {
    check_threads(options.threads);
    return Simulation(std::make_unique<Simulation::Inside>(std::move(opened), options));
}

Simulation::Inside::Inside(OpenScene opened, const DriveOptions& options)
    : m_world(build_world(opened, options)), m_script(opened.scene), m_taken(opened.scene.tools.size()) {
    m_scenario = make_scenario(std::move(opened), options.seed, m_world);
}

Simulation::Inside::Inside(const Inside& other, int threads)
    : m_scenario(other.m_scenario),
      m_world(other.m_world.shared_model(), other.m_scenario->start, threads, other.m_world.isa()),
      m_script(other.m_script),
      m_taken(other.m_taken.size()) {
    std::vector<std::byte> bytes;
    other.save(bytes);
    load(bytes);
    m_report = other.m_report;
}

const StepReport& Simulation::Inside::step() {
    return take_step([&] {
        m_inputs = m_script.next(m_world);
        for (std::size_t t = 0; t < m_taken.size(); ++t) {
            if (m_taken[t]) m_inputs.tools[t] = *m_taken[t];
        }
        if (m_gravity) m_inputs.gravity = *m_gravity;
        m_inputs.tuning = m_tuning;
        m_inputs.full_substeps = Inputs::by_budget;
    });
}

const StepReport& Simulation::Inside::step(const Inputs& inputs) {
    return take_step([&] {
        m_script.next(m_world);
        m_inputs = inputs;
    });
}

template <class TakeInputs>
const StepReport& Simulation::Inside::take_step(const TakeInputs& take_inputs) {
    const bool may_throw = !model().of<OwnTissues>().empty();
    const std::uint64_t before = m_world.state().step;
    if (may_throw) {
        m_before.clear();
        ByteWriter archive(m_before);
        m_world.save(archive);
        m_script.save(archive);
    }
    try {
        take_inputs();
        m_report = m_world.step(m_inputs);
    } catch (const Error&) {
        if (may_throw) take_back(before);
        throw;
    }
    if (m_report.interrupted) return m_report;
    m_inputs.full_substeps = m_report.full_substeps;
    if (m_audit && m_report.is_valid()) examine();
    m_recorder.add(m_inputs, m_world, m_report.hash);
    return m_report;
}

void Simulation::Inside::take_back(std::uint64_t step) {
    ByteReader archive(m_before, true);
    try {
        m_world.load(archive, step);
    } catch (const Error&) {
        // The state is back; the tissue's field is what cannot be published.
    }
    m_script.load(archive, m_world, step);
}

ToolInput& Simulation::Inside::take(std::size_t tool) {
    check_tool(tool);
    if (!m_taken[tool]) {
        const Tool& own = model().tools[tool];
        const ToolState& now = m_world.state().tools[tool];
        // A ball that is not there waits where its node is.
        const bool waits = own.kind == ToolKind::sphere && now.present == 0;
        const Vec3 place = waits ? m_world.state().x[static_cast<std::size_t>(own.node)] : now.handle;
        const std::int32_t present = own.kind == ToolKind::rigid ? 1 : now.present;
        m_taken[tool] = ToolInput{place, now.node, present, now.turn};
    }
    return *m_taken[tool];
}

void Simulation::Inside::hold(std::size_t tool, std::int32_t node, const Vec3& where) {
    check_tool(tool);
    check_node(static_cast<std::size_t>(node));
    if (model().tools[tool].kind != ToolKind::grab) {
        throw Error("tool \"" + model().tools[tool].name + "\" holds nothing; expected a grab");
    }
    if (is_rigid_node(model(), node)) {
        throw Error("node " + std::to_string(node) + " belongs to a rigid body; expected one of tissue");
    }
    take(tool) = {where, node, 1, {}};
}

void Simulation::Inside::move(std::size_t tool, const Vec3& target) {
    ToolInput& input = take(tool);
    input.target = target;
    if (model().tools[tool].kind == ToolKind::sphere) input.present = 1;
}

void Simulation::Inside::turn(std::size_t tool, const Vec3& turn) {
    check_tool(tool);
    if (model().tools[tool].kind != ToolKind::rigid) {
        throw Error("tool \"" + model().tools[tool].name + "\" has no turn; expected a rigid one");
    }
    take(tool).turn = turn;
}

void Simulation::Inside::release(std::size_t tool) {
    ToolInput& input = take(tool);
    if (model().tools[tool].kind == ToolKind::rigid) return;  // it is always there, and stays
    input.node = -1;
    input.present = 0;
}

void Simulation::Inside::give_back(std::size_t tool) {
    check_tool(tool);
    m_taken[tool].reset();
}

Vec3 Simulation::Inside::gravity() const {
    return m_gravity.value_or(scene().gravity);
}

void Simulation::Inside::reset() {
    m_recorder.close();
    ByteReader start(m_scenario->memory, true);
    m_world.load(start, m_scenario->start.step);
    m_script = Script(scene());
    std::fill(m_taken.begin(), m_taken.end(), std::nullopt);
    m_report = {};
}

bool Simulation::Inside::is_at_start() const {
    return m_world.state().step == 0 && compute_hash(m_world.state()) == m_scenario->start_hash;
}

void Simulation::Inside::record(const std::string& path) {
    if (!is_at_start()) {
        throw Error(path + ": a recording is replayed from the scene's start; expected it to begin there, or reset()");
    }
    m_recorder.start(path, m_scenario->opened, m_scenario->seed, m_world);
}

void Simulation::Inside::check_tool(std::size_t tool) const {
    if (tool >= m_taken.size()) throw Error("there is no tool " + std::to_string(tool));
}

void Simulation::Inside::check_node(std::size_t node) const {
    if (node >= model().nodes()) throw Error("there is no node " + std::to_string(node));
}

void Simulation::Inside::check_body(std::size_t body) const {
    if (body >= model().bodies.size()) throw Error("there is no body " + std::to_string(body));
}

}  // namespace plica
