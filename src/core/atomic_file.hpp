#pragma once
#include <cstdio>
#include <string>
#include <string_view>

namespace plica {

// A name beside `path` that no other program and nobody else in this one uses: PATH.partial.PID, the first that is
// free. The file is there when it returns, empty. Throws Error with Status::environment.
std::string reserve_partial(const std::string& path);

// A file that is there whole or not at all: it is written under a name of its own and takes its name at commit(), when
// the system has taken all its bytes. Without a commit the partial file is removed and whatever was at PATH before is
// left as it was. Every failure throws Error with Status::environment.
class AtomicFile {
public:
    explicit AtomicFile(std::string path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    AtomicFile(AtomicFile&&) = delete;
    AtomicFile& operator=(AtomicFile&&) = delete;

    [[nodiscard]] const std::string& path() const noexcept { return m_path; }
    void write(std::string_view bytes);
    // Replaces the first bytes of the file, which must have been written already; later writes go on at the end.
    void rewrite_start(std::string_view bytes);
    void commit();

private:
    [[noreturn]] void fail(int code);

    std::string m_path;
    std::string m_partial;
    std::FILE* m_file = nullptr;
};

}  // namespace plica
