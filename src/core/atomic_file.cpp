#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace plica {

namespace {

[[noreturn]] void fail_to_write(const std::string& path, int code) {
    throw Error(path + ": cannot be written: " + std::generic_category().message(code), Status::environment);
}

}  // namespace

std::string reserve_partial(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) fail_to_write(path, EISDIR);
    const std::string stem = path + ".partial." + std::to_string(getpid());
    for (int i = 1;; ++i) {
        const std::string name = i == 1 ? stem : stem + "." + std::to_string(i);
        const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno == EEXIST) continue;
        if (file < 0) fail_to_write(path, errno);
        close(file);
        return name;
    }
}

AtomicFile::AtomicFile(std::string path) : m_path(std::move(path)), m_partial(reserve_partial(m_path)) {
    m_file = std::fopen(m_partial.c_str(), "wbe");
    if (m_file == nullptr) fail(errno);
}

AtomicFile::~AtomicFile() {
    if (m_file == nullptr) return;
    std::fclose(m_file);
    std::remove(m_partial.c_str());
}

void AtomicFile::fail(int code) {
    if (m_file != nullptr) std::fclose(m_file);
    m_file = nullptr;
    std::remove(m_partial.c_str());
    fail_to_write(m_path, code);
}

void AtomicFile::write(std::string_view bytes) {
    if (m_file == nullptr) fail(EBADF);
    if (bytes.empty()) return;
    if (std::fwrite(bytes.data(), 1, bytes.size(), m_file) != bytes.size()) fail(errno);
}

void AtomicFile::rewrite_start(std::string_view bytes) {
    if (m_file == nullptr) fail(EBADF);
    if (std::fseek(m_file, 0, SEEK_SET) != 0) fail(errno);
    write(bytes);
    if (std::fseek(m_file, 0, SEEK_END) != 0) fail(errno);
}

void AtomicFile::commit() {
    if (m_file == nullptr) fail(EBADF);
    if (std::fflush(m_file) != 0) fail(errno);
    std::FILE* const file = std::exchange(m_file, nullptr);
    if (std::fclose(file) != 0) fail(errno);
    std::error_code code;
    std::filesystem::rename(m_partial, m_path, code);
    if (code) fail(code.value());
}

}  // namespace plica
