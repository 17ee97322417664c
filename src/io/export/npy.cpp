#include "io/export/npy.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "core/error.hpp"

namespace plica {
namespace {

constexpr std::size_t prefix_size = 10;  // magic, version, length of the dictionary

std::string dictionary(const std::string& rows, const std::vector<std::size_t>& trailing) {
    std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + rows + ",";
    for (std::size_t i = 0; i < trailing.size(); ++i) {
        text += (i > 0 ? ", " : " ") + std::to_string(trailing[i]);
    }
    return text + "), }";
}

}  // namespace

NpyWriter::NpyWriter(std::string path, std::vector<std::size_t> trailing_shape)
    : m_trailing(std::move(trailing_shape)), m_file(std::move(path)) {
    constexpr std::size_t limit = std::numeric_limits<std::size_t>::max() / sizeof(double);
    for (const std::size_t extent : m_trailing) {
        if (extent != 0 && m_row_size > limit / extent) throw Error(m_file.path() + ": a row is too large");
        m_row_size *= extent;
    }
    m_file.write(header(0));
}

// Padded as if the row count had its greatest length, so that the header keeps its size when the count is known.
std::string NpyWriter::header(std::uint64_t rows) const {
    const std::string longest = std::to_string(std::numeric_limits<std::uint64_t>::max());
    const std::size_t needed = prefix_size + dictionary(longest, m_trailing).size() + 1;
    const std::size_t total = (needed + 63) / 64 * 64;
    const std::size_t length = total - prefix_size;
    if (length > 0xFFFF) throw Error(m_file.path() + ": too many dimensions");
    std::string text = "\x93NUMPY\x01";
    text += '\0';
    text += static_cast<char>(length & 0xFF);
    text += static_cast<char>(length >> 8);
    text += dictionary(std::to_string(rows), m_trailing);
    text.resize(total - 1, ' ');
    return text + '\n';
}

void NpyWriter::append(std::span<const double> row) {
    if (row.size() != m_row_size) {
        throw Error(m_file.path() + ": a row of " + std::to_string(row.size()) + " values where " +
                    std::to_string(m_row_size) + " belong");
    }
    m_bytes.resize(row.size() * 8);
    for (std::size_t i = 0; i < row.size(); ++i) {
        std::uint64_t word = 0;
        std::memcpy(&word, &row[i], 8);
        for (std::size_t k = 0; k < 8; ++k) m_bytes[8 * i + k] = static_cast<char>((word >> (8 * k)) & 0xFF);
    }
    m_file.write(m_bytes);
    ++m_rows;
}

void NpyWriter::close() {
    if (std::exchange(m_closed, true)) return;
    m_file.rewrite_start(header(m_rows));
    m_file.commit();
}

}  // namespace plica
