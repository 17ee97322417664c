#include "render/picture.hpp"

#include <zlib.h>

#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace plica::render {
namespace {

void put_u32(std::string& bytes, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>((value >> shift) & 0xffU));
}

void put_chunk(std::string& bytes, const std::string& type, const std::string& data) {
    put_u32(bytes, static_cast<std::uint32_t>(data.size()));
    const std::string checked = type + data;
    bytes += checked;
    put_u32(bytes, static_cast<std::uint32_t>(
                       crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()))));
}

std::string compress_rows(const Picture& picture) {
    const std::size_t row = 3 * static_cast<std::size_t>(picture.width);
    std::string raw;
    raw.reserve((row + 1) * static_cast<std::size_t>(picture.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y) {
        raw.push_back(1);  // filter: each byte less that of the pixel before
        const std::uint8_t* line = picture.rgb.data() + y * row;
        for (std::size_t i = 0; i < row; ++i) {
            raw.push_back(static_cast<char>(line[i] - (i < 3 ? 0 : line[i - 3])));
        }
    }
    uLongf size = compressBound(static_cast<uLong>(raw.size()));
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
                  static_cast<uLong>(raw.size()), 6) != Z_OK) {
        throw Error("the picture cannot be compressed", Status::environment);
    }
    packed.resize(size);
    return packed;
}

}  // namespace

void write_png(const std::string& path, const Picture& picture) {
    std::string header;
    put_u32(header, static_cast<std::uint32_t>(picture.width));
    put_u32(header, static_cast<std::uint32_t>(picture.height));
    header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB
    std::string bytes("\x89PNG\r\n\x1a\n", 8);
    put_chunk(bytes, "IHDR", header);
    put_chunk(bytes, "IDAT", compress_rows(picture));
    put_chunk(bytes, "IEND", "");
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

Picture halve(const Picture& picture) {
    Picture half{picture.width / 2, picture.height / 2, {}};
    const auto width = static_cast<std::size_t>(half.width);
    const auto height = static_cast<std::size_t>(half.height);
    const std::size_t row = 3 * static_cast<std::size_t>(picture.width);
    half.rgb.resize(3 * width * height);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            for (std::size_t c = 0; c < 3; ++c) {
                const std::uint8_t* p = picture.rgb.data() + 2 * y * row + 6 * x + c;
                const int sum = p[0] + p[3] + p[row] + p[row + 3];
                half.rgb[3 * (y * width + x) + c] = static_cast<std::uint8_t>((sum + 2) / 4);
            }
        }
    }
    return half;
}

}  // namespace plica::render
