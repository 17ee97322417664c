#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/mesh/mesh.hpp"
#include "tissue/tled/organ.hpp"

// What a solid organ costs without any of Plica's arrangements: total Lagrangian explicit dynamics as one would write
// it down from the papers (Miller et al. 2007; Joldes et al. 2009 for hexahedra and for nodal pressure), in float, one
// cell after the other, its forces added to one array. Neo-Hookean. Careful, not clever.
namespace plica::bench {

class TextbookTled {
public:
    // Cells and nodes in the order of the mesh, which is that of the organ after build_organ(); its tetrahedra become
    // `kind`.
    TextbookTled(const VolumeMesh& mesh, const tled::Material& material, tled::ElementKind kind, double hourglass);

    // w: 1/kg, 0: held. One displacement a node now, and one a step earlier.
    void start(std::span<const Vec3> rest, std::span<const Vec3> x, std::span<const Vec3> v, std::span<const double> w,
               const Vec3& gravity, double h);
    // u(+1) = 2 u - u(-1) + h^2 (g - w F)
    void step();

    void compute_forces();                                  // at the present displacements
    [[nodiscard]] std::vector<Vec3> forces() const;         // N, of the last evaluation
    [[nodiscard]] std::vector<Vec3> displacements() const;  // m
    void change_bulk(float factor) { m_bulk *= factor; }    // makes it another material

private:
    struct Tetrahedron {
        std::array<std::int32_t, 4> node;
        float gradient[4][3];  // 1/m, of the shape functions
        float volume;          // m^3
    };
    struct Hexahedron {
        std::array<std::int32_t, 8> node;
        float gradient[8][3];   // 1/m, mean
        float hourglass[4][8];  // gamma
        float volume;           // m^3
        float stiffness;        // N/m, against hourglass modes
    };
    void add_tetrahedra();
    void add_nodal_tetrahedra();
    void add_hexahedra();
    void find_pressures();

    tled::ElementKind m_kind;
    float m_shear, m_bulk;
    std::vector<Tetrahedron> m_tetrahedra;
    std::vector<Hexahedron> m_hexahedra;
    std::vector<float> m_u, m_last, m_next, m_force;      // three a node
    std::vector<float> m_w, m_volume, m_now, m_pressure;  // one a node
    float m_step2 = 0.0F;                                 // s^2
    std::array<float, 3> m_gravity{};
};

}  // namespace plica::bench
