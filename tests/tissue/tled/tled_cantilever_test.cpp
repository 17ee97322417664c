#include <gtest/gtest.h>

#include <cmath>

#include "experiments/tled/tled_trials.hpp"

// Bars against Timoshenko's beam on fine meshes: 8 cells across.
namespace plica::testing {
namespace {

using experiments::find_tip_ratio;
using tled::ElementKind;

TEST(TledCantilever, FineTetrahedraAreWithinATenthOfTheBeam) {
    for (const double poisson : {0.3, 0.49}) {
        const double coarse = find_tip_ratio(ElementKind::t4anp, poisson, 4);
        const double fine = find_tip_ratio(ElementKind::t4anp, poisson, 8);
        EXPECT_LT(coarse, fine) << poisson;
        EXPECT_NEAR(fine, 1.0, 0.1) << poisson;
    }
    EXPECT_NEAR(find_tip_ratio(ElementKind::t4, 0.3, 8), 1.0, 0.1);
    EXPECT_LT(find_tip_ratio(ElementKind::t4, 0.49, 8), 0.65) << "locks, as constant strain does";
}

TEST(TledCantilever, FineHexahedraAreWithinATwentiethOfTheBeam) {
    for (const double poisson : {0.3, 0.49}) {
        const double coarse = find_tip_ratio(ElementKind::h8, poisson, 2);
        const double middle = find_tip_ratio(ElementKind::h8, poisson, 4);
        const double fine = find_tip_ratio(ElementKind::h8, poisson, 8);
        EXPECT_LT(std::abs(fine - middle), 0.5 * std::abs(middle - coarse)) << poisson;
        EXPECT_NEAR(fine, 1.0, 0.05) << poisson;
    }
}

}  // namespace
}  // namespace plica::testing
