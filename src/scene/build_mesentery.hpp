#pragma once
#include <cstdint>
#include <vector>

#include "core/index.hpp"
#include "engine/model.hpp"
#include "scene/description.hpp"

namespace plica {

// What is lumped to a body's nodes.
struct Mass {
    std::vector<double> kg;  // per new node
    void add(std::int32_t node, double share) { kg[at(node)] += share; }
};

// k = EI / h^3 of the energy 1/2 k |x[i-1] - 2 x[i] + x[i+1]|^2, N/m.
inline double bending_per_node(const BodyDescription& body, double h) {
    return body.bending_stiffness / (h * h * h);
}

// The second body of an intestine whose gut's nodes, from `first` on, and tube are there already; with the springs of
// both.
void add_mesentery(Model& model, const BodyDescription& body, const IntestineGeometry& g, std::int32_t first, int chain,
                   Mass& mass);

}  // namespace plica
