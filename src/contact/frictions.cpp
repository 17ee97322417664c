#include "contact/frictions.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace plica {
namespace {

// Equal numbers are their own mean, to the last bit.
double mean_friction(double a, double b) {
    return a == b ? a : std::sqrt(a * b);
}

}  // namespace

bool FrictionRules::empty() const {
    return of_pairs.empty() && on_walls.empty() &&
           std::none_of(of_body.begin(), of_body.end(), [](double own) { return own >= 0.0; });
}

void Frictions::fill(const FrictionRules& rules, double common, std::span<const Wall> walls) {
    const auto own = [&](std::size_t body, double standard) {
        return rules.of_body[body] < 0.0 ? standard : rules.of_body[body];
    };
    const std::size_t bodies = rules.of_body.size();
    m_bodies = static_cast<std::int32_t>(bodies);
    m_pairs.resize(bodies * bodies);
    m_walls.resize(walls.size() * bodies);
    for (std::size_t a = 0; a < bodies; ++a) {
        for (std::size_t b = 0; b < bodies; ++b)
            m_pairs[a * bodies + b] = mean_friction(own(a, common), own(b, common));
        for (std::size_t w = 0; w < walls.size(); ++w) {
            m_walls[w * bodies + a] = mean_friction(own(a, walls[w].friction), walls[w].friction);
        }
    }
    for (const auto& entry : rules.of_pairs) {
        m_pairs[at(entry.body) * bodies + at(entry.other)] = entry.coefficient;
        m_pairs[at(entry.other) * bodies + at(entry.body)] = entry.coefficient;
    }
    for (const auto& entry : rules.on_walls) m_walls[at(entry.other) * bodies + at(entry.body)] = entry.coefficient;
}

}  // namespace plica
