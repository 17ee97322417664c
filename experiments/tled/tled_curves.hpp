#pragma once
#include "experiments/common/experiment.hpp"
#include "experiments/tled/tled_trials.hpp"

// The curves of `plica reproduce tled-verification`: what was run, as tables and plots.
namespace plica::experiments {

inline constexpr tled::ElementKind element_kinds[] = {tled::ElementKind::t4, tled::ElementKind::t4anp,
                                                      tled::ElementKind::h8};

// Tip of a bar over theory, by Poisson's ratio, kind of cell and cells across.
struct Bending {
    std::vector<double> poisson;
    std::vector<int> across;
    std::vector<double> ratio;  // poisson x kinds x across

    [[nodiscard]] double at(std::size_t p, std::size_t kind, std::size_t n) const {
        return ratio[(p * 3 + kind) * across.size() + n];
    }
};
Bending bend_bars(const std::vector<int>& across, const std::function<void(double)>& progress);
Table bending_table(const Bending& bending);
std::vector<std::string> plot_bending(const Bending& bending, const std::string& folder);

// Energy of a free block over the step's length.
struct Energies {
    std::vector<double> share;  // of the safe step
    std::vector<Vibration> seen[3];
};
Energies vibrate_blocks(const std::vector<double>& shares, double seconds);
Table energy_table(const Energies& energies);
std::vector<std::string> plot_energies(const Energies& energies, const std::string& folder);

// Free fall over the step's length.
struct Falls {
    std::vector<double> dt;                   // s
    std::vector<double> single, exact, late;  // error over 20 mm
};
Falls fall_all(const std::vector<double>& dt);
Table fall_table(const Falls& falls);
std::vector<std::string> plot_falls(const Falls& falls, const std::string& folder);

// Drawn blocks over the stretch.
struct Draw {
    double poisson = 0.0, stretch = 1.0;
    Stretching theory, ours[3];
};
std::vector<Draw> draw_blocks(const std::vector<double>& stretches);
Table draw_table(const std::vector<Draw>& draws);
std::vector<std::string> plot_draws(const std::vector<Draw>& draws, const std::string& folder);

// Stress over time.
struct Fadings {
    std::vector<Fading> seen[3];
};
Fadings fade_all(double h, int steps);
Table fading_table(const Fadings& fadings);
std::vector<std::string> plot_fadings(const Fadings& fadings, const std::string& folder);

}  // namespace plica::experiments
