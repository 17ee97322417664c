#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/io/recording/recordings.hpp"
#include "tests/support/file_size_limit.hpp"

namespace plica::testing {
namespace {

TEST_F(RecordingTest, GivesBackWhatWasWritten) {
    const Sample sample = make_sample(23, 3, 57, 0.05);
    write(file(), sample);
    expect_whole(file(), sample);
}

TEST_F(RecordingTest, EdgeSizes) {
    for (const auto& [nodes, tools, steps] :
         {std::array{1, 0, 0}, std::array{0, 0, 0}, std::array{0, 0, 5}, std::array{1, 0, 1}, std::array{1, 1, 41},
          std::array{7, 0, 3}, std::array{0, 2, 30}}) {
        const Sample sample = make_sample(nodes, tools, steps, 0.1);
        write(file(), sample);
        expect_whole(file(), sample);
    }
}

TEST_F(RecordingTest, EveryBitPatternSurvives) {
    Sample sample = make_sample(40, 1, 30, 0.1);
    Random random{5};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    const double special[] = {0.0, -0.0, nan, -nan, inf, -inf, 1e-310, -1e-42, 3e38, 1e-30};
    for (Step& step : sample.steps) {
        for (Vec3& p : step.positions) p = random_vec(random, std::pow(10.0, random.uniform(-40.0, 38.0)));
        step.positions[3] = {special[random.next() % 10], special[random.next() % 10], special[random.next() % 10]};
        step.forces[0] = step.inputs.gravity = step.positions[3];
        step.inputs.tools[0] = {
            {-0.0, nan, 5e-324}, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    }
    write(file(), sample);
    expect_whole(file(), sample);
}

// Two bodies, a tube and a triangle, walls, a sphere and a hand; two fields, of which one has two ranges.
void add_shapes(RecordingHeader& header) {
    Shapes& shapes = header.shapes;
    shapes.bodies = {{"gut", TissueKind::mass_spring, 0, 4, {1, 2}},
                     {"balloon", TissueKind::own, 4, 5, {}, "gas", 1, true}};
    Capsule tube{{0, 1, 0.01}, {0, 3, 0, 1, false}}, ball{{8, 8, 0.02}, {-1, -1, 0, 0, false}};
    Triangle triangle{{4, 5, 6, 0.001}, {1, -1, 0, 0}};
    triangle.sheet = true;
    triangle.own = false;
    shapes.surface.capsules = {tube, ball};
    shapes.surface.triangles = {triangle};
    shapes.walls = {{WallKind::bowl, {1, 2, 3}, {0, 0, 1}, {4, 4, 4}, 0.3}, {}};
    shapes.tools.resize(2);
    shapes.tools[0].name = "ball";
    shapes.tools[0].kind = ToolKind::sphere;
    shapes.tools[0].node = 8;
    shapes.column = {0, 1, 2, 3, -1, -1, -1, -1, -1};
    for (int i = 0; i < 9; ++i) shapes.rest.push_back({0.1 * i, 1.0 / 3.0, -2.0});
    header.fields = {{"temperature", "J/m^2", {{0, 2}, {4, 1}}, {}}, {"pressure", "Pa", {{8, 1}}, {}}};
}

TEST_F(RecordingTest, SurfacesFieldsAndFilesComeBack) {
    Sample sample = make_sample(9, 2, 30, 0.1);
    add_shapes(sample.header);
    sample.header.folder = "models";
    sample.header.files = {{"models/liver.stl", std::string(100000, 'a') + '\0' + "b"}, {"models/none.obj", ""}};
    Random random{3};
    for (Step& step : sample.steps) {
        for (int i = 0; i < 4; ++i) step.values.push_back(static_cast<float>(random.uniform(-1.0, 5.0)));
        if (random.next() % 2 == 0) step.inputs.tuning.bodies.push_back({1, random.uniform(0.5, 2.0), 1.0});
    }
    write(file(), sample);
    expect_whole(file(), sample);
    const RecordingReader reader(file());
    const RecordingHeader& header = reader.header();
    const Shapes &read = header.shapes, &written = sample.header.shapes;
    ASSERT_EQ(read.bodies.size(), 2U);
    EXPECT_EQ(read.bodies[0].exempt, written.bodies[0].exempt);
    EXPECT_EQ(read.bodies[0].tissue, TissueKind::mass_spring);
    EXPECT_EQ(read.bodies[1].name, "balloon");
    EXPECT_EQ(read.bodies[1].tissue, TissueKind::own);
    EXPECT_EQ(read.bodies[1].shape, "gas");
    EXPECT_EQ(read.bodies[1].first_node, 4);
    EXPECT_EQ(read.bodies[1].tool, 1);
    EXPECT_TRUE(read.bodies[1].open);
    EXPECT_FALSE(read.bodies[0].open);
    ASSERT_EQ(read.surface.capsules.size(), 2U);
    EXPECT_EQ(read.surface.capsules[0].chain, 3);
    EXPECT_EQ(read.surface.capsules[1].a, 8);
    EXPECT_EQ(read.surface.capsules[1].radius, 0.02);
    EXPECT_EQ(read.surface.capsules[1].body, -1);
    ASSERT_EQ(read.surface.triangles.size(), 1U);
    EXPECT_EQ(read.surface.triangles[0].c, 6);
    EXPECT_EQ(read.surface.triangles[0].half_thickness, 0.001);
    EXPECT_TRUE(read.surface.triangles[0].sheet);
    EXPECT_FALSE(read.surface.triangles[0].own);
    ASSERT_EQ(read.walls.size(), 2U);
    EXPECT_EQ(read.walls[0].kind, WallKind::bowl);
    EXPECT_EQ(read.walls[0].center, written.walls[0].center);
    ASSERT_EQ(read.tools.size(), 2U);
    EXPECT_EQ(read.tools[0].node, 8);
    EXPECT_EQ(read.column, written.column);
    EXPECT_EQ(read.rest, written.rest);
    EXPECT_EQ(read.dt, header.dt);
    ASSERT_EQ(header.fields.size(), 2U);
    EXPECT_EQ(header.fields[0].unit, "J/m^2");
    EXPECT_EQ(count_values(header.fields[0]), 3U);
    EXPECT_EQ(header.fields[1].where[0].first_node, 8);
    EXPECT_EQ(header.folder, "models");
    EXPECT_EQ(header.files, sample.header.files);
    EXPECT_LT(std::filesystem::file_size(file()), 20000U) << "the files are compressed";
}

// What is written as a header must be one that can be read: each of these is refused by the reader.
TEST_F(RecordingTest, SurfacesBeyondTheNodesAreRefused) {
    Sample sample = make_sample(9, 2, 1, 0.1);
    add_shapes(sample.header);
    sample.steps[0].values.resize(4);
    const std::vector<std::function<void(RecordingHeader&)>> changes = {
        [](RecordingHeader& h) { h.shapes.surface.capsules[0].b = 9; },
        [](RecordingHeader& h) { h.shapes.surface.capsules[0].a = -1; },
        [](RecordingHeader& h) { h.shapes.surface.capsules[0].body = 2; },
        [](RecordingHeader& h) { h.shapes.surface.capsules[0].radius = -1.0; },
        [](RecordingHeader& h) { h.shapes.surface.capsules[0].radius = std::nan(""); },
        [](RecordingHeader& h) { h.shapes.surface.triangles[0].c = 1000000; },
        [](RecordingHeader& h) { h.shapes.surface.triangles[0].body = -2; },
        [](RecordingHeader& h) { h.shapes.bodies[1].nodes = 6; },
        [](RecordingHeader& h) { h.shapes.bodies[1].first_node = -4; },
        [](RecordingHeader& h) { h.shapes.bodies[1].tool = 2; },
        [](RecordingHeader& h) { h.shapes.bodies[0].exempt[0] = 9; },
        [](RecordingHeader& h) { h.shapes.tools[0].node = -1; },
        [](RecordingHeader& h) { h.shapes.tools[0].kind = static_cast<ToolKind>(9); },
        [](RecordingHeader& h) { h.shapes.tools.pop_back(); },
        [](RecordingHeader& h) { h.shapes.walls[0].kind = static_cast<WallKind>(9); },
        [](RecordingHeader& h) { h.shapes.walls[0].center.x = 1e30; },
        [](RecordingHeader& h) { h.shapes.column.pop_back(); },
        [](RecordingHeader& h) { h.shapes.rest.clear(); },
        [](RecordingHeader& h) { h.shapes.rest[3].y = std::nan(""); },
        [](RecordingHeader& h) { h.fields[0].where[1] = {1, 1}; },
        [](RecordingHeader& h) { h.fields[1].where[0] = {8, 2}; },
        [](RecordingHeader& h) { h.fields[1].where[0].first_node = -1; }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        Sample changed = sample;
        changes[i](changed.header);
        {
            const RecordingWriter writer(file(), changed.header, changed.initial);
        }
        EXPECT_EQ(open_error(file()), file() + ": the recording's first block is damaged") << i;
    }
    write(file(), sample);
    expect_whole(file(), sample);
}

TEST_F(RecordingTest, FactorsOfNoBodyAreRefused) {
    Sample sample = make_sample(3, 0, 1, 0.1);
    sample.steps[0].inputs.tuning.bodies = {{0, 2.0, 1.0}};
    RecordingWriter writer(file(), sample.header, sample.initial, never);
    EXPECT_NE(error_of([&] { append(writer, sample.steps[0]); }, Status::bad_input).find("factors of body 0"),
              std::string::npos);
}

// A second writer is kept out as long as the first is at work, and what the first wrote is whole.
TEST_F(RecordingTest, TwoWritersOfOneFile) {
    const Sample sample = make_sample(5, 1, 8, 0.1), other = make_sample(7, 0, 3, 0.1);
    RecordingWriter writer(file(), sample.header, sample.initial, never);
    append(writer, sample.steps[0]);
    const std::string refused = error_of([&] { write(file(), other); }, Status::bad_input);
    EXPECT_EQ(refused, file() + ": another run is writing it; expected a file of its own for each");
    for (std::size_t i = 1; i < sample.steps.size(); ++i) append(writer, sample.steps[i]);
    writer.close();
    expect_whole(file(), sample);
    write(file(), other);
    expect_whole(file(), other);
}

TEST_F(RecordingTest, OnlyRecordingsAreReplaced) {
    const Sample sample = make_sample(5, 1, 8, 0.1);
    spill(file(), "plica = 1\n");
    EXPECT_NE(error_of([&] { write(file(), sample); }, Status::bad_input).find("is no recording and would be lost"),
              std::string::npos);
    EXPECT_EQ(slurp(file()), "plica = 1\n");
    EXPECT_NE(error_of([&] { write(m_folder.string(), sample); }, Status::bad_input).find("is a folder"),
              std::string::npos);
    EXPECT_NE(error_of([&] { write("", sample); }, Status::bad_input).find("an empty path"), std::string::npos);
    mkfifo(file("fifo").c_str(), 0600);
    EXPECT_NE(error_of([&] { write(file("fifo"), sample); }, Status::bad_input).find("neither a file nor a device"),
              std::string::npos);
    spill(file(), "");
    write(file(), sample);
    expect_whole(file(), sample);
}

// A header that does not fit on the disk leaves nothing behind.
TEST_F(RecordingTest, NothingIsLeftOfAHeaderThatCannotBeWritten) {
    Sample sample = make_sample(5000, 1, 0, 0.1);
    sample.header.files = {{"liver.stl", "solid"}};
    for (const std::size_t room : {0U, 5U, 20U, 1000U}) {
        const FileSizeLimit limit(room);
        EXPECT_NE(error_of([&] { write(file(), sample); }, Status::environment).find("cannot be written"),
                  std::string::npos);
        EXPECT_FALSE(std::filesystem::exists(file())) << room;
    }
    write(file(), sample);
    expect_whole(file(), sample);
}

TEST_F(RecordingTest, ADifferentStepIsNoticed) {
    const Sample sample = make_sample(5, 1, 6, 0.1);
    write(file(), sample);
    const std::vector<std::function<void(Step&)>> changes = {
        [](Step& s) { s.hash ^= 1; },
        [](Step& s) { s.inputs.gravity.y = std::nextafter(s.inputs.gravity.y, 9.0); },
        [](Step& s) { s.inputs.tools[0].target.z = std::nextafter(s.inputs.tools[0].target.z, 9.0); },
        [](Step& s) { s.inputs.tools[0].node += 1; },
        [](Step& s) { s.inputs.tools[0].present ^= 1; },
        [](Step& s) { s.forces[0].x = std::nextafter(s.forces[0].x, 9.0); },
        [](Step& s) { s.torques[0].z = std::nextafter(s.torques[0].z, 9.0); },
        [](Step& s) { s.positions[4].z = std::nextafter(static_cast<float>(s.positions[4].z), 9.0F); }};
    for (const auto& change : changes) {
        Sample other = sample;
        change(other.steps[4]);
        RecordingReader reader(file());
        EXPECT_EQ(matching_steps(reader, other), -1);
    }
}

TEST_F(RecordingTest, BlocksHoldAtMostOneSimulatedSecond) {
    for (const auto& [dt, per_block] : {std::pair{0.1, 10U}, {1.0 / 3.0, 3U}, {0.4, 2U}, {1.0, 1U}, {7.0, 1U}}) {
        const Sample sample = make_sample(2, 0, 25, dt);
        write(file(), sample);
        const std::vector<Block> blocks = blocks_of(slurp(file()));
        ASSERT_EQ(blocks.size(), 2 + (25 + per_block - 1) / per_block);
        EXPECT_EQ(blocks.front().type, 1U);
        EXPECT_EQ(blocks.back().type, 3U);
        for (std::size_t i = 1; i + 2 < blocks.size(); ++i) EXPECT_EQ(blocks[i].steps, per_block);
        expect_whole(file(), sample);
    }
}

TEST_F(RecordingTest, FlushesWithWallTime) {
    const Sample sample = make_sample(4, 1, 3, 0.001);
    const auto readable_after = [&](RecordingWriter&& writer, int milliseconds) {
        append(writer, sample.steps[0]);
        append(writer, sample.steps[1]);
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        append(writer, sample.steps[2]);
        RecordingReader reader(file());
        EXPECT_TRUE(reader.truncated());
        EXPECT_FALSE(reader.damaged());
        EXPECT_NE(reader.message().find("not finished"), std::string::npos) << reader.message();
        return matching_steps(reader, sample);
    };
    EXPECT_EQ(readable_after(RecordingWriter(file(), sample.header, sample.initial, never), 30), 0);
    EXPECT_EQ(readable_after(RecordingWriter(file(), sample.header, sample.initial, 0.02), 30), 3);
    EXPECT_EQ(readable_after(RecordingWriter(file(), sample.header, sample.initial), 1020), 3);
    expect_whole(file(), sample);
}

TEST_F(RecordingTest, FlushesWhenAsked) {
    const Sample sample = make_sample(4, 1, 4, 0.001);
    RecordingWriter writer(file(), sample.header, sample.initial, never);
    const auto readable = [&] { return RecordingReader(file()).step_count(); };
    EXPECT_EQ(readable(), 0U);
    append(writer, sample.steps[0]);
    append(writer, sample.steps[1]);
    EXPECT_EQ(readable(), 0U);
    writer.flush();
    EXPECT_EQ(readable(), 2U);
    writer.flush();
    append(writer, sample.steps[2]);
    EXPECT_EQ(readable(), 2U);
    append(writer, sample.steps[3]);
    writer.close();
    expect_whole(file(), sample);
}

TEST_F(RecordingTest, TheDestructorCloses) {
    const Sample sample = make_sample(3, 0, 4, 0.01);
    {
        RecordingWriter writer(file(), sample.header, sample.initial);
        for (const Step& step : sample.steps) append(writer, step);
    }
    expect_whole(file(), sample);
}

TEST_F(RecordingTest, ReplacesAnEarlierFile) {
    write(file(), make_sample(50, 2, 90, 0.1));
    const Sample sample = make_sample(2, 0, 3, 0.1);
    write(file(), sample);
    expect_whole(file(), sample);
}

TEST_F(RecordingTest, WriteErrorsNameTheFile) {
    const Sample sample = make_sample(3, 0, 2, 0.5);
    const auto start = [&](const std::string& path) {
        return error_of([&] { const RecordingWriter writer(path, sample.header, sample.initial); },
                        Status::environment);
    };
    EXPECT_EQ(start("/dev/full").rfind("/dev/full: cannot be written: No space left", 0), 0U) << start("/dev/full");
    const std::string nowhere = file("none/a.plica");
    EXPECT_EQ(start(nowhere).rfind(nowhere + ": cannot be written: ", 0), 0U);
}

TEST_F(RecordingTest, WhatCameBeforeAWriteErrorStaysReadable) {
    const Sample sample = make_sample(300, 1, 40, 0.1);
    write(file("whole"), sample);
    const std::vector<Block> blocks = blocks_of(slurp(file("whole")));
    std::string message;
    {
        const FileSizeLimit limit(blocks[2].end + 1000);
        RecordingWriter writer(file(), sample.header, sample.initial, never);
        message = error_of(
            [&] {
                for (const Step& step : sample.steps) append(writer, step);
            },
            Status::environment);
        EXPECT_NE(error_of([&] { append(writer, sample.steps[0]); }, Status::environment).find(file()),
                  std::string::npos);
        EXPECT_NO_THROW(writer.close());
    }
    EXPECT_EQ(message.rfind(file() + ": cannot be written: ", 0), 0U) << message;
    RecordingReader reader(file());
    EXPECT_TRUE(reader.truncated());
    EXPECT_FALSE(reader.damaged());
    EXPECT_EQ(matching_steps(reader, sample), 20);
}

TEST_F(RecordingTest, WrongUseIsRefused) {
    const Sample sample = make_sample(3, 1, 2, 0.5);
    const auto start = [&](RecordingHeader header) {
        return error_of([&] { const RecordingWriter writer(file(), header, sample.initial); }, Status::bad_input);
    };
    for (const double dt : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
        RecordingHeader header = sample.header;
        header.dt = dt;
        EXPECT_NE(start(header).find("time step"), std::string::npos);
    }
    RecordingHeader header = sample.header;
    header.nodes = 4;
    EXPECT_NE(start(header).find("3 initial positions for 4 nodes"), std::string::npos);
    header = sample.header;
    header.tools = -1;
    EXPECT_NE(start(header).find("tools"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(file()));

    RecordingWriter writer(file(), sample.header, sample.initial);
    for (auto shrink : {+[](Step& s) { s.forces.clear(); }, +[](Step& s) { s.torques.clear(); },
                        +[](Step& s) { s.inputs.tools.clear(); }, +[](Step& s) { s.positions.pop_back(); }}) {
        Step step = sample.steps[0];
        shrink(step);
        EXPECT_NE(error_of([&] { append(writer, step); }, Status::bad_input).find("step"), std::string::npos);
    }
    for (const Step& step : sample.steps) append(writer, step);
    writer.close();
    writer.close();
    EXPECT_NE(error_of([&] { append(writer, sample.steps[0]); }, Status::environment).find("closed"),
              std::string::npos);
    expect_whole(file(), sample);
}

TEST_F(RecordingTest, CompressesMotionAndRest) {
    constexpr int nodes = 1200, frames = 300;
    const auto size_of = [&](double motion) {
        RecordingHeader header{"gut", "", {}, 1, nodes, 0, 1.0 / 300.0};
        std::vector<Vec3> positions(nodes);
        RecordingWriter writer(file(), header, positions, never);
        for (int n = 0; n < frames; ++n) {
            const double t = n * header.dt;
            for (std::size_t i = 0; i < positions.size(); ++i) {
                const double s = static_cast<double>(i) / nodes;
                const double wave =
                    motion * (0.012 * std::sin(6.28 * (0.7 * t + 3 * s)) + 0.003 * std::sin(14 * t + 56 * s));
                positions[i] = {0.15 * std::cos(40 * s) + wave, 0.15 * std::sin(40 * s) + wave, 0.1 * s - 2 * wave};
            }
            writer.append({}, 0, {}, {}, positions);
        }
        writer.close();
        return static_cast<double>(std::filesystem::file_size(file()));
    };
    constexpr double raw = 12.0 * nodes * frames;
    EXPECT_GT(raw / size_of(1.0), 2.0);
    EXPECT_GT(raw / size_of(0.0), 100.0);
}

}  // namespace
}  // namespace plica::testing
