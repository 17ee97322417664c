#pragma once
#include "geometry/mesh/mesh.hpp"
#include "tissue/tled/step.hpp"

// One solid organ and nothing else: no contact, no frames, steps of any length. What the tissue is verified on.
namespace plica::experiments {

class Specimen {
public:
    Specimen(VolumeMesh mesh, std::vector<tled::Material> materials, const tled::OrganSettings& settings,
             Isa isa = best_isa(), int threads = 1);

    // Nodes furthest along an axis (0 to 2) at rest.
    [[nodiscard]] std::vector<std::int32_t> side(int axis, bool high) const;
    // Triangles of the surface all of whose nodes are among these.
    [[nodiscard]] std::vector<std::array<std::int32_t, 3>> triangles_on(const std::vector<std::int32_t>& nodes) const;
    // Puts nodes that far from their rest places along these axes, for good.
    void hold(const std::vector<std::int32_t>& nodes, std::array<bool, 3> axes, const Vec3& by = {});

    // measure: an organ that relaxes looks at itself.
    void step(double h, const Vec3& gravity = {}, bool measure = false);
    // Internal forces at x, N; nothing is changed by asking.
    const std::vector<Vec3>& find_forces();
    // The same, and time goes on by h seconds for what a viscous organ remembers.
    const std::vector<Vec3>& wait(double h);
    // Steps of h seconds with damping (1/s) until the forces on free nodes are less than this share of those on held
    // ones, for `most` steps at most. Returns the share that was reached.
    double settle(double h, double damping, double tolerance, int most);
    double find_limit(double tolerance = 1e-3);  // s, longest stable step at x

    [[nodiscard]] double kinetic() const;  // J, of the velocities at the half step before
    [[nodiscard]] double kinetic(std::span<const Vec3> velocity) const;
    [[nodiscard]] double elastic() const;         // J
    [[nodiscard]] Vec3 momentum() const;          // kg m/s
    [[nodiscard]] Vec3 angular_momentum() const;  // kg m^2/s; central differences conserve exactly this one
    [[nodiscard]] double share_left(const std::vector<Vec3>& force) const;

    tled::Organ organ;
    std::vector<Vec3> rest, x, v;     // m, m/s
    std::vector<double> mass, w;      // kg, 1/kg
    std::vector<std::int32_t> order;  // number in the mesh of each node
    std::vector<std::array<std::int32_t, 3>> surface;
    tled::OrganState state;
    tled::Workspace work;
    double t = 0.0, last_h = 0.0;  // s

private:
    [[nodiscard]] bool is_held(std::size_t node, int axis) const;

    std::unique_ptr<ThreadPool> m_pool;
    std::vector<Vec3> m_next, m_force;
};

// A block from the origin to `size`, of the cells that the kind needs.
VolumeMesh make_specimen_block(tled::ElementKind kind, const Vec3& size, const std::array<int, 3>& cells);
tled::Material make_neo_hookean(double young, double poisson, double density = 1000.0);

}  // namespace plica::experiments
