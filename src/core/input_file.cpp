#include "core/input_file.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace plica {
namespace {

[[noreturn]] void fail(const std::string& path, int code) {
    throw Error(path + ": cannot be read: " + std::generic_category().message(code), Status::environment);
}

}  // namespace

InputFile::InputFile(std::string path) : m_path(std::move(path)) {
    std::error_code code;
    const std::filesystem::file_status status = std::filesystem::status(m_path, code);
    if (status.type() == std::filesystem::file_type::not_found) throw Error(m_path + ": there is no such file");
    if (code) fail(m_path, code.value());
    if (!std::filesystem::is_regular_file(status)) throw Error(m_path + ": found a folder or device, expected a file");
    m_size = static_cast<std::uint64_t>(std::filesystem::file_size(m_path, code));
    if (code) fail(m_path, code.value());
    m_file.reset(std::fopen(m_path.c_str(), "rb"));
    if (!m_file) fail(m_path, errno);
}

std::size_t InputFile::read(std::span<char> bytes) {
    errno = 0;
    const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), m_file.get());
    if (count < bytes.size() && std::ferror(m_file.get()) != 0) fail(m_path, errno);
    return count;
}

std::string InputFile::read_rest() {
    std::string text;
    constexpr std::size_t piece = 1U << 20;
    for (std::size_t count = piece; count == piece;) {
        const std::size_t before = text.size();
        text.resize(before + piece);
        count = read(std::span(text).subspan(before));
        text.resize(before + count);
    }
    return text;
}

std::string read_file(const std::string& path) {
    InputFile file(path);
    std::string bytes(static_cast<std::size_t>(file.size()), '\0');
    bytes.resize(file.read(bytes));
    return bytes += file.read_rest();
}

}  // namespace plica
