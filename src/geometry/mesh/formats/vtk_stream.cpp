#include "geometry/mesh/formats/vtk_stream.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>

namespace plica::formats {
namespace {

constexpr int not_a_digit = 64;

constexpr std::array<unsigned char, 256> make_digits() {
    std::array<unsigned char, 256> table{};
    for (auto& value : table) value = not_a_digit;
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < digits.size(); ++i) {
        table[static_cast<unsigned char>(digits[i])] = static_cast<unsigned char>(i);
    }
    return table;
}
constexpr std::array<unsigned char, 256> digit_of = make_digits();

// Bytes one after the other, raw or out of base64.
class Stream {
public:
    Stream(MeshText& text, bool base64) : m_text(text), m_base64(base64) {}

    // More than the file can hold is an error before anything is allocated.
    std::string read(std::uint64_t count, const char* what) {
        const std::uint64_t room = m_base64 ? m_text.remaining() / 4 * 3 + 3 : m_text.remaining();
        if (count > room) {
            m_text.fail(fmt::format("found {} bytes of {}, which cannot be: {} are left in the file", count, what,
                                    m_text.remaining()));
        }
        if (!m_base64) return std::string(m_text.take_bytes(static_cast<std::size_t>(count), what));
        std::string bytes;
        bytes.reserve(static_cast<std::size_t>(count) + 3);
        bytes.append(m_kept);
        while (bytes.size() < count) decode_four(bytes, what);
        m_kept = bytes.substr(static_cast<std::size_t>(count));
        bytes.resize(static_cast<std::size_t>(count));
        return bytes;
    }

private:
    // Up to three bytes of four digits; fewer where '=' fills up.
    void decode_four(std::string& bytes, const char* what) {
        if (!m_text.skip_space()) m_text.fail(fmt::format("the data ends, expected more {}", what));
        const std::size_t at = m_text.position();
        const std::string_view four = m_text.take_bytes(std::min<std::size_t>(4, m_text.remaining()), what);
        if (four.size() < 4) m_text.fail_at(at, "the base64 text ends within four digits");
        const std::size_t filled = four[3] != '=' ? 0 : four[2] != '=' ? 1 : 2;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const unsigned char digit = i + filled >= 4 ? 0 : digit_of[static_cast<unsigned char>(four[i])];
            if (digit == not_a_digit) m_text.fail_at(at + i, fmt::format("found {} in base64 text", quote(four)));
            value = value << 6U | digit;
        }
        for (std::size_t i = 0; i + filled < 3; ++i) bytes += static_cast<char>(value >> (16 - 8 * i) & 0xFFU);
    }

    MeshText& m_text;
    bool m_base64;
    std::string m_kept;
};

std::uint64_t word(const std::string& bytes, std::size_t index, const VtkEncoding& encoding) {
    const char* at = bytes.data() + index * (encoding.wide_header ? 8 : 4);
    if (encoding.wide_header) {
        std::uint64_t value = 0;
        std::memcpy(&value, at, 8);
        return encoding.swapped ? MeshText::swap_bytes(value) : value;
    }
    std::uint32_t value = 0;
    std::memcpy(&value, at, 4);
    return encoding.swapped ? MeshText::swap_bytes(value) : value;
}

void inflate_block(const MeshText& text, const std::string& packed, std::uint64_t size, std::string& bytes) {
    // Deflate packs at most 1032 to 1: more is a lie about the size.
    if (size > 1100 * (packed.size() + 1)) {
        text.fail(fmt::format("found a block of {} bytes, packed into {}, which cannot be", size, packed.size()));
    }
    const std::size_t before = bytes.size();
    bytes.resize(before + static_cast<std::size_t>(size));
    uLongf length = static_cast<uLongf>(size);
    const int code = uncompress(reinterpret_cast<Bytef*>(bytes.data() + before), &length,
                                reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
    if (code != Z_OK || length != size) text.fail("a compressed block is damaged");
}

}  // namespace

std::string read_vtk_array(MeshText& text, const VtkEncoding& encoding) {
    const std::uint64_t width = encoding.wide_header ? 8 : 4;
    Stream stream(text, encoding.base64);
    if (!encoding.zlib) return stream.read(word(stream.read(width, "a length"), 0, encoding), "data");
    const std::string header = stream.read(3 * width, "lengths of blocks");
    const std::uint64_t blocks = word(header, 0, encoding);
    const std::uint64_t size = word(header, 1, encoding);
    const std::uint64_t last = word(header, 2, encoding);  // 0: the last block is as long as the others
    if (blocks > text.remaining()) text.fail(fmt::format("found {} compressed blocks, which cannot be", blocks));
    const std::string lengths = stream.read(blocks * width, "lengths of blocks");
    std::string bytes;
    for (std::uint64_t i = 0; i < blocks; ++i) {
        const std::string packed =
            stream.read(word(lengths, static_cast<std::size_t>(i), encoding), "a compressed block");
        inflate_block(text, packed, i + 1 == blocks && last > 0 ? last : size, bytes);
    }
    return bytes;
}

}  // namespace plica::formats
