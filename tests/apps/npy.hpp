#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/texts.hpp"

// The arrays that a dump and an export to npy consist of.
namespace plica::testing {

struct Npy {
    std::vector<std::size_t> shape;
    std::vector<double> values;
};

// Version 1.0, float64, C order: what numpy.load expects.
inline Npy load_npy(const std::filesystem::path& path) {
    const std::string bytes = slurp(path);
    Npy npy;
    if (bytes.size() < 10 || bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0) {
        ADD_FAILURE() << path << " is not an npy file of version 1.0";
        return npy;
    }
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
    const std::size_t start = 10 + byte(8) + 256 * byte(9);
    EXPECT_EQ(start % 64, 0U);
    const std::string header = bytes.substr(10, start - 10);
    EXPECT_TRUE(contains(header, "'descr': '<f8'")) << header;
    EXPECT_TRUE(contains(header, "'fortran_order': False")) << header;
    const std::string mark = "'shape': (";
    std::size_t at = header.find(mark);
    if (at == std::string::npos) {
        ADD_FAILURE() << header;
        return npy;
    }
    std::size_t count = 1;
    for (at += mark.size(); at < header.size() && header[at] != ')';) {
        std::size_t digits = 0;
        while (std::isdigit(static_cast<unsigned char>(header[at + digits])) != 0) ++digits;
        if (digits > 0) {
            npy.shape.push_back(std::stoul(header.substr(at, digits)));
            count *= npy.shape.back();
        }
        at += std::max<std::size_t>(digits, 1);
    }
    EXPECT_EQ(bytes.size() - start, 8 * count) << path;
    npy.values.resize((bytes.size() - start) / 8);
    for (std::size_t i = 0; i < npy.values.size(); ++i) std::memcpy(&npy.values[i], bytes.data() + start + 8 * i, 8);
    return npy;
}

using Shape = std::vector<std::size_t>;

}  // namespace plica::testing
