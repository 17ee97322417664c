#pragma once
#include <functional>

#include "tissue/tled/laws.hpp"
#include "tissue/tled/organ.hpp"

// What people want to know of a deformed organ; in double, cell by cell, whatever the precision it was simulated in.
// Spans are over the organ's nodes.
namespace plica::tled {

// One cell's state. Stress is Cauchy's, Pa.
struct CellField {
    double volume = 0.0;        // m^3, at rest
    double volume_ratio = 1.0;  // J
    Symmetric<double> stress{};
    Symmetric<double> strain{};  // Green-Lagrange
    double von_mises = 0.0;      // Pa
    double stretch = 1.0;        // largest principal one
    double energy = 0.0;         // J
};

// Cell by cell. history: the viscous part of the stress; nullptr: none, the stress at once after deforming.
void visit_cell_fields(const Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x, const History* history,
                       const std::function<void(std::size_t, const CellField&)>& visit);
// All of them.
void compute_cell_fields(const Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x,
                         const History* history, std::span<CellField> fields);

// Present volume of one cell over its rest volume.
double compute_volume_ratio(const Organ& organ, std::size_t cell, std::span<const Vec3> rest, std::span<const Vec3> x);

// Elastic energy, J, hourglass and nodal volume terms included.
double compute_energy(const Organ& organ, std::span<const Vec3> rest, std::span<const Vec3> x);

// Present volume, m^3.
double compute_present_volume(const Organ& organ, std::span<const Vec3> x);

// A cell's value at the nodes: mean over the cells around it, by their volumes.
void average_at_nodes(const Organ& organ, std::span<const CellField> fields, double CellField::* value,
                      std::span<double> at_node);

}  // namespace plica::tled
