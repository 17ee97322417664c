#pragma once
#include <csignal>
#include <cstdio>
#include <thread>

#include "tests/apps/commands.hpp"

// A display that nobody sees, and hands for it.
namespace plica::testing {

inline void rest(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// What a shell command prints.
inline std::string output_of(const std::string& command) {
    std::string text;
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return text;
    std::array<char, 4096> buffer;
    for (std::size_t count = 0; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
        text.append(buffer.data(), count);
    }
    pclose(pipe);
    return text;
}

// Xvfb on the first display that is free; DISPLAY says which.
class Display {
public:
    static constexpr int width = 900, height = 700;

    Display() {
        int number[2];
        if (pipe(number) != 0) throw std::runtime_error("no pipe");
        m_pid = fork();
        if (m_pid == 0) {
            close(number[0]);
            const std::string fd = std::to_string(number[1]);
            const std::string screen = std::to_string(width) + "x" + std::to_string(height) + "x24";
            const int nowhere = open("/dev/null", O_WRONLY);
            dup2(nowhere, STDOUT_FILENO);
            dup2(nowhere, STDERR_FILENO);
            // Without -noreset it begins anew, deaf for a moment, whenever the last of its clients leaves.
            execlp("Xvfb", "Xvfb", "-noreset", "-displayfd", fd.c_str(), "-screen", "0", screen.c_str(), "+extension",
                   "GLX", "-nolisten", "tcp", static_cast<char*>(nullptr));
            _exit(127);
        }
        close(number[1]);
        std::string digits;
        char c = '\0';
        while (::read(number[0], &c, 1) == 1 && c != '\n') digits += c;
        close(number[0]);
        if (digits.empty()) throw std::runtime_error("Xvfb did not start; is it installed?");
        setenv("DISPLAY", (":" + digits).c_str(), 1);
    }
    ~Display() {
        unsetenv("DISPLAY");
        kill(m_pid, SIGTERM);
        waitpid(m_pid, nullptr, 0);
    }
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;
    Display(Display&&) = delete;
    Display& operator=(Display&&) = delete;

private:
    pid_t m_pid = -1;
};

// Slow machines draw a frame in a quarter of a second: whatever is done is given time to be seen.
inline void xdotool(const std::string& arguments, double seconds = 0.7) {
    output_of("xdotool " + arguments + " 2>&1");
    rest(seconds);
}

inline void type(const std::string& key) {
    xdotool("key " + key);
}

// False: no window has such a title within the time, s.
inline bool wait_for_title(const std::string& part, double seconds = 60.0) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
        if (contains(output_of("xdotool search --name Plica getwindowname 2>/dev/null"), part)) return true;
        rest(0.2);
    }
    return false;
}

inline std::string title() {
    return output_of("xdotool search --name Plica getwindowname 2>/dev/null");
}

// Red, green, blue of all pixels of the display.
inline std::string look_at_screen() {
    const std::string bytes = output_of("import -silent -window root -depth 8 rgb:-");
    EXPECT_EQ(bytes.size(), std::size_t{3} * Display::width * Display::height);
    return bytes;
}

inline int differing_pixels(const std::string& a, const std::string& b) {
    int count = 0;
    for (std::size_t i = 0; i + 2 < std::min(a.size(), b.size()); i += 3)
        count += a.compare(i, 3, b, i, 3) != 0 ? 1 : 0;
    return count;
}

inline int pixels_of(const std::string& screen, const std::string& colour) {
    int count = 0;
    for (std::size_t i = 0; i + 2 < screen.size(); i += 3) count += screen.compare(i, 3, colour) == 0 ? 1 : 0;
    return count;
}

}  // namespace plica::testing
