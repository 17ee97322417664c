#pragma once
#include <memory>
#include <vector>

#include "core/isa.hpp"
#include "tissue/tled/step.hpp"

// The load of the benchmark of solid organs: a cube of 10 cm of soft tissue that stands on a held side, bent and
// squeezed to begin with, under gravity.
namespace plica::bench {

struct SolidBlock {
    tled::ElementKind kind = tled::ElementKind::t4;
    VolumeMesh mesh;  // in the order of the organ
    tled::Material material;
    tled::Organ organ;
    std::vector<Vec3> x, v;  // at the start
    std::vector<double> w;   // 1/kg, 0: held
    Vec3 gravity{0, 0, -9.81};
    double h = 0.0;  // s, stable

    [[nodiscard]] std::size_t cells() const { return organ.cells(); }
    [[nodiscard]] std::size_t nodes() const { return mesh.nodes.size(); }
};

// `side` cells along each edge: six tetrahedra each, or one hexahedron. exact: double instead of float.
SolidBlock make_solid_block(tled::ElementKind kind, int side, bool exact = false);

// Internal forces at the start, N.
std::vector<Vec3> solid_forces(const SolidBlock& block, Isa isa);

// Largest difference, in shares of the largest force.
double relative_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

// The block in motion, as a world would move it if nothing touched it: forces, their sums, the new places, and from
// these the velocities.
class SolidRun {
public:
    SolidRun(const SolidBlock& block, Isa isa, int threads);
    void rewind();
    void step();
    [[nodiscard]] const std::vector<Vec3>& x() const { return m_x; }
    [[nodiscard]] tled::Extremes extremes() const { return tled::find_extremes(m_block.organ, m_work); }

private:
    const SolidBlock& m_block;
    ThreadPool m_pool;
    tled::OrganState m_state;
    tled::Workspace m_work;
    std::vector<Vec3> m_x, m_v, m_p;
    double m_last_h = 0.0;
};

}  // namespace plica::bench
