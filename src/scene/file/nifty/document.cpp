#include "scene/file/nifty/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace plica::nifty {
namespace {

constexpr std::size_t most_mistakes = 100;  // that are told

constexpr bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_in(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> to_strings(const Names& names) {
    return {names.begin(), names.end()};
}

std::string expected(std::string_view found, const Names& known) {
    const std::vector<std::string> names = to_strings(known);
    if (names.empty()) return "expected none here";
    const std::string nearest = find_nearest(found, names);
    return nearest.empty() ? "expected " + join_choices(names) : "did you mean " + nearest + "?";
}

// A number that fills the word.
template <class T>
bool parse(std::string_view word, T& value) {
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    const char* const end = word.data() + word.size();
    const auto [stop, code] = std::from_chars(word.data(), end, value);
    if (stop != end || code == std::errc::invalid_argument) return false;
    if constexpr (std::is_floating_point_v<T>) {
        // Too small is 0, too large infinite.
        if (code == std::errc::result_out_of_range) value = std::strtod(std::string(word).c_str(), nullptr);
        return std::isfinite(value);
    }
    return code == std::errc();
}

}  // namespace

std::string quote(std::string_view word) {
    std::string text = "\"";
    for (const char c : word.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
    if (word.size() > 40) text += "...";
    return text + "\"";
}

Document::Document(std::string file, std::string_view xml) : m_file(std::move(file)) {
    for (std::size_t i = 0; i < xml.size(); ++i) {
        if (xml[i] == '\n') m_line_ends.push_back(i);
    }
    parse(xml);
}

void Document::parse(std::string_view xml) {
    const pugi::xml_parse_result result = m_document.load_buffer(xml.data(), xml.size());
    if (!result) throw Error(fmt::format("{}:{}: not XML: {}", m_file, line_at(result.offset), result.description()));
    const pugi::xml_node root = m_document.document_element();
    if (std::string_view(root.name()) != "Model") {
        throw Error(fmt::format("{}:{}: found the element {}, expected a NiftySim model, <Model>", m_file,
                                line_of(root), quote(root.name())));
    }
    if (root.next_sibling()) {
        throw Error(fmt::format("{}:{}: found something after </Model>, expected the end of the file", m_file,
                                line_of(root.next_sibling())));
    }
}

std::size_t Document::line_at(std::ptrdiff_t offset) const {
    const auto place = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
    return 1 + static_cast<std::size_t>(std::lower_bound(m_line_ends.begin(), m_line_ends.end(), place) -
                                        m_line_ends.begin());
}

std::size_t Document::line_of(const pugi::xml_node& node) const {
    return line_at(node.offset_debug());
}

void Document::note(const pugi::xml_node& where, const std::string& remark) {
    m_notes.push_back(fmt::format("{}:{}: {}", m_file, line_of(where), remark));
}

void Document::finish() const {
    if (m_mistakes.empty()) return;
    auto sorted = m_mistakes;
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (std::size_t i = 0; i < std::min(sorted.size(), most_mistakes); ++i) {
        if (i > 0) text += '\n';
        text += fmt::format("{}:{}: {}", m_file, sorted[i].first, sorted[i].second);
    }
    if (sorted.size() > most_mistakes) text += fmt::format("\n{}: and {} more", m_file, sorted.size() - most_mistakes);
    throw Error(text);
}

void Document::check_children(const pugi::xml_node& node, const Vocabulary& vocabulary, const Names& repeated) {
    Names seen;
    for (const pugi::xml_node child : node.children()) {
        if (child.type() != pugi::node_element) continue;
        const std::string_view name = child.name();
        if (is_in(vocabulary.unsupported, name)) {
            complain(child, fmt::format("{} is not supported", name));
        } else if (!is_in(vocabulary.known, name)) {
            complain(child, fmt::format("found the unknown element {} in {}; {}", quote(name), node.name(),
                                        expected(name, vocabulary.known)));
        } else if (is_in(seen, name) && !is_in(repeated, name)) {
            complain(child, fmt::format("found a second {} in {}, expected one", name, node.name()));
        } else if (!is_in(seen, name)) {
            seen.push_back(name);
        }
    }
}

void Document::check_attributes(const pugi::xml_node& node, const Names& known) {
    Names seen;
    for (const pugi::xml_attribute attribute : node.attributes()) {
        const std::string_view name = attribute.name();
        if (!is_in(known, name)) {
            complain(node, fmt::format("found the unknown attribute {} of {}; {}", quote(name), node.name(),
                                       expected(name, known)));
        } else if (is_in(seen, name)) {
            complain(node, fmt::format("found a second attribute {} of {}, expected one", name, node.name()));
        } else {
            seen.push_back(name);
        }
    }
}

void Document::check_empty(const pugi::xml_node& node) {
    const std::string found = text(node);
    if (!found.empty()) complain(node, fmt::format("{}: found the text {}, expected none", node.name(), quote(found)));
}

std::string Document::choice(const pugi::xml_node& node, const char* attribute, std::string_view standard,
                             const Vocabulary& values) {
    const pugi::xml_attribute given = node.attribute(attribute);
    if (!given && !standard.empty()) return std::string(standard);
    const std::string_view value = given.value();
    if (is_in(values.known, value)) return std::string(value);
    const std::string choices = join_choices(to_strings(values.known));
    if (!given) {
        complain(node, fmt::format("{}: found no {}, expected {}", node.name(), attribute, choices));
    } else if (is_in(values.unsupported, value)) {
        complain(node, fmt::format("{} {}=\"{}\" is not supported; supported are {}", node.name(), attribute, value,
                                   choices));
    } else {
        complain(node, fmt::format("{}: found {}={}, expected {}", node.name(), attribute, quote(value), choices));
    }
    return "";
}

std::int64_t Document::count(const pugi::xml_node& node, const char* attribute) {
    const pugi::xml_attribute given = node.attribute(attribute);
    const std::string_view value = given.value();
    std::int64_t number = -1;
    if (given && nifty::parse(value, number) && number >= 0) return number;
    complain(node, fmt::format("{}: found {}, expected {} to be a whole number from 0", node.name(),
                               given ? fmt::format("{}={}", attribute, quote(value)) : fmt::format("no {}", attribute),
                               attribute));
    return -1;
}

template <class T>
bool Document::read_list(const pugi::xml_node& node, const char* expected, std::vector<T>& values) {
    values.clear();
    for (const pugi::xml_node piece : node.children()) {
        if (piece.type() != pugi::node_pcdata && piece.type() != pugi::node_cdata) continue;
        const std::string_view text = piece.value();
        for (std::size_t at = 0; at < text.size();) {
            if (is_space(text[at])) {
                ++at;
                continue;
            }
            std::size_t end = at;
            while (end < text.size() && !is_space(text[end])) ++end;
            T value{};
            if (!nifty::parse(text.substr(at, end - at), value)) {
                const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
                complain(
                    line_of(piece) + static_cast<std::size_t>(lines),
                    fmt::format("{}: found {}, expected {}", node.name(), quote(text.substr(at, end - at)), expected));
                return false;
            }
            values.push_back(value);
            at = end;
        }
    }
    return true;
}

bool Document::numbers(const pugi::xml_node& node, std::vector<double>& values) {
    return read_list(node, "finite numbers", values);
}

bool Document::integers(const pugi::xml_node& node, std::vector<std::int64_t>& values) {
    return read_list(node, "whole numbers", values);
}

bool Document::numbers(const pugi::xml_node& node, std::size_t count, std::vector<double>& values) {
    if (!numbers(node, values)) return false;
    if (values.size() == count) return true;
    complain(node, fmt::format("{}: found {} numbers, expected {}", node.name(), values.size(), count));
    return false;
}

bool Document::number(const pugi::xml_node& node, Range range, double& value) {
    std::vector<double> values;
    if (!numbers(node, 1, values)) return false;
    const double found = values[0];
    if (found <= range.most && (range.open ? found > range.least : found >= range.least)) {
        value = found;
        return true;
    }
    complain(node, fmt::format("{}: found {}, expected {} {} and at most {}", node.name(), found,
                               range.open ? "more than" : "at least", range.least, range.most));
    return false;
}

std::string Document::text(const pugi::xml_node& node) {
    std::string text;
    for (const pugi::xml_node piece : node.children()) {
        if (piece.type() == pugi::node_pcdata || piece.type() == pugi::node_cdata) text += piece.value();
    }
    const auto first = std::find_if_not(text.begin(), text.end(), is_space);
    const auto last = std::find_if_not(text.rbegin(), text.rend(), is_space).base();
    return first < last ? std::string(first, last) : std::string();
}

}  // namespace plica::nifty
