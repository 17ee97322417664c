#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/texts.hpp"

// Running the program.
namespace plica::testing {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Outcome {
    int status = -1;  // exit status; -1: ended by a signal
    int signal = 0;
    std::string out, err;
};

struct Settings {
    std::string out_file;                 // standard output goes there
    rlim_t largest_file = RLIM_INFINITY;  // bytes; a write beyond it fails as on a full disk
};

// A running program whose standard output and error are kept apart.
class Process {
public:
    explicit Process(const Texts& arguments, const Settings& settings = {}) {
        Texts words{PLICA_PROGRAM};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        int out[2];
        int err[2];
        if (pipe(out) != 0 || pipe(err) != 0) throw std::runtime_error("no pipe");
        m_pid = fork();
        if (m_pid == 0) {
            const int target = settings.out_file.empty() ? out[1] : open(settings.out_file.c_str(), O_WRONLY);
            dup2(target, STDOUT_FILENO);
            dup2(err[1], STDERR_FILENO);
            for (const int fd : {out[0], out[1], err[0], err[1]}) close(fd);
            if (settings.largest_file != RLIM_INFINITY) {
                const rlimit limit{settings.largest_file, settings.largest_file};
                std::signal(SIGXFSZ, SIG_IGN);
                setrlimit(RLIMIT_FSIZE, &limit);
            }
            execv(argv[0], argv.data());
            _exit(127);
        }
        close(out[1]);
        close(err[1]);
        m_out = out[0];
        m_err = err[0];
    }
    ~Process() {
        if (m_pid <= 0) return;
        kill(m_pid, SIGKILL);
        finish();
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    Process(Process&&) = delete;
    Process& operator=(Process&&) = delete;

    void send(int signal) const { kill(m_pid, signal); }

    Outcome finish() {
        Outcome outcome;
        drain(outcome);
        int state = 0;
        waitpid(m_pid, &state, 0);
        m_pid = -1;
        if (WIFEXITED(state)) outcome.status = WEXITSTATUS(state);
        if (WIFSIGNALED(state)) outcome.signal = WTERMSIG(state);
        return outcome;
    }

private:
    void drain(Outcome& outcome) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(240);
        std::array<pollfd, 2> wait{pollfd{m_out, POLLIN, 0}, pollfd{m_err, POLLIN, 0}};
        std::array<std::string*, 2> texts{&outcome.out, &outcome.err};
        while (wait[0].fd >= 0 || wait[1].fd >= 0) {
            poll(wait.data(), wait.size(), 1000);
            if (std::chrono::steady_clock::now() > deadline) kill(m_pid, SIGKILL);
            for (std::size_t i = 0; i < wait.size(); ++i) {
                if (wait[i].fd < 0 || (wait[i].revents & (POLLIN | POLLHUP)) == 0) continue;
                std::array<char, 4096> buffer;
                const ssize_t count = ::read(wait[i].fd, buffer.data(), buffer.size());
                if (count > 0) {
                    texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
                } else {
                    close(wait[i].fd);
                    wait[i].fd = -1;
                }
            }
        }
    }

    pid_t m_pid = -1;
    int m_out = -1, m_err = -1;
};

inline Outcome run(const Texts& arguments, const Settings& settings = {}) {
    return Process(arguments, settings).finish();
}

inline std::string quoted(const Texts& arguments) {
    std::string text = "plica";
    for (const std::string& argument : arguments) text.append(" ").append(argument, 0, 80);
    return text;
}

// Standard output is one JSON object and nothing else.
inline Json parse_object(const Outcome& outcome) {
    const Json json = Json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << "status " << outcome.status << ", output: " << outcome.out << "\n" << outcome.err;
    return json.is_object() ? json : Json::object();
}

inline Json run_json(Texts arguments, int status = 0) {
    arguments.emplace_back("--json");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << quoted(arguments) << "\n" << outcome.err;
    return parse_object(outcome);
}

inline std::string hash_of(const Texts& arguments) {
    return run_json(arguments).value("hash", "");
}

inline std::set<std::string> keys(const Json& object) {
    std::set<std::string> names;
    for (const auto& [name, value] : object.items()) names.insert(name);
    return names;
}

inline Texts lines_of(const std::string& text) {
    Texts lines;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

class Command : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "plica_command_XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
        // What a sanitizer finds in the program must not look like one of the program's own answers.
        setenv("ASAN_OPTIONS", "exitcode=99", 0);
        setenv("UBSAN_OPTIONS", "exitcode=99", 0);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    [[nodiscard]] std::string path(const std::string& name) const { return (m_folder / name).string(); }
    [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
        spill(m_folder / name, text);
        return path(name);
    }
    // A rope held at one end and pulled at the other, 15 steps a simulated half second.
    [[nodiscard]] std::string pulled_rope() const {
        return write("pulled.toml",
                     "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\nfixed = \"start\"\n"
                     "[[tool]]\nname = \"hand\"\nmax_force = 2.0\n"
                     "path = [{ t = 0.1, at = \"gut:1\" }, { t = 0.4, move = [0.1, 0, 0.1] }]\n");
    }
    [[nodiscard]] std::string record(const Texts& arguments, const std::string& name = "a.plica") const {
        Texts words{"run"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        words.insert(words.end(), {"--record", path(name)});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return path(name);
    }
    [[nodiscard]] Texts files() const {
        Texts names;
        for (const auto& entry : fs::recursive_directory_iterator(m_folder)) {
            if (!entry.is_directory()) names.push_back(fs::relative(entry.path(), m_folder).string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    fs::path m_folder;
};

}  // namespace plica::testing
