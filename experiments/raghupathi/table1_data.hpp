#pragma once
#include <array>
#include <string>

#include "experiments/raghupathi/detection.hpp"

// What raghupathi2003-table1 measures at one size.
namespace plica::experiments {

// Raghupathi 2003, table 1.
struct PublishedTime {
    int segments;
    double tracked, brute;  // ms
};
inline constexpr std::array<PublishedTime, 3> published_times{
    {{50, 10.0, 30.0}, {100, 17.0, 120.0}, {200, 27.0, 473.0}}};
const PublishedTime* find_published(int segments);  // null: not in the table

struct SizeRow {
    int segments = 0;
    bool growing = false;  // at constant segment length, not of 4 m
    int frames = 0;
    double travel = 0.0;  // radii a frame
    Cost brute;
    bool brute_agrees = true;  // the plain loop found what every detector is counted against
    Finding half, whole;       // tracked, n = N/2 and N, at 30 Hz
    Finding exact;             // from scratch, at 30 Hz
    ListFinding list;          // at substep rate
    Finding fast;              // tracked, n = N, at substep rate

    [[nodiscard]] double regions() const;  // per frame
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SizeRow, segments, growing, frames, travel, brute, brute_agrees, half, whole, exact,
                                   list, fast)

// Time and recall against size: files made in the folder.
std::vector<std::string> plot_sizes(const std::vector<SizeRow>& rows, const std::string& folder);

SizeRow measure_size(int segments, bool quick, const std::function<void(double)>& progress);

}  // namespace plica::experiments
