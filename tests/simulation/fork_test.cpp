#include <gtest/gtest.h>

#include <plica/plica.hpp>
#include <thread>

#include "simulation/inside.hpp"

// Several simulations on one model, each on a thread of its own; run under the thread sanitizer as well.
namespace plica::testing {
namespace {

const LoadOptions fork_pile{.overrides = {"gut.segments=40", "gut.length=1.6", "gut.radius=0.02"}};

std::uint64_t run_on(Simulation& simulation, double gravity, int steps) {
    simulation.set_gravity({0, 0, gravity});
    std::uint64_t hash = 0;
    for (int i = 0; i < steps; ++i) hash = simulation.step().hash;
    return hash;
}

TEST(Fork, SharesTheModelAndNothingElse) {
    Simulation trunk = Simulation::load("intestine-pile", fork_pile);
    for (int i = 0; i < 20; ++i) trunk.step();
    std::vector<Simulation> forks;
    for (int i = 0; i < 3; ++i) forks.push_back(trunk.fork());
    for (const Simulation& fork : forks) EXPECT_EQ(&fork.inside().model(), &trunk.inside().model());
    std::vector<std::uint64_t> parallel(3), serial(3);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] { parallel[i] = run_on(forks[i], -3.0 * static_cast<double>(i), 15); });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < 3; ++i) {
        Simulation again = trunk.fork(2);
        serial[i] = run_on(again, -3.0 * static_cast<double>(i), 15);
    }
    EXPECT_EQ(parallel, serial);
    EXPECT_NE(parallel[0], parallel[1]);
}

TEST(Fork, OutlivesTheTrunkAndLeavesItAlone) {
    auto trunk = std::make_unique<Simulation>(Simulation::load("intestine-pile", fork_pile));
    trunk->step();
    Simulation fork = trunk->fork(), other = trunk->fork();
    fork.set_parameter("gut.stiffness", 3.0);
    const std::uint64_t stiff = run_on(fork, -9.81, 10);
    const std::uint64_t plain = run_on(*trunk, -9.81, 10);
    EXPECT_NE(stiff, plain);
    trunk.reset();
    EXPECT_EQ(run_on(other, -9.81, 10), plain);
}

}  // namespace
}  // namespace plica::testing
