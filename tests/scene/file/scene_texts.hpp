#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "scene/description.hpp"
#include "tests/support/texts.hpp"

// Scenes as text, and the mistakes that reading them gives.
namespace plica::testing {

inline SceneDescription read(const std::string& text, const Texts& overrides = {}) {
    return read_scene({"t", "t.toml", text, overrides});
}

inline Texts scene_lines(const std::string& text) {
    Texts lines{""};
    for (const char c : text) {
        if (c == '\n') {
            lines.emplace_back();
        } else {
            lines.back() += c;
        }
    }
    return lines;
}

// The lines of the error that reading throws; empty when it throws none.
inline Texts mistakes(const std::string& text, const Texts& overrides = {}) {
    try {
        read(text, overrides);
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input);
        return scene_lines(error.what());
    }
    return {};
}

inline std::string join(const Texts& texts) {
    std::string all;
    for (const std::string& text : texts) all += text + "\n";
    return all;
}

// Exactly one mistake, at that line of the file, with all these words in its message.
inline void expect_mistake(const std::string& text, int line, const Texts& words) {
    const Texts found = mistakes(text);
    ASSERT_EQ(found.size(), 1U) << text << "\ngave\n" << join(found);
    EXPECT_EQ(found[0].rfind("t.toml:" + std::to_string(line) + ": ", 0), 0U) << found[0];
    for (const std::string& word : words) EXPECT_TRUE(contains(found[0], word)) << found[0] << "\nlacks " << word;
}

inline std::vector<int> line_numbers(const Texts& found) {
    std::vector<int> numbers;
    for (const std::string& line : found) {
        EXPECT_EQ(line.rfind("t.toml:", 0), 0U) << line;
        numbers.push_back(std::atoi(line.c_str() + 7));
    }
    return numbers;
}

inline const std::string rope = "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\n";            // next line: 5
inline const std::string intestine = "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"intestine\"\n";  // next line: 5
inline const std::string probe = rope + "[[tool]]\nname = \"probe\"\n";                                 // next line: 7
inline const std::string every_table =
    "plica = 1\n"
    "[solver]\n"
    "dt = 0.02\n"
    "[contact]\n"
    "friction = 0.3\n"
    "[environment]\n"
    "drag = 1.0\n"
    "cavity = { radii = [0.3, 0.3, 0.3] }\n"
    "[[body]]\n"
    "name = \"gut\"\n"
    "anatomy = \"rope\"\n"
    "[[tool]]\n"
    "name = \"probe\"\n"
    "path = [{ t = 1.0, at = \"gut:0.5\" }, { t = 2.0, move = [0, 0, 1] }]\n";

}  // namespace plica::testing
