#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

// The folders are the architecture: an include may only go from a folder to those that its line names.
namespace {

using Folders = std::set<std::string>;

const std::map<std::string, Folders> allowed{
    {"src/core", {"core", "plica"}},
    {"src/geometry", {"core", "geometry"}},
    {"src/tissue", {"core", "geometry", "tissue"}},
    {"src/collision", {"core", "geometry", "collision"}},
    {"src/contact", {"core", "geometry", "collision", "contact"}},
    // plica/tissue.hpp: what a tissue from outside is.
    {"src/engine", {"core", "geometry", "tissue", "collision", "contact", "engine", "plica"}},
    {"src/audit", {"core", "geometry", "collision", "audit"}},
    {"src/scene", {"core", "geometry", "tissue", "collision", "contact", "engine", "audit", "scene"}},
    {"src/io", {"core", "geometry", "tissue", "collision", "engine", "io"}},
    {"src/simulation", {"core", "geometry", "collision", "engine", "audit", "scene", "io", "simulation", "plica"}},
    {"src/render", {"core", "geometry", "collision", "engine", "render"}},
    {"experiments",
     {"core", "geometry", "tissue", "collision", "contact", "engine", "audit", "scene", "io", "simulation", "render",
      "experiments"}},
    {"bench",
     {"core", "geometry", "tissue", "collision", "contact", "engine", "audit", "scene", "io", "simulation", "render",
      "plica", "bench"}},
    {"apps/desktop", {"core", "geometry", "engine", "scene", "simulation", "render", "plica", "apps/desktop"}},
    {"apps/plica",
     {"core", "geometry", "tissue", "collision", "engine", "audit", "scene", "io", "simulation", "render",
      "experiments", "bench", "plica", "apps/desktop", "apps/plica"}},
};

// "src/engine" of "src/engine/step/detect.cpp"; "bench" of "bench/heat/heat.cpp".
std::string module_of(const std::string& path) {
    const std::size_t first = path.find('/');
    const std::string top = path.substr(0, first);
    if (top != "src" && top != "apps") return top;
    return path.substr(0, path.find('/', first + 1));
}

// As an include names it: "engine" of "engine/world.hpp", "apps/plica" of "apps/plica/print.hpp".
std::string target_of(const std::string& include) {
    return include.compare(0, 5, "apps/") == 0 ? module_of(include) : include.substr(0, include.find('/'));
}

// What is wrong with one line of a file of `module`; empty when nothing is.
std::string complaint(const std::string& module, const std::string& line) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') return "";
    const std::size_t word = line.find("include", hash);
    const std::size_t quote = line.find('"', hash);
    if (word == std::string::npos || quote == std::string::npos || quote < word) return "";
    const std::string include = line.substr(quote + 1, line.find('"', quote + 1) - quote - 1);
    if (include.find('/') == std::string::npos) return module + " includes a file without its folder";
    // Frames and surfaces, never a tissue: other headers of the engine bring one with them.
    if (module == "src/render" && include.compare(0, 7, "engine/") == 0) {
        const bool seen = include == "engine/frame.hpp" || include == "engine/shapes.hpp";
        return seen ? "" : "src/render must not include " + include;
    }
    const std::string target = target_of(include);
    if (allowed.at(module).count(target) > 0) return "";
    return module + " must not include " + target;
}

TEST(IncludeDirection, NoModuleLooksUpwards) {
    int files = 0;
    const std::filesystem::path root = PLICA_SOURCE_DIR;
    for (const char* top : {"src", "experiments", "bench", "apps"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".hpp" && extension != ".cpp") continue;
            const std::string module = module_of(std::filesystem::relative(entry.path(), root).string());
            ASSERT_TRUE(allowed.count(module) > 0) << module << " is not in the list of modules";
            std::ifstream file(entry.path());
            std::string line;
            for (int number = 1; std::getline(file, line); ++number) {
                EXPECT_EQ(complaint(module, line), "") << entry.path() << ":" << number;
            }
            ++files;
        }
    }
    EXPECT_GT(files, 500);
}

TEST(IncludeDirection, WrongIncludesAreSeen) {
    EXPECT_NE(complaint("src/tissue", "#include \"collision/surface.hpp\""), "");
    EXPECT_NE(complaint("src/collision", "#include \"tissue/mass_spring/network.hpp\""), "");
    EXPECT_NE(complaint("src/core", "#  include \"engine/world.hpp\""), "");
    EXPECT_NE(complaint("src/contact", "#include \"tissue/mass_spring/network.hpp\""), "");
    EXPECT_EQ(complaint("src/engine", "#include \"tissue/mass_spring/network.hpp\""), "");
    EXPECT_NE(complaint("src/engine", "#include \"scene/description.hpp\""), "");
    EXPECT_NE(complaint("src/render", "#include \"tissue/mass_spring/network.hpp\""), "");
    EXPECT_EQ(complaint("src/render", "#include \"engine/shapes.hpp\""), "");
    EXPECT_NE(complaint("src/render", "#include \"engine/model.hpp\""), "");
    EXPECT_NE(complaint("src/simulation", "#include \"render/renderer.hpp\""), "");
    EXPECT_NE(complaint("experiments", "#include \"apps/plica/print.hpp\""), "");
    EXPECT_NE(complaint("apps/desktop", "#include \"apps/plica/print.hpp\""), "");
    EXPECT_NE(complaint("apps/desktop", "#include \"tissue/heat/membrane.hpp\""), "");
    EXPECT_NE(complaint("bench", "#include \"statistics.hpp\""), "");
    EXPECT_EQ(complaint("src/core", "#include <vector>"), "");
}

TEST(IncludeDirection, NothingIsSeenInACircle) {
    for (const auto& [module, seen] : allowed) {
        const std::string name = target_of(module.compare(0, 4, "src/") == 0 ? module.substr(4) : module);
        for (const std::string& other : seen) {
            if (other == name || other == "plica") continue;
            const std::string key = allowed.count(other) > 0 ? other : "src/" + other;
            EXPECT_EQ(allowed.at(key).count(name), 0U) << module << " and " << other << " see each other";
        }
    }
}

}  // namespace
