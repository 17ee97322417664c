#pragma once
#include <cstdlib>
#include <string>

#include "render/picture.hpp"
#include "tests/render/png.hpp"

// Pictures that were looked at once and kept.
namespace plica::render {

inline std::string golden_path(const std::string& name) {
    return std::string(PLICA_SOURCE_DIR) + "/tests/render/golden/" + name + ".png";
}

// PLICA_WRITE_GOLDEN=1 in the environment takes what is drawn now as right: look at it before you keep it.
inline testing::Difference differs_from_golden(const Picture& picture, const std::string& name) {
    const char* write = std::getenv("PLICA_WRITE_GOLDEN");
    if (write != nullptr && *write == '1') write_png(golden_path(name), picture);
    return testing::compare(picture, testing::read_png(golden_path(name)));
}

// Drivers round differently; what a person would see as another picture is beyond this.
inline bool looks_alike(const testing::Difference& d) {
    return d.mean < 2.0 && d.share < 0.01;
}

}  // namespace plica::render
