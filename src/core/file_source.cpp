#include "core/file_source.hpp"

#include <filesystem>
#include <system_error>

#include "core/error.hpp"
#include "core/input_file.hpp"

namespace plica {

std::string FileSource::locate(const std::string& written) const {
    const std::filesystem::path path(written);
    return path.is_absolute() ? written : (std::filesystem::path(m_folder) / path).string();
}

bool FileSource::has(const std::string& path) const {
    std::error_code code;
    return m_files.count(path) > 0 || (m_from_disk && std::filesystem::exists(path, code));
}

const std::string& FileSource::read(const std::string& path) {
    const auto known = m_files.find(path);
    if (known != m_files.end()) return known->second;
    if (!m_from_disk) throw Error(path + ": the recording does not carry this file, which its scene names");
    return m_files.emplace(path, read_file(path)).first->second;
}

}  // namespace plica
