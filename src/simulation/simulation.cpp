#include <limits>
#include <optional>

#include "core/error.hpp"
#include "engine/world.hpp"
#include "plica/plica.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"

namespace plica {
namespace {

Vec3 to_vec(const Point& p) {
    return {p[0], p[1], p[2]};
}

Point to_point(const Vec3& v) {
    return {v.x, v.y, v.z};
}

World make_world(const SceneSource& source, const LoadOptions& options) {
    Built built = build_scene(source, options.seed);
    return World(std::move(built.model), std::move(built.state), options.threads);
}

}  // namespace

struct Simulation::Parts {
    Parts(const SceneSource& source, const LoadOptions& options)
        : scene(read_scene(source)), world(make_world(source, options)), script(scene), taken(scene.tools.size()) {
        for (const Body& body : world.model().bodies) {
            bodies.push_back(
                {body.name, static_cast<std::size_t>(body.first_node), static_cast<std::size_t>(body.nodes)});
        }
    }

    // The tool's own input once the program has taken it over.
    ToolInput& take(std::size_t tool) {
        if (tool >= taken.size()) throw Error("there is no tool " + std::to_string(tool));
        if (!taken[tool]) taken[tool] = ToolInput{world.state().tools[tool].handle, -1, 0};
        return *taken[tool];
    }
    void check_node(std::size_t node) const {
        if (node >= world.model().nodes()) throw Error("there is no node " + std::to_string(node));
    }

    SceneDescription scene;
    World world;
    Script script;
    Inputs inputs;
    std::vector<std::optional<ToolInput>> taken;
    std::optional<Vec3> gravity;
    std::vector<BodyInfo> bodies;
};

Simulation::Simulation(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Simulation Simulation::load(const std::string& scene, const LoadOptions& options) {
    return Simulation(std::make_unique<Parts>(find_scene(scene, options.overrides), options));
}

Simulation Simulation::from_text(const std::string& toml, const LoadOptions& options) {
    return Simulation(std::make_unique<Parts>(SceneSource{"text", "text", toml, options.overrides}, options));
}

StepInfo Simulation::step() {
    Parts& p = *m_parts;
    p.inputs = p.script.next(p.world);
    for (std::size_t t = 0; t < p.taken.size(); ++t) {
        if (p.taken[t]) p.inputs.tools[t] = *p.taken[t];
    }
    if (p.gravity) p.inputs.gravity = *p.gravity;
    const StepReport report = p.world.step(p.inputs);
    StepInfo info{report.is_valid(), report.seconds, report.contacts, report.hash, {}};
    for (int i = 0; i < report.flag_count; ++i) {
        const Flag& flag = report.flags[static_cast<std::size_t>(i)];
        info.flags.push_back(std::string(flag_name(flag.kind)) + ":" +
                             p.bodies[static_cast<std::size_t>(flag.body)].name);
    }
    return info;
}

double Simulation::dt() const {
    return m_parts->world.model().dt;
}

double Simulation::time() const {
    return m_parts->world.frame().time;
}

const std::vector<BodyInfo>& Simulation::bodies() const {
    return m_parts->bodies;
}

std::size_t Simulation::node_count() const {
    return m_parts->world.model().nodes();
}

Point Simulation::position(std::size_t node) const {
    m_parts->check_node(node);
    return to_point(m_parts->world.frame().positions[node]);
}

std::span<const double> Simulation::positions() const {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    const std::vector<Vec3>& list = m_parts->world.frame().positions;
    return {&list[0].x, 3 * list.size()};
}

std::size_t Simulation::node_at(const std::string& body, double fraction) const {
    if (!(fraction >= 0.0 && fraction <= 1.0)) throw Error("a place on a body is a fraction from 0 to 1");
    return static_cast<std::size_t>(find_node(m_parts->world.model(), body, fraction));
}

std::size_t Simulation::nearest_node(const std::string& body, const Point& place) const {
    const World& world = m_parts->world;
    return static_cast<std::size_t>(
        find_nearest_node(world.model(), body, world.state().x, {place[0], place[1], place[2]}));
}

double Simulation::temperature(std::size_t node) const {
    m_parts->check_node(node);
    const World& world = m_parts->world;
    for (std::size_t i = 0; i < world.model().of<HeatSurfaces>().size(); ++i) {
        const auto first = static_cast<std::size_t>(world.model().of<HeatSurfaces>()[i].first_node);
        const std::vector<double>& own = world.state().of<HeatSurfaces>()[i].temperature;
        if (node >= first && node < first + own.size()) return own[node - first];
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::size_t Simulation::tool(const std::string& name) const {
    const std::vector<Tool>& tools = m_parts->world.model().tools;
    for (std::size_t t = 0; t < tools.size(); ++t) {
        if (tools[t].name == name) return t;
    }
    throw Error("no tool is called \"" + name + "\"");
}

void Simulation::hold(std::size_t tool, std::size_t node) {
    m_parts->check_node(node);
    m_parts->take(tool) = {m_parts->world.state().x[node], static_cast<std::int32_t>(node), 1};
}

void Simulation::move(std::size_t tool, const Point& target) {
    ToolInput& input = m_parts->take(tool);
    input.target = to_vec(target);
    if (m_parts->world.model().tools[tool].kind == ToolKind::sphere) input.present = 1;
}

void Simulation::release(std::size_t tool) {
    ToolInput& input = m_parts->take(tool);
    input.node = -1;
    input.present = 0;
}

Point Simulation::tool_force(std::size_t tool) const {
    if (tool >= m_parts->taken.size()) throw Error("there is no tool " + std::to_string(tool));
    return to_point(m_parts->world.frame().tool_force[tool]);
}

void Simulation::set_gravity(const Point& gravity) {
    m_parts->gravity = to_vec(gravity);
}

}  // namespace plica
