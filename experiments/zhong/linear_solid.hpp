#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"
#include "tissue/heat/factor.hpp"
#include "tissue/heat/gradients.hpp"

// Linear finite elements at small strain: tetrahedra of constant strain, Hooke's law, statics.
namespace plica::experiments {

class LinearSolid {
public:
    LinearSolid(std::vector<Vec3> rest, const std::vector<std::array<std::int32_t, 4>>& cells,
                std::vector<std::uint8_t> held, double young, double poisson);

    // Displacements (m) under these forces (N); held nodes keep what `u` has there. By the factor where there is one,
    // else by gradients from what `u` has. False: no solution.
    bool solve(const std::vector<Vec3>& load, std::vector<Vec3>& u);
    // Once for any load.
    bool factorize();
    [[nodiscard]] std::size_t entries() const { return m_factor.entries(); }

private:
    void add_cell(const std::array<std::int32_t, 4>& cell, double lame, double shear);

    std::vector<Vec3> m_rest;
    std::vector<std::uint8_t> m_held;
    heat::SymmetricMatrix m_full, m_free;  // of all nodes; with the identity's rows and columns at held ones
    heat::Factor m_factor;
    heat::GradientScratch m_scratch;
    std::vector<double> m_right, m_known;
};

}  // namespace plica::experiments
