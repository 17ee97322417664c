#include "io/recording/recording_format.hpp"

#include <zlib.h>

#include <cmath>
#include <cstring>

namespace plica::recording_format {
namespace {

std::uint64_t bits_of(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

double double_of(std::uint64_t bits) {
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

void put_text(std::string& bytes, const std::string& text) {
    put_u64(bytes, text.size());
    bytes += text;
}

// Takes values off the front of a byte string; after the first one that is not there, `ok` is false.
struct Cursor {
    std::string_view rest;
    bool ok = true;

    std::string_view take(std::uint64_t size) {
        if (size > rest.size()) ok = false;
        if (!ok) return {};
        const std::string_view taken = rest.substr(0, static_cast<std::size_t>(size));
        rest.remove_prefix(taken.size());
        return taken;
    }
    std::uint32_t u32() {
        const std::string_view bytes = take(4);
        return ok ? get_u32(bytes.data()) : 0;
    }
    std::uint64_t u64() {
        const std::string_view bytes = take(8);
        return ok ? get_u64(bytes.data()) : 0;
    }
    std::string text() { return std::string(take(u64())); }
};

}  // namespace

void put_u32(std::string& bytes, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((value >> shift) & 0xFF);
}

void put_u64(std::string& bytes, std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>((value >> shift) & 0xFF);
}

std::uint32_t get_u32(const char* bytes) {
    std::uint32_t value = 0;
    for (int k = 3; k >= 0; --k) value = (value << 8) | static_cast<unsigned char>(bytes[k]);
    return value;
}

std::uint64_t get_u64(const char* bytes) {
    return get_u32(bytes) | (static_cast<std::uint64_t>(get_u32(bytes + 4)) << 32);
}

std::uint32_t checksum(std::string_view bytes, std::uint32_t before) {
    const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
    return static_cast<std::uint32_t>(crc32_z(before, data, bytes.size()));
}

std::string start_bytes() {
    std::string bytes(magic);
    put_u32(bytes, version);
    return bytes;
}

std::string head_bytes(const BlockHead& head) {
    std::string bytes;
    put_u32(bytes, static_cast<std::uint32_t>(head.type));
    put_u32(bytes, head.steps);
    put_u64(bytes, head.first_step);
    put_u32(bytes, head.raw_size);
    put_u32(bytes, head.packed_size);
    put_u32(bytes, head.packed_crc);
    put_u32(bytes, checksum(bytes));
    return bytes;
}

bool parse_head(std::string_view bytes, BlockHead& head) {
    const char* data = bytes.data();
    if (get_u32(data + 28) != checksum(bytes.substr(0, 28))) return false;
    head.type = static_cast<BlockType>(get_u32(data));
    head.steps = get_u32(data + 4);
    head.first_step = get_u64(data + 8);
    head.raw_size = get_u32(data + 16);
    head.packed_size = get_u32(data + 20);
    head.packed_crc = get_u32(data + 24);
    return true;
}

std::string header_bytes(const RecordingHeader& header, std::span<const float> initial_positions) {
    std::string bytes;
    put_text(bytes, header.scene_name);
    put_text(bytes, header.scene_text);
    put_u64(bytes, header.overrides.size());
    for (const std::string& text : header.overrides) put_text(bytes, text);
    put_u64(bytes, header.seed);
    put_u64(bytes, bits_of(header.dt));
    put_u32(bytes, static_cast<std::uint32_t>(header.nodes));
    put_u32(bytes, static_cast<std::uint32_t>(header.tools));
    put_u32(bytes, static_cast<std::uint32_t>(header.warm_nodes));
    for (const float value : initial_positions) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        put_u32(bytes, bits);
    }
    return bytes;
}

bool parse_header(std::string_view bytes, RecordingHeader& header, std::vector<float>& initial_positions) {
    Cursor cursor{bytes};
    header.scene_name = cursor.text();
    header.scene_text = cursor.text();
    header.overrides.clear();
    const std::uint64_t overrides = cursor.u64();
    for (std::uint64_t i = 0; i < overrides && cursor.ok; ++i) header.overrides.push_back(cursor.text());
    header.seed = cursor.u64();
    header.dt = double_of(cursor.u64());
    const std::uint32_t nodes = cursor.u32();
    const std::uint32_t tools = cursor.u32();
    const std::uint32_t warm_nodes = cursor.u32();
    if (!cursor.ok || nodes > max_nodes || tools > max_tools || warm_nodes > nodes) return false;
    if (cursor.rest.size() != std::size_t{nodes} * 12 || !std::isfinite(header.dt) || header.dt <= 0.0) return false;
    header.nodes = static_cast<std::int32_t>(nodes);
    header.tools = static_cast<std::int32_t>(tools);
    header.warm_nodes = static_cast<std::int32_t>(warm_nodes);
    initial_positions.resize(std::size_t{nodes} * 3);
    for (float& value : initial_positions) {
        const std::uint32_t bits = cursor.u32();
        std::memcpy(&value, &bits, sizeof value);
    }
    return true;
}

bool unpack(std::string_view packed, std::uint32_t raw_size, std::string& raw) {
    constexpr std::uint64_t best_ratio = 1040;  // of zlib, about 1032
    if (raw_size > max_raw_size || raw_size > best_ratio * packed.size()) return false;
    raw.resize(raw_size);
    uLongf size = raw_size;
    const auto* source = reinterpret_cast<const Bytef*>(packed.data());
    const int result =
        uncompress(reinterpret_cast<Bytef*>(raw.data()), &size, source, static_cast<uLong>(packed.size()));
    return result == Z_OK && size == raw_size;
}

}  // namespace plica::recording_format
