#include "plica/simulation.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "simulation/inside.hpp"
#include "simulation/scene_inside.hpp"

namespace plica {
namespace {

std::span<const double> numbers_of(const std::vector<Vec3>& list) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    if (list.empty()) return {};
    return {&list[0].x, 3 * list.size()};
}

// A number from elsewhere, or none at all, is told before a step tries to get there.
Vec3 to_checked(const Point& p, const char* what) {
    constexpr double most = 1e6;
    for (const double x : p) {
        if (std::abs(x) <= most) continue;
        throw Error(std::string(what) + ": found a number that is none or beyond 1e6, expected smaller ones");
    }
    return to_vec(p);
}

StepInfo to_info(const StepReport& report) {
    StepInfo info;
    info.valid = report.is_valid();
    info.seconds = report.seconds;
    info.contacts = report.contacts;
    info.hash = report.hash;
    info.substeps = report.substeps;
    info.late_substeps = report.late_substeps;
    info.tissue_seconds = report.stage_seconds[static_cast<std::size_t>(Stage::tissue)];
    info.detect_seconds = report.stage_seconds[static_cast<std::size_t>(Stage::detect)];
    info.respond_seconds = report.stage_seconds[static_cast<std::size_t>(Stage::respond)];
    info.certify_seconds = report.stage_seconds[static_cast<std::size_t>(Stage::certify)];
    const auto index = [](std::int32_t i) { return i < 0 ? no_index : static_cast<std::size_t>(i); };
    for (int i = 0; i < report.flag_count; ++i) {
        const Flag& flag = report.flags[static_cast<std::size_t>(i)];
        info.flags.push_back({static_cast<FlagInfo::Kind>(flag.kind), index(flag.body), index(flag.cell)});
    }
    return info;
}

}  // namespace

Simulation::Simulation(std::unique_ptr<Inside> inside) : m_inside(std::move(inside)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

std::string version() {
    return PLICA_VERSION;
}

Simulation Simulation::load(const std::string& scene, const LoadOptions& options) {
    return make_simulation(open_scene(find_scene(scene, options.overrides)), {options.seed, options.threads});
}

Simulation Simulation::from_text(const std::string& toml, const LoadOptions& options) {
    return make_simulation(open_scene({"text", "text", toml, options.overrides}), {options.seed, options.threads});
}

Simulation Simulation::build(const Scene& scene, const LoadOptions& options) {
    return make_simulation(scene.inside().open(options.overrides), {options.seed, options.threads});
}

StepInfo Simulation::step() {
    return to_info(m_inside->step());
}

SavedState Simulation::save() const {
    SavedState state;
    save(state);
    return state;
}

void Simulation::save(SavedState& into) const {
    m_inside->save(into.m_bytes);
}

void Simulation::restore(const SavedState& state) {
    m_inside->load(state.m_bytes);
}

Simulation Simulation::fork(int threads) const {
    const int wanted = threads != 0 ? threads : m_inside->world().threads();
    check_threads(wanted);
    return Simulation(std::make_unique<Inside>(*m_inside, wanted));
}

void Simulation::reset() {
    m_inside->reset();
}

double Simulation::dt() const {
    return m_inside->model().dt;
}

double Simulation::time() const {
    return m_inside->frame().time;
}

const std::vector<BodyInfo>& Simulation::bodies() const {
    return m_inside->scenario().bodies;
}

std::size_t Simulation::node_count() const {
    return m_inside->model().nodes();
}

Point Simulation::position(std::size_t node) const {
    m_inside->check_node(node);
    return to_point(m_inside->frame().positions[node]);
}

std::span<const double> Simulation::positions() const {
    return numbers_of(m_inside->frame().positions);
}

std::span<const double> Simulation::velocities() const {
    return numbers_of(m_inside->world().state().v);
}

std::size_t Simulation::node_at(const std::string& body, double fraction) const {
    if (!(fraction >= 0.0 && fraction <= 1.0)) throw Error("a place on a body is a fraction from 0 to 1");
    return static_cast<std::size_t>(find_node(m_inside->model(), body, fraction));
}

std::size_t Simulation::nearest_node(const std::string& body, const Point& place) const {
    const Vec3 point = to_checked(place, "a place near a body");
    return static_cast<std::size_t>(find_nearest_node(m_inside->model(), body, m_inside->world().state().x, point));
}

double Simulation::temperature(std::size_t node) const {
    m_inside->check_node(node);
    const World& world = m_inside->world();
    for (std::size_t i = 0; i < world.model().of<HeatSurfaces>().size(); ++i) {
        const auto first = static_cast<std::size_t>(world.model().of<HeatSurfaces>()[i].first_node);
        const std::vector<double>& own = world.state().of<HeatSurfaces>()[i].temperature;
        if (node >= first && node < first + own.size()) return own[node - first];
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::size_t Simulation::tool(const std::string& name) const {
    const std::vector<Tool>& tools = m_inside->model().tools;
    for (std::size_t t = 0; t < tools.size(); ++t) {
        if (tools[t].name == name) return t;
    }
    throw Error("no tool is called \"" + name + "\"");
}

void Simulation::hold(std::size_t tool, std::size_t node) {
    m_inside->check_node(node);
    m_inside->hold(tool, static_cast<std::int32_t>(node), m_inside->world().state().x[node]);
}

void Simulation::move(std::size_t tool, const Point& target) {
    m_inside->move(tool, to_checked(target, "a tool's place"));
}

void Simulation::turn(std::size_t tool, const Point& turn) {
    m_inside->turn(tool, to_checked(turn, "a tool's turn"));
}

void Simulation::release(std::size_t tool) {
    m_inside->release(tool);
}

void Simulation::give_back(std::size_t tool) {
    m_inside->give_back(tool);
}

Point Simulation::tool_force(std::size_t tool) const {
    m_inside->check_tool(tool);
    return to_point(m_inside->frame().tool_force[tool]);
}

std::size_t Simulation::tool_count() const {
    return m_inside->model().tools.size();
}

ToolInfo Simulation::tool_info(std::size_t tool) const {
    m_inside->check_tool(tool);
    const Frame& frame = m_inside->frame();
    const ToolPose& pose = frame.tools[tool];
    return {m_inside->model().tools[tool].name,
            to_point(pose.handle),
            to_point(pose.turn),
            pose.present || m_inside->model().tools[tool].kind == ToolKind::rigid,
            pose.node < 0 ? no_index : static_cast<std::size_t>(pose.node),
            to_point(frame.tool_force[tool]),
            to_point(frame.tool_torque[tool]),
            to_point(frame.hand_force[tool]),
            to_point(frame.hand_torque[tool])};
}

void Simulation::set_budget(double seconds) {
    if (!(seconds >= 0.0 && seconds <= 1.0)) {
        throw Error("found a budget of " + std::to_string(seconds) + " s, expected 0 to 1");
    }
    m_inside->world().set_budget(seconds);
}

void Simulation::set_gravity(const Point& gravity) {
    m_inside->set_gravity(to_checked(gravity, "gravity"));
}

void Simulation::record(const std::string& path) {
    m_inside->record(path);
}

void Simulation::stop_recording() {
    m_inside->stop_recording();
}

ReplayInfo Simulation::replay(const std::string& recording) {
    return m_inside->replay(recording);
}

void Simulation::start_audit() {
    m_inside->start_audit();
}

AuditInfo Simulation::audit() const {
    return m_inside->audited();
}

std::string Simulation::name_of(const FlagInfo& flag) const {
    std::string name = flag_name(static_cast<FlagKind>(flag.kind));
    if (flag.body < bodies().size()) name += ":" + bodies()[flag.body].name;
    return name;
}

}  // namespace plica
