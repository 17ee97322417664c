#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plica/tissue.hpp"

namespace plica::testing {

// A tetrahedron on a spring: each node is drawn to its place at rest with k, so that it swings with k / m. Counts its
// steps in its state.
class Swinging : public Tissue {
public:
    explicit Swinging(double stiffness = 100.0) : m_stiffness(stiffness) {}
    [[nodiscard]] std::string kind() const override { return "swinging"; }
    [[nodiscard]] TissueShape shape() const override {
        TissueShape shape;
        shape.nodes = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
        shape.masses.assign(4, 0.25);
        shape.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
        return shape;
    }
    [[nodiscard]] std::size_t state_size() const override { return 1; }
    void start(std::span<double> state) const override { state[0] = 5.0; }
    [[nodiscard]] double stable_step(const TissueView&, std::span<const double>) const override {
        return longest > 0.0 || says_anything ? longest : 2.0 / std::sqrt(std::max(m_stiffness, 1e-3) / 0.25);
    }
    void begin_step(const TissueView&, std::span<double> state) const override { state[0] += 1.0; }
    void add_forces(const TissueView& view, std::span<double>, std::span<double> forces) const override {
        const std::vector<double> rest = shape().nodes;
        for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += m_stiffness * (rest[i] - view.positions[i]);
    }
    [[nodiscard]] FieldName field() const override { return {"height", "m"}; }
    void publish(const TissueView& view, std::span<const double>, std::span<float> out) const override {
        for (std::size_t n = 0; n < out.size(); ++n) out[n] = static_cast<float>(view.positions[3 * n + 2]);
    }

    double longest = 0.0;  // s; 0: what the stiffness allows
    bool says_anything = false;

private:
    double m_stiffness;
};

// The same elsewhere.
class Beside : public Swinging {
public:
    [[nodiscard]] TissueShape shape() const override {
        TissueShape shape = Swinging::shape();
        for (std::size_t i = 0; i < shape.nodes.size(); i += 3) shape.nodes[i] += 0.3;
        return shape;
    }
};

}  // namespace plica::testing
