#pragma once
#include <limits>

#include "tissue/heat/conduction.hpp"
#include "tissue/heat/factor.hpp"
#include "tissue/heat/gradients.hpp"

namespace plica::heat {

// How the temperature gets from one step to the next.
enum class Way {
    implicit,   // implicit Euler, factored once: the default
    gradients,  // the same equations by conjugate gradients from the last temperatures
    stencil     // explicit Euler in as many equal substeps as positivity asks for
};

struct HeatStep {
    double alpha = 1.0;                                    // heat capacity per area, J/m^2 per unit of temperature
    double dt = 0.01;                                      // s
    double tau = std::numeric_limits<double>::infinity();  // s, of the sink alpha T / tau; infinite: none
};

// alpha A dT/dt = -W T - (alpha / tau) A T + Q on a surface at rest, some nodes held at given temperatures.
class March {
public:
    March() = default;
    // Throws Error for a number that is not positive and for a matrix that cannot be factored.
    March(const Conduction& conduction, const HeatStep& step, std::span<const std::int32_t> held, Way way);

    // source: J/s per node. Held nodes keep what `temperature` has there. Allocates nothing. False, and the
    // temperatures are as before: a number is not finite, or the gradients did not get there.
    bool step(std::span<const double> source, std::span<double> temperature);

    [[nodiscard]] int substeps() const { return m_substeps; }      // of the stencil
    [[nodiscard]] int iterations() const { return m_iterations; }  // of the last step by gradients
    double tolerance = 1e-10;                                      // of the gradients, relative
    int most_iterations = 10000;

private:
    void load(std::span<const double> source, std::span<const double> temperature);
    void step_stencil(std::span<const double> source, std::span<double> temperature);

    HeatStep m_step;
    Way m_way = Way::implicit;
    SymmetricMatrix m_stiffness;  // W
    SymmetricMatrix m_matrix;     // (alpha / dt + alpha / tau) diag(A) + W; rows and columns of held nodes: identity
    std::vector<double> m_area;
    std::vector<char> m_held;
    Factor m_factor;
    GradientScratch m_gradients;
    std::vector<double> m_right, m_next;
    int m_substeps = 1, m_iterations = 0;
};

// J: sum of alpha A T.
double compute_heat(const Conduction& conduction, double alpha, std::span<const double> temperature);

}  // namespace plica::heat
