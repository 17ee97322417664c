#include <algorithm>
#include <cmath>

#include "engine/step/verbs.hpp"
#include "engine/tools/rigids.hpp"

namespace plica {
namespace {

// Shares of the thinnest pair's thickness that anything may travel in a substep. At 1 nothing passes through anything,
// but an impact in a long step bends and stretches a rope so far that it springs back faster than it came.
constexpr double furthest = 0.25;
constexpr double furthest_in_long_step = 0.08;
constexpr double long_step = 0.004;  // s
constexpr double most_times = 16.0;  // what tissues bear; what is faster still has exploded

// Solids: rows hold what comes this far into another's thickness, and what comes further is certify's to hold.
int count_solid_substeps(const Model& model, const Inputs& inputs, const State& state, double fastest, int stable) {
    const double travel = fastest * model.dt + furthest_rigid_travel(model, inputs, state);
    return static_cast<int>(std::ceil(std::min(travel / model.thinnest_solid, most_times * stable)));
}

}  // namespace

int choose_substeps(const Model& model, const Inputs& inputs, const State& state) {
    const SubstepNeed need = Tissues::count_substeps(model, state);
    const int stable = std::max(model.substeps, need.stable);
    if (!model.adapt || !model.contact.enabled) return stable;
    int base = std::max(stable, need.contact);
    double fastest = 0.0;
    for (const Vec3& v : state.v) fastest = std::max(fastest, squared_norm(v));
    base = std::max(base, count_solid_substeps(model, inputs, state, std::sqrt(fastest), stable));
    if (!(model.thinnest_pair > 0.0)) return base;
    const double travel = (std::sqrt(fastest) + norm(inputs.gravity) * model.dt) * model.dt;
    const double shares = travel / model.thinnest_pair;
    const double enough = shares / furthest;
    const double calm = std::min(shares / furthest_in_long_step, model.dt / long_step);
    // By half of the number at a time: what needs a little more gets a little more, and things that move at one speed
    // are stepped alike.
    const double halves = std::ceil(2.0 * std::max(enough, calm) / base - 1e-9);
    return static_cast<int>(std::ceil(base * std::clamp(halves, 2.0, 2.0 * most_times) / 2.0));
}

int choose_more_substeps(const Model& model, int substeps, const State& failed, State& from) {
    Tissues::learn(model, failed, from);
    const int needed = Tissues::count_substeps(model, from).stable;
    return needed > substeps ? needed : 2 * substeps;
}

}  // namespace plica
