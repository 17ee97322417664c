#pragma once
#include <functional>

#include "tissue/heat/forces.hpp"
#include "tissue/heat/step.hpp"

// A membrane by itself, loaded by hand: for tests and experiments.
namespace plica::experiments {

struct HeatBodySetup {
    heat::Settings settings;
    std::function<bool(const Vec3&)> fixed;           // which nodes neither move nor warm; none: none
    std::function<double(const Vec3&)> conductivity;  // m^2/s; none: the settings'
    bool cold = true;                                 // fixed nodes stay cold
    bool weld = true;                                 // fixed nodes are the membrane's own, else held by w = 0 alone
};

class HeatBody {
public:
    HeatBody(const SurfaceMesh& mesh, const HeatBodySetup& setup);

    heat::Membrane membrane;
    heat::MembraneState state;
    heat::Workspace work;
    std::vector<Vec3> x, v, load;  // m, m/s, N
    std::vector<double> w;         // 1/kg
    Vec3 gravity{};                // m/s^2
    bool fine = true;              // every step so far

    // Heat from the last step's load, then motion under `load`.
    void step(double h);
    void run(double seconds, double h);
    void clear_loads();

    [[nodiscard]] std::size_t nearest(const Vec3& place) const;             // at rest
    void push(std::size_t node, const Vec3& force) { load[node] = force; }  // N
    void push_patch(const Vec3& place, double sigma, const Vec3& force);    // a Gaussian of the rest distance, m
    [[nodiscard]] Vec3 moved(std::size_t node) const { return x[node] - membrane.rest[node]; }
    [[nodiscard]] double most_moved() const;  // m
    [[nodiscard]] int count_moved(double more_than) const;
    [[nodiscard]] double volume_ratio() const;  // of the first piece
    [[nodiscard]] heat::MembraneEnergy energy() const;
    [[nodiscard]] SurfaceMesh surface() const;  // as it is now

private:
    std::vector<Vec3> m_next;
};

// Zhong 2005, figure 3: a superquadric of half size 1 m whose bottom is fixed, touched at the top.
SurfaceMesh paper_superquadric(int nodes = 400);
HeatBodySetup paper_setup(const heat::Settings& settings);
inline constexpr Vec3 paper_top{0.0, 0.0, 1.0};
// Masses and dampings per node, as the paper has them: kg and N s/m.
heat::Settings paper_settings(heat::Mode mode, double mass, double damping, const SurfaceMesh& mesh);

}  // namespace plica::experiments
