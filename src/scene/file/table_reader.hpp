#pragma once
#include <toml++/toml.h>

#include <map>
#include <string>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica {

// Throws Error with file and line when the text is not TOML.
toml::table parse_toml(const std::string& text, const std::string& file);

// Mistakes found in a scene, in the order of the file.
class Mistakes {
public:
    Mistakes(std::string file, std::map<std::string, std::string> overrides)
        : m_file(std::move(file)), m_overrides(std::move(overrides)) {}

    // `path` is the dotted path of the value: a value that came from an override is located by the override's text.
    void add(const toml::source_region& where, const std::string& path, const std::string& message);
    [[nodiscard]] bool empty() const { return m_list.empty(); }
    [[nodiscard]] std::string text() const;  // one a line, by line number

private:
    std::string m_file;
    std::map<std::string, std::string> m_overrides;
    std::vector<std::pair<unsigned, std::string>> m_list;
};

struct Range {
    double lo, hi;
    bool open_lo = false;  // lo itself is not allowed
};
inline constexpr Range any_number{-1e9, 1e9};
inline constexpr Range positive{0.0, 1e9, true};
inline constexpr Range not_negative{0.0, 1e9};
inline constexpr Range friction_range{0.0, 10.0};

// Reads the keys of one table, each with a default, and at the end complains of the keys nobody asked for.
class TableReader {
public:
    TableReader(const toml::table& table, std::string path, Mistakes& mistakes)
        : m_table(table), m_path(std::move(path)), m_mistakes(mistakes) {}

    [[nodiscard]] bool has(const std::string& key) const { return m_table.contains(key); }
    double number(const std::string& key, double standard, Range range = any_number);
    int integer(const std::string& key, int standard, int lo, int hi);
    bool boolean(const std::string& key, bool standard);
    std::string text(const std::string& key, const std::string& standard);
    std::string choice(const std::string& key, const std::string& standard, const std::vector<std::string>& choices);
    Vec3 vector(const std::string& key, const Vec3& standard, Range range = any_number);
    // At least one; neither is `standard` empty.
    std::vector<Vec3> vectors(const std::string& key, const std::vector<Vec3>& standard, Range range = any_number);
    // The table or value under the key, nullptr when absent; marks the key as known.
    const toml::node* node(const std::string& key);
    const toml::table* table(const std::string& key);
    const toml::array* array(const std::string& key);

    void complain(const std::string& key, const std::string& message);
    void finish();  // unknown keys

    [[nodiscard]] std::string path_of(const std::string& key) const {
        return m_path.empty() ? key : m_path + "." + key;
    }
    [[nodiscard]] const toml::table& source() const { return m_table; }
    // Where the table, or a key of it, stands in the file; 0: nowhere.
    [[nodiscard]] int line() const { return static_cast<int>(m_table.source().begin.line); }
    [[nodiscard]] int line(const std::string& key) const {
        const toml::node* found = m_table.get(key);
        return found != nullptr ? static_cast<int>(found->source().begin.line) : line();
    }
    [[nodiscard]] Mistakes& mistakes() { return m_mistakes; }

private:
    Vec3 vector_at(const toml::node& at, const std::string& key, const Vec3& standard, Range range);
    bool accept(const toml::node& node, const std::string& key, double value, const Range& range);
    const toml::table& m_table;
    std::string m_path;
    Mistakes& m_mistakes;
    std::vector<std::string> m_known;
};

// Complains when a body or tool cannot be called so: no name, or one that --set could not say.
void check_name(TableReader& reader, const std::string& key, const std::string& name);

// "the string \"abc\"", "the number 3", "an array": for messages.
std::string describe(const toml::node& node);

}  // namespace plica
