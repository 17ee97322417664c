#include "scene/recording/recording.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "core/random.hpp"

namespace plica {
namespace {

constexpr std::size_t start_size = 12;
constexpr std::size_t head_size = 32;
constexpr double never = 1e9;  // s between flushes: blocks are then the same however slow the machine is

class RecordingTest : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path() /
                   (std::string("plica_") + info->name() + "_" + std::to_string(::getpid()));
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }
    [[nodiscard]] std::string file(const std::string& name = "a.plica") const { return (m_folder / name).string(); }

private:
    std::filesystem::path m_folder;
};

struct Step {
    Inputs inputs;
    std::uint64_t hash = 0;
    std::vector<Vec3> forces, torques, positions;
};

struct Sample {
    RecordingHeader header;
    std::vector<Vec3> initial;
    std::vector<Step> steps;
};

Vec3 random_vec(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

Sample make_sample(int nodes, int tools, int steps, double dt) {
    Sample sample;
    sample.header = {"gut",
                     "[scene]\nname = \"gut\"\n# \xC3\xA9\n",
                     {"gut.radius=0.01", "", "seed=3"},
                     0xFEDCBA9876543210ULL,
                     nodes,
                     tools,
                     dt};
    Random random{17};
    for (int i = 0; i < nodes; ++i) sample.initial.push_back(random_vec(random, 0.3));
    std::vector<Vec3> positions = sample.initial;
    for (int n = 0; n < steps; ++n) {
        Step step;
        step.inputs.gravity = random_vec(random, 9.81);
        for (int t = 0; t < tools; ++t) {
            step.inputs.tools.push_back({random_vec(random, 0.1), n % 3 == 0 ? -1 : n * 7 + t, n % 2});
            step.forces.push_back(random_vec(random, 3.0));
            step.torques.push_back(random_vec(random, 0.1));
        }
        step.hash = random.next();
        for (Vec3& p : positions) p += random_vec(random, 1e-4);
        step.positions = positions;
        sample.steps.push_back(step);
    }
    return sample;
}

void append(RecordingWriter& writer, const Step& step) {
    writer.append(step.inputs, step.hash, step.forces, step.torques, step.positions);
}

void write(const std::string& path, const Sample& sample) {
    RecordingWriter writer(path, sample.header, sample.initial, never);
    for (const Step& step : sample.steps) append(writer, step);
    writer.close();
}

std::string slurp(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void spill(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

// By bytes: not a number equals itself, and -0 is not 0.
template <class T>
bool same_bytes(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same_vecs(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0);
}

bool same_positions(const std::vector<float>& read, const std::vector<Vec3>& written) {
    if (read.size() != 3 * written.size()) return false;
    for (std::size_t i = 0; i < written.size(); ++i) {
        const float expected[3] = {static_cast<float>(written[i].x), static_cast<float>(written[i].y),
                                   static_cast<float>(written[i].z)};
        if (std::memcmp(expected, &read[3 * i], sizeof expected) != 0) return false;
    }
    return true;
}

bool same_step(const RecordedStep& read, const Step& written) {
    bool same = same_bytes(read.inputs.gravity, written.inputs.gravity) && read.hash == written.hash &&
                read.inputs.tools.size() == written.inputs.tools.size();
    for (std::size_t t = 0; same && t < written.inputs.tools.size(); ++t) {
        const ToolInput& a = read.inputs.tools[t];
        const ToolInput& b = written.inputs.tools[t];
        same = same_bytes(a.target, b.target) && a.node == b.node && a.present == b.present;
    }
    return same && same_vecs(read.tool_forces, written.forces) && same_vecs(read.tool_torques, written.torques) &&
           same_positions(read.positions, written.positions);
}

void expect_header(const RecordingReader& reader, const Sample& sample) {
    const RecordingHeader& header = reader.header();
    EXPECT_EQ(header.scene_name, sample.header.scene_name);
    EXPECT_EQ(header.scene_text, sample.header.scene_text);
    EXPECT_EQ(header.overrides, sample.header.overrides);
    EXPECT_EQ(header.seed, sample.header.seed);
    EXPECT_EQ(header.nodes, sample.header.nodes);
    EXPECT_EQ(header.tools, sample.header.tools);
    EXPECT_EQ(header.dt, sample.header.dt);
    EXPECT_TRUE(same_positions(reader.initial_positions(), sample.initial));
}

// How many steps the reader gives; all must be those of the sample. -1: one is not.
int matching_steps(RecordingReader& reader, const Sample& sample) {
    RecordedStep step;
    int count = 0;
    for (; reader.next(step); ++count) {
        const auto i = static_cast<std::size_t>(count);
        if (i >= sample.steps.size() || !same_step(step, sample.steps[i])) return -1;
    }
    return count;
}

void expect_whole(const std::string& path, const Sample& sample) {
    RecordingReader reader(path);
    expect_header(reader, sample);
    EXPECT_FALSE(reader.truncated());
    EXPECT_FALSE(reader.damaged());
    EXPECT_EQ(reader.message(), "");
    EXPECT_EQ(reader.step_count(), sample.steps.size());
    EXPECT_EQ(matching_steps(reader, sample), static_cast<int>(sample.steps.size()));
    RecordedStep step;
    EXPECT_FALSE(reader.next(step));
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

std::string open_error(const std::string& path) {
    return error_of([&] { const RecordingReader reader(path); }, Status::bad_input);
}

std::uint32_t word_at(const std::string& bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        value |= std::uint32_t{static_cast<unsigned char>(bytes[offset + k])} << (8 * k);
    }
    return value;
}

void set_word(std::string& bytes, std::size_t offset, std::uint32_t value) {
    for (std::size_t k = 0; k < 4; ++k) bytes[offset + k] = static_cast<char>((value >> (8 * k)) & 0xFF);
}

std::uint32_t crc_of(const std::string& bytes, std::size_t offset, std::size_t size) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + offset), static_cast<uInt>(size)));
}

struct Block {
    std::size_t offset, end;
    std::uint32_t type, steps;
};

// The format read by hand, independently of the reader.
std::vector<Block> blocks_of(const std::string& bytes) {
    std::vector<Block> blocks;
    for (std::size_t at = start_size; at < bytes.size(); at = blocks.back().end) {
        const std::size_t packed = word_at(bytes, at + 20);
        EXPECT_EQ(word_at(bytes, at + 28), crc_of(bytes, at, 28));
        EXPECT_EQ(word_at(bytes, at + 24), crc_of(bytes, at + head_size, packed));
        blocks.push_back({at, at + head_size + packed, word_at(bytes, at), word_at(bytes, at + 4)});
    }
    return blocks;
}

// Makes both checksums of a block right again after its bytes were changed.
void seal(std::string& bytes, const Block& block) {
    const std::size_t packed = block.end - block.offset - head_size;
    set_word(bytes, block.offset + 24, crc_of(bytes, block.offset + head_size, packed));
    set_word(bytes, block.offset + 28, crc_of(bytes, block.offset, 28));
}

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

TEST_F(RecordingTest, CutAtEveryLength) {
    const Sample sample = make_sample(4, 1, 14, 0.25);
    write(file(), sample);
    const std::string bytes = slurp(file());
    const std::vector<Block> blocks = blocks_of(bytes);
    ASSERT_EQ(blocks.size(), 6U);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        spill(file("cut"), bytes.substr(0, length));
        if (length < blocks[0].end) {
            EXPECT_EQ(open_error(file("cut")), file("cut") + ": the recording is cut before its first block") << length;
            continue;
        }
        std::uint32_t expected = 0;
        for (const Block& block : blocks) expected += block.end <= length ? block.steps : 0;
        RecordingReader reader(file("cut"));
        EXPECT_TRUE(reader.truncated());
        EXPECT_FALSE(reader.damaged()) << reader.message();
        EXPECT_EQ(reader.step_count(), expected);
        EXPECT_NE(reader.message().find(" " + std::to_string(expected) + " step"), std::string::npos);
        EXPECT_EQ(matching_steps(reader, sample), static_cast<int>(expected)) << length;
    }
}

TEST_F(RecordingTest, StopsBeforeADamagedBlock) {
    const Sample sample = make_sample(4, 1, 14, 0.25);
    write(file(), sample);
    const std::string bytes = slurp(file());
    const std::vector<Block> blocks = blocks_of(bytes);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
        spill(file("bad"), damaged);
        if (at < blocks[0].end) {
            const char* expected = at < 8 ? "not a recording" : at < start_size ? "recording format" : "is damaged";
            EXPECT_NE(open_error(file("bad")).find(expected), std::string::npos) << at;
            continue;
        }
        std::uint32_t expected = 0;
        for (const Block& block : blocks) expected += block.end <= at ? block.steps : 0;
        RecordingReader reader(file("bad"));
        EXPECT_TRUE(reader.truncated());
        EXPECT_TRUE(reader.damaged()) << at;
        EXPECT_NE(reader.message().find("damaged"), std::string::npos);
        EXPECT_EQ(reader.step_count(), expected);
        EXPECT_EQ(matching_steps(reader, sample), static_cast<int>(expected)) << at;
    }
}

TEST_F(RecordingTest, RandomDamageNeverGivesAWrongStep) {
    const Sample sample = make_sample(6, 2, 12, 0.25);
    write(file(), sample);
    const std::string bytes = slurp(file());
    Random random{99};
    int refused = 0, fewer = 0;
    for (int variant = 0; variant < 2000; ++variant) {
        std::string damaged = bytes;
        const std::uint64_t flips = 1 + random.next() % 8;
        for (std::uint64_t i = 0; i < flips; ++i)
            damaged[random.next() % bytes.size()] = static_cast<char>(random.next());
        if (random.next() % 4 == 0) damaged.resize(random.next() % damaged.size());
        spill(file("bad"), damaged);
        try {
            RecordingReader reader(file("bad"));
            const std::uint64_t promised = reader.step_count();
            const int given = matching_steps(reader, sample);
            ASSERT_GE(given, 0) << variant;
            ASSERT_EQ(static_cast<std::uint64_t>(given), promised);
            ASSERT_TRUE(reader.truncated() || damaged == bytes);
            ++fewer;
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 100);
    EXPECT_GT(fewer, 100);
}

// Damage that the checksums do not see, as if made on purpose: still no crash, and no absurd allocation.
TEST_F(RecordingTest, DamageWithRightChecksumsIsSurvived) {
    const Sample sample = make_sample(6, 2, 12, 0.25);
    write(file(), sample);
    const std::string bytes = slurp(file());
    const std::vector<Block> blocks = blocks_of(bytes);
    Random random{7};
    int fewer = 0;
    for (int variant = 0; variant < 2000; ++variant) {
        std::string damaged = bytes;
        const Block& block = blocks[random.next() % blocks.size()];
        const std::size_t span = random.next() % 2 == 0 ? 28 : block.end - block.offset;
        damaged[block.offset + random.next() % span] = static_cast<char>(random.next());
        seal(damaged, block);
        spill(file("bad"), damaged);
        try {
            RecordingReader reader(file("bad"));
            RecordedStep step;
            std::uint64_t given = 0;
            while (reader.next(step)) ++given;
            ASSERT_EQ(given, reader.step_count());
            ASSERT_LE(given, sample.steps.size());
            fewer += given < sample.steps.size() ? 1 : 0;
        } catch (const Error&) {
        }
    }
    EXPECT_GT(fewer, 100);
}

TEST_F(RecordingTest, AbsurdSizesAreRefusedWithoutTheMemory) {
    write(file(), make_sample(3, 0, 2, 0.5));
    const std::string bytes = slurp(file());
    const Block header = blocks_of(bytes)[0];
    const auto peak = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;  // KiB
    };
    const auto before = peak();
    for (const std::size_t field : {16U, 20U}) {
        for (const std::uint32_t size : {0xFFFFFFF0U, 0x0F000000U}) {
            std::string damaged = bytes;
            set_word(damaged, header.offset + field, size);
            set_word(damaged, header.offset + 28, crc_of(damaged, header.offset, 28));
            spill(file("bad"), damaged);
            EXPECT_NE(open_error(file("bad")).find("first block"), std::string::npos);
        }
    }
    EXPECT_LT(peak() - before, 50 * 1024);
}

// A block built by hand, with right checksums.
std::string block_of(std::uint32_t type, std::uint32_t steps, const std::string& raw) {
    uLongf size = compressBound(static_cast<uLong>(raw.size()));
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
             static_cast<uLong>(raw.size()));
    std::string bytes = std::string(head_size, '\0') + packed.substr(0, size);
    set_word(bytes, 0, type);
    set_word(bytes, 4, steps);
    set_word(bytes, 16, static_cast<std::uint32_t>(raw.size()));
    set_word(bytes, 20, static_cast<std::uint32_t>(size));
    seal(bytes, {0, bytes.size(), type, steps});
    return bytes;
}

std::string with_header(const std::string& raw) {
    return std::string("PLICAREC\1\0\0\0", start_size) + block_of(1, 0, raw);
}

// Two empty texts, no overrides, seed 0, dt = 1, no nodes, no tools.
std::string plain_header() {
    std::string raw(48, '\0');
    raw.replace(32, 8, std::string("\0\0\0\0\0\0\xF0\x3F", 8));
    return raw;
}

TEST_F(RecordingTest, StepsThatCannotBeAreNotGiven) {
    constexpr std::size_t step_size = 33;  // the order of the prediction, gravity, hash
    const auto steps_of = [&](int first_order, int second_order) {
        std::string raw(2 * step_size, '\0');
        raw[0] = static_cast<char>(first_order);
        raw[step_size] = static_cast<char>(second_order);
        raw[4] = '\x2A';  // the lowest byte of the first hash
        spill(file(), with_header(plain_header()) + block_of(2, 2, raw));
        RecordingReader reader(file());
        EXPECT_EQ(reader.step_count(), 2U);
        RecordedStep step;
        std::uint64_t given = 0;
        for (; reader.next(step); ++given) EXPECT_EQ(step.hash, 42U);
        EXPECT_EQ(reader.step_count(), given);
        EXPECT_EQ(reader.damaged(), given < 2);
        return given;
    };
    EXPECT_EQ(steps_of(0, 1), 2U);
    EXPECT_EQ(steps_of(1, 1), 0U);
    EXPECT_EQ(steps_of(0, 2), 1U);
    EXPECT_EQ(steps_of(0, 0), 1U);
    EXPECT_EQ(steps_of(0, 255), 1U);
}

TEST_F(RecordingTest, HeadersThatCannotBeAreRefused) {
    std::string good = plain_header();
    good[44] = 1;
    spill(file(), with_header(good));
    EXPECT_EQ(RecordingReader(file()).header().tools, 1);
    EXPECT_EQ(RecordingReader(file()).header().dt, 1.0);
    for (const auto& [at, value] : {std::pair<std::size_t, char>{7, '\x7F'},
                                    {20, '\x10'},
                                    {39, '\x7F'},
                                    {39, '\xBF'},
                                    {40, '\x01'},
                                    {43, '\x7F'},
                                    {43, '\xFF'},
                                    {47, '\x7F'}}) {
        std::string bad = good;
        bad[at] = value;
        if (at == 39 && value == '\x7F') bad[38] = '\xF0';  // infinite
        spill(file(), with_header(bad));
        EXPECT_EQ(open_error(file()), file() + ": the recording's first block is damaged") << at;
    }
    spill(file(), with_header(good + "x"));
    EXPECT_EQ(open_error(file()), file() + ": the recording's first block is damaged");
}

TEST_F(RecordingTest, BlocksOutOfOrderAreDamage) {
    const Sample sample = make_sample(3, 0, 12, 0.25);
    write(file(), sample);
    const std::string bytes = slurp(file());
    const std::vector<Block> blocks = blocks_of(bytes);
    spill(file("gap"), bytes.substr(0, blocks[2].offset) + bytes.substr(blocks[3].offset));
    RecordingReader gap(file("gap"));
    EXPECT_TRUE(gap.damaged());
    EXPECT_EQ(matching_steps(gap, sample), 4);
    spill(file("tail"), bytes + "x");
    RecordingReader tail(file("tail"));
    EXPECT_TRUE(tail.damaged());
    EXPECT_FALSE(tail.truncated());
    EXPECT_EQ(matching_steps(tail, sample), 12);
}

TEST_F(RecordingTest, RefusesWhatIsNotARecordingOfThisFormat) {
    write(file(), make_sample(3, 0, 2, 0.5));
    std::string bytes = slurp(file());
    set_word(bytes, 8, 7);
    spill(file(), bytes);
    const std::string other = open_error(file());
    EXPECT_EQ(other.rfind(file() + ": recording format 7; this program reads 1 ", 0), 0U) << other;
    spill(file("text"), "name = \"gut\"\n and more text than a head\n");
    EXPECT_EQ(open_error(file("text")), file("text") + ": not a recording");
    spill(file("short"), "PLI!");
    EXPECT_EQ(open_error(file("short")), file("short") + ": not a recording");
    EXPECT_EQ(open_error(file("none")), file("none") + ": there is no such file");
    EXPECT_NE(open_error(std::filesystem::temp_directory_path().string()).find("not a file"), std::string::npos);
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
}  // namespace plica
