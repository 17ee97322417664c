#pragma once
#include "core/file_source.hpp"
#include "geometry/vec3.hpp"
#include "scene/file/nifty/document.hpp"

// Places of nodes, and files that hold them.
namespace plica::nifty {

// From Nodes. False after a complaint.
bool read_nodes(Document& document, const pugi::xml_node& node, std::vector<Vec3>& places);

// Rows of so many nodes from Elements, each node one of `nodes`. False after a complaint.
bool read_corners(Document& document, const pugi::xml_node& node, std::size_t each, std::size_t nodes,
                  std::vector<std::int64_t>& corners);

// Moves nodes as the element says: first Rotation, then ScaleFactor, then Translation, in whatever order they stand.
// False after a complaint.
bool place_nodes(Document& document, const pugi::xml_node& node, std::vector<Vec3>& places);

// The file that the element's text names, relative to the source's folder; empty after a complaint.
std::string find_file(Document& document, const pugi::xml_node& node, FileSource& files);

}  // namespace plica::nifty
