#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

// core -> geometry -> {tissue, collision} -> contact -> scene -> {live, render} -> apps: an include may only go to the
// left.
namespace {

const std::map<std::string, std::set<std::string>> allowed{
    {"core", {"core"}},
    {"geometry", {"core", "geometry"}},
    {"tissue", {"core", "geometry", "tissue"}},
    {"collision", {"core", "geometry", "collision"}},
    {"contact", {"core", "geometry", "collision", "contact"}},
    {"scene", {"core", "geometry", "tissue", "collision", "contact", "scene", "plica"}},
    {"live", {"core", "geometry", "scene", "live"}},
    {"render", {"core", "geometry", "collision", "scene", "render"}},
};

// What is wrong with one line of a file of `module`; empty when nothing is.
std::string complaint(const std::string& module, const std::string& line) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') return "";
    const std::size_t word = line.find("include", hash);
    const std::size_t quote = line.find('"', hash);
    if (word == std::string::npos || quote == std::string::npos || quote < word) return "";
    const std::size_t slash = line.find('/', quote);
    if (slash == std::string::npos) return module + " includes a file without its folder";
    const std::string target = line.substr(quote + 1, slash - quote - 1);
    if (allowed.at(module).count(target) > 0) return "";
    return module + " must not include " + target;
}

TEST(IncludeDirection, NoModuleLooksUpwards) {
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(PLICA_SOURCE_DIR "/src")) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".hpp" && extension != ".cpp") continue;
        const auto relative = std::filesystem::relative(entry.path(), PLICA_SOURCE_DIR "/src");
        const std::string module = relative.begin()->string();
        ASSERT_TRUE(allowed.count(module) > 0) << "src/" << module << " is not in the list of modules";
        std::ifstream file(entry.path());
        std::string line;
        for (int number = 1; std::getline(file, line); ++number) {
            EXPECT_EQ(complaint(module, line), "") << entry.path() << ":" << number;
        }
        ++files;
    }
    EXPECT_GT(files, 20);
}

TEST(IncludeDirection, WrongIncludesAreSeen) {
    EXPECT_NE(complaint("tissue", "#include \"collision/surface.hpp\""), "");
    EXPECT_NE(complaint("collision", "#include \"tissue/mass_spring/network.hpp\""), "");
    EXPECT_NE(complaint("core", "#  include \"scene/world.hpp\""), "");
    EXPECT_NE(complaint("contact", "#include \"tissue/mass_spring/network.hpp\""), "");
    EXPECT_EQ(complaint("scene", "#include \"tissue/mass_spring/network.hpp\""), "");
    EXPECT_NE(complaint("render", "#include \"tissue/mass_spring/network.hpp\""), "");
    EXPECT_NE(complaint("live", "#include \"render/renderer.hpp\""), "");
    EXPECT_NE(complaint("scene", "#include \"render/camera.hpp\""), "");
    EXPECT_EQ(complaint("core", "#include <vector>"), "");
}

}  // namespace
