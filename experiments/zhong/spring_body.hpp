#pragma once
#include <cstdint>
#include <vector>

#include "geometry/vec3.hpp"
#include "tissue/heat/sparse.hpp"

// Masses and linear springs along the edges of any mesh, one stiffness for all of them, as in the models that heat is
// compared with (Zhong 2005, sec. I), and springs to where nodes were at rest, which do not turn with the body.
namespace plica::experiments {

class SpringBody {
public:
    // Edges once each, either way round. home: N/m per node; empty: none.
    SpringBody(std::vector<Vec3> rest, std::vector<heat::Link> edges, double stiffness, std::vector<double> home,
               std::vector<std::uint8_t> held);

    std::vector<Vec3> x, load;  // m, N

    // To rest by motion with masses made for it, stopped whenever it slows down (kinetic damping), until what is left
    // of the forces is less than `tolerance` of the load, or for so many steps. Returns their number.
    int relax(double tolerance, int most);

    // s, a bound of the longest stable step with this mass (kg) at every node.
    [[nodiscard]] double find_limit(double mass) const;
    // One step of h seconds from rest with masses of 1 / w.
    void step(double h, double w);

private:
    void find_forces();
    [[nodiscard]] double left() const;  // N, of the forces on free nodes

    std::vector<Vec3> m_rest, m_v, m_force;
    std::vector<heat::Link> m_edges;
    std::vector<double> m_length, m_home, m_stiffness;  // m; N/m; N/m per node: a bound of its row of the matrix
    std::vector<std::uint8_t> m_held;
    double m_spring;  // N/m
};

// Of triangles or tetrahedra.
template <class Cells>
std::vector<heat::Link> find_edges(const Cells& cells, std::size_t nodes) {
    std::vector<heat::Link> links;
    for (const auto& cell : cells) {
        for (std::size_t i = 0; i < cell.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) links.push_back({cell[i], cell[j]});
        }
    }
    const heat::SymmetricMatrix pattern = heat::make_pattern(nodes, links);
    links.clear();
    for (std::size_t a = 0; a < nodes; ++a) {
        for (std::int32_t e = pattern.first[a]; e < pattern.first[a + 1]; ++e) {
            const std::int32_t b = pattern.column[static_cast<std::size_t>(e)];
            if (b > static_cast<std::int32_t>(a)) links.push_back({static_cast<std::int32_t>(a), b});
        }
    }
    return links;
}

}  // namespace plica::experiments
