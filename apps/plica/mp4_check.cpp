#include "apps/plica/mp4_check.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace plica::app {
namespace {

std::uint64_t big_endian(const unsigned char* bytes, int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i) value = (value << 8) | bytes[i];
    return value;
}

}  // namespace

bool is_whole_mp4(const std::string& path) {
    std::error_code code;
    const std::uint64_t size = std::filesystem::file_size(path, code);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (code || !file) return false;
    bool contents = false, pictures = false;
    for (std::uint64_t at = 0; at < size;) {
        unsigned char head[16] = {};
        if (std::fseek(file.get(), static_cast<long>(at), SEEK_SET) != 0) return false;
        const std::size_t count = std::fread(head, 1, sizeof head, file.get());
        std::uint64_t length = big_endian(head, 4);
        if (length == 1 && count == 16) length = big_endian(head + 8, 8);
        if (count < 8 || length < 8 || length > size - at) return false;
        const std::string kind(reinterpret_cast<const char*>(head + 4), 4);
        contents = contents || kind == "moov";
        pictures = pictures || kind == "mdat";
        at += length;
    }
    return contents && pictures;
}

}  // namespace plica::app
