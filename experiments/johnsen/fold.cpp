#include "experiments/johnsen/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "tissue/tled/fields.hpp"

namespace plica::experiments {
namespace {

constexpr double gravity = 5.0 * 9.81;  // m/s^2, the scene's
constexpr double fewest_pairs = 50.0;
constexpr double least_ratio = 0.05;
constexpr double most_difference = 0.02;             // of support and weight
constexpr double rest_energy = 1e-5;                 // J
constexpr double rest_from = 1.4, rest_until = 2.0;  // s

double count_pairs_within(const World& world) {
    const Surface& surface = world.model().surface;
    double pairs = 0.0;
    for (const Pair& pair : world.state().candidates.pairs) {
        if (pair.push > 0.0 && body_of(surface, pair.a) == body_of(surface, pair.b)) pairs += 1.0;
    }
    return pairs;
}

double find_least_ratio(const World& world) {
    const tled::Organ& organ = world.model().of<Solids>().front();
    const auto part = [&](const std::vector<Vec3>& values) {
        return std::span(values).subspan(at(organ.first_node), at(organ.nodes));
    };
    double least = 1.0;
    for (std::size_t cell = 0; cell < organ.cells(); ++cell) {
        least =
            std::min(least, tled::compute_volume_ratio(organ, cell, part(world.model().rest), part(world.state().x)));
    }
    return least;
}

}  // namespace

void Fold::add(const World& world) {
    const Model& model = world.model();
    Look look{world.frame().time, count_pairs_within(world), 0.0, 0.0};
    for (const Vec3& force : world.frame().rigid_force) look.support -= force.z;
    m_mass = 0.0;
    for (std::size_t n = 0; n < model.nodes(); ++n) {
        if (model.inverse_mass[n] == 0.0) continue;
        m_mass += 1.0 / model.inverse_mass[n];
        look.kinetic += 0.5 * squared_norm(world.state().v[n]) / model.inverse_mass[n];
    }
    m_looks.push_back(look);
    m_least_ratio = std::min(m_least_ratio, find_least_ratio(world));
}

double Fold::mean_pairs(double from, double until) const {
    double pairs = 0.0, looks = 0.0;
    for (const Look& look : m_looks) {
        if (look.time < from || look.time > until) continue;
        pairs += look.pairs;
        looks += 1.0;
    }
    return pairs / std::max(1.0, looks);
}

Measurements Fold::measured() const {
    constexpr double always = 1e9;  // s
    const double last_second = m_looks.back().time - 1.0;
    double support = 0.0, kinetic = 0.0, looks = 0.0;
    for (const Look& look : m_looks) {
        if (look.time < last_second) continue;
        support += look.support;
        kinetic = std::max(kinetic, look.kinetic);
        looks += 1.0;
    }
    return {{"pairs", mean_pairs(rest_from, rest_until)},
            {"pairs_late", mean_pairs(last_second, always)},
            {"kinetic", kinetic},
            {"support", support / looks / (m_mass * gravity)},
            {"weight", m_mass * gravity},
            {"least_cell", m_least_ratio}};
}

Claim Fold::judge_fold(const std::string& what, const Measurements& m) {
    const double pairs = m.at("pairs"), kinetic = m.at("kinetic"), support = m.at("support"),
                 least = m.at("least_cell");
    Claim claim = promise(
        fmt::format("{}: in at least 50 pairs, at rest, and the bars bear its weight.", what),
        "50 pairs with itself from 1.4 to 2 s, as liver_bars_test has it; in the last second 1e-5 J of motion and "
        "support to 2 %; no cell below 0.05 of its volume",
        fmt::format(
            "{:.1f} pairs of the liver with itself, {:.1f} in the last second; there at most {:.1e} J of motion and a "
            "support of {:.4f} of the weight ({:.2f} N); the smallest volume of a cell was {:.2f} of that at rest",
            pairs, m.at("pairs_late").get<double>(), kinetic, support, m.at("weight").get<double>(), least),
        pairs >= fewest_pairs && kinetic < rest_energy && std::abs(support - 1.0) < most_difference &&
            least > least_ratio,
        "Its nodes tremble, and with them how many pairs carry load.");
    claim.said.where = "Johnsen 2012, sec. 3.3, fig. 6 (b), (c)";
    claim.said.published = "by eye";
    return claim;
}

}  // namespace plica::experiments
