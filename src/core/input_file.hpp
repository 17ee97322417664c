#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

namespace plica {

// A file that is there already. Throws Error: bad_input where there is none or it is no file, environment where it
// cannot be read.
class InputFile {
public:
    explicit InputFile(std::string path);

    [[nodiscard]] const std::string& path() const noexcept { return m_path; }
    [[nodiscard]] std::uint64_t size() const noexcept { return m_size; }  // bytes, as it was opened
    // How many bytes there were: less than asked for only at the end of the file.
    std::size_t read(std::span<char> bytes);
    std::string read_rest();

private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string m_path;
    std::unique_ptr<std::FILE, Closer> m_file;
    std::uint64_t m_size = 0;
};

// All of a file.
std::string read_file(const std::string& path);

}  // namespace plica
