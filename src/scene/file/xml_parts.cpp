#include "scene/file/xml_parts.hpp"

#include <algorithm>
#include <filesystem>

namespace plica {
namespace {

constexpr std::string_view spaces = " \t\r\n";
constexpr std::string_view end_tag = "</Model>";

// As a TOML text.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

}  // namespace

bool is_xml(std::string_view text) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(spaces);
    return first != std::string_view::npos && text[first] == '<';
}

XmlParts split_xml(std::string_view text) {
    const std::size_t end = text.rfind(end_tag);
    if (end == std::string_view::npos) return {text, ""};
    const std::string_view rest = text.substr(end + end_tag.size());
    const std::size_t first = rest.find_first_not_of(spaces);
    if (first == std::string_view::npos || rest[first] == '<') return {text, ""};
    const std::string_view xml = text.substr(0, end + end_tag.size());
    std::string lines(static_cast<std::size_t>(std::count(xml.begin(), xml.end(), '\n')), '\n');
    return {xml, lines.append(rest)};
}

std::string add_folder(const std::string& text, const std::string& file) {
    const XmlParts parts = split_xml(text);
    const auto names = [&](std::string_view tag) { return parts.xml.find(tag) != std::string_view::npos; };
    const bool names_files = names("<MSHMesh") || names("<VTKMesh") || names("<VTKSurface");
    const bool ends = parts.xml.find(end_tag) != std::string_view::npos && parts.rest.empty();
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::absolute(file, error).parent_path().lexically_normal();
    if (!is_xml(text) || !names_files || !ends || error) return text;
    // Comments behind the model have nothing to say here.
    std::string whole = text.substr(0, text.rfind(end_tag) + end_tag.size());
    return whole.append("\nfolder = ").append(quoted(folder.string())).append("\n");
}

}  // namespace plica
