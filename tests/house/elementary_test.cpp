#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

// What is in a step, or decides how a scene starts, takes no function that each machine's C library rounds in its own
// way: core/elementary.hpp has one of each for all. Roots, sums and products are the same everywhere and stay.
namespace {

constexpr std::array folders{"core", "geometry", "tissue", "collision", "contact", "engine", "scene"};

// The first such function that a line uses; empty if it uses none.
std::string rounded_elsewhere(const std::string& line) {
    static const std::string names =
        "(?:exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|"
        "acosh|"
        "atanh|erf|erfc|tgamma|lgamma|sincos|exp10)[fl]?";
    static const std::regex qualified("(?:std::|__builtin_)" + names + "\\b");
    static const std::regex bare("(?:^|[^\\w:.>])(?:::)?" + names + "\\(");
    static const std::regex distribution("std::\\w+_distribution\\b");
    const std::string code = line.substr(0, line.find("//"));
    std::smatch found;
    for (const std::regex* kind : {&qualified, &bare, &distribution}) {
        if (std::regex_search(code, found, *kind)) return found.str();
    }
    return "";
}

TEST(Elementary, TheLibrarysAreNotInAStep) {
    const std::filesystem::path root = PLICA_SOURCE_DIR;
    int files = 0;
    for (const char* folder : folders) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "src" / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".hpp" && extension != ".cpp") continue;
            ++files;
            if (entry.path().stem().string().rfind("elementary", 0) == 0) continue;  // where ours are
            std::ifstream file(entry.path());
            std::string line;
            for (int number = 1; std::getline(file, line); ++number)
                EXPECT_EQ(rounded_elsewhere(line), "") << entry.path() << ":" << number << ": " << line;
        }
    }
    EXPECT_GT(files, 300);
}

// Nor do ours use them, besides those that are exact.
TEST(Elementary, OursUseNoneOfThem) {
    const std::regex library(
        "std::(?!abs\\b|sqrt\\b|floor\\b|copysign\\b|signbit\\b|numeric_limits\\b|uint64_t\\b)\\w+");
    for (const char* name : {"elementary_angles.cpp", "elementary_powers.cpp"}) {
        std::ifstream file(std::filesystem::path(PLICA_SOURCE_DIR) / "src/core" / name);
        std::string line;
        int lines = 0;
        for (; std::getline(file, line); ++lines)
            EXPECT_FALSE(std::regex_search(line, library)) << name << ": " << line;
        EXPECT_GT(lines, 100);
    }
}

TEST(Elementary, TheLibrarysAreSeen) {
    EXPECT_NE(rounded_elsewhere("const double kept = std::exp(-drag * h);"), "");
    EXPECT_NE(rounded_elsewhere("    y.v[k] = 1.0 / __builtin_cbrt(a.v[k]);"), "");
    EXPECT_NE(rounded_elsewhere("return 2.0*sin(x);"), "");
    EXPECT_NE(rounded_elsewhere("const float s = ::cosf(x);"), "");
    EXPECT_NE(rounded_elsewhere("std::transform(a.begin(), a.end(), a.begin(), std::tanh<double>);"), "");
    EXPECT_NE(rounded_elsewhere("std::normal_distribution<double> noise;"), "");
    EXPECT_EQ(rounded_elsewhere("return elementary::exp(-h) * std::sqrt(x);  // as std::exp(x) would"), "");
    EXPECT_EQ(rounded_elsewhere("spans.exp(3); sine_of(x); std::experimental y; expand(x);"), "");
}

}  // namespace
