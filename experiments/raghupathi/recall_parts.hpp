#pragma once
#include <array>
#include <string>

#include "experiments/common/experiment.hpp"
#include "experiments/raghupathi/detection.hpp"

// The four parts of raghupathi-recall: against draws, speed, with a mesentery, and against size.
namespace plica::experiments {

using Tick = std::function<void(double)>;

inline constexpr std::array<double, 3> speed_factors{0.5, 1.0, 5.0};        // n/N
inline constexpr std::array<double, 4> edge_factors{1.0, 5.0, 10.0, 50.0};  // n/N
inline constexpr double wanted_share = 0.9;                                 // of the regions, within wanted_detections
inline constexpr int wanted_detections = 3;                                 // 0.1 s

struct DrawRow {
    double factor = 0.0;  // n/N
    int draws = 0;
    Finding finding;
    Finding exact;  // on the same frames
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DrawRow, factor, draws, finding, exact)
std::vector<DrawRow> sweep_draws(bool quick, const Tick& tick);

// What a detection costs against n, from a tenth to a hundred a segment, next to the double loop on the same frames.
struct DrawCost {
    double factor = 0.0;  // n/N
    int draws = 0;
    Cost cost;
    double found = 0.0;  // share of the regions: of gut against gut, or of gut against edges where there are any
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DrawCost, factor, draws, cost, found)
struct DrawCosts {
    std::vector<DrawCost> rows;
    Cost brute, exact;
    double exact_found = 0.0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DrawCosts, rows, brute, exact, exact_found)
DrawCosts time_draws(bool mesentery, bool quick, const Tick& tick);

struct SpeedRow {
    double speed = 0.0;             // m/s, of the hand; 0: settling
    double travel = 0.0;            // radii a frame
    std::vector<Finding> findings;  // for each of the factors
    Finding exact;
    double edge_pairs = 0.0;  // of a tube and an edge that may touch; none without a mesentery
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SpeedRow, speed, travel, findings, exact, edge_pairs)
std::vector<SpeedRow> sweep_speeds(bool quick, const Tick& tick);  // gut alone, speed_factors
std::vector<SpeedRow> sweep_edges(bool quick, const Tick& tick);   // with a mesentery, edge_factors

struct SizeNeed {
    int segments = 0;
    double regions = 0.0;
    // n that finds wanted_share of the regions of a pile at rest in wanted_detections, from nothing.
    double draws = 0.0;
    double tests = 0.0;  // a detection, with that n
    double found = 0.0;  // share of the regions that n = N finds in the same time
    double all = 0.0;    // pairs that may touch
    double exact = 0.0;  // tests of the exact detector
};
std::vector<SizeNeed> sweep_sizes(bool quick, const Tick& tick);

Table draw_table(const std::vector<DrawRow>& rows);
Table speed_table(const std::vector<SpeedRow>& rows);
Table edge_table(const std::vector<SpeedRow>& rows);
Table size_table(const std::vector<SizeNeed>& rows);
// What the mesentery against itself adds to the pairs that touch, off and on.
Table self_contact_table(bool quick, const Tick& tick);

std::vector<std::string> plot_draws(const std::vector<DrawRow>& rows, const std::string& folder);
std::vector<std::string> plot_speeds(const std::vector<SpeedRow>& rows, const std::vector<SpeedRow>& edges,
                                     const std::string& folder);
std::vector<std::string> plot_needs(const std::vector<SizeNeed>& rows, const std::string& folder);

}  // namespace plica::experiments
