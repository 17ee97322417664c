#pragma once
#include <cstdint>
#include <cstring>
#include <string>

#include "geometry/vec3.hpp"

// Numbers as legacy VTK files hold them: binary, big endian.
namespace plica::vtk {

inline void put(std::string& text, std::int32_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>((word >> shift) & 0xFF);
}

inline void put(std::string& text, double value) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, 8);
    for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>((word >> shift) & 0xFF);
}

inline void put(std::string& text, const Vec3& value) {
    put(text, value.x);
    put(text, value.y);
    put(text, value.z);
}

}  // namespace plica::vtk
