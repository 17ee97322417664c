#pragma once
#include "experiments/common/pictures.hpp"
#include "experiments/common/stage.hpp"

// Snapshots of stages: pictures, and what the audit had found by then.
namespace plica::experiments {

struct Shot {
    std::string name;
    double time;  // s
    StageFindings found;
};

// Where the surgeon looks from, in a picture of a whole scene; rad.
struct Side {
    double azimuth = -1.32;
    double elevation = 0.35;
    double share = 1.05;  // of the distance that shows all of the tissue
};

class Album {
public:
    // Both must outlive it. Says so in the result when there is nothing to draw with.
    Album(const ExperimentOptions& options, Result& result);

    void take(const Stage& stage, const std::string& name, const Side& side);
    void take(const Stage& stage, const std::string& name) { take(stage, name, Side{}); }
    // The deepest place where the gut went through the mesentery, from where it is best seen; nothing when there is
    // none.
    void take_pierced(const Stage& stage, const std::string& name);

    [[nodiscard]] const std::vector<Shot>& shots() const { return m_shots; }
    [[nodiscard]] Table table() const;

private:
    [[nodiscard]] bool may_draw() const;

    const ExperimentOptions& m_options;
    Result& m_result;
    int m_width, m_height;
    bool m_draws;
    std::vector<Shot> m_shots;
};

}  // namespace plica::experiments
