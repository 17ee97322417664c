#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"

namespace plica {

// Streams a float64 array of shape (rows, trailing...) to a .npy file (version 1.0, C order), row by row: how many rows
// there are is known only at close(). Without close() no file appears. An empty trailing shape is a plain vector.
class NpyWriter {
public:
    NpyWriter(std::string path, std::vector<std::size_t> trailing_shape);

    // One row: as many values as the product of the trailing shape.
    void append(std::span<const double> row);
    [[nodiscard]] std::uint64_t rows() const noexcept { return m_rows; }
    void close();

private:
    [[nodiscard]] std::string header(std::uint64_t rows) const;

    std::vector<std::size_t> m_trailing;
    std::size_t m_row_size = 1;
    std::uint64_t m_rows = 0;
    bool m_closed = false;
    std::string m_bytes;  // one row, little endian
    AtomicFile m_file;
};

}  // namespace plica
