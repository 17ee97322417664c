#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

#include "core/error.hpp"
#include "core/file_source.hpp"
#include "core/input_file.hpp"
#include "core/locked_file.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/texts.hpp"

namespace plica::testing {
namespace {

class FilesTest : public TempFolderTest {};

std::string told(const std::function<void()>& action, Status status) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), status) << error.what();
        return error.what();
    }
    return "nothing was thrown";
}

TEST_F(FilesTest, AFileIsReadOnce) {
    spill(file(), "before");
    FileSource disk(m_folder.string());
    EXPECT_EQ(disk.locate("a"), file());
    EXPECT_EQ(disk.locate("/b"), "/b");
    EXPECT_TRUE(disk.has(file()));
    EXPECT_FALSE(disk.has(file("none")));
    EXPECT_EQ(disk.read(file()), "before");
    spill(file(), "after");
    EXPECT_EQ(disk.read(file()), "before");
    EXPECT_EQ(disk.files(), (StoredFiles{{file(), "before"}}));
    EXPECT_EQ(FileSource("").read(file()), "after") << "the control: another source looks again";
}

TEST_F(FilesTest, WhatIsCarriedIsNotLookedForOnTheDisk) {
    spill(file(), "on the disk");
    spill(file("b"), "on the disk");
    FileSource carried(m_folder.string(), {{file(), "carried"}});
    EXPECT_EQ(carried.read(file()), "carried");
    EXPECT_FALSE(carried.has(file("b")));
    EXPECT_EQ(told([&] { carried.read(file("b")); }, Status::bad_input),
              file("b") + ": the recording does not carry this file, which its scene names");
}

// Rights bind nobody who is root: these are looked at as somebody else.
class SomebodyElse {
public:
    SomebodyElse() : m_changed(geteuid() == 0 && seteuid(65534) == 0) {}
    ~SomebodyElse() {
        if (m_changed && seteuid(0) != 0) ADD_FAILURE() << "not root again";
    }
    SomebodyElse(const SomebodyElse&) = delete;
    SomebodyElse& operator=(const SomebodyElse&) = delete;

private:
    bool m_changed;
};

TEST_F(FilesTest, WhatCannotBeReadIsNotMissing) {
    spill(file(), "secret");
    std::filesystem::permissions(m_folder, std::filesystem::perms::all);
    std::filesystem::permissions(file(), std::filesystem::perms::none);
    std::filesystem::create_directory(file("closed"));
    spill(file("closed/a"), "secret");
    std::filesystem::permissions(file("closed"), std::filesystem::perms::none);
    {
        const SomebodyElse nobody;
        EXPECT_EQ(told([&] { read_file(file()); }, Status::environment),
                  file() + ": cannot be read: Permission denied");
        EXPECT_EQ(told([&] { read_file(file("closed/a")); }, Status::environment),
                  file("closed/a") + ": cannot be read: Permission denied");
        EXPECT_EQ(told([&] { read_file(file("none")); }, Status::bad_input), file("none") + ": there is no such file");
        EXPECT_NE(told([&] { const LockedFile out(file(), "MAGIC"); }, Status::environment).find("Permission denied"),
                  std::string::npos);
    }
    std::filesystem::permissions(file("closed"), std::filesystem::perms::all);
    std::filesystem::permissions(file(), std::filesystem::perms::owner_all);
    EXPECT_EQ(read_file(file()), "secret") << "the control";
}

TEST_F(FilesTest, ALockedFileHasOneWriter) {
    {
        LockedFile first(file(), "MAGIC");
        first.write("MAGIC and more");
        EXPECT_NE(told([&] { const LockedFile second(file(), "MAGIC"); }, Status::bad_input).find("another run"),
                  std::string::npos);
        EXPECT_EQ(slurp(file()), "MAGIC and more");
        first.close();
    }
    LockedFile again(file(), "MAGIC");
    EXPECT_EQ(slurp(file()), "") << "replaced";
    again.remove();
    EXPECT_FALSE(std::filesystem::exists(file()));
    EXPECT_FALSE(again.is_open());
}

}  // namespace
}  // namespace plica::testing
