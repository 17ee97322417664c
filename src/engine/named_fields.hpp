#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/frame.hpp"

// The fields that tissues publish, by name. Several bodies may have one of the same name.
namespace plica {

// Each once, in the frame's order.
std::vector<std::string> list_fields(const Frame& frame);

// A number per node of the frame, not a number where no body has the field. False: there is no such field.
bool spread_field(const Frame& frame, std::string_view name, std::vector<float>& out);

// Shows the field of this name: frame.field is its values, of kind named. Where there is none, it is empty and of kind
// none.
void show_field(std::string_view name, Frame& frame);

}  // namespace plica
