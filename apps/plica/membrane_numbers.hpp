#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "engine/world.hpp"

// What a run tells about surfaces of heat tissue.
namespace plica::app {

// nullptr: the body is none.
const heat::Membrane* find_membrane(const Model& model, const Body& body);

// Of its edges: largest stretch - 1.
double compute_max_stretch(const World& world, const heat::Membrane& membrane);
double compute_elastic_energy(const World& world, const heat::Membrane& membrane);  // J, of its rest shape

// Material as it came out for the body's size, warmth, shape, and where its energy went.
void add_membrane_json(const World& world, const heat::Membrane& membrane, nlohmann::ordered_json& body);

// That for people.
std::string membrane_text(const nlohmann::ordered_json& body);

// For people: edges that are not Delaunay's; empty where there are none.
std::string obtuse_text(int obtuse_edges);

}  // namespace plica::app
