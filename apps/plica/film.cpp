#include "apps/plica/film.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <utility>

#include "apps/plica/mp4_check.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"

extern char** environ;

namespace plica::app {
namespace {

std::vector<std::string> encoder_arguments(const std::string& file, int width, int height, double frames_per_second) {
    return {"ffmpeg",      "-v",
            "error",       "-y",
            "-f",          "rawvideo",
            "-pix_fmt",    "rgb24",
            "-s",          fmt::format("{}x{}", width, height),
            "-r",          fmt::format("{}", frames_per_second),
            "-i",          "-",
            "-c:v",        "libx264",
            "-preset",     "medium",
            "-crf",        "20",
            "-pix_fmt",    "yuv420p",
            "-movflags",   "+faststart",
            "-f",          "mp4",
            "file:" + file};
}

std::string first_line_of(std::FILE* messages) {
    if (messages == nullptr) return "";
    char line[300] = "";
    std::rewind(messages);
    if (std::fgets(line, sizeof line, messages) == nullptr) return "";
    const std::string text(line);
    return text.substr(0, text.find('\n'));
}

void sync(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool good = file >= 0 && fsync(file) == 0;
    const int code = errno;
    if (file >= 0) ::close(file);
    if (!good) throw Error(path + ": cannot be written: " + std::generic_category().message(code), Status::environment);
}

}  // namespace

Film::Film(std::string path, int width, int height, double frames_per_second) : m_path(std::move(path)) {
    const std::filesystem::path parent = std::filesystem::path(m_path).parent_path();
    if (!parent.empty() && !std::filesystem::is_directory(parent)) {
        throw Error(m_path + ": the folder to write it to does not exist", Status::environment);
    }
    std::signal(SIGPIPE, SIG_IGN);  // a film that cannot be written is an error of ours, not the end of the program
    m_partial = reserve_partial(m_path);
    if (!start_encoder(encoder_arguments(m_partial, width, height, frames_per_second))) use_folder();
}

Film::~Film() {
    stop_encoder();
    if (m_messages != nullptr) std::fclose(m_messages);
    std::error_code ignored;
    if (!m_partial.empty()) std::filesystem::remove(m_partial, ignored);
}

// False: there is no such program. It has a process group of its own: an interrupt ends the pictures, not the encoder,
// which then finishes the film.
bool Film::start_encoder(const std::vector<std::string>& arguments) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) fail("ffmpeg cannot be started: " + std::generic_category().message(errno));
    m_messages = std::tmpfile();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    if (m_messages != nullptr) posix_spawn_file_actions_adddup2(&actions, fileno(m_messages), STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<char*> words;
    for (const std::string& each : arguments) words.push_back(const_cast<char*>(each.c_str()));
    words.push_back(nullptr);
    const int code = posix_spawnp(&m_encoder, words[0], &actions, &attributes, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(ends[0]);
    if (code != 0) {
        m_encoder = -1;
        ::close(ends[1]);
        if (code == ENOENT) return false;
        fail("ffmpeg cannot be started: " + std::generic_category().message(code));
    }
    m_pipe = fdopen(ends[1], "wb");
    return true;
}

void Film::use_folder() {
    std::error_code code;
    std::filesystem::remove(std::exchange(m_partial, ""), code);
    m_folder = std::filesystem::path(m_path).replace_extension().string() + "-frames";
    std::filesystem::create_directories(m_folder, code);
    if (code) throw Error(m_folder + ": cannot create this folder: " + code.message(), Status::environment);
    m_path = m_folder;
}

// How the encoder ended: 0 where all is well.
int Film::stop_encoder() {
    if (m_pipe != nullptr) std::fclose(std::exchange(m_pipe, nullptr));
    if (m_encoder < 0) return 0;
    int status = -1;
    while (waitpid(m_encoder, &status, 0) < 0 && errno == EINTR) {
    }
    m_encoder = -1;
    return status;
}

void Film::fail(const std::string& why) {
    std::error_code ignored;
    std::filesystem::remove(std::exchange(m_partial, ""), ignored);
    throw Error(m_path + ": " + why, Status::environment);
}

void Film::add(const render::Picture& picture) {
    if (!m_folder.empty()) return write_png(fmt::format("{}/frame_{:05}.png", m_folder, m_frames++), picture);
    ++m_frames;
    if (std::fwrite(picture.rgb.data(), 1, picture.rgb.size(), m_pipe) == picture.rgb.size()) return;
    stop_encoder();
    const std::string said = first_line_of(m_messages);
    fail("ffmpeg takes no more pictures: " + (said.empty() ? "is the disk full?" : said));
}

void Film::close() {
    if (!m_folder.empty() || m_partial.empty()) return;
    const bool delivered = m_pipe != nullptr && std::fflush(m_pipe) == 0;
    const int status = stop_encoder();
    // It ends with status 0 also where the disk had no room for the film's table of contents.
    const std::string said = first_line_of(m_messages);
    if (!said.empty()) fail("ffmpeg failed: " + said);
    if (!delivered || status != 0) fail(fmt::format("ffmpeg failed (status {})", status));
    if (!is_whole_mp4(m_partial)) fail("ffmpeg wrote no whole film (is the disk full?)");
    sync(m_partial);
    std::error_code code;
    std::filesystem::rename(m_partial, m_path, code);
    if (code) fail("cannot be written: " + code.message());
    m_partial.clear();
}

}  // namespace plica::app
