#include <algorithm>
#include <cmath>

#include "engine/slice.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/pushing.hpp"
#include "engine/tools/rigids.hpp"

namespace plica {
namespace {

// Shares of the thinnest pair's thickness that anything may travel in a substep. At 1 nothing passes through anything,
// but an impact in a long step bends and stretches a rope so far that it springs back faster than it came.
constexpr double furthest = 0.25;
constexpr double furthest_in_long_step = 0.08;
constexpr double long_step = 0.004;           // s
constexpr double most_times = 16.0;           // what tissues bear; what is faster still has exploded
constexpr double most_times_for_tools = 4.0;  // a tool that is faster stays behind its path

// Solids: rows hold what comes this far into another's thickness, and what comes further is certify's to hold.
int count_solid_substeps(const Model& model, double travel, double tools, int stable) {
    const double both = travel + std::min(tools, most_times_for_tools * stable * model.thinnest_solid);
    return static_cast<int>(std::ceil(std::min(both / model.thinnest_solid, most_times * stable)));
}

// Tubes: things that move at one speed are stepped alike, by half of the number at a time: what needs a little more
// gets a little more.
double count_tube_substeps(const Model& model, double travel, int base) {
    const double shares = travel / model.thinnest_pair;
    const double enough = shares / furthest;
    const double calm = std::min(shares / furthest_in_long_step, model.dt / long_step);
    const double halves = std::ceil(2.0 * std::max(enough, calm) / base - 1e-9);
    return std::ceil(base * std::clamp(halves, 2.0, 2.0 * most_times) / 2.0);
}

}  // namespace

double find_fastest(const Model& model, const State& state) {
    double fastest = 0.0;
    for (std::size_t n = 0; n < model.tissue_nodes; ++n) fastest = std::max(fastest, squared_norm(state.v[n]));
    for (const Body& body : model.bodies) {
        if (static_cast<std::size_t>(body.first_node) < model.tissue_nodes || is_pushed_tool(model, body)) continue;
        for (const Vec3& v : slice(body, state.v)) fastest = std::max(fastest, squared_norm(v));
    }
    return std::sqrt(fastest);
}

int choose_substeps(const Model& model, const Inputs& inputs, const State& state) {
    const SubstepNeed need = Tissues::count_substeps(model, state);
    const int stable = std::max(model.substeps, need.stable);
    if (!model.adapt || !model.contact.enabled) return stable;
    int base = std::max(stable, need.contact);
    const double fastest = find_fastest(model, state);
    const double tools = furthest_rigid_travel(model, inputs, state);
    base = std::max(base, count_solid_substeps(model, fastest * model.dt, tools, stable));
    if (!(model.thinnest_pair > 0.0)) return base;
    const double travel = (fastest + norm(inputs.gravity) * model.dt) * model.dt;
    const double for_tools = std::min(tools / (furthest * model.thinnest_pair), most_times_for_tools * stable);
    const double wanted = std::max(count_tube_substeps(model, travel, base), std::ceil(for_tools));
    return static_cast<int>(std::min(wanted, std::max(most_times * stable, static_cast<double>(base))));
}

int choose_more_substeps(const Model& model, int substeps, const State& failed, State& from) {
    Tissues::learn(model, failed, from);
    const SubstepNeed need = Tissues::count_substeps(model, from);
    const int needed = std::min(need.stable, 4 * substeps);  // it may have blown up
    const int wanted = needed > substeps ? needed : 2 * substeps;
    const bool held = model.adapt && model.contact.enabled;  // what needs more stays where it was
    return held && need.most > 0 ? std::min(wanted, std::max(need.most, substeps)) : wanted;
}

}  // namespace plica
