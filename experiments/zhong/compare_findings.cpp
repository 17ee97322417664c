#include "experiments/zhong/compare_findings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plica::experiments {
namespace {

constexpr double test_push = 2.0;  // N
constexpr double large_pushes[] = {1.0, 2.0, 3.0};

Problem problem_of(const CompareFindings& f, std::size_t model, double force) {
    return {.model = compare_models[model], .stiffness = f.stiffness[model], .force = force};
}

void calibrate(CompareFindings& f) {
    f.stiffness.fill(1.0);
    const double depth = settle(f.bodies[0], {.model = Model::heat, .force = test_push}).depth;
    for (std::size_t m = 0; m < compare_models.size(); ++m) {
        if (m == heat_tissue) continue;
        const double guess = m == linear || m == tled ? 20.0 : m == solid_springs ? 4.5 : 1.0;
        f.stiffness[m] =
            find_stiffness(f.bodies[0], {.model = compare_models[m], .stiffness = guess, .force = test_push}, depth);
    }
}

TurnedProblem turn_problem(const CompareFindings& f, std::size_t model) {
    const CompareBody& body = f.bodies[0];
    Problem problem = problem_of(f, model, test_push);
    problem.loose = problem.exact = true;
    const Settled upright = settle(body, problem);
    problem.pose = make_pose(normalized({1.0, 1.0, 0.3}) * (std::numbers::pi / 3.0), {});
    const Settled turned = settle(body, problem);
    double most = 0.0;
    for (std::size_t n = 0; n < upright.x.size(); ++n) most = std::max(most, distance(upright.x[n], turned.x[n]));
    return {most / upright.depth, volume_ratio(body, compare_models[model], turned.x)};
}

// Where strains are small the two must be the same.
double compare_small(const CompareFindings& f) {
    Problem a = problem_of(f, linear, 0.01 * test_push), b = problem_of(f, tled, 0.01 * test_push);
    a.stiffness = b.stiffness;
    b.exact = true;
    return std::abs(settle(f.bodies[0], b).depth / settle(f.bodies[0], a).depth - 1.0);
}

}  // namespace

double volume_ratio(const CompareBody& body, Model model, const std::vector<Vec3>& x) {
    const ComparePart& part = part_of(body, model);
    return find_volume(part, x) / find_volume(part, part.nodes);
}

CompareFindings compare_models_of_tissue(const std::vector<int>& sizes, const std::function<void(double)>& progress) {
    CompareFindings f;
    f.sizes = sizes;
    for (const int nodes : sizes) f.bodies.push_back(make_compare_body(nodes));
    calibrate(f);
    progress(0.1);
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        CompareRow& row = f.rows.emplace_back();
        for (std::size_t m = 0; m < compare_models.size(); ++m)
            row[m] = settle(f.bodies[s], problem_of(f, m, test_push));
        progress(0.1 + 0.7 * static_cast<double>(s + 1) / static_cast<double>(sizes.size()));
    }
    for (const double times : large_pushes) {
        CompareRow& row = f.larger.emplace_back();
        for (std::size_t m = 0; m < compare_models.size(); ++m)
            row[m] = settle(f.bodies[0], problem_of(f, m, times * test_push));
    }
    for (std::size_t m = 0; m < compare_models.size(); ++m) f.turned[m] = turn_problem(f, m);
    f.small_difference = compare_small(f);
    return f;
}

}  // namespace plica::experiments
