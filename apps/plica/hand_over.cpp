#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "apps/plica/commands.hpp"

// Experiments and benchmarks are as much code as everything else, and most people never run them: they are in a program
// of their own beside this one, plica-lab, which has the same command line and is built only when asked for.
namespace plica::app {
namespace {

std::vector<std::string> read_own_arguments() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::vector<std::string> arguments;
    for (std::size_t at = 0; at < bytes.size(); at += arguments.back().size() + 1) {
        arguments.emplace_back(bytes.c_str() + at);
    }
    return arguments;
}

// Returns only by throwing: this process becomes the other program.
Status hand_over(const char* command) {
    const std::string lab = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "plica-lab").string();
    std::vector<std::string> arguments = read_own_arguments();
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    execv(lab.c_str(), words.data());
    throw Error(
        fmt::format("plica {0}: {1} cannot be run; ./plica {0} builds it, or cmake --build DIR --target plica_lab",
                    command, lab),
        Status::environment);
}

}  // namespace

Status bench(const BenchOptions&) {
    return hand_over("bench");
}

Status reproduce(const ReproduceOptions&) {
    return hand_over("reproduce");
}

}  // namespace plica::app
