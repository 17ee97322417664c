#pragma once
#include <string>
#include <string_view>

namespace plica {

// A file that grows in place while nobody else writes to it: a lock that the system drops with the program, however it
// ends, keeps a second writer out. Failures to write throw Error with Status::environment.
class LockedFile {
public:
    // Replaces a file that is empty or begins with `magic`; whatever else is there is not ours to replace. Throws Error
    // with bad_input for that, for a folder, and where another writer has the file.
    LockedFile(std::string path, std::string_view magic);
    ~LockedFile() { close_quietly(); }
    LockedFile(const LockedFile&) = delete;
    LockedFile& operator=(const LockedFile&) = delete;
    LockedFile(LockedFile&&) = delete;
    LockedFile& operator=(LockedFile&&) = delete;

    [[nodiscard]] const std::string& path() const noexcept { return m_path; }
    [[nodiscard]] bool is_open() const noexcept { return m_file >= 0; }
    // Handed to the system when it returns.
    void write(std::string_view bytes);
    // On the disk when it returns.
    void close();
    void remove();

private:
    void lock();
    void check_content(std::string_view magic);
    void close_quietly() noexcept;
    [[noreturn]] void fail(int code);
    [[noreturn]] void refuse(const std::string& why);

    std::string m_path;
    int m_file = -1;
    bool m_regular = true;  // otherwise a device: nothing to lock, to replace or to remove
};

}  // namespace plica
