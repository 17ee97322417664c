#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace plica::testing {

// A folder of its own for each test, gone afterwards.
class TempFolderTest : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path() /
                   (std::string("plica_") + info->name() + "_" + std::to_string(::getpid()));
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }
    [[nodiscard]] std::string file(const std::string& name = "a") const { return (m_folder / name).string(); }

    std::filesystem::path m_folder;
};

}  // namespace plica::testing
