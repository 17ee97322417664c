#pragma once
#include <functional>

#include "experiments/zhong/compare_trials.hpp"

// The body on finer and finer meshes by every model, turned, and pushed further.
namespace plica::experiments {

inline constexpr std::array compare_models{Model::surface_springs, Model::area_springs, Model::solid_springs,
                                           Model::linear,          Model::tled,         Model::heat};
inline constexpr std::size_t surface_springs = 0, area_springs = 1, solid_springs = 2, linear = 3, tled = 4,
                             heat_tissue = 5;

inline constexpr std::array compare_names{"surface_springs", "area_springs", "solid_springs",
                                          "linear",          "tled",         "heat"};  // in measurements

using CompareRow = std::array<Settled, compare_models.size()>;  // by model

struct TurnedProblem {
    double error = 0.0;   // largest difference of places over the depth
    double volume = 1.0;  // over that at rest
};

struct CompareFindings {
    std::vector<int> sizes;
    std::vector<CompareBody> bodies;  // per size
    std::array<double, compare_models.size()> stiffness{};
    std::vector<CompareRow> rows;    // per size
    std::vector<CompareRow> larger;  // per push, coarsest body
    std::array<TurnedProblem, compare_models.size()> turned{};
    double small_difference = 0.0;  // of linear elements and TLED under a hundredth of the push
};

// 2 N; every model but heat is set on the coarsest body to the depth that heat tissue has there.
CompareFindings compare_models_of_tissue(const std::vector<int>& sizes, const std::function<void(double)>& progress);

double volume_ratio(const CompareBody& body, Model model, const std::vector<Vec3>& x);

}  // namespace plica::experiments
