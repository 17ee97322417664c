#include <algorithm>

#include "core/nearest.hpp"
#include "simulation/inside.hpp"

// What can be tuned while a simulation runs, by name.
namespace plica {
namespace {

constexpr double least_factor = 1e-6, most_factor = 1e6;

// "gut.stiffness": a body and what of it; no body: "".
struct ParameterName {
    std::string body, what;
};

ParameterName split_name(const std::string& name) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return {"", name};
    return {name.substr(0, dot), name.substr(dot + 1)};
}

bool is_tunable(const Body& body) {
    return body.tissue == TissueKind::mass_spring || body.tissue == TissueKind::tled || body.tissue == TissueKind::heat;
}

[[noreturn]] void complain_of_name(const Simulation& simulation, const std::string& name) {
    const std::vector<std::string> names = simulation.parameters();
    const std::string nearest = find_nearest(name, names);
    throw Error("no parameter is called \"" + name + "\"; expected " + join_choices(names) +
                (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

void check_value(const std::string& name, double value, double lo, double hi) {
    if (value >= lo && value <= hi) return;
    throw Error(name + ": found " + std::to_string(value) + ", expected a number from " + std::to_string(lo) + " to " +
                std::to_string(hi));
}

double* axis_of(Vec3& v, const std::string& axis) {
    if (axis == "x") return &v.x;
    if (axis == "y") return &v.y;
    return axis == "z" ? &v.z : nullptr;
}

// The body's own factors, which are there from now on; the list stays in order.
BodyFactors& factors_for(Tuning& tuning, std::int32_t body) {
    auto at = std::lower_bound(tuning.bodies.begin(), tuning.bodies.end(), body,
                               [](const BodyFactors& own, std::int32_t b) { return own.body < b; });
    if (at == tuning.bodies.end() || at->body != body) at = tuning.bodies.insert(at, BodyFactors{body});
    return *at;
}

std::int32_t find_tunable(const Model& model, const std::string& name) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].name == name && is_tunable(model.bodies[b])) return static_cast<std::int32_t>(b);
    }
    return -1;
}

}  // namespace

std::vector<std::string> Simulation::parameters() const {
    std::vector<std::string> names{"stiffness", "damping", "friction", "gravity.x", "gravity.y", "gravity.z"};
    for (const Body& body : m_inside->model().bodies) {
        if (!is_tunable(body)) continue;
        names.push_back(body.name + ".stiffness");
        names.push_back(body.name + ".damping");
    }
    return names;
}

double Simulation::parameter(const std::string& name) const {
    const Tuning& tuning = m_inside->tuning();
    if (name == "stiffness") return tuning.stiffness;
    if (name == "damping") return tuning.damping;
    if (name == "friction") return tuning.friction < 0.0 ? m_inside->model().contact.friction : tuning.friction;
    const ParameterName parts = split_name(name);
    Vec3 gravity = m_inside->gravity();
    if (parts.body == "gravity" && axis_of(gravity, parts.what) != nullptr) return *axis_of(gravity, parts.what);
    const std::int32_t body = find_tunable(m_inside->model(), parts.body);
    if (body >= 0 && parts.what == "stiffness") return tuning.factors_of(body).stiffness;
    if (body >= 0 && parts.what == "damping") return tuning.factors_of(body).damping;
    complain_of_name(*this, name);
}

void Simulation::set_parameter(const std::string& name, double value) {
    const ParameterName parts = split_name(name);
    Vec3 gravity = m_inside->gravity();
    if (double* axis = parts.body == "gravity" ? axis_of(gravity, parts.what) : nullptr) {
        check_value(name, value, -1e6, 1e6);
        *axis = value;
        return m_inside->set_gravity(gravity);
    }
    const bool stiffness = parts.what == "stiffness", damping = parts.what == "damping";
    const std::int32_t body = find_tunable(m_inside->model(), parts.body);
    if (name != "friction" && !((parts.body.empty() || body >= 0) && (stiffness || damping))) {
        complain_of_name(*this, name);
    }
    check_value(name, value, stiffness ? least_factor : 0.0, most_factor);
    Tuning tuning = m_inside->tuning();
    if (name == "friction") {
        tuning.friction = value;
    } else if (body < 0) {
        (stiffness ? tuning.stiffness : tuning.damping) = value;
    } else {
        BodyFactors& own = factors_for(tuning, body);
        (stiffness ? own.stiffness : own.damping) = value;
        if (own == BodyFactors{body}) std::erase(tuning.bodies, BodyFactors{body});
    }
    m_inside->tune(tuning);
}

void Simulation::set_detector(const std::string& name) {
    Tuning tuning = m_inside->tuning();
    tuning.detector = -1;
    for (std::int32_t kind = 0; kind < 4; ++kind) {
        if (name == detector_name(static_cast<DetectorKind>(kind))) tuning.detector = kind;
    }
    if (tuning.detector < 0 && name != "scene") {
        throw Error("no detector is called \"" + name + "\"; expected brute, grid, bvh, tracked or scene");
    }
    m_inside->tune(tuning);
}

}  // namespace plica
