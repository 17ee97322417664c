#pragma once
#include "io/recording/byte_cursor.hpp"
#include "io/recording/recording.hpp"

// Bodies, surfaces and fields in a recording's header.
namespace plica::recording_format {

void put_shapes(std::string& bytes, const Shapes& shapes);
// Clears cursor.ok where a number of a node, body or tool is beyond those that there are.
Shapes take_shapes(ByteCursor& cursor, std::int32_t nodes, std::int32_t tools);

void put_fields(std::string& bytes, std::span<const Field> fields);
std::vector<Field> take_fields(ByteCursor& cursor, std::int32_t nodes);

}  // namespace plica::recording_format
