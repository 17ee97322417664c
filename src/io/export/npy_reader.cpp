#include "io/export/npy_reader.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "core/error.hpp"

namespace plica {
namespace {

constexpr std::size_t magic_size = 6;
constexpr std::size_t longest_header = 1U << 16;

std::uint64_t little_endian(const char* bytes, std::size_t count) {
    std::uint64_t word = 0;
    for (std::size_t k = count; k > 0; --k) word = word << 8 | static_cast<unsigned char>(bytes[k - 1]);
    return word;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// What follows 'key': in the dictionary; empty where there is none.
std::string value_of(const std::string& header, const std::string& key) {
    const std::size_t at = header.find("'" + key + "'");
    if (at == std::string::npos) return "";
    const std::size_t start = header.find_first_not_of(" :", at + key.size() + 2);
    return start == std::string::npos ? "" : header.substr(start);
}

}  // namespace

NpyReader::NpyReader(std::string path) : m_file(std::move(path)) {
    const std::string header = read_header();
    read_type(header);
    read_shape(header);
    check_size();
}

void NpyReader::fail(const std::string& what) const {
    throw Error(path() + ": " + what);
}

std::string NpyReader::read_header() {
    std::string prefix(magic_size + 2, '\0');  // magic and version
    const std::size_t found = m_file.read(prefix);
    if (prefix.compare(0, magic_size, "\x93NUMPY") != 0) fail("not a .npy file; expected one written by numpy.save");
    const int version = static_cast<unsigned char>(prefix[magic_size]);
    if (found < prefix.size()) fail("the file ends within its header");
    if (version < 1 || version > 3) fail("npy version " + std::to_string(version) + "; expected 1, 2 or 3");
    std::string length(version == 1 ? 2 : 4, '\0');
    if (m_file.read(length) < length.size()) fail("the file ends within its header");
    const std::uint64_t size = little_endian(length.data(), length.size());
    if (size > longest_header) fail("a header of " + std::to_string(size) + " bytes; expected a short one");
    std::string header(static_cast<std::size_t>(size), '\0');
    if (m_file.read(header) < header.size()) fail("the file ends within its header");
    m_start = prefix.size() + length.size() + size;
    return header;
}

void NpyReader::read_type(const std::string& header) {
    const std::string descr = value_of(header, "descr");
    const std::size_t end = descr.empty() || descr[0] != '\'' ? std::string::npos : descr.find('\'', 1);
    const std::string type = end == std::string::npos ? "" : descr.substr(1, end - 1);
    if (type != "<f8" && type != "<f4") {
        fail("found " + (type.empty() ? "no plain type" : "type '" + type + "'") +
             ", expected float64 ('<f8') or float32 ('<f4')");
    }
    m_item = type == "<f8" ? 8 : 4;
    const std::string order = value_of(header, "fortran_order");
    if (order.rfind("True", 0) == 0) fail("found Fortran order, expected C order (numpy.ascontiguousarray)");
    if (order.rfind("False", 0) != 0) fail("the header does not tell the order of the values; expected fortran_order");
}

void NpyReader::read_shape(const std::string& header) {
    const std::string text = value_of(header, "shape");
    const std::size_t end = text.find(')');
    if (text.empty() || text[0] != '(' || end == std::string::npos) fail("the header has no shape");
    for (std::size_t at = 1; at < end;) {
        if (text[at] == ' ' || text[at] == ',') {
            ++at;
            continue;
        }
        std::size_t extent = 0;
        const std::size_t start = at;
        for (; at < end && is_digit(text[at]) && at - start < 18; ++at)
            extent = 10 * extent + static_cast<std::size_t>(text[at] - '0');
        if (at == start || (text[at] != ',' && at != end)) fail("the header's shape is no list of extents");
        m_shape.push_back(extent);
    }
}

void NpyReader::check_size() {
    std::uint64_t bytes = m_item;
    for (const std::size_t extent : m_shape) {
        if (extent != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / 2 / extent)
            fail("shape " + shape_text() + " is larger than any file");
        bytes *= extent;
    }
    const std::uint64_t found = m_file.size() > m_start ? m_file.size() - m_start : 0;
    if (found == bytes) return;
    fail("found " + std::to_string(found) + " bytes of values, expected " + std::to_string(bytes) + " for shape " +
         shape_text() + (found < bytes ? "; the file is cut" : ""));
}

std::string NpyReader::shape_text() const {
    std::string text = "(";
    for (std::size_t i = 0; i < m_shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(m_shape[i]);
    return text + (m_shape.size() == 1 ? ",)" : ")");
}

void NpyReader::read(std::span<double> values) {
    m_bytes.resize(values.size() * m_item);
    if (m_file.read(m_bytes) < m_bytes.size()) fail("the file is cut");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t word = little_endian(m_bytes.data() + i * m_item, m_item);
        if (m_item == 8) {
            std::memcpy(&values[i], &word, 8);
        } else {
            const auto half = static_cast<std::uint32_t>(word);
            float value = 0.0F;
            std::memcpy(&value, &half, 4);
            values[i] = static_cast<double>(value);
        }
    }
}

}  // namespace plica
