#include "experiments/zhong/spring_body.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace plica::experiments {
SpringBody::SpringBody(std::vector<Vec3> rest, std::vector<heat::Link> edges, double stiffness,
                       std::vector<double> home, std::vector<std::uint8_t> held)
    : x(rest),
      load(rest.size()),
      m_rest(std::move(rest)),
      m_v(x.size()),
      m_force(x.size()),
      m_edges(std::move(edges)),
      m_home(std::move(home)),
      m_held(std::move(held)),
      m_spring(stiffness) {
    m_home.resize(x.size(), 0.0);
    m_stiffness = m_home;
    for (const auto& [a, b] : m_edges) {
        m_length.push_back(distance(x[at(a)], x[at(b)]));
        m_stiffness[at(a)] += 2.0 * stiffness;
        m_stiffness[at(b)] += 2.0 * stiffness;
    }
}

void SpringBody::find_forces() {
    for (std::size_t n = 0; n < x.size(); ++n) m_force[n] = load[n] - (x[n] - m_rest[n]) * m_home[n];
    for (std::size_t e = 0; e < m_edges.size(); ++e) {
        const auto [a, b] = m_edges[e];
        const Vec3 d = x[at(b)] - x[at(a)];
        const double length = norm(d);
        if (length == 0.0) continue;
        const Vec3 pull = d * (m_spring * (1.0 - m_length[e] / length));
        m_force[at(a)] += pull;
        m_force[at(b)] -= pull;
    }
}

double SpringBody::left() const {
    double sum = 0.0;
    for (std::size_t n = 0; n < x.size(); ++n) sum += m_held[n] != 0 ? 0.0 : squared_norm(m_force[n]);
    return std::sqrt(sum);
}

int SpringBody::relax(double tolerance, int most) {
    double pushed = 0.0, last = 0.0;
    for (const Vec3& f : load) pushed += squared_norm(f);
    std::fill(m_v.begin(), m_v.end(), Vec3{});
    for (int count = 0; count < most; ++count) {
        find_forces();
        if (left() <= tolerance * std::sqrt(pushed)) return count;
        // Steps of 1 with masses at which every node's own frequency is below 2.
        double kinetic = 0.0;
        for (std::size_t n = 0; n < x.size(); ++n) {
            if (m_held[n] != 0) continue;
            m_v[n] += m_force[n] * (2.5 / m_stiffness[n]);
            kinetic += m_stiffness[n] * squared_norm(m_v[n]);
        }
        const bool slower = kinetic < last;
        if (slower) std::fill(m_v.begin(), m_v.end(), Vec3{});
        last = slower ? 0.0 : kinetic;
        for (std::size_t n = 0; n < x.size(); ++n) x[n] += m_v[n];
    }
    return most;
}

double SpringBody::find_limit(double mass) const {
    return 2.0 * std::sqrt(mass / *std::max_element(m_stiffness.begin(), m_stiffness.end()));
}

void SpringBody::step(double h, double w) {
    find_forces();
    for (std::size_t n = 0; n < x.size(); ++n) {
        if (m_held[n] != 0) continue;
        m_v[n] += m_force[n] * (h * w);
        x[n] += m_v[n] * h;
    }
}

}  // namespace plica::experiments
