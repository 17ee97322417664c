#include "tissue/heat/ordering.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace plica::heat {

std::vector<std::int32_t> order_rows(const SymmetricMatrix& pattern) {
    const auto n = static_cast<Eigen::Index>(pattern.rows());
    if (n == 0) return {};
    const std::vector<double> ones(pattern.column.size(), 1.0);
    const Eigen::SparseMatrix<double> a = Eigen::Map<const Eigen::SparseMatrix<double>>(
        n, n, static_cast<Eigen::Index>(ones.size()), pattern.first.data(), pattern.column.data(), ones.data());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(a, order);
    return {order.indices().data(), order.indices().data() + n};
}

}  // namespace plica::heat
