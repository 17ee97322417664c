#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/file_source.hpp"
#include "geometry/mesh/mesh.hpp"
#include "scene/anatomy/places.hpp"
#include "tissue/heat/conduction.hpp"
#include "tissue/heat/settings.hpp"

namespace plica {

// A part of a surface that conducts in its own way.
struct PaintDescription {
    NodeSelection where;
    heat::FaceConductivity conductivity;  // m^2/s; along and across differ: a tensor
};

// A surface whose inner forces come from heat: its shape, what it is made of and what acts on it.
struct MembraneDescription {
    std::string shape;                               // superquadric | sphere | plane | net | liver; empty: `mesh`
    std::string mesh;                                // a file with a surface, closed or open
    Files files = std::make_shared<FileSource>("");  // where it is read from
    double scale = 1.0;
    int nodes = 400;              // superquadric, sphere
    int fineness = 3;             // liver: how often its 20 triangles are quartered
    double exponent = 0.5;        // superquadric: 1 is an ellipsoid, 0 a box
    Vec3 size{2, 2, 2};           // m, superquadric; plane and net: x and y
    double radius = 1.0;          // m, sphere
    int columns = 20, rows = 20;  // plane and net: cells along x and y
    Vec3 turn;                    // rad, about x, then y, then z
    Vec3 center;                  // m, added to the places then

    heat::Settings settings;        // NaN: by size and load
    std::string conductivity_from;  // m^2/s, values of the mesh's nodes by this name; empty: the settings'
    double load = 0.0;              // N, on a node, that the material is meant for; 0: by size
    std::vector<PaintDescription> paint;
    double thickness = 0.0;  // m, that contact adds to the surface; 0: by the mesh
    bool self_contact = true;
    std::vector<NodeSelection> fixed, cold;
    std::vector<double> cold_at;  // J/m^2 over the capacity, per entry of `cold`
    std::vector<LoadDescription> loads;
};

// Settings that go with the size of a body and with what it is to bear.
inline constexpr std::array<double heat::Settings::*, 7> sized_settings{
    &heat::Settings::conductivity, &heat::Settings::young,        &heat::Settings::coupling,   &heat::Settings::anchor,
    &heat::Settings::bulk,         &heat::Settings::punch_radius, &heat::Settings::punch_young};
inline constexpr double standard_load = 10.0;  // N, on a body of half size 1 m; on others by their area

// The surface at its place, sound. old_node, if given, receives each node's number in the file.
SurfaceMesh make_membrane_mesh(const MembraneDescription& membrane, std::vector<std::int32_t>* old_node = nullptr);

// Conductivities that the mesh has, m^2/s per node; empty where the scene asks for none. Throws Error where the mesh
// has no such values, listing those it has, and, naming the node by its number in the file, where one is not positive.
std::vector<double> find_conductivities(const MembraneDescription& membrane, const SurfaceMesh& mesh,
                                        std::span<const std::int32_t> old_node);

// What is not given, from the size of the surface and the load.
heat::Settings fill_settings(const MembraneDescription& membrane, const SurfaceMesh& mesh);

}  // namespace plica
