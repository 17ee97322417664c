#pragma once
#include <cstdint>

namespace plica::heat {

enum class Mode : std::uint8_t {
    complete,       // the paper's heat and tension with a rest shape
    paper_attract,  // Zhong 2005, eq. 18 to 22, with the sign of the inner force repaired
    paper_literal   // with the signs as printed; for documentation only, it runs away
};

// What a touch gives to the surface as heat.
enum class Source : std::uint8_t {
    work,   // F . S, S being measured against the rest shape where it is now (Zhong 2005, eq. 4, made objective)
    energy  // F^2 (1 - nu^2) / (4 E a), of a flat punch on a half space (in place of Zhong 2005, eq. 5 to 8), for each
            // patch of touched nodes
};

// How temperatures get through a step.
enum class Spread : std::uint8_t {
    implicit,  // one implicit step by the factor
    stencil,   // Zhong 2005, eq. 9 and 11: explicit steps, as many as keep temperatures positive
    printed    // Zhong 2005, eq. 10 and 12: the same with the conductivity inside the Laplacian
};

// How nodes get through a substep.
enum class Motion : std::uint8_t {
    implicit,  // by the factor, stable at any step; the paper's modes: new velocity first, implicit damping
    euler      // Zhong 2005, eq. 22 as printed: stable where there is damping and the step is short enough
};

// The numbers are those of a body of half size 1 m that bears 10 N on one of 400 nodes.
struct Settings {
    Mode mode = Mode::complete;
    Source source = Source::work;
    Spread spread = Spread::implicit;
    Motion motion = Motion::implicit;
    double capacity = 1.0;        // alpha
    double relaxation = 1.0;      // tau, s: heat that is not sustained goes with this time constant
    double conductivity = 0.4;    // k, m^2/s, where nodes do not say theirs
    double young = 22.0;          // Y, N/m
    double coupling = 7.5;        // c, s/m: tension per flow of heat; the paper's modes have none
    double anchor = 20.0;         // kappa_a, N/m^3
    double bulk = 100.0;          // kappa_v, Pa; closed pieces only
    double density = 2.3;         // kg/m^2
    double area_damping = 46.0;   // N s/m^3, per area against the world; `drag` in scene files
    double edge_damping = 0.0;    // N s/m, along edges
    double smoothing = 0.2;       // of an implicit step's own damping: 0 none, 1 all of it
    double contrast_power = 1.0;  // p: stiffness goes with (k_max / k)^p,
    double contrast_most = 50.0;  // S_max: but not beyond this
    bool paper_sign = false;      // pulls cool instead of warming (Zhong 2005, sec. II.A)
    bool even = false;            // all nodes have the same mass and damping, whatever their area, as in the paper
    bool quads = false;           // two triangles that make a rectangle are one quad: no force along its diagonal
    double punch_radius = 0.1;    // m, a; Source::energy only, as the next two
    double punch_young = 100.0;   // Pa, E
    double punch_poisson = 0.45;  // nu
};

// The same behaviour for another size (half of the largest extent, m) and another load (N): lengths with half_size,
// forces with load, times as they are. k ~ L^2, Y ~ F / L, kappa_a ~ F / L^3, kappa_v and E ~ F / L^2, c ~ 1 / L, a ~
// L. Density, which is the matter's, and damping, which is a rate of it, stay.
Settings scale_settings(Settings settings, double half_size, double load);

}  // namespace plica::heat
