// Plica in a program of your own: pull a loop of intestine and read the force that the hand would feel.
#include <cstdio>
#include <exception>
#include <plica/plica.hpp>

int main() {
    try {
        plica::Simulation simulation = plica::Simulation::load("intestine", {.overrides = {"gut.segments=262"}});
        const std::size_t probe = simulation.tool("probe");
        const std::size_t loop = simulation.node_at("gut", 0.5);

        // Let the organ fall and come to rest.
        while (simulation.time() < 2.0) simulation.step();

        // Take hold of the loop and lift it by six centimetres within a second.
        simulation.hold(probe, loop);
        plica::Point hand = simulation.position(loop);
        while (simulation.time() < 3.0) {
            hand[2] += 0.06 * simulation.dt();
            simulation.move(probe, hand);
            const plica::StepInfo step = simulation.step();
            if (!step.valid) return 3;
        }
        const plica::Point force = simulation.tool_force(probe);
        const plica::Point place = simulation.position(loop);
        std::printf("t = %.2f s: the loop is at z = %.4f m, the hand feels %.2f N downwards\n", simulation.time(),
                    place[2], -force[2]);
        return -force[2] > 0.0 ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
