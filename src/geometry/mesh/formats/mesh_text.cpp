#include "geometry/mesh/formats/mesh_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/error.hpp"

namespace plica::formats {
namespace {

constexpr bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

std::string quote(std::string_view word) {
    std::string text = "\"";
    for (const char c : word.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
    if (word.size() > 40) text += "...";
    return text + "\"";
}

std::string to_upper(std::string_view word) {
    std::string text(word);
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

bool MeshText::skip_space() {
    while (m_at < m_bytes.size() && is_space(m_bytes[m_at])) ++m_at;
    return m_at < m_bytes.size();
}

bool MeshText::skip_blanks() {
    while (m_at < m_bytes.size() && is_space(m_bytes[m_at]) && m_bytes[m_at] != '\n') ++m_at;
    return m_at < m_bytes.size() && m_bytes[m_at] != '\n';
}

std::string_view MeshText::word() {
    skip_space();
    return word_in_line();
}

std::string_view MeshText::word_in_line() {
    skip_blanks();
    const std::size_t start = m_at;
    while (m_at < m_bytes.size() && !is_space(m_bytes[m_at])) ++m_at;
    return m_bytes.substr(start, m_at - start);
}

std::string_view MeshText::line() {
    const std::size_t end = std::min(m_bytes.find('\n', m_at), m_bytes.size());
    std::string_view text = m_bytes.substr(m_at, end - m_at);
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    m_at = std::min(end + 1, m_bytes.size());
    return text;
}

std::int64_t MeshText::integer(const char* what) {
    if (!skip_space()) fail(fmt::format("the file ends, expected {}", what));
    const char* const end = m_bytes.data() + m_bytes.size();
    const char* start = m_bytes.data() + m_at;
    if (*start == '+') ++start;
    std::int64_t value = 0;
    const auto [stop, code] = std::from_chars(start, end, value);
    if (code != std::errc() || (stop != end && !is_space(*stop))) {
        const std::size_t at = m_at;
        const std::string found = quote(word());
        fail_at(at, fmt::format("found {}, expected {} (a whole number)", found, what));
    }
    m_at = static_cast<std::size_t>(stop - m_bytes.data());
    return value;
}

double MeshText::real(const char* what) {
    if (!skip_space()) fail(fmt::format("the file ends, expected {}", what));
    const char* const end = m_bytes.data() + m_bytes.size();
    const char* start = m_bytes.data() + m_at;
    if (*start == '+') ++start;
    double value = 0.0;
    const auto [stop, code] = std::from_chars(start, end, value);
    const bool whole = stop == end || is_space(*stop);
    if (code == std::errc::result_out_of_range) {  // too small is 0, too large infinite
        value = std::strtod(std::string(start, stop).c_str(), nullptr);
    }
    if (code == std::errc::invalid_argument || !whole || !std::isfinite(value)) {
        const std::size_t at = m_at;
        const std::string found = quote(word());
        fail_at(at, fmt::format("found {}, expected {} (a finite number)", found, what));
    }
    m_at = static_cast<std::size_t>(stop - m_bytes.data());
    return value;
}

void MeshText::expect(std::string_view wanted) {
    skip_space();
    const std::size_t at = m_at;
    const std::string_view found = word();
    if (found == wanted) return;
    if (found.empty()) fail_at(at, fmt::format("the file ends, expected {}", wanted));
    fail_at(at, fmt::format("found {}, expected {}", quote(found), wanted));
}

std::string_view MeshText::take_bytes(std::size_t count, const char* what) {
    if (count > remaining()) {
        fail(fmt::format("the file ends: {} bytes are left, expected {} of {}", remaining(), count, what));
    }
    m_at += count;
    return m_bytes.substr(m_at - count, count);
}

std::size_t MeshText::count(std::int64_t promised, std::size_t bytes_each, const char* what) const {
    // Indices are 32 bits wide; a cell has up to eight.
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const std::size_t room = remaining() + 1;  // the last number of a text needs no space behind it
    if (promised < 0 || promised > most ||
        static_cast<std::size_t>(promised) > room / std::max<std::size_t>(bytes_each, 1)) {
        fail(fmt::format("found {} {}, but only {} bytes are left: the number is wrong or the file cut short", promised,
                         what, remaining()));
    }
    return static_cast<std::size_t>(promised);
}

void MeshText::fail_at(std::size_t position, const std::string& problem) const {
    if (m_binary) throw Error(fmt::format("{}: byte {}: {}", m_path, position, problem));
    throw Error(fmt::format("{}:{}: {}", m_path, line_of(position), problem));
}

std::size_t MeshText::line_of(std::size_t position) const {
    const std::string_view before = m_bytes.substr(0, std::min(position, m_bytes.size()));
    return m_first_line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace plica::formats
