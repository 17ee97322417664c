#pragma once
#include "engine/world.hpp"
#include "experiments/common/experiment.hpp"

// What rigid tools feel while they close at constant speed, step by step and unfiltered.
namespace plica::experiments {

class ForceCurve {
public:
    // Steps that end later than this (s) are plotted but not judged: the tools stand still.
    explicit ForceCurve(double closed) : m_closed(closed) {}

    void add(const World& world);

    // The largest step up or down over what is allowed: 20 % of the force, or 0.05 N.
    [[nodiscard]] double largest_jump() const { return m_jump; }
    // Below the largest force before, as a share of it.
    [[nodiscard]] double deepest_dip() const { return m_dip; }
    // Of the vertical forces of all tools over the largest of them, at the end: they press against each other.
    [[nodiscard]] double imbalance() const;
    [[nodiscard]] Measurements measured() const;
    static Claim judge_curve(const std::string& what, const Measurements& measured);
    // FOLDER/NAME.png and what it is made of.
    [[nodiscard]] std::vector<std::string> plot_to(const std::string& folder, const std::string& name) const;

private:
    double m_closed;
    std::vector<std::string> m_names;
    std::vector<double> m_times;
    std::vector<std::vector<Vec3>> m_forces;  // step by step, of each tool
    std::vector<double> m_top;
    double m_jump = 0.0, m_dip = 0.0;
};

}  // namespace plica::experiments
