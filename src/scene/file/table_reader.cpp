#include "scene/file/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace plica {

namespace {

// Line of a dotted key with more parts than anyone needs, 0: none. The parser recurses into keys and has no limit of
// its own, so that a hostile file could overflow the stack.
int find_deep_key(const std::string& text) {
    constexpr int most_parts = 64;
    int line = 1;
    int dots = 0;
    char quote = 0;
    bool comment = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            ++line;
            comment = false;
        }
        if (comment) continue;
        if (quote != 0) {
            if (c == '\\' && quote == '"') ++i;
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '#') {
            comment = true;
        } else if (c == '.') {
            if (++dots > most_parts) return line;
        } else if (c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}' || c == '\n') {
            dots = 0;
        }
    }
    return 0;
}

// On one line, whatever the text holds.
std::string printable(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out;
}

double to_number(const toml::node& node) {
    if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
    return node.value<double>().value_or(std::nan(""));
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& file) {
    if (const int line = find_deep_key(text); line > 0) {
        throw Error(fmt::format("{}:{}: found a key of more than 64 parts, expected a scene", file, line));
    }
    try {
        return toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        throw Error(fmt::format("{}:{}: not a TOML file: {}", file, error.source().begin.line, error.description()));
    }
}

void Mistakes::add(const toml::source_region& where, const std::string& path, const std::string& message) {
    for (const auto& [changed, text] : m_overrides) {
        if (path == changed || path.rfind(changed + ".", 0) == 0 || changed.rfind(path + ".", 0) == 0) {
            m_list.emplace_back(0U, printable(fmt::format("--set {}: {}", text, message)));
            return;
        }
    }
    m_list.emplace_back(where.begin.line, printable(fmt::format("{}:{}: {}", m_file, where.begin.line, message)));
}

std::string Mistakes::text() const {
    auto sorted = m_list;
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string all;
    for (const auto& [line, message] : sorted) all += (all.empty() ? "" : "\n") + message;
    return all;
}

std::string describe(const toml::node& node) {
    if (const auto* text = node.as_string()) return fmt::format("the text \"{}\"", text->get());
    if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
    if (const auto* real = node.as_floating_point()) {
        const bool whole =
            std::isfinite(real->get()) && real->get() == std::floor(real->get()) && std::abs(real->get()) < 1e15;
        return whole ? fmt::format("{:.1f}", real->get()) : fmt::format("{}", real->get());
    }
    if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
    if (node.is_array()) return "an array";
    return node.is_table() ? "a table" : "a date or time";
}

const toml::node* TableReader::node(const std::string& key) {
    m_known.push_back(key);
    return m_table.get(key);
}

void TableReader::complain(const std::string& key, const std::string& message) {
    const toml::node* at = m_table.get(key);
    m_mistakes.add(at != nullptr ? at->source() : m_table.source(), path_of(key), message);
}

bool TableReader::accept(const toml::node& at, const std::string& key, double value, const Range& range) {
    const bool high = value > range.lo || (!range.open_lo && value == range.lo);
    if (std::isfinite(value) && high && value <= range.hi) return true;
    const bool tell_low = range.lo > -1e9 || value < range.lo;
    const bool tell_top = range.hi < 1e9 || value > range.hi;
    const std::string low = tell_low ? fmt::format(" {} {:g}", range.open_lo ? "above" : "from", range.lo) : "";
    const std::string top = tell_top ? fmt::format(" up to {:g}", range.hi) : "";
    m_mistakes.add(at.source(), path_of(key),
                   fmt::format("{}: found {}, expected a finite number{}{}", path_of(key), value, low, top));
    return false;
}

double TableReader::number(const std::string& key, double standard, Range range) {
    const toml::node* at = node(key);
    if (at == nullptr) return standard;
    if (!at->is_number()) {
        m_mistakes.add(at->source(), path_of(key),
                       fmt::format("{}: found {}, expected a number", path_of(key), describe(*at)));
        return standard;
    }
    const double value = to_number(*at);
    return accept(*at, key, value, range) ? value : standard;
}

int TableReader::integer(const std::string& key, int standard, int lo, int hi) {
    const toml::node* at = node(key);
    if (at == nullptr) return standard;
    const auto* value = at->as_integer();
    if (value != nullptr && value->get() >= lo && value->get() <= hi) return static_cast<int>(value->get());
    m_mistakes.add(
        at->source(), path_of(key),
        fmt::format("{}: found {}, expected a whole number from {} to {}", path_of(key), describe(*at), lo, hi));
    return standard;
}

bool TableReader::boolean(const std::string& key, bool standard) {
    const toml::node* at = node(key);
    if (at == nullptr) return standard;
    if (const auto* value = at->as_boolean()) return value->get();
    m_mistakes.add(at->source(), path_of(key),
                   fmt::format("{}: found {}, expected true or false", path_of(key), describe(*at)));
    return standard;
}

std::string TableReader::text(const std::string& key, const std::string& standard) {
    const toml::node* at = node(key);
    if (at == nullptr) return standard;
    if (const auto* value = at->as_string()) return value->get();
    m_mistakes.add(at->source(), path_of(key),
                   fmt::format("{}: found {}, expected a text in quotes", path_of(key), describe(*at)));
    return standard;
}

std::string TableReader::choice(const std::string& key, const std::string& standard,
                                const std::vector<std::string>& choices) {
    const toml::node* at = node(key);
    if (at == nullptr) return standard;
    const auto* value = at->as_string();
    if (value != nullptr && std::find(choices.begin(), choices.end(), value->get()) != choices.end())
        return value->get();
    const std::string nearest = value != nullptr ? find_nearest(value->get(), choices) : "";
    m_mistakes.add(at->source(), path_of(key),
                   fmt::format("{}: found {}, expected {}{}", path_of(key), describe(*at), join_choices(choices),
                               nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
    return standard;
}

Vec3 TableReader::vector_at(const toml::node& at, const std::string& key, const Vec3& standard, Range range) {
    const toml::array* list = at.as_array();
    if (list == nullptr || list->size() != 3 || !list->get(0)->is_number() || !list->get(1)->is_number() ||
        !list->get(2)->is_number()) {
        m_mistakes.add(at.source(), path_of(key),
                       fmt::format("{}: found {}, expected three numbers like [0, 0, 1]", path_of(key), describe(at)));
        return standard;
    }
    double value[3];
    for (std::size_t i = 0; i < 3; ++i) {
        value[i] = to_number(*list->get(i));
        if (!accept(*list->get(i), key, value[i], range)) return standard;
    }
    return {value[0], value[1], value[2]};
}

Vec3 TableReader::vector(const std::string& key, const Vec3& standard, Range range) {
    const toml::node* at = node(key);
    return at == nullptr ? standard : vector_at(*at, key, standard, range);
}

std::vector<Vec3> TableReader::vectors(const std::string& key, const std::vector<Vec3>& standard, Range range) {
    const toml::node* at = node(key);
    if (at == nullptr) return standard;
    const toml::array* list = at->as_array();
    if (list == nullptr || list->empty() || list->get(0)->is_number()) {
        const std::string found = list == nullptr ? describe(*at) : list->empty() ? "an empty array" : "one vector";
        m_mistakes.add(at->source(), path_of(key),
                       fmt::format("{}: found {}, expected vectors like [[1, 0, 0], [0, 0, 1]]", path_of(key), found));
        return standard;
    }
    std::vector<Vec3> result;
    for (const toml::node& entry : *list) result.push_back(vector_at(entry, key, standard[0], range));
    return result;
}

const toml::table* TableReader::table(const std::string& key) {
    const toml::node* at = node(key);
    if (at == nullptr) return nullptr;
    if (const toml::table* found = at->as_table()) return found;
    m_mistakes.add(at->source(), path_of(key),
                   fmt::format("{}: found {}, expected a table like [{}]", path_of(key), describe(*at), path_of(key)));
    return nullptr;
}

const toml::array* TableReader::array(const std::string& key) {
    const toml::node* at = node(key);
    if (at == nullptr) return nullptr;
    if (const toml::array* found = at->as_array()) return found;
    m_mistakes.add(at->source(), path_of(key),
                   fmt::format("{}: found {}, expected an array", path_of(key), describe(*at)));
    return nullptr;
}

void check_name(TableReader& reader, const std::string& key, const std::string& name) {
    static const std::vector<std::string> reserved{"solver", "contact", "environment", "body", "tool",
                                                   "plica",  "title",   "seconds",     "start"};
    if (name.empty()) {
        if (!reader.has(key) || reader.source().get(key)->is_string()) {
            reader.complain(key, fmt::format("{}: found none, expected a name in quotes", key));
        }
    } else if (name.find_first_of(".:=") != std::string::npos) {
        reader.complain(key, fmt::format("{}: found \"{}\", expected a name without . : or =", key, name));
    } else if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) {
        reader.complain(
            key, fmt::format("{}: found \"{}\", which is a key of every scene; expected another name", key, name));
    }
}

void TableReader::finish() {
    for (const auto& [key, value] : m_table) {
        const std::string name(key.str());
        if (std::find(m_known.begin(), m_known.end(), name) != m_known.end()) continue;
        const std::string nearest = find_nearest(name, m_known);
        m_mistakes.add(key.source().begin.line > 0 ? key.source() : value.source(), path_of(name),
                       fmt::format("unknown key {}{}", path_of(name),
                                   nearest.empty() ? "; expected " + join_choices(m_known)
                                                   : "; did you mean " + path_of(nearest) + "?"));
    }
}

}  // namespace plica
