#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/input_file.hpp"

namespace plica {

// Reads an array of float64 or float32 from a .npy file (versions 1 to 3, little endian, C order), piece by piece.
// Throws Error with file, what was found and what was expected: bad_input, or environment where the file cannot be
// read.
class NpyReader {
public:
    explicit NpyReader(std::string path);

    [[nodiscard]] const std::string& path() const noexcept { return m_file.path(); }
    [[nodiscard]] const std::vector<std::size_t>& shape() const noexcept { return m_shape; }
    [[nodiscard]] std::string shape_text() const;  // (601, 1198, 3)
    // The next values in C order.
    void read(std::span<double> values);

private:
    std::string read_header();
    void read_type(const std::string& header);
    void read_shape(const std::string& header);
    void check_size();
    [[noreturn]] void fail(const std::string& what) const;

    InputFile m_file;
    std::uint64_t m_start = 0;  // of the values, bytes
    std::size_t m_item = 8;     // bytes of a value
    std::vector<std::size_t> m_shape;
    std::string m_bytes;
};

}  // namespace plica
