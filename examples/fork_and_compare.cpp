// One past, two futures: a pile of gut is saved, forked, and goes on with and without friction, each on its own thread.
#include <cmath>
#include <cstdio>
#include <plica/plica.hpp>
#include <thread>

namespace {

void go_on(plica::Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i) simulation.step();
}

double farthest_apart(const plica::Simulation& a, const plica::Simulation& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.positions().size(); ++i) {
        most = std::fmax(most, std::fabs(a.positions()[i] - b.positions()[i]));
    }
    return most;
}

}  // namespace

int main() {
    try {
        plica::Simulation trunk = plica::Simulation::load("intestine-pile");
        while (trunk.time() < 1.0) trunk.step();
        const plica::SavedState saved = trunk.save();

        plica::Simulation slippery = trunk.fork();  // shares the model
        slippery.set_parameter("friction", 0.0);
        std::thread other([&] { go_on(slippery, 30); });
        go_on(trunk, 30);
        other.join();
        std::printf("after a second without friction a node is %.1f mm from where it would be\n",
                    1e3 * farthest_apart(trunk, slippery));

        // The past again, in the other simulation: the same future, bit for bit.
        slippery.restore(saved);
        go_on(slippery, 30);
        const bool same = farthest_apart(trunk, slippery) == 0.0;
        std::printf("restored, it is %s\n", same ? "where the first one is" : "somewhere else");
        return same ? 0 : 1;
    } catch (const plica::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return static_cast<int>(error.status());
    }
}
