#include "io/recording/recording_format.hpp"

#include <zlib.h>

#include <cstring>

#include "core/hash.hpp"
#include "io/recording/shapes_bytes.hpp"

namespace plica::recording_format {
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

std::vector<FileEntry> list_files(const StoredFiles& files) {
    std::vector<FileEntry> entries;
    for (const auto& [path, bytes] : files) {
        Hash hash;
        hash.add_bytes(bytes.data(), bytes.size());
        entries.push_back({path, bytes.size(), hash.value()});
    }
    return entries;
}

bool take_files(std::span<const FileEntry> entries, std::string_view bytes, StoredFiles& files) {
    ByteCursor cursor{bytes};
    for (const FileEntry& entry : entries) {
        const std::string_view content = cursor.take(entry.size);
        Hash hash;
        hash.add_bytes(content.data(), content.size());
        if (!cursor.ok || hash.value() != entry.hash) return false;
        if (!files.emplace(entry.path, content).second) return false;
    }
    return cursor.rest.empty();
}

std::string header_bytes(const RecordingHeader& header, std::span<const float> initial_positions) {
    std::string bytes;
    put_text(bytes, header.scene_name);
    put_text(bytes, header.scene_text);
    put_u64(bytes, header.overrides.size());
    for (const std::string& text : header.overrides) put_text(bytes, text);
    put_u64(bytes, header.seed);
    put_real(bytes, header.dt);
    put_u32(bytes, static_cast<std::uint32_t>(header.nodes));
    put_u32(bytes, static_cast<std::uint32_t>(header.tools));
    put_text(bytes, header.folder);
    put_fields(bytes, header.fields);
    put_shapes(bytes, header.shapes);
    const std::vector<FileEntry> files = list_files(header.files);
    put_u64(bytes, files.size());
    for (const FileEntry& file : files) {
        put_text(bytes, file.path);
        put_u64(bytes, file.size);
        put_u64(bytes, file.hash);
    }
    for (const float value : initial_positions) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        put_u32(bytes, bits);
    }
    return bytes;
}

namespace {

std::vector<FileEntry> take_entries(ByteCursor& cursor) {
    std::vector<FileEntry> entries(cursor.count(24));
    std::uint64_t total = 0;
    for (FileEntry& entry : entries) {
        entry.path = cursor.text();
        entry.size = cursor.u64();
        entry.hash = cursor.u64();
        cursor.require(entry.size <= max_file_bytes - total);
        if (!cursor.ok) break;
        total += entry.size;
    }
    return entries;
}

}  // namespace

bool parse_header(std::string_view bytes, RecordingHeader& header, std::vector<float>& initial_positions,
                  std::vector<FileEntry>& files) {
    ByteCursor cursor{bytes};
    header = {};
    header.scene_name = cursor.text();
    header.scene_text = cursor.text();
    header.overrides.resize(cursor.count(8));
    for (std::string& text : header.overrides) text = cursor.text();
    header.seed = cursor.u64();
    header.dt = cursor.real(longest_step);
    header.nodes = cursor.i32(0, max_nodes);
    header.tools = cursor.i32(0, max_tools);
    header.folder = cursor.text();
    header.fields = take_fields(cursor, header.nodes);
    header.shapes = take_shapes(cursor, header.nodes, header.tools);
    header.shapes.dt = header.dt;
    files = take_entries(cursor);
    cursor.require(count_values(header.fields) <= std::size_t{max_values});
    cursor.require(header.dt > 0.0 && cursor.rest.size() == 12 * static_cast<std::size_t>(header.nodes));
    if (!cursor.ok) return false;
    initial_positions.resize(3 * static_cast<std::size_t>(header.nodes));
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

namespace plica {

std::size_t count_values(const Field& field) {
    std::size_t count = 0;
    for (const Field::Range& range : field.where) count += static_cast<std::size_t>(range.nodes);
    return count;
}

std::size_t count_values(std::span<const Field> fields) {
    std::size_t count = 0;
    for (const Field& field : fields) count += count_values(field);
    return count;
}

}  // namespace plica
