#pragma once
// A tissue that Plica does not know: a program derives from plica::Tissue, adds it to a scene, and it touches, is
// held, recorded and drawn like the others. SI units.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plica {

// As built.
struct TissueShape {
    std::vector<double> nodes;                           // m, x y z of each
    std::vector<double> masses;                          // kg, per node; 0: held in its place
    std::vector<std::array<std::int32_t, 3>> triangles;  // its surface, counterclockwise seen from outside
    double thickness = 1e-3;                             // m, that contact adds to the surface, half on either side
    bool closed = true;                                  // the triangles enclose a volume
    bool self_contact = true;
};

// Where the body is at the start of a substep. Spans are over its own nodes, x y z of each, and last for the call.
struct TissueView {
    std::span<const double> positions;   // m
    std::span<const double> velocities;  // m/s
    double time = 0.0;                   // s, since the scene began
    double h = 0.0;                      // s, the substep; in stable_step() the last one's, 0 before the first
};

// One body of a tissue. What changes besides the nodes is kept by the engine, as numbers in `state`, so that it is
// saved, restored, hashed and forked with the rest: objects are shared by all simulations of a scene, on whatever
// threads these run, and a function must depend on nothing but its arguments and what never changes in the object.
// Functions that are called in a step should not allocate. What one throws leaves Simulation::step() as Error with the
// body's name, and the simulation is as it was before the step.
class Tissue {
public:
    virtual ~Tissue() = default;

    // What reports and recordings call this kind of tissue, e.g. "balloon".
    [[nodiscard]] virtual std::string kind() const = 0;
    // Asked for once, when the scene is built.
    [[nodiscard]] virtual TissueShape shape() const = 0;

    // How many numbers `state` has, and their first values. Numbers that are none after a step are flagged as
    // non-finite and the step undone.
    [[nodiscard]] virtual std::size_t state_size() const { return 0; }
    virtual void start(std::span<double> /*state*/) const {}

    // s: the longest substep that add_forces() bears, from here on for one step of the scene. The engine takes 0.9 of
    // it. What is not above 0, or would need more than 10,000 substeps a step, is flagged as unstable and the step
    // undone.
    [[nodiscard]] virtual double stable_step(const TissueView& view, std::span<const double> state) const = 0;
    // Before the first substep of a step.
    virtual void begin_step(const TissueView& /*view*/, std::span<double> /*state*/) const {}
    // Adds inner forces and damping, N, x y z a node, to `forces`. Gravity, the drag of the surroundings, contact and
    // hands are the engine's.
    virtual void add_forces(const TissueView& view, std::span<double> state, std::span<double> forces) const = 0;

    // One number a node, for Simulation::field() and recordings: its name, its unit, and the values. No name: there is
    // none.
    struct FieldName {
        std::string name, unit;
    };
    [[nodiscard]] virtual FieldName field() const { return {}; }
    virtual void publish(const TissueView& /*view*/, std::span<const double> /*state*/,
                         std::span<float> /*out*/) const {}

protected:
    Tissue() = default;
    Tissue(const Tissue&) = default;
    Tissue& operator=(const Tissue&) = default;
};

}  // namespace plica
