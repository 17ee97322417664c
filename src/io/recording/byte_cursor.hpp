#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "geometry/vec3.hpp"

// Little-endian numbers and texts, written to the end of a string and taken off the front of one.
namespace plica::recording_format {

void put_u32(std::string& bytes, std::uint32_t value);
void put_u64(std::string& bytes, std::uint64_t value);
void put_i32(std::string& bytes, std::int32_t value);
void put_real(std::string& bytes, double value);
void put_vector(std::string& bytes, const Vec3& value);
void put_text(std::string& bytes, const std::string& text);
std::uint32_t get_u32(const char* bytes);
std::uint64_t get_u64(const char* bytes);

// After the first thing that is not there, or not within its bounds, `ok` is false and all that follows is empty.
struct ByteCursor {
    std::string_view rest;
    bool ok = true;

    std::string_view take(std::uint64_t size);
    std::uint32_t u32();
    std::uint64_t u64();
    std::string text();
    // From least to most.
    std::int32_t i32(std::int64_t least, std::int64_t most);
    bool flag() { return i32(0, 1) != 0; }
    // Finite, and not beyond +-most.
    double real(double most);
    Vec3 vector(double most);
    // How many things follow, each of at least so many bytes: no more than there is room for.
    std::size_t count(std::size_t bytes_each);
    void require(bool condition) { ok = ok && condition; }
};

}  // namespace plica::recording_format
