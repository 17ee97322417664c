#pragma once
#include "engine/model.hpp"

namespace plica {

// Corners and edges for the sheets that touch themselves and, where there are solids, for all. A sheet of half
// thickness r cannot meet itself closer than a U-turn of arc pi r: what is that close as built, along the sheet or
// where it is crowded at its root, is left out.
void add_sheets(Model& model);

// No two primitives of one solid overlap as built: where its mesh is so fine or so thin that they would, they get
// smaller contact radii.
void thin_out_solids(Model& model);

}  // namespace plica
