#pragma once
#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

// NiftySim's XML models (docs/niftysim.md).
namespace plica::nifty {

using Names = std::vector<std::string_view>;

// What an element or attribute may be: what is understood, and what NiftySim knows and Plica cannot do.
struct Vocabulary {
    Names known, unsupported;
};

// A model's XML, and all that is wrong or worth a word about it, each with its line.
class Document {
public:
    // Throws Error where the text is no XML or its root is not <Model>.
    Document(std::string file, std::string_view xml);

    [[nodiscard]] pugi::xml_node model() const { return m_document.child("Model"); }
    [[nodiscard]] std::size_t line_of(const pugi::xml_node& node) const;

    void complain(const pugi::xml_node& where, const std::string& mistake) { complain(line_of(where), mistake); }
    void complain(std::size_t line, const std::string& mistake) { m_mistakes.emplace_back(line, mistake); }
    void note(const pugi::xml_node& where, const std::string& remark);
    [[nodiscard]] std::size_t mistakes() const { return m_mistakes.size(); }
    [[nodiscard]] const std::vector<std::string>& notes() const { return m_notes; }
    void finish() const;  // throws Error with every mistake, in the order of the file

    // Complains of each child or attribute that is not understood, and of children that are there twice.
    void check_children(const pugi::xml_node& node, const Vocabulary& vocabulary, const Names& repeated = {});
    void check_attributes(const pugi::xml_node& node, const Names& known);
    // Complains where the element has a text.
    void check_empty(const pugi::xml_node& node);

    // The attribute's value; "" after a complaint. Without the attribute it is `standard`, or a complaint where that is
    // empty.
    std::string choice(const pugi::xml_node& node, const char* attribute, std::string_view standard,
                       const Vocabulary& values);
    // A whole number from 0 that an attribute gives; -1 after a complaint.
    std::int64_t count(const pugi::xml_node& node, const char* attribute);

    // The text of an element as numbers; false after a complaint.
    bool numbers(const pugi::xml_node& node, std::vector<double>& values);
    bool integers(const pugi::xml_node& node, std::vector<std::int64_t>& values);
    // The same, exactly so many.
    bool numbers(const pugi::xml_node& node, std::size_t count, std::vector<double>& values);
    // One number that lies in a range, (least, most] or [least, most].
    struct Range {
        double least, most;
        bool open = false;
    };
    bool number(const pugi::xml_node& node, Range range, double& value);
    // The text without the spaces around it.
    [[nodiscard]] static std::string text(const pugi::xml_node& node);

private:
    void parse(std::string_view xml);
    [[nodiscard]] std::size_t line_at(std::ptrdiff_t offset) const;
    template <class T>
    bool read_list(const pugi::xml_node& node, const char* expected, std::vector<T>& values);

    std::string m_file;
    pugi::xml_document m_document;
    std::vector<std::size_t> m_line_ends;  // where the line breaks are
    std::vector<std::pair<std::size_t, std::string>> m_mistakes;
    std::vector<std::string> m_notes;
};

// Words shown in errors: quoted, printable, not long.
std::string quote(std::string_view word);

}  // namespace plica::nifty
