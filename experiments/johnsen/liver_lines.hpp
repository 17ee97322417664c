#pragma once
#include <string>

#include "experiments/johnsen/surface_line.hpp"

// The livers and the lines across them that Johnsen's table 2 and figure 5 are measured on again.
namespace plica::experiments {

struct NamedLine {
    const char* name;
    RayLine line;
};
// The first is the one of table and figure: below the liver, across the hollow where its surface bends most.
std::vector<NamedLine> liver_lines(int rays);

// A coarse liver: of the formula, or the fine one with its edges collapsed, as the paper's were.
struct CoarseLiver {
    bool collapsed;
    RayTarget target;

    [[nodiscard]] std::size_t triangles() const { return target.surface().triangles.size(); }
    [[nodiscard]] std::string name() const;  // "formula 1280"
};
CoarseLiver make_coarse_liver(bool collapsed, int level);

inline constexpr int reference_level = 5;  // 20,480 triangles
inline constexpr double jump_step = 2e-4;  // m: places of a jump are no further apart

}  // namespace plica::experiments
