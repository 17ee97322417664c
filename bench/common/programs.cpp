#include "bench/common/programs.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "core/error.hpp"

namespace plica::bench {
namespace {

[[noreturn]] void fail(const std::string& program, const std::string& why) {
    throw Error(program + ": " + why, Status::environment);
}

// Both of the program's outputs go to files without names: no pipe can fill up, nothing is left behind.
class Capture {
public:
    Capture() : m_file(std::tmpfile(), std::fclose) {
        if (m_file == nullptr) fail("plica bench", std::strerror(errno));
    }
    [[nodiscard]] int descriptor() const { return fileno(m_file.get()); }
    [[nodiscard]] std::string text() const {
        std::string all;
        std::array<char, 4096> buffer;
        ssize_t count = 0;
        while ((count = pread(descriptor(), buffer.data(), buffer.size(), static_cast<off_t>(all.size()))) > 0) {
            all.append(buffer.data(), static_cast<std::size_t>(count));
        }
        return all;
    }

private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> m_file;
};

int wait_for(const std::string& program, std::vector<std::string> words, const Capture& out, const Capture& err) {
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
    pid_t pid = 0;
    const int problem = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) fail(program, std::strerror(problem));
    int state = 0;
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

}  // namespace

std::string find_peer(const std::string& folder, const std::string& name) {
    const std::string path = folder + "/plica_peer_" + name;
    return access(path.c_str(), X_OK) == 0 ? path : "";
}

nlohmann::ordered_json run_program(const std::string& program, const std::vector<std::string>& arguments) {
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Capture out, err;
    const int status = wait_for(program, words, out, err);
    if (status != 0) {
        fail(program, (status < 0 ? "ended by signal " : "ended with status ") + std::to_string(std::abs(status)) +
                          ": " + err.text().substr(0, 500));
    }
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(out.text(), nullptr, false);
    if (!json.is_object()) fail(program, "did not print one JSON object");
    return json;
}

}  // namespace plica::bench
