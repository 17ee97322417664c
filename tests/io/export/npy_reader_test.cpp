#include "io/export/npy_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "io/export/npy.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/texts.hpp"

namespace plica {
namespace {

using testing::contains;
using testing::spill;

class NpyReaderTest : public testing::TempFolderTest {
protected:
    // A file of the version with this dictionary and these bytes.
    [[nodiscard]] std::string write(const std::string& dictionary, const std::string& values, int version = 1) const {
        std::string text("\x93NUMPY");
        text += static_cast<char>(version);
        text += '\0';
        for (int k = 0; k < (version == 1 ? 2 : 4); ++k)
            text += static_cast<char>((dictionary.size() >> (8 * k)) & 0xFF);
        spill(file(), text + dictionary + values);
        return file();
    }
    void expect_refused(const std::string& path, const std::string& named, Status status = Status::bad_input) const {
        try {
            NpyReader reader(path);
            ADD_FAILURE() << "accepted: " << named;
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), status) << error.what();
            EXPECT_TRUE(contains(error.what(), named)) << error.what();
            EXPECT_EQ(std::string(error.what()).rfind(path + ": ", 0), 0U) << error.what();
        }
    }
};

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
    std::string bytes(numbers.size() * sizeof(Number), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

std::string dictionary(const std::string& type, const std::string& shape, const std::string& fortran = "False") {
    std::string text("{'descr': '");
    return text.append(type).append("', 'fortran_order': ").append(fortran).append(", 'shape': ").append(shape) + ", }";
}

TEST_F(NpyReaderTest, ReadsWhatTheWriterWrote) {
    const std::vector<double> rows{1.0 / 3.0, -2e300, 5e-324, std::numeric_limits<double>::infinity(), 0.0, -0.0};
    NpyWriter writer(file(), {3});
    writer.append(std::span(rows).subspan(0, 3));
    writer.append(std::span(rows).subspan(3, 3));
    writer.close();
    NpyReader reader(file());
    EXPECT_EQ(reader.shape(), (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(reader.shape_text(), "(2, 3)");
    std::vector<double> values(6);
    reader.read(std::span(values).subspan(0, 2));
    reader.read(std::span(values).subspan(2, 4));
    EXPECT_EQ(bytes_of(values), bytes_of(rows));
    EXPECT_THROW(reader.read(std::span(values).subspan(0, 1)), Error);
}

TEST_F(NpyReaderTest, ReadsFloat32AndAllVersions) {
    const std::vector<float> numbers{0.1F, -3e38F, 1e-45F, std::nanf("")};
    for (const int version : {1, 2, 3}) {
        NpyReader reader(write(dictionary("<f4", "(4,)"), bytes_of(numbers), version));
        EXPECT_EQ(reader.shape_text(), "(4,)");
        std::vector<double> values(4);
        reader.read(values);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(values[i], static_cast<double>(numbers[i]));
        EXPECT_TRUE(std::isnan(values[3]));
    }
}

TEST_F(NpyReaderTest, RefusesWhatItCannotRead) {
    const std::string two = bytes_of(std::vector<double>{1.0, 2.0});
    expect_refused(write(dictionary("<i8", "(2,)"), two), "'<i8'");
    expect_refused(write(dictionary(">f8", "(2,)"), two), "'>f8'");
    expect_refused(write(dictionary("<f2", "(2,)"), two), "float32");
    expect_refused(write("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (2,), }", two), "float64");
    expect_refused(write(dictionary("<f8", "(2,)", "True"), two), "Fortran");
    expect_refused(write(dictionary("<f8", "(2,)", "perhaps"), two), "fortran_order");
    expect_refused(write(dictionary("<f8", "2"), two), "shape");
    expect_refused(write(dictionary("<f8", "(-2,)"), two), "extents");
    expect_refused(write(dictionary("<f8", "(2x,)"), two), "extents");
    expect_refused(write(dictionary("<f8", "(99999999999999999999,)"), two), "extents");
    expect_refused(write(dictionary("<f8", "(999999999999999, 999999999999999)"), two), "larger");
    expect_refused(write(dictionary("<f8", "(3,)"), two), "expected 24");
    expect_refused(write(dictionary("<f8", "(1,)"), two), "expected 8");
    expect_refused(write("", ""), "no plain type");
    expect_refused(write("{'descr': '<f8', 'fortran_order': False, }", two), "shape");
    expect_refused(write(dictionary("<f8", "(2,)"), two, 4), "version 4");
    expect_refused(file("missing"), "no such file");
    expect_refused(m_folder.string(), "expected a file");
    spill(file(), "not an array at all");
    expect_refused(file(), "numpy.save");
    spill(file(), "");
    expect_refused(file(), "numpy.save");
    std::filesystem::create_symlink("/proc/self/mem", file("unreadable"));  // opens, but its start cannot be read
    expect_refused(file("unreadable"), "cannot be read", Status::environment);
}

TEST_F(NpyReaderTest, ACutFileIsRefusedWhereverItIsCut) {
    const std::string whole = testing::slurp(write(dictionary("<f8", "(2,)"), bytes_of(std::vector<double>{1, 2})));
    EXPECT_NO_THROW(NpyReader{file()});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        spill(file(), whole.substr(0, size));
        EXPECT_THROW(NpyReader{file()}, Error) << size;
    }
}

}  // namespace
}  // namespace plica
