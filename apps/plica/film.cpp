#include "apps/plica/film.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "core/error.hpp"

namespace plica::app {
namespace {

bool has_ffmpeg() {
    return std::system("command -v ffmpeg >/dev/null 2>&1") == 0;
}

// For a shell, whatever is in the name.
std::string shell_quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

}  // namespace

Film::Film(std::string path, int width, int height, double frames_per_second) : m_path(std::move(path)) {
    const std::filesystem::path parent = std::filesystem::path(m_path).parent_path();
    if (!parent.empty() && !std::filesystem::is_directory(parent)) {
        throw Error(m_path + ": the folder to write it to does not exist", Status::environment);
    }
    if (!has_ffmpeg()) {
        m_folder = std::filesystem::path(m_path).replace_extension().string() + "-frames";
        std::filesystem::create_directories(m_folder);
        m_path = m_folder;
        return;
    }
    m_partial = m_path + ".partial";
    std::signal(SIGPIPE, SIG_IGN);  // a film that cannot be written is an error of ours, not the end of the program
    const std::string command = fmt::format(
        "exec ffmpeg -v error -y -f rawvideo -pix_fmt rgb24 -s {}x{} -r {} -i - -c:v libx264 -preset medium -crf 20 "
        "-pix_fmt yuv420p -movflags +faststart -f mp4 {}",
        width, height, frames_per_second, shell_quoted(m_partial));
    m_pipe = popen(command.c_str(), "w");
    if (m_pipe == nullptr) throw Error(m_path + ": ffmpeg cannot be started", Status::environment);
}

Film::~Film() {
    if (m_pipe == nullptr) return;
    pclose(m_pipe);
    std::error_code ignored;
    std::filesystem::remove(m_partial, ignored);
}

void Film::add(const render::Picture& picture) {
    if (!m_folder.empty()) return write_png(fmt::format("{}/frame_{:05}.png", m_folder, m_frames++), picture);
    ++m_frames;
    if (std::fwrite(picture.rgb.data(), 1, picture.rgb.size(), m_pipe) != picture.rgb.size()) {
        throw Error(m_path + ": ffmpeg takes no more pictures (is the disk full?)", Status::environment);
    }
}

void Film::close() {
    if (m_pipe == nullptr) return;
    const int status = pclose(m_pipe);
    m_pipe = nullptr;
    if (status != 0) {
        std::error_code ignored;
        std::filesystem::remove(m_partial, ignored);
        throw Error(fmt::format("{}: ffmpeg failed (status {})", m_path, status), Status::environment);
    }
    std::filesystem::rename(m_partial, m_path);
}

}  // namespace plica::app
