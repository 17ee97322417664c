#pragma once
#include <span>
#include <string>
#include <vector>

#include "experiments/common/experiment.hpp"
#include "tissue/heat/sparse.hpp"

// What a factor of heat on a plane holds, by minimum degree and by nested dissection: the time of a solve is that of
// reading it twice.
namespace plica::experiments {

struct OrderingTrial {
    double nodes = 0.0;
    double degree = 0.0, dissection = 0.0;  // entries of L and D, exactly: in our order, and by geometry
    double stored = 0.0;                    // what our supernodes store of the first, zeros with it
    double seconds = 0.0;                   // CPU, of a solve with it
    double product = 0.0;                   // CPU s, of the matrix times a vector
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OrderingTrial, nodes, degree, dissection, stored, seconds, product)
OrderingTrial measure_ordering(int side);

// Rows of a plane of side^2 nodes, lines of one node parting its halves again and again: the order that no other beats
// by more than a constant (George 1973).
std::vector<std::int32_t> dissect_plane(int side);
// Entries of L and D in that order.
double count_entries(const heat::SymmetricMatrix& pattern, std::span<const std::int32_t> order);

Table ordering_table(const std::vector<OrderingTrial>& trials);
// Of a list of trials.
Claim judge_ordering(const Measurements& trials);

}  // namespace plica::experiments
