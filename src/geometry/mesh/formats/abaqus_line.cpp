#include "geometry/mesh/formats/abaqus_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace plica::formats {
namespace {

std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Letters of a keyword in upper case, spaces within it single.
std::string plain(std::string_view text) {
    std::string name;
    for (const char c : to_upper(trim(text))) {
        if (c == ' ' && !name.empty() && name.back() == ' ') continue;
        name += c;
    }
    return name;
}

}  // namespace

// Moves to the start of a line that is neither empty nor a comment.
bool AbaqusLines::find_line() {
    while (m_text.skip_space()) {
        if (m_text.bytes().substr(m_text.position(), 2) != "**") return true;
        m_text.line();
    }
    return false;
}

bool AbaqusLines::next_keyword(AbaqusKeyword& keyword) {
    while (find_line()) {
        keyword = {};
        keyword.at = m_text.position();
        std::string line(m_text.line());
        if (line[0] != '*') {
            if (m_end == 0)
                m_text.fail_at(keyword.at, fmt::format("found {}, expected a keyword as *NODE", quote(line)));
            continue;
        }
        m_end = keyword.at;
        while (trim(line).back() == ',' && find_line()) {  // goes on in the next line
            if (m_text.bytes()[m_text.position()] == '*') break;
            line += m_text.line();
        }
        const std::size_t comma = std::min(line.find(','), line.size());
        keyword.name = plain(std::string_view(line).substr(1, comma - 1));
        if (comma < line.size()) read_parameters(keyword, std::string_view(line).substr(comma + 1));
        m_end = m_field = std::max<std::size_t>(m_text.position(), 1);
        return true;
    }
    return false;
}

void AbaqusLines::read_parameters(AbaqusKeyword& keyword, std::string_view rest) const {
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view each = rest.substr(0, comma);
        const std::size_t equals = std::min(each.find('='), each.size());
        std::string_view value = trim(each.substr(std::min(equals + 1, each.size())));
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
        const std::string name = plain(each.substr(0, equals));
        if (!name.empty()) keyword.parameters[name] = value;
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
}

bool AbaqusLines::next_data() {
    if (!find_line() || m_text.bytes()[m_text.position()] == '*') return false;
    m_field = m_text.position();
    const std::string_view line = m_text.line();
    m_end = m_field + line.size();
    return true;
}

std::string_view AbaqusLines::field() {
    const std::string_view line = m_text.bytes().substr(m_field, m_end - m_field);
    const std::size_t comma = std::min(line.find(','), line.size());
    m_field = std::min(m_field + comma + 1, m_end);
    // What is left may be nothing but a space behind the last comma.
    if (trim(m_text.bytes().substr(m_field, m_end - m_field)).empty()) m_field = m_end;
    return trim(line.substr(0, comma));
}

bool AbaqusLines::at_name() const {
    const std::string_view rest = trim(m_text.bytes().substr(m_field, m_end - m_field));
    return !rest.empty() && !(rest[0] >= '0' && rest[0] <= '9') && rest[0] != '-' && rest[0] != '+';
}

std::int64_t AbaqusLines::integer(const char* what) {
    const std::size_t at = m_field;
    const std::string_view word = field();
    std::int64_t value = 0;
    const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    // Abaqus labels have at most nine digits.
    if (code != std::errc() || stop != word.data() + word.size() || value < 0 || value > 2'000'000'000) {
        m_text.fail_at(at, fmt::format("found {}, expected {} (a whole number)", quote(word), what));
    }
    return value;
}

std::int64_t AbaqusLines::integer_or_next_line(const char* what) {
    if (at_line_end()) {
        const bool goes_on = m_end > 0 && trim(m_text.bytes().substr(0, m_end)).back() == ',';
        const std::size_t at = m_end;
        if (!goes_on || !next_data()) m_text.fail_at(at, fmt::format("the line ends, expected {}", what));
    }
    return integer(what);
}

double AbaqusLines::real(const char* what) {
    const std::size_t at = m_field;
    std::string_view word = field();
    if (word.empty()) return 0.0;  // a field left out
    if (word[0] == '+') word.remove_prefix(1);
    double value = 0.0;
    const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code == std::errc::result_out_of_range) value = std::strtod(std::string(word).c_str(), nullptr);
    if (code == std::errc::invalid_argument || stop != word.data() + word.size() || !std::isfinite(value)) {
        m_text.fail_at(at, fmt::format("found {}, expected {} (a finite number)", quote(word), what));
    }
    return value;
}

}  // namespace plica::formats
