// What a probe and a floor feel: a finger presses on a liver; contacts, forces and stress are read after each step.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <plica/plica.hpp>

namespace {

double length(const plica::Point& v) {
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

}  // namespace

int main() {
    try {
        plica::Scene scene = plica::Scene::load("liver-bars");
        plica::Simulation simulation = plica::Simulation::build(scene);
        const std::size_t liver = simulation.body("liver");
        double largest = 0.0;
        while (simulation.time() < 0.5) {
            const plica::StepInfo step = simulation.step();
            if (!step.valid) return 3;
            double pressed = 0.0;  // N, sum of what pushes at the liver
            for (const plica::ContactInfo& contact : simulation.contacts()) {
                if (contact.body_a == liver || contact.body_b == liver) pressed += contact.force;
            }
            largest = std::max(largest, pressed);
        }
        for (std::size_t tool = 0; tool < simulation.tool_count(); ++tool) {
            const plica::ToolInfo info = simulation.tool_info(tool);
            std::printf("%-10.*s at z = %.4f m feels %.3f N and %.5f N m\n", static_cast<int>(info.name.size()),
                        info.name.data(), info.place[2], length(info.force), length(info.torque));
        }
        float stress = 0.0F;
        for (const float value : simulation.field("stress")) stress = std::fmax(stress, value);  // NaN: no solid
        std::printf("contacts pressed on the liver with up to %.3f N; most stress %.0f Pa\n", largest,
                    static_cast<double>(stress));
        return largest > 0.0 && stress > 0.0F ? 0 : 1;
    } catch (const plica::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return static_cast<int>(error.status());
    }
}
