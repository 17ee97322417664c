#include "experiments/johnsen/force_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plica::experiments {
namespace {

constexpr double most_jump = 0.2, small_jump = 0.05;  // of the force; N
constexpr double most_dip = 0.02;

}  // namespace

void ForceCurve::add(const World& world) {
    const std::vector<Vec3>& now = world.frame().tool_force;
    if (m_names.empty()) {
        for (const Tool& tool : world.model().tools) m_names.push_back(tool.name);
        m_top.assign(m_names.size(), 0.0);
    }
    const bool judged = world.frame().time <= m_closed + 0.5 * world.model().dt;
    for (std::size_t t = 0; t < now.size() && judged; ++t) {
        const double force = norm(now[t]);
        const double before = m_forces.empty() ? 0.0 : norm(m_forces.back()[t]);
        m_jump = std::max(m_jump, std::abs(force - before) / std::max(most_jump * before, small_jump));
        m_top[t] = std::max(m_top[t], force);
        if (m_top[t] > 0.0) m_dip = std::max(m_dip, 1.0 - force / m_top[t]);
    }
    m_times.push_back(world.frame().time);
    m_forces.push_back(now);
}

double ForceCurve::imbalance() const {
    if (m_forces.empty()) return 0.0;
    double sum = 0.0, largest = 0.0;
    for (const Vec3& force : m_forces.back()) {
        sum += force.z;
        largest = std::max(largest, std::abs(force.z));
    }
    return largest > 0.0 ? std::abs(sum) / largest : 0.0;
}

Measurements ForceCurve::measured() const {
    Measurements m{{"jump", m_jump}, {"dip", m_dip}, {"imbalance", imbalance()}, {"top", m_top}};
    for (std::size_t t = 0; t < m_names.size(); ++t) {
        m["tools"].push_back({{"name", m_names[t]}, {"force", norm(m_forces.back()[t])}});
    }
    return m;
}

Claim ForceCurve::judge_curve(const std::string& what, const Measurements& m) {
    const double jump = m.at("jump"), dip = m.at("dip"), imbalance = m.at("imbalance");
    const auto top = m.at("top").get<std::vector<double>>();
    std::string forces;
    for (const auto& tool : m.at("tools")) {
        forces += fmt::format("{}{} {:.3f} N", forces.empty() ? "" : ", ", tool.at("name").get<std::string>(),
                              tool.at("force").get<double>());
    }
    const bool felt = !top.empty() && *std::min_element(top.begin(), top.end()) > 0.0;
    return promise(
        fmt::format("{}: the force, unfiltered, rises smoothly while they close at constant speed.", what),
        "between steps by at most 20 % or 0.05 N, with dips of at most 2 %; every tool feels something",
        fmt::format("at the end {}; the largest jump is {:.0f} % of what is allowed, the deepest dip {:.1f} %; "
                    "the vertical forces cancel to {:.1f} %",
                    forces, 100.0 * jump, 100.0 * dip, 100.0 * imbalance),
        felt && jump <= 1.0 && dip <= most_dip, felt ? "" : "A tool felt nothing.");
}

std::vector<std::string> ForceCurve::plot_to(const std::string& folder, const std::string& name) const {
    Table data{"force on each tool", {"time s"}, {}};
    for (const std::string& tool : m_names) data.columns.push_back(tool + " N");
    for (std::size_t i = 0; i < m_times.size(); ++i) {
        data.rows.push_back({fmt::format("{:.6g}", m_times[i])});
        for (const Vec3& force : m_forces[i]) data.rows.back().push_back(fmt::format("{:.6g}", norm(force)));
    }
    std::string commands = fmt::format(
        "set title 'What the jaws feel while they close, step by step and unfiltered'\nset xlabel 's'\nset ylabel 'N'\n"
        "set grid lc rgb '#dddddd'\nset key top left\nset yrange [0:*]\n"
        "set arrow from {0:.6g},graph 0 to {0:.6g},graph 1 nohead lc rgb '#808080' dt 2\n"
        "set label 'closed' at {0:.6g},graph 0.04 offset character -1,0 right tc rgb '#606060'\nplot ",
        m_closed);
    constexpr const char* colours[] = {"#d95f02", "#4b5fc4", "#1b9e77", "#808080"};
    for (std::size_t t = 0; t < m_names.size(); ++t) {
        commands += fmt::format("{}'{}.csv' using 1:{} with {} lc rgb '{}' title '{}'", t > 0 ? ", " : "", name, t + 2,
                                t == 0 ? "lines lw 2.5" : "points pt 6 ps 0.7", colours[t % 4], m_names[t]);
    }
    return plot(folder, name, data, commands + "\n");
}

}  // namespace plica::experiments
