#include "core/locked_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace plica {

LockedFile::LockedFile(std::string path, std::string_view magic) : m_path(std::move(path)) {
    if (m_path.empty()) throw Error("found an empty path, expected a file to write to");
    m_file = open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (m_file < 0 && errno == EISDIR) throw Error(m_path + ": is a folder, expected a file to write to");
    if (m_file < 0) fail(errno);
    struct stat found{};
    if (fstat(m_file, &found) != 0) fail(errno);
    m_regular = S_ISREG(found.st_mode);
    if (!m_regular && !S_ISCHR(found.st_mode)) refuse("is neither a file nor a device, expected a file to write to");
    if (!m_regular) return;
    lock();
    check_content(magic);
    if (ftruncate(m_file, 0) != 0) fail(errno);
}

void LockedFile::lock() {
    if (flock(m_file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) refuse("another run is writing it; expected a file of its own for each");
        if (errno != ENOTSUP && errno != ENOLCK && errno != ENOSYS) fail(errno);  // a file system without locks
    }
    // Between opening and locking it may have been removed by who had it.
    struct stat here{}, there{};
    const bool same = fstat(m_file, &here) == 0 && stat(m_path.c_str(), &there) == 0 && here.st_ino == there.st_ino &&
                      here.st_dev == there.st_dev;
    if (!same) refuse("another run is writing it; expected a file of its own for each");
}

void LockedFile::check_content(std::string_view magic) {
    std::string start(magic.size(), '\0');
    const ssize_t count = pread(m_file, start.data(), start.size(), 0);
    if (count < 0) fail(errno);
    start.resize(static_cast<std::size_t>(count));
    if (!start.empty() && start != magic) {
        refuse("is no recording and would be lost; expected a new file or an earlier recording");
    }
}

void LockedFile::close_quietly() noexcept {
    if (m_file >= 0) ::close(std::exchange(m_file, -1));
}

void LockedFile::fail(int code) {
    close_quietly();
    throw Error(m_path + ": cannot be written: " + std::generic_category().message(code), Status::environment);
}

void LockedFile::refuse(const std::string& why) {
    close_quietly();
    throw Error(m_path + ": " + why);
}

void LockedFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(m_file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(errno);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

void LockedFile::close() {
    if (m_file < 0) return;
    if (m_regular && fsync(m_file) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
    if (::close(std::exchange(m_file, -1)) != 0) fail(errno);
}

void LockedFile::remove() {
    if (m_regular) unlink(m_path.c_str());
    close_quietly();
}

}  // namespace plica
