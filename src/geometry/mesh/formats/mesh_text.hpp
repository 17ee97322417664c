#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

// The bytes of a mesh file and a place in them.
namespace plica::formats {

// Words shown in errors: printable, quoted, not long.
std::string quote(std::string_view word);

// Upper case of ASCII letters; for keywords that may be written either way.
std::string to_upper(std::string_view word);

// Reads numbers and words one after the other. Does not own the bytes. Nothing counts lines until there is an error,
// which says "path:line: ", or "path: byte n: " once binary() was called.
class MeshText {
public:
    MeshText(std::string path, std::string_view bytes, std::size_t first_line = 1)
        : m_path(std::move(path)), m_bytes(bytes), m_first_line(first_line) {}

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::string_view bytes() const { return m_bytes; }
    [[nodiscard]] std::size_t position() const { return m_at; }
    [[nodiscard]] std::size_t remaining() const { return m_bytes.size() - m_at; }
    void seek(std::size_t position) { m_at = position < m_bytes.size() ? position : m_bytes.size(); }
    void binary(bool on) { m_binary = on; }

    // Whitespace, ends of lines included; returns whether something follows.
    bool skip_space();
    // Whitespace of this line; returns whether something follows on it.
    bool skip_blanks();
    std::string_view word();          // of this line or a later one; empty at the end
    std::string_view word_in_line();  // empty at the end of the line
    std::string_view line();          // what is left of this line; goes on to the next one

    std::int64_t integer(const char* what);  // on this line or a later one
    double real(const char* what);           // finite
    void expect(std::string_view word);

    // Binary numbers, of the other byte order where swapped.
    template <class T>
    T take(bool swapped, const char* what) {
        T value{};
        std::memcpy(&value, take_bytes(sizeof(T), what).data(), sizeof(T));
        return swapped ? swap_bytes(value) : value;
    }
    std::string_view take_bytes(std::size_t count, const char* what);

    // A number of things that a header promises, each of at least so many bytes: fails where the file cannot hold them.
    std::size_t count(std::int64_t promised, std::size_t bytes_each, const char* what) const;

    [[noreturn]] void fail(const std::string& problem) const { fail_at(m_at, problem); }
    [[noreturn]] void fail_at(std::size_t position, const std::string& problem) const;
    [[nodiscard]] std::size_t line_of(std::size_t position) const;

    template <class T>
    static T swap_bytes(T value) {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
        std::memcpy(&value, bytes, sizeof(T));
        return value;
    }

private:
    std::string m_path;
    std::string_view m_bytes;
    std::size_t m_at = 0;
    std::size_t m_first_line;
    bool m_binary = false;
};

// Whether a file of that byte order must be swapped here.
constexpr bool must_swap(bool little_endian) {
    return little_endian != (std::endian::native == std::endian::little);
}

}  // namespace plica::formats
