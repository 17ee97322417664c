#pragma once
#include <zlib.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "render/picture.hpp"

namespace plica::testing {

// Reads what write_png writes: 8 bits, RGB, one IDAT block, each byte less that of the pixel before. Empty when it is
// not that.
inline render::Picture read_png(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto u32 = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
        return value;
    };
    if (bytes.size() < 60 || bytes.compare(1, 3, "PNG") != 0) return {};
    render::Picture picture{static_cast<int>(u32(16)), static_cast<int>(u32(20)), {}};
    const std::size_t start = bytes.find("IDAT");
    const std::size_t row = 3 * static_cast<std::size_t>(picture.width);
    std::string raw((row + 1) * static_cast<std::size_t>(picture.height), '\0');
    uLongf size = raw.size();
    if (start == std::string::npos ||
        uncompress(reinterpret_cast<Bytef*>(raw.data()), &size,
                   reinterpret_cast<const Bytef*>(bytes.data() + start + 4), u32(start - 4)) != Z_OK) {
        return {};
    }
    picture.rgb.resize(row * static_cast<std::size_t>(picture.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y) {
        const int filter = raw[y * (row + 1)];
        if (filter != 1) return {};
        for (std::size_t i = 0; i < row; ++i) {
            const int before = i < 3 ? 0 : picture.rgb[y * row + i - 3];
            picture.rgb[y * row + i] =
                static_cast<std::uint8_t>(static_cast<std::uint8_t>(raw[y * (row + 1) + 1 + i]) + before);
        }
    }
    return picture;
}

struct Difference {
    double mean = 1e9;   // of a channel, out of 255
    double share = 1.0;  // of pixels with a channel that differs by more than 32
};

inline Difference compare(const render::Picture& a, const render::Picture& b) {
    if (a.width != b.width || a.height != b.height || a.rgb.empty()) return {};
    double sum = 0.0, far = 0.0;
    for (std::size_t i = 0; i < a.rgb.size(); i += 3) {
        int most = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const int d = std::abs(int{a.rgb[i + c]} - int{b.rgb[i + c]});
            sum += d;
            most = d > most ? d : most;
        }
        far += most > 32 ? 1.0 : 0.0;
    }
    const auto size = static_cast<double>(a.rgb.size());
    return {sum / size, 3.0 * far / size};
}

}  // namespace plica::testing
