#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/wall.hpp"

// Coulomb coefficients of whatever may touch, where a scene gives more than one number.
namespace plica {

// What a scene says of friction besides its one number and those of the walls.
struct FrictionRules {
    struct Entry {
        std::int32_t body, other;  // other: a body, or a wall
        double coefficient;
    };
    std::vector<double> of_body;  // per body; negative: it has none of its own
    std::vector<Entry> of_pairs;  // of two bodies
    std::vector<Entry> on_walls;  // of a body on a wall
    std::vector<std::int32_t> body_of_node;

    [[nodiscard]] bool empty() const;  // there is nothing to look up
};

// The coefficient of every pair of bodies and of every body on every wall: what the scene says of the two, else the
// geometric mean of their own numbers. A body without one has the scene's, and on a wall the wall's.
class Frictions {
public:
    // `common`: the scene's number.
    void fill(const FrictionRules& rules, double common, std::span<const Wall> walls);

    [[nodiscard]] std::int32_t place_of(std::int32_t body, std::int32_t other) const { return body * m_bodies + other; }
    [[nodiscard]] double at_place(std::int32_t place) const { return m_pairs[static_cast<std::size_t>(place)]; }
    [[nodiscard]] double on_wall(std::size_t wall, std::int32_t body) const {
        return m_walls[wall * static_cast<std::size_t>(m_bodies) + static_cast<std::size_t>(body)];
    }

private:
    std::int32_t m_bodies = 0;
    std::vector<double> m_pairs;  // bodies x bodies
    std::vector<double> m_walls;  // walls x bodies
};

}  // namespace plica
