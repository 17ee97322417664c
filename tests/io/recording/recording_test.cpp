#include <gtest/gtest.h>
#include <sys/resource.h>

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

TEST_F(RecordingTest, TemperaturesComeBack) {
    Sample sample = make_sample(9, 1, 30, 0.1);
    sample.header.warm_nodes = 4;
    Random random{3};
    std::vector<std::vector<float>> warmth;
    {
        RecordingWriter writer(file(), sample.header, sample.initial, never);
        for (const Step& s : sample.steps) {
            warmth.emplace_back();
            for (int i = 0; i < 4; ++i) warmth.back().push_back(static_cast<float>(random.uniform(-1.0, 5.0)));
            writer.append(s.inputs, s.hash, s.forces, s.torques, s.positions, warmth.back());
        }
        const Step& s = sample.steps[0];
        EXPECT_THROW(writer.append(s.inputs, s.hash, s.forces, s.torques, s.positions), Error);  // without them
    }
    RecordingReader reader(file());
    EXPECT_EQ(reader.header().warm_nodes, 4);
    RecordedStep step;
    for (std::size_t i = 0; i < warmth.size(); ++i) {
        ASSERT_TRUE(reader.next(step));
        EXPECT_TRUE(same_positions(step.positions, sample.steps[i].positions));
        EXPECT_EQ(step.temperature, warmth[i]);
    }
    EXPECT_FALSE(reader.next(step));
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

// Lets files grow to a limit only, as a full disk does.
class FileSizeLimit {
public:
    explicit FileSizeLimit(std::size_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit limit = m_before;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

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
