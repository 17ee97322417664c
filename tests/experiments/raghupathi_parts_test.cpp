#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/registry.hpp"

// Verdicts on the papers' system follow numbers that are made up here, some of them wrong on purpose.
namespace plica::experiments {
namespace {

// The first claim of those whose sentence has this in it.
Claim find_claim(const std::vector<Claim>& claims, const std::string& words) {
    return *std::find_if(claims.begin(), claims.end(),
                         [&](const Claim& c) { return c.said.text.find(words) != std::string::npos; });
}

// Costs that grow as fixed + n^power, with everything found from n = 10 N on.
Measurements draw_costs(double power) {
    Measurements rows = Measurements::array();
    for (const double factor : {0.1, 1.0, 10.0, 100.0}) {
        const double n = 100.0 * factor, cost = 1000.0 + std::pow(n, power);
        rows.push_back({{"factor", factor},
                        {"draws", n},
                        {"cost", {{"tests", cost}, {"seconds", 1e-8 * cost}}},
                        {"found", factor < 10.0 ? 0.9 : 1.0}});
    }
    const Measurements costs{{"rows", rows},
                             {"brute", {{"tests", 4753}, {"seconds", 1e-4}}},
                             {"exact", {{"tests", 500}, {"seconds", 5e-6}}},
                             {"exact_found", 1.0}};
    return {{"quick", false}, {"costs", {costs, costs}}};
}

TEST(DrawCosts, AreLinearWhereTheyAre) {
    EXPECT_TRUE(find_claim(judge_raghupathi_draws(draw_costs(1.0)), "linearly").holds());
    EXPECT_FALSE(find_claim(judge_raghupathi_draws(draw_costs(1.5)), "linearly").holds());
}

TEST(DrawCosts, OfWhatFindsTheRegionsAreComparedWithTheDoubleLoop) {
    Measurements m = draw_costs(1.0);  // n = 10 N finds them in a fifth of its time
    EXPECT_TRUE(find_claim(judge_raghupathi_draws(m), "a lot faster").holds());
    m["costs"][0]["brute"]["seconds"] = 3e-5;
    EXPECT_FALSE(find_claim(judge_raghupathi_draws(m), "a lot faster").holds());
    m = draw_costs(1.0);
    for (Measurements& row : m["costs"][0]["rows"]) row["found"] = 0.98;
    EXPECT_FALSE(find_claim(judge_raghupathi_draws(m), "a lot faster").holds());
}

TEST(MesenteryEffect, IsNoneWhereChanceDoesAsMuch) {
    const auto judged = [](double self, double chance) {
        const auto apart = [](double x) { return Measurements{{"mean", x}, {"start", x}, {"end", x}}; };
        const Measurements effect{{"thickness", 0.01}, {"self", apart(self)}, {"alike", apart(1)},  {"none", apart(8)},
                                  {"chance", chance},  {"seconds_on", 1e-3},  {"seconds_off", 1e-3}};
        const Measurements m{{"quick", false}, {"effects", Measurements::array({effect})}};
        return judge_raghupathi_mesentery(m).front().holds();
    };
    EXPECT_TRUE(judged(0.3, 0.03));
    EXPECT_TRUE(judged(2.0, 0.4));
    EXPECT_FALSE(judged(2.0, 0.03));
}

}  // namespace
}  // namespace plica::experiments
