#pragma once
#include "engine/world.hpp"
#include "experiments/common/experiment.hpp"

// A solid that lies on rigid things, folded so that it touches itself.
namespace plica::experiments {

class Fold {
public:
    void add(const World& world);  // after each step

    // By the last second, its pairs soon after the bars stand as well. For scenes at 5 g.
    [[nodiscard]] Measurements measured() const;
    // It touches itself, rests, and what bears it feels its weight.
    static Claim judge_fold(const std::string& what, const Measurements& measured);

private:
    struct Look {
        double time;     // s
        double pairs;    // within the body, that carry load
        double support;  // N, upwards on all of the tissue
        double kinetic;  // J
    };
    // Between two times, s.
    [[nodiscard]] double mean_pairs(double from, double until) const;

    std::vector<Look> m_looks;
    double m_mass = 0.0;         // kg
    double m_least_ratio = 1.0;  // of a cell's volume to its volume at rest
};

}  // namespace plica::experiments
