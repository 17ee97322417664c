#pragma once
#include <array>
#include <cstdint>

#include "geometry/vec3.hpp"

namespace plica::tled {

enum class Law : std::uint8_t {
    neo_hookean,          // W = mu/2 (J^(-2/3) I1 - 3) + kappa/2 (J - 1)^2
    st_venant_kirchhoff,  // W = lambda/2 (tr E)^2 + mu E:E; softens and inverts under strong compression
};

// Along fibres: W += stiffness/2 (J^(-2/3) |F a|^2 - 1)^2.
struct Fibre {
    double stiffness = 0.0;     // Pa; 0: none
    Vec3 direction{0, 0, 1};    // unit, in the rest shape
    bool tension_only = false;  // they buckle instead of being compressed
};

// A share of the stress that fades with time.
struct Relaxation {
    double share = 0.0;  // of the instantaneous stress
    double time = 1.0;   // s
};
inline constexpr std::size_t most_relaxations = 4;

struct Material {
    Law law = Law::neo_hookean;
    double shear = 1000.0;    // mu, Pa
    double bulk = 10000.0;    // kappa, Pa
    double density = 1000.0;  // kg/m^3
    Fibre fibre{};
    std::array<Relaxation, most_relaxations> relaxation{};
    int relaxations = 0;

    [[nodiscard]] double lame() const { return bulk - 2.0 / 3.0 * shear; }  // lambda, Pa
};

// From Young's modulus (Pa) and Poisson's ratio, below 0.5.
inline void set_young(Material& material, double young, double poisson) {
    material.shear = young / (2.0 * (1.0 + poisson));
    material.bulk = young / (3.0 * (1.0 - 2.0 * poisson));
}
inline double young_of(const Material& m) {
    return 9.0 * m.bulk * m.shear / (3.0 * m.bulk + m.shear);
}
inline double poisson_of(const Material& m) {
    return (3.0 * m.bulk - 2.0 * m.shear) / (2.0 * (3.0 * m.bulk + m.shear));
}

}  // namespace plica::tled
