#pragma once
#include <cmath>

#include "geometry/mesh/formats/mesh_text.hpp"

namespace plica::formats {

// How numbers lie in binary data.
struct NumberType {
    std::size_t width = 0;  // bytes; 0: unknown
    bool is_real = false;
    bool is_signed = true;
};

template <class T>
T load(const char* bytes, bool swapped) {
    T value{};
    std::memcpy(&value, bytes, sizeof(T));
    return swapped ? MeshText::swap_bytes(value) : value;
}

// A real number is cut off; one that fits nowhere is -1.
inline std::int64_t load_integer(const char* bytes, const NumberType& type, bool swapped) {
    if (type.is_real) {
        const double value =
            type.width == 4 ? static_cast<double>(load<float>(bytes, swapped)) : load<double>(bytes, swapped);
        return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : -1;
    }
    switch (type.width) {
        case 1:
            return type.is_signed ? std::int64_t{load<std::int8_t>(bytes, false)}
                                  : std::int64_t{load<std::uint8_t>(bytes, false)};
        case 2:
            return type.is_signed ? std::int64_t{load<std::int16_t>(bytes, swapped)}
                                  : std::int64_t{load<std::uint16_t>(bytes, swapped)};
        case 4:
            return type.is_signed ? std::int64_t{load<std::int32_t>(bytes, swapped)}
                                  : std::int64_t{load<std::uint32_t>(bytes, swapped)};
        default:
            return load<std::int64_t>(bytes, swapped);
    }
}

inline double load_real(const char* bytes, const NumberType& type, bool swapped) {
    if (!type.is_real) return static_cast<double>(load_integer(bytes, type, swapped));
    return type.width == 4 ? static_cast<double>(load<float>(bytes, swapped)) : load<double>(bytes, swapped);
}

}  // namespace plica::formats
