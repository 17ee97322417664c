#include "core/atomic_file.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace plica {

AtomicFile::AtomicFile(std::string path) : m_path(std::move(path)), m_partial(m_path + ".partial") {
    m_file = std::fopen(m_partial.c_str(), "wb");
    if (m_file == nullptr) {
        throw Error(m_path + ": cannot be written: " + std::generic_category().message(errno), Status::environment);
    }
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
    throw Error(m_path + ": cannot be written: " + std::generic_category().message(code), Status::environment);
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
