#pragma once
#include <array>
#include <string>
#include <vector>

#include "apps/desktop/keys.hpp"
#include "apps/desktop/settings.hpp"
#include "simulation/live/live.hpp"

namespace plica::desktop {

// The last steps' times, for a plot.
class StepTimes {
public:
    static constexpr std::size_t length = 120;
    void add(const Snapshot& snapshot);  // again and again; each step counts once
    // ms, the oldest first.
    [[nodiscard]] const std::array<float, length>& of(Stage stage) const {
        return m_stages[static_cast<std::size_t>(stage)];
    }
    [[nodiscard]] float largest() const;

private:
    std::array<std::array<float, length>, stage_count> m_stages{};
    std::uint64_t m_step = 0;
};

// What the panel tells besides the snapshot.
struct PanelFacts {
    const Model& model;
    const StepTimes& times;
    double frame_rate = 0.0;  // frames a second
    int level = 0, levels = 0;
    std::string news;  // last picture or recording
};

// Draws the panel and, when it is wanted, the list of keys; changes the settings. Returns what buttons ask for.
std::vector<Action> draw_panel(const PanelFacts& facts, const Snapshot& now, Settings& settings);

// The force that the hand feels, N, as a bar beside the mouse: red above 80 % of what the tool can do. max_force 0: as
// much as it takes.
void draw_force(double force, double max_force);

}  // namespace plica::desktop
