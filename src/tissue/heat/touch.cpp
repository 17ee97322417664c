#include "tissue/heat/touch.hpp"

namespace plica::heat {

void add_load_touch(std::span<const Vec3> load, double h, double dt, MembraneState& state) {
    for (std::size_t n = 0; n < load.size(); ++n) state.touch[n] += load[n] * (h / dt);
}

void add_contact_touch(const Membrane& membrane, std::span<const double> w, std::span<const Vec3> alone,
                       std::span<const Vec3> p, double h, double dt, MembraneState& state) {
    for (std::size_t n = 0; n < membrane.size(); ++n) {
        if (w[n] == 0.0) continue;
        state.touch[n] += (p[n] - alone[n]) * (membrane.mass[n] / (h * dt));  // m a over the share h / dt of the step
    }
}

}  // namespace plica::heat
