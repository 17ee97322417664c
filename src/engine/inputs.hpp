#pragma once
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica {

// All that enters a step. What is recorded per step is this, so a replay needs nothing else.
struct ToolInput {
    static constexpr bool packed_doubles = true;
    Vec3 target;               // m, where the tool's handle is at the end of the step; it moves there linearly
    std::int32_t node = -1;    // the node a grab tool holds; -1: none
    std::int32_t present = 0;  // 0: withdrawn, touches and pulls nothing; a rigid one is always there
    Vec3 turn{};               // rad, of a rigid one at the end of the step, about the vector's direction
};

// What a body's tissue is tuned by besides all others'.
struct BodyFactors {
    std::int32_t body = 0;   // index into the model's bodies
    double stiffness = 1.0;  // factor, more than 0
    double damping = 1.0;    // factor

    bool operator==(const BodyFactors&) const = default;
};

// Parameters changed while a scene runs. As constructed: all as the scene says.
struct Tuning {
    double stiffness = 1.0;             // factor on springs, bending and the moduli of solids, more than 0
    double damping = 1.0;               // factor on the tissue's viscosity, a solid's damping
    double friction = -1.0;             // instead of the scene's number and of the walls'; negative: those
    std::int32_t detector = -1;         // a DetectorKind; -1, or one that the scene cannot have: its own
    std::vector<BodyFactors> bodies{};  // by rising bodies; those that are missing: 1

    [[nodiscard]] double stiffness_of(std::int32_t body) const { return stiffness * factors_of(body).stiffness; }
    [[nodiscard]] double damping_of(std::int32_t body) const { return damping * factors_of(body).damping; }
    [[nodiscard]] BodyFactors factors_of(std::int32_t body) const {
        for (const BodyFactors& each : bodies) {
            if (each.body == body) return each;
        }
        return {body};
    }

    bool operator==(const Tuning&) const = default;
};

struct Inputs {
    Vec3 gravity;  // m/s^2
    std::vector<ToolInput> tools;
    Tuning tuning{};
    // Of the step's substeps, tries that failed included: so many may take all the passes over contact that they want,
    // those that follow take one each. by_budget: the clock decides (World::set_budget()).
    static constexpr std::int32_t all = 0x7fffffff, by_budget = -1;
    std::int32_t full_substeps = all;
};

}  // namespace plica
