#pragma once
#include "engine/step/context.hpp"

// Tools that hold tissue by springs of limited force: grabs, and balls on their handles.
namespace plica {

// Nodes of the body that the tool takes hold of, the one it took first; empty: none.
void find_held_nodes(const Model& model, const Tool& tool, const ToolState& now, std::vector<std::int32_t>& held);

// Where handles are when the substep ends, as rows for contact.
void aim_holds(StepContext& c);

// What the tools felt in the substep is added up.
void commit_holds(StepContext& c);

}  // namespace plica
