#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace plica {

// Contents of files by their paths.
using StoredFiles = std::map<std::string, std::string>;

// Where the files that a scene names are read from: the disk, or what a recording carries. It keeps what was read, so
// that each file is read once and a recording can carry it.
class FileSource {
public:
    // From the disk. folder: what the scene's paths are relative to.
    explicit FileSource(std::string folder) : m_folder(std::move(folder)) {}
    // From these alone, whatever is on the disk.
    FileSource(std::string folder, StoredFiles files)
        : m_folder(std::move(folder)), m_files(std::move(files)), m_from_disk(false) {}

    [[nodiscard]] const std::string& folder() const noexcept { return m_folder; }
    void set_folder(std::string folder) { m_folder = std::move(folder); }
    // Where a path that a scene writes leads to.
    [[nodiscard]] std::string locate(const std::string& written) const;
    [[nodiscard]] bool has(const std::string& path) const;
    // All of a file; the bytes last as long as the source. Throws Error as InputFile does; of a file that is not
    // carried, bad_input.
    const std::string& read(const std::string& path);
    // What was read so far, or what is carried.
    [[nodiscard]] const StoredFiles& files() const noexcept { return m_files; }

private:
    std::string m_folder;
    StoredFiles m_files;
    bool m_from_disk = true;
};

// One source for all that a scene reads.
using Files = std::shared_ptr<FileSource>;

}  // namespace plica
