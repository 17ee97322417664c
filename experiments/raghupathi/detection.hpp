#pragma once
#include <nlohmann/json.hpp>

#include "experiments/raghupathi/motion.hpp"

namespace plica {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecallCount, regions, held, pairs, delivered, wrong)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Recall, tubes, edges)

}  // namespace plica

// Detectors tried on the frames of a run: distance tests, CPU time of one thread, and what was found.
namespace plica::experiments {

// Per detection.
struct Cost {
    double tests = 0.0;    // exact distances, mean
    double seconds = 0.0;  // median
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cost, tests, seconds)

struct Share {
    double regions = 0.0, pairs = 0.0;  // of brute force's; 1 when there are none
};
Share tube_share(const Recall& recall);
Share edge_share(const Recall& recall);

struct Finding {
    Cost cost;
    Recall recall;  // summed over the detections
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, cost, recall)

// What collides in each of some configurations, by an exact detector.
std::vector<CollidingPairs> find_truth(const Motion& motion, const std::vector<std::vector<Vec3>>& places,
                                       DetectorKind detector);

// Every legal pair, one scalar distance each: the plain double loop. `found` are those that collide.
Cost measure_brute(const Motion& motion, const std::vector<Vec3>& x, std::vector<Pair>& found);

// The papers' detector on all of `places` in order, one seed after the other, from nothing. It is counted and timed
// from place `first` on; truth has one entry per place.
struct TrackPlan {
    int draws = 0;
    int seeds = 1;
    std::size_t first = 0;
};
Finding measure_tracked(const Motion& motion, const std::vector<std::vector<Vec3>>& places,
                        const std::vector<CollidingPairs>& truth, const TrackPlan& plan);

// The exact detector from scratch on each of `places`.
Finding measure_scratch(const Motion& motion, const std::vector<std::vector<Vec3>>& places,
                        const std::vector<CollidingPairs>& truth);

// The candidate list under its certificate along the trail, margins as a step chooses them. Tests are those of the
// rebuilds and one for every candidate at every substep. truth is for each substep of the trail.
struct ListFinding {
    Finding finding;
    double rebuilds = 0.0;  // per substep
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ListFinding, finding, rebuilds)
ListFinding measure_list(const Motion& motion, const std::vector<CollidingPairs>& truth);

// b in y = a x^b, least squares of the logarithms.
double fit_exponent(const std::vector<double>& x, const std::vector<double>& y);
double median(std::vector<double> values);

}  // namespace plica::experiments
