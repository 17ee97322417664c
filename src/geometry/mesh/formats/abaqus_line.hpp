#pragma once
#include <map>

#include "geometry/mesh/formats/mesh_text.hpp"

namespace plica::formats {

// "*NSET, NSET=fixed, GENERATE". Names in upper case, values as written.
struct AbaqusKeyword {
    std::size_t at = 0;
    std::string name;
    std::map<std::string, std::string> parameters;

    [[nodiscard]] std::string parameter(const std::string& key) const {
        const auto found = parameters.find(key);
        return found != parameters.end() ? found->second : std::string();
    }
    [[nodiscard]] bool has(const std::string& key) const { return parameters.count(key) > 0; }
};

// Keyword lines, and below each its data lines of fields between commas. Lines that start with ** are comments.
class AbaqusLines {
public:
    AbaqusLines(std::string path, std::string_view bytes) : m_text(std::move(path), bytes) {}

    [[nodiscard]] const std::string& path() const { return m_text.path(); }
    // Goes over data lines that nobody read. False: the end of the file.
    bool next_keyword(AbaqusKeyword& keyword);
    // To the next data line of this keyword. False: there is none.
    bool next_data();

    [[nodiscard]] bool at_line_end() const { return m_field >= m_end; }
    [[nodiscard]] bool at_name() const;
    [[nodiscard]] std::size_t position() const { return m_field; }
    std::string_view field();
    std::int64_t integer(const char* what);
    // A line that ends with a comma goes on in the next one.
    std::int64_t integer_or_next_line(const char* what);
    double real(const char* what);

    [[noreturn]] void fail(const std::string& problem) const { m_text.fail_at(m_field, problem); }
    [[noreturn]] void fail_at(std::size_t at, const std::string& problem) const { m_text.fail_at(at, problem); }

private:
    bool find_line();
    void read_parameters(AbaqusKeyword& keyword, std::string_view rest) const;

    MeshText m_text;
    std::size_t m_field = 0, m_end = 0;  // the next field of the line, and the line's end
};

}  // namespace plica::formats
