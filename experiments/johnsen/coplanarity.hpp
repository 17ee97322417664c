#pragma once
#include "experiments/johnsen/meeting_queries.hpp"

namespace plica::experiments {

// The usual continuous test of edges (Provot 1997), which the paper takes: the cubic that says when their four ends lie
// in a plane, and whether they cross at one of its roots. With a tolerance they cross there when they are that near,
// their ends included; with 0 when their lines cross between the ends.
bool edges_cross_by_cubic(const MovingPair& pair, double tolerance);

}  // namespace plica::experiments
