#pragma once
#include <string>
#include <string_view>

namespace plica {

// Whether a scene's text is XML: TOML never begins with <.
bool is_xml(std::string_view text);

// A model's XML up to </Model>, and what follows it: TOML, on the lines where it stands.
struct XmlParts {
    std::string_view xml;
    std::string rest;
};
XmlParts split_xml(std::string_view text);

// A model that names mesh files, with a line behind it that says in which folder they are: a recording can be replayed
// from anywhere. Other texts are as they were.
std::string add_folder(const std::string& text, const std::string& file);

}  // namespace plica
