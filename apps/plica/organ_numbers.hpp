#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/world.hpp"

// What a run tells about solid bodies.
namespace plica::app {

// nullptr: the body is no organ.
const tled::Organ* find_organ(const Model& model, const Body& body);

// Of springs, or of a solid's cells: largest stretch - 1.
double compute_max_stretch(const World& world, std::size_t body);
double compute_elastic_energy(const World& world, std::size_t body);  // J

// Cells, volume, stress, reactions, and how long its steps may be.
void add_organ_json(const World& world, const tled::Organ& organ, nlohmann::ordered_json& body);

// That for people.
std::vector<std::string> organ_lines(const nlohmann::ordered_json& body);

}  // namespace plica::app
