#include <gtest/gtest.h>
#include <unistd.h>

#include <clocale>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "io/export/npy.hpp"
#include "io/export/obj.hpp"
#include "io/export/vtk.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/temp_folder.hpp"

namespace plica {
namespace {

using testing::FileSizeLimit;

class ExportTest : public testing::TempFolderTest {
protected:
    // What is in the folder.
    [[nodiscard]] std::string listing() const {
        std::string names;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder))
            names += entry.path().filename().string() + ' ';
        return names;
    }
};

std::string slurp(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string error_of(const std::function<void()>& action, Status status) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), status) << error.what();
        return error.what();
    }
    return "nothing was thrown";
}

TEST_F(ExportTest, AtomicFileAppearsAtCommit) {
    std::ofstream(file()) << "before";
    AtomicFile out(file());
    out.write("one ");
    out.write("two");
    out.rewrite_start("ONE");
    out.write(" three");
    EXPECT_EQ(slurp(file()), "before");
    out.commit();
    EXPECT_EQ(slurp(file()), "ONE two three");
    EXPECT_EQ(listing(), "a ");
    EXPECT_NE(error_of([&] { out.write("more"); }, Status::environment).find(file()), std::string::npos);
    EXPECT_EQ(slurp(file()), "ONE two three");
}

TEST_F(ExportTest, AtomicFileWithoutCommitLeavesNothing) {
    {
        AtomicFile(file()).write("half");
    }
    EXPECT_EQ(listing(), "");
    std::ofstream(file()) << "before";
    {
        AtomicFile(file()).write("half");
    }
    EXPECT_EQ(slurp(file()), "before");
    EXPECT_EQ(listing(), "a ");
}

TEST_F(ExportTest, AtomicFileFailures) {
    const std::string nowhere = file("none/a");
    const std::string message = error_of([&] { const AtomicFile out(nowhere); }, Status::environment);
    EXPECT_EQ(message.rfind(nowhere + ": cannot be written: ", 0), 0U) << message;
    const auto small = [&] {
        AtomicFile out(file());
        out.write("x");
        out.commit();
    };
    {
        const FileSizeLimit none(0);
        const std::string full = error_of(small, Status::environment);
        EXPECT_EQ(full.rfind(file() + ": cannot be written: File too large", 0), 0U) << full;
        EXPECT_EQ(listing(), "");
        error_of([&] { AtomicFile(file()).write(std::string(1 << 20, 'x')); }, Status::environment);
        EXPECT_EQ(listing(), "");
    }
    small();
    EXPECT_EQ(listing(), "a ") << "the control: with room it is written";
    std::filesystem::remove(file());
    // A folder cannot be replaced.
    std::filesystem::create_directory(file());
    EXPECT_NE(error_of(small, Status::environment).find("cannot be written"), std::string::npos);
    EXPECT_EQ(listing(), "a ");
}

// Two that write the same file do not write into each other's: the last to commit wins, whole.
TEST_F(ExportTest, PartialFilesAreOnesOwn) {
    AtomicFile first(file()), second(file());
    first.write("first, and longer");
    second.write("second");
    first.commit();
    EXPECT_EQ(slurp(file()), "first, and longer");
    second.commit();
    EXPECT_EQ(slurp(file()), "second");
    EXPECT_EQ(listing(), "a ");
}

struct Npy {
    std::string dictionary;
    std::vector<double> values;
};

// Read by the letter of the format; values by memcpy, so on a little-endian machine.
Npy read_npy(const std::string& path) {
    const std::string bytes = slurp(path);
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length = static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + length) % 64, 0U);
    EXPECT_EQ(bytes[9 + length], '\n');
    const std::string header = bytes.substr(10, length - 1);
    Npy npy;
    npy.dictionary = header.substr(0, header.find_last_not_of(' ') + 1);
    const std::string data = bytes.substr(10 + length);
    EXPECT_EQ(data.size() % 8, 0U);
    npy.values.resize(data.size() / 8);
    if (!data.empty()) std::memcpy(npy.values.data(), data.data(), data.size());
    return npy;
}

TEST_F(ExportTest, NpyHoldsRows) {
    NpyWriter npy(file(), {2, 3});
    std::vector<double> expected;
    for (int n = 0; n < 11; ++n) {
        const double x = n + 0.1;
        const std::vector<double> row = {x, -x, 1 / x, -0.0, 1e-310, x * 1e200};
        expected.insert(expected.end(), row.begin(), row.end());
        npy.append(row);
        EXPECT_EQ(npy.rows(), static_cast<std::uint64_t>(n) + 1);
    }
    EXPECT_EQ(listing(), "a.partial." + std::to_string(getpid()) + " ");
    npy.close();
    npy.close();
    EXPECT_EQ(listing(), "a ");
    const Npy read = read_npy(file());
    EXPECT_EQ(read.dictionary, "{'descr': '<f8', 'fortran_order': False, 'shape': (11, 2, 3), }");
    ASSERT_EQ(read.values.size(), expected.size());
    EXPECT_EQ(std::memcmp(read.values.data(), expected.data(), 8 * expected.size()), 0);
}

TEST_F(ExportTest, NpyShapes) {
    const auto dictionary = [&](std::vector<std::size_t> trailing, const std::vector<double>& row, int rows) {
        NpyWriter npy(file(), std::move(trailing));
        for (int n = 0; n < rows; ++n) npy.append(row);
        npy.close();
        const Npy read = read_npy(file());
        EXPECT_EQ(read.values.size(), row.size() * static_cast<std::size_t>(rows));
        return read.dictionary.substr(read.dictionary.find("'shape'"));
    };
    EXPECT_EQ(dictionary({}, {1.5}, 3), "'shape': (3,), }");
    EXPECT_EQ(dictionary({}, {1.5}, 0), "'shape': (0,), }");
    EXPECT_EQ(dictionary({1, 3}, {1, 2, 3}, 0), "'shape': (0, 1, 3), }");
    EXPECT_EQ(dictionary({0, 6}, {}, 4), "'shape': (4, 0, 6), }");
    const std::vector<std::size_t> many(40, 1);
    EXPECT_EQ(dictionary(many, {2}, 100000).substr(0, 20), "'shape': (100000, 1,");
}

TEST_F(ExportTest, NpyRefusals) {
    {
        NpyWriter npy(file(), {3});
        npy.append(std::vector<double>{1, 2, 3});
        EXPECT_NE(error_of([&] { npy.append(std::vector<double>{1, 2}); }, Status::bad_input).find("2 values where 3"),
                  std::string::npos);
    }
    EXPECT_EQ(listing(), "");
    const std::size_t huge = std::numeric_limits<std::size_t>::max() / 16;
    error_of([&] { const NpyWriter npy(file(), {huge, 4}); }, Status::bad_input);
    EXPECT_EQ(listing(), "");
    const FileSizeLimit full(100);
    NpyWriter npy(file(), {});
    npy.append(std::vector<double>{1});
    EXPECT_EQ(error_of([&] { npy.close(); }, Status::environment).rfind(file() + ": cannot be written", 0), 0U);
    EXPECT_EQ(listing(), "");
}

Capsule capsule(int a, int b, double radius, int body) {
    return {a, b, radius, body, -1, 0, 1, false};
}

Triangle triangle(int a, int b, int c, double half_thickness, int body) {
    return {a, b, c, half_thickness, body, -1, 0, 0};
}

const std::vector<Vec3>& some_positions() {
    static const std::vector<Vec3> positions = {
        {0, -0.0, 1.0 / 3.0}, {-1.5, 2e-12, 1234567.891}, {0.1, 0.2, 0.3}, {1e-300, 1, 100000}};
    return positions;
}

Surface some_surface() {
    return {{capsule(0, 1, 0.01, 0), capsule(2, 2, 0.5, 1), capsule(3, 1, 0.1, 2)}, {triangle(0, 2, 3, 0.001, 3)}};
}

// Takes lines and big-endian values off a VTK file.
struct VtkText {
    std::string bytes;
    std::size_t at = 0;

    std::string line() {
        const std::size_t end = bytes.find('\n', at);
        if (end == std::string::npos) return "no line";
        std::string text = bytes.substr(at, end - at);
        at = end + 1;
        return text;
    }
    std::uint64_t word(std::size_t size) {
        std::uint64_t value = 0;
        for (std::size_t k = 0; k < size; ++k) value = (value << 8) | static_cast<unsigned char>(bytes.at(at++));
        return value;
    }
    std::vector<double> doubles(std::size_t count) {
        std::vector<double> values(count);
        for (double& value : values) {
            const std::uint64_t bits = word(8);
            std::memcpy(&value, &bits, 8);
        }
        EXPECT_EQ(line(), "");
        return values;
    }
    std::vector<int> ints(std::size_t count) {
        std::vector<int> values(count);
        for (int& value : values) value = static_cast<std::int32_t>(static_cast<std::uint32_t>(word(4)));
        EXPECT_EQ(line(), "");
        return values;
    }
    void expect_start() {
        EXPECT_EQ(line(), "# vtk DataFile Version 3.0");
        EXPECT_EQ(line(), "Plica frame");
        EXPECT_EQ(line(), "BINARY");
        EXPECT_EQ(line(), "DATASET POLYDATA");
    }
};

TEST_F(ExportTest, VtkHoldsTheFrame) {
    write_vtk_frame(file(), some_positions(), some_surface());
    EXPECT_EQ(listing(), "a ");
    VtkText vtk{slurp(file())};
    vtk.expect_start();
    EXPECT_EQ(vtk.line(), "POINTS 4 double");
    const std::vector<double> points = vtk.doubles(12);
    EXPECT_EQ(std::memcmp(points.data(), some_positions().data(), 96), 0);
    EXPECT_EQ(vtk.line(), "LINES 2 6");
    EXPECT_EQ(vtk.ints(6), (std::vector{2, 0, 1, 2, 3, 1}));
    EXPECT_EQ(vtk.line(), "POLYGONS 1 4");
    EXPECT_EQ(vtk.ints(4), (std::vector{3, 0, 2, 3}));
    EXPECT_EQ(vtk.line(), "CELL_DATA 3");
    EXPECT_EQ(vtk.line(), "SCALARS radius double 1");
    EXPECT_EQ(vtk.line(), "LOOKUP_TABLE default");
    EXPECT_EQ(vtk.doubles(3), (std::vector{0.01, 0.1, 0.001}));
    EXPECT_EQ(vtk.line(), "SCALARS body int 1");
    EXPECT_EQ(vtk.line(), "LOOKUP_TABLE default");
    EXPECT_EQ(vtk.ints(3), (std::vector{0, 2, 3}));
    EXPECT_EQ(vtk.at, vtk.bytes.size());
}

TEST_F(ExportTest, VtkLeavesOutEmptySections) {
    write_vtk_frame(file(), std::vector<Vec3>{{1, 2, 3}}, {{capsule(0, 0, 0.5, 1)}, {}});
    VtkText vtk{slurp(file())};
    vtk.expect_start();
    EXPECT_EQ(vtk.line(), "POINTS 1 double");
    EXPECT_EQ(vtk.doubles(3), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(vtk.at, vtk.bytes.size());

    write_vtk_frame(file(), some_positions(), {{}, {triangle(1, 2, 3, 0.25, 9)}});
    VtkText sheet{slurp(file())};
    sheet.expect_start();
    sheet.line();
    sheet.doubles(12);
    EXPECT_EQ(sheet.line(), "POLYGONS 1 4");
    EXPECT_EQ(sheet.ints(4), (std::vector{3, 1, 2, 3}));
    EXPECT_EQ(sheet.line(), "CELL_DATA 1");

    write_vtk_frame(file(), {}, {});
    EXPECT_NE(slurp(file()).find("POINTS 0 double\n"), std::string::npos);
}

TEST_F(ExportTest, ObjHoldsTheFrame) {
    write_obj_frame(file(), some_positions(), some_surface());
    EXPECT_EQ(slurp(file()),
              "# Plica frame, metres\n"
              "v 0 -0 0.333333333\n"
              "v -1.5 2e-12 1234567.89\n"
              "v 0.1 0.2 0.3\n"
              "v 1e-300 1 100000\n"
              "l 1 2\n"
              "l 4 2\n"
              "f 1 3 4\n");
    EXPECT_EQ(listing(), "a ");
}

TEST_F(ExportTest, ObjOfOneNode) {
    write_obj_frame(file(), std::vector<Vec3>{{1, 2, 3}}, {{capsule(0, 0, 0.5, 1)}, {}});
    EXPECT_EQ(slurp(file()), "# Plica frame, metres\nv 1 2 3\n");
}

TEST_F(ExportTest, NumbersDoNotFollowTheLocale) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    const char* comma = nullptr;
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "es_ES.UTF-8"}) {
        if (comma == nullptr) comma = std::setlocale(LC_ALL, name);
    }
    if (comma == nullptr) GTEST_SKIP() << "no locale with a decimal comma here";
    write_obj_frame(file(), std::vector<Vec3>{{1.5, 2000.25, 3}}, {});
    std::setlocale(LC_ALL, before.c_str());
    EXPECT_EQ(slurp(file()), "# Plica frame, metres\nv 1.5 2000.25 3\n");
}

TEST_F(ExportTest, FramesThatCannotBeAreRefused) {
    const Surface bad[] = {
        {{capsule(0, 4, 0.1, 0)}, {}}, {{capsule(-1, 0, 0.1, 0)}, {}}, {{}, {triangle(0, 1, 9, 0, 0)}}};
    for (const Surface& surface : bad) {
        for (const auto write : {write_vtk_frame, write_obj_frame}) {
            const std::string message = error_of([&] { write(file(), some_positions(), surface); }, Status::bad_input);
            EXPECT_EQ(message.rfind(file() + ": the surface names node ", 0), 0U) << message;
        }
    }
    const std::vector<Vec3> lost = {{0, 0, 0}, {0, std::nan(""), 0}};
    EXPECT_EQ(error_of([&] { write_obj_frame(file(), lost, {}); }, Status::invalid), file() + ": node 1 is not finite");
    EXPECT_EQ(listing(), "");
    const FileSizeLimit full(100);
    error_of([&] { write_vtk_frame(file(), some_positions(), some_surface()); }, Status::environment);
    EXPECT_EQ(listing(), "");
}

}  // namespace
}  // namespace plica
