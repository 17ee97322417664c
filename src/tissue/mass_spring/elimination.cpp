#include "tissue/mass_spring/elimination.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace plica::mass_spring {

void insert_sorted(std::vector<std::int32_t>& list, std::int32_t value) {
    const auto place = std::lower_bound(list.begin(), list.end(), value);
    if (place == list.end() || *place != value) list.insert(place, value);
}

Elimination plan_elimination(std::vector<std::vector<std::int32_t>> neighbours, std::int32_t kept) {
    const auto pivots = static_cast<std::int32_t>(neighbours.size()) - kept;
    Elimination plan;
    plan.order.resize(neighbours.size(), -1);
    for (std::int32_t turn = 0; turn < pivots; ++turn) {
        std::int32_t best = -1;
        for (std::int32_t i = 0; i < pivots; ++i) {
            if (plan.order[at(i)] >= 0) continue;
            if (best < 0 || neighbours[at(i)].size() < neighbours[at(best)].size()) best = i;
        }
        plan.order[at(best)] = turn;
        const std::vector<std::int32_t> row = neighbours[at(best)];
        for (const std::int32_t i : row) {
            std::vector<std::int32_t>& of = neighbours[at(i)];
            of.erase(std::lower_bound(of.begin(), of.end(), best));
            for (const std::int32_t j : row) {
                if (j != i) insert_sorted(of, j);
            }
        }
        plan.pattern.push_back(row);
    }
    for (std::int32_t i = pivots; i < pivots + kept; ++i) plan.order[at(i)] = i;
    for (std::vector<std::int32_t>& row : plan.pattern) {
        for (std::int32_t& i : row) i = plan.order[at(i)];
        std::sort(row.begin(), row.end());
    }
    return plan;
}

}  // namespace plica::mass_spring
