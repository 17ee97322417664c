#include "io/recording/byte_cursor.hpp"

#include <cmath>
#include <cstring>

namespace plica::recording_format {

void put_u32(std::string& bytes, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((value >> shift) & 0xFF);
}

void put_u64(std::string& bytes, std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>((value >> shift) & 0xFF);
}

void put_i32(std::string& bytes, std::int32_t value) {
    put_u32(bytes, static_cast<std::uint32_t>(value));
}

void put_real(std::string& bytes, double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    put_u64(bytes, bits);
}

void put_vector(std::string& bytes, const Vec3& value) {
    for (const double each : {value.x, value.y, value.z}) put_real(bytes, each);
}

void put_text(std::string& bytes, const std::string& text) {
    put_u64(bytes, text.size());
    bytes += text;
}

std::uint32_t get_u32(const char* bytes) {
    std::uint32_t value = 0;
    for (int k = 3; k >= 0; --k) value = (value << 8) | static_cast<unsigned char>(bytes[k]);
    return value;
}

std::uint64_t get_u64(const char* bytes) {
    return get_u32(bytes) | (static_cast<std::uint64_t>(get_u32(bytes + 4)) << 32);
}

std::string_view ByteCursor::take(std::uint64_t size) {
    if (size > rest.size()) ok = false;
    if (!ok) return {};
    const std::string_view taken = rest.substr(0, static_cast<std::size_t>(size));
    rest.remove_prefix(taken.size());
    return taken;
}

std::uint32_t ByteCursor::u32() {
    const std::string_view bytes = take(4);
    return ok ? get_u32(bytes.data()) : 0;
}

std::uint64_t ByteCursor::u64() {
    const std::string_view bytes = take(8);
    return ok ? get_u64(bytes.data()) : 0;
}

std::string ByteCursor::text() {
    return std::string(take(u64()));
}

std::int32_t ByteCursor::i32(std::int64_t least, std::int64_t most) {
    const auto value = static_cast<std::int32_t>(u32());
    require(value >= least && value <= most);
    return ok ? value : 0;
}

double ByteCursor::real(double most) {
    const std::uint64_t bits = u64();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    require(std::abs(value) <= most);  // not a number is no number
    return ok ? value : 0.0;
}

Vec3 ByteCursor::vector(double most) {
    Vec3 value;
    for (double* each : {&value.x, &value.y, &value.z}) *each = real(most);
    return value;
}

std::size_t ByteCursor::count(std::size_t bytes_each) {
    const std::uint64_t value = u64();
    require(value <= rest.size() / bytes_each);
    return ok ? static_cast<std::size_t>(value) : 0;
}

}  // namespace plica::recording_format
