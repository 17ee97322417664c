#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

// The glossary names files that exist, and headers of collision and contact open with a line that says what they are.
namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> named_files(const std::string& text) {
    static const std::regex quoted("`((?:src|tests)/[^`]+)`");
    std::vector<std::string> names;
    for (std::sregex_iterator m(text.begin(), text.end(), quoted), end; m != end; ++m) names.push_back((*m)[1]);
    return names;
}

std::vector<std::string> missing_files(const std::string& text) {
    std::vector<std::string> missing;
    for (const std::string& name : named_files(text)) {
        if (!std::filesystem::is_regular_file(std::string(PLICA_SOURCE_DIR) + "/" + name)) missing.push_back(name);
    }
    return missing;
}

bool opens_with_a_comment(const std::string& header) {
    const std::size_t name = header.find("\nnamespace ");
    return name != std::string::npos && header.substr(0, name).find("\n// ") != std::string::npos;
}

TEST(Glossary, NamesFilesThatExist) {
    const std::string glossary = text_of(std::string(PLICA_SOURCE_DIR) + "/docs/glossary.md");
    EXPECT_GT(named_files(glossary).size(), 50U);
    for (const std::string& name : missing_files(glossary)) ADD_FAILURE() << "no such file: " << name;
}

TEST(Glossary, AMissingFileIsSeen) {
    EXPECT_EQ(missing_files("row | `src/contact/rows.hpp`, `src/contact/rose.hpp`"),
              std::vector<std::string>{"src/contact/rose.hpp"});
}

TEST(Glossary, HeadersOpenWithWhatTheyAre) {
    int headers = 0;
    for (const char* folder : {"/src/collision", "/src/contact"}) {
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::string(PLICA_SOURCE_DIR) + folder)) {
            if (entry.path().extension() != ".hpp") continue;
            ++headers;
            EXPECT_TRUE(opens_with_a_comment(text_of(entry.path()))) << entry.path();
        }
    }
    EXPECT_GT(headers, 30);
    EXPECT_FALSE(opens_with_a_comment("#pragma once\n\nnamespace plica {\n// A pair.\nstruct Pair;\n}\n"));
}

}  // namespace
