#pragma once
#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// How a body of a tissue comes from a scene into a model: one line a tissue in body_kinds.cpp.
struct BodyKind {
    TissueKind tissue;
    // Its keys of a [[body]] table; files that they name are relative to the folder of `files`. Null: it is in no scene
    // file.
    void (*read)(TableReader& reader, const Files& files, BodyDescription& body);
    // Nodes, tissue and collision surface. `exact`: the scene asks for double precision.
    void (*add)(const BodyDescription& body, bool exact, Model& model);
};

const BodyKind& kind_of(TissueKind tissue);

// Names that `tissue = ` takes in a scene file.
std::vector<std::string> readable_tissues();

}  // namespace plica
