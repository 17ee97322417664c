#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/io/recording/recordings.hpp"

namespace plica::testing {
namespace {

void set_word(std::string& bytes, std::size_t offset, std::uint32_t value) {
    for (std::size_t k = 0; k < 4; ++k) bytes[offset + k] = static_cast<char>((value >> (8 * k)) & 0xFF);
}

// Makes both checksums of a block right again after its bytes were changed.
void seal(std::string& bytes, const Block& block) {
    const std::size_t packed = block.end - block.offset - head_size;
    set_word(bytes, block.offset + 24, crc_of(bytes, block.offset + head_size, packed));
    set_word(bytes, block.offset + 28, crc_of(bytes, block.offset, 28));
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
        EXPECT_NE(reader.message().find(std::string(" ") + std::to_string(expected) + " step"), std::string::npos);
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
    return std::string("PLICAREC\6\0\0\0", start_size) + block_of(1, 0, raw);
}

// Two empty texts, no overrides, seed 0, dt = 1, no nodes, no tools, no folder, fields, surfaces and files.
std::string plain_header() {
    std::string raw(128, '\0');
    raw.replace(32, 8, std::string("\0\0\0\0\0\0\xF0\x3F", 8));
    return raw;
}

TEST_F(RecordingTest, StepsThatCannotBeAreNotGiven) {
    constexpr std::size_t step_size = 73;  // the order of the prediction, gravity, hash, tuning, full substeps
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
                                    {47, '\x7F'},
                                    {48, '\x01'}}) {
        std::string bad = good;
        bad[at] = value;
        if (at == 39 && value == '\x7F') bad[38] = '\xF0';  // infinite
        spill(file(), with_header(bad));
        EXPECT_EQ(open_error(file()), file() + ": the recording's first block is damaged") << at;
    }
    spill(file(), with_header(good + "x"));
    EXPECT_EQ(open_error(file()), file() + ": the recording's first block is damaged");
}

std::string unpacked(const std::string& bytes, const Block& block) {
    std::string raw(word_at(bytes, block.offset + 16), '\0');
    uLongf size = static_cast<uLongf>(raw.size());
    const std::size_t packed = block.end - block.offset - head_size;
    uncompress(reinterpret_cast<Bytef*>(raw.data()), &size,
               reinterpret_cast<const Bytef*>(bytes.data() + block.offset + head_size), static_cast<uLong>(packed));
    return raw;
}

// Whether all that the header names is there.
bool is_sound(const RecordingHeader& header) {
    const auto in = [](std::int32_t value, std::int32_t least, std::size_t end) {
        return value >= least && value < static_cast<std::int64_t>(end);
    };
    const Shapes& s = header.shapes;
    const auto nodes = static_cast<std::size_t>(header.nodes);
    bool good = nodes <= 4194304 && (s.rest.empty() || s.rest.size() == nodes) && s.column.size() == s.rest.size();
    for (const Capsule& e : s.surface.capsules)
        good = good && in(e.a, 0, nodes) && in(e.b, 0, nodes) && in(e.body, -1, s.bodies.size());
    for (const Triangle& t : s.surface.triangles)
        good = good && in(t.a, 0, nodes) && in(t.b, 0, nodes) && in(t.c, 0, nodes) && in(t.body, -1, s.bodies.size());
    for (const Body& b : s.bodies) {
        good = good && b.first_node >= 0 && b.nodes >= 0 && std::int64_t{b.first_node} + b.nodes <= header.nodes;
        good = good && in(b.tool, -1, static_cast<std::size_t>(header.tools));
    }
    for (const Field& field : header.fields) {
        for (const Field::Range& r : field.where)
            good = good && r.first_node >= 0 && r.nodes >= 0 && std::int64_t{r.first_node} + r.nodes <= header.nodes;
    }
    return good;
}

// Bytes of the header changed, cut and grown behind right checksums: refused, or all that it names is there.
TEST_F(RecordingTest, ForgedHeadersNameNothingThatIsNotThere) {
    Sample sample = make_sample(9, 2, 6, 0.25);
    Shapes& shapes = sample.header.shapes;
    shapes.bodies = {{"gut", TissueKind::mass_spring, 0, 4}, {"balloon", TissueKind::own, 4, 5}};
    shapes.surface.capsules = {{{0, 1, 0.01}, {0, 0, 0, 1, false}}, {{1, 2, 0.01}, {0, 0, 1, 1, false}}};
    shapes.surface.triangles = {{{4, 5, 6, 0.001}, {1, -1, 0, 0}}, {{4, 6, 7, 0.001}, {1, -1, 0, 0}}};
    shapes.tools.resize(2);
    shapes.walls.resize(1);
    shapes.column.assign(9, -1);
    shapes.rest = sample.initial;
    sample.header.fields = {{"temperature", "J/m^2", {{0, 2}, {4, 1}}, {}}};
    sample.header.files = {{"liver.stl", "solid liver"}};
    for (Step& step : sample.steps) step.values.resize(3);
    write(file(), sample);
    const std::string bytes = slurp(file());
    const std::vector<Block> blocks = blocks_of(bytes);
    const std::string raw = unpacked(bytes, blocks[0]);
    Random random{11};
    int refused = 0, opened = 0;
    for (int variant = 0; variant < 4000; ++variant) {
        std::string forged = raw;
        const std::uint64_t kind = random.next() % 8;
        if (kind == 0) {
            forged.resize(random.next() % forged.size());
        } else if (kind == 1) {
            forged.insert(random.next() % forged.size(), std::string(random.next() % 40, '\x01'));
        } else if (kind == 2) {  // a whole number, large or negative
            const char digit = random.next() % 2 == 0 ? '\x7F' : '\xFF';
            for (std::size_t at = random.next() % (forged.size() - 4), k = 0; k < 4; ++k) forged[at + k] = digit;
        } else {
            forged[random.next() % forged.size()] = static_cast<char>(random.next());
        }
        spill(file("bad"), bytes.substr(0, start_size) + block_of(1, 0, forged) + bytes.substr(blocks[0].end));
        try {
            RecordingReader reader(file("bad"));
            ASSERT_TRUE(is_sound(reader.header())) << variant;
            RecordedStep step;
            while (reader.next(step)) {
                ASSERT_EQ(step.positions.size(), 3 * static_cast<std::size_t>(reader.header().nodes));
            }
            ++opened;
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 500);
    EXPECT_GT(opened, 500);
    RecordingHeader wrong = sample.header;
    wrong.shapes.surface.triangles[1].b = 9;
    EXPECT_FALSE(is_sound(wrong)) << "the control";
}

// The files in a recording: cut, changed, exchanged.
TEST_F(RecordingTest, DamagedFilesAreNotGiven) {
    Sample sample = make_sample(3, 0, 4, 0.25);
    sample.header.files = {{"a.stl", "first"}, {"b.stl", "second, which is longer"}};
    write(file(), sample);
    const std::string bytes = slurp(file());
    const std::vector<Block> blocks = blocks_of(bytes);
    ASSERT_EQ(blocks[1].type, 4U);
    const std::string damaged = ": the files that the recording carries are damaged";
    for (const char* content : {"First"
                                "second, which is longer",
                                "firstsecond", "firstsecond, which is longer!"}) {
        spill(file("bad"), bytes.substr(0, blocks[1].offset) + block_of(4, 0, content) + bytes.substr(blocks[1].end));
        EXPECT_EQ(open_error(file("bad")), file("bad") + damaged) << content;
    }
    spill(file("bad"), bytes.substr(0, blocks[1].offset) + bytes.substr(blocks[1].end));
    EXPECT_EQ(open_error(file("bad")), file("bad") + damaged);
    spill(file("bad"), bytes.substr(0, blocks[1].end - 1));
    EXPECT_EQ(open_error(file("bad")), file("bad") + ": the recording is cut before its first step");
    const std::string same = block_of(4, 0, "firstsecond, which is longer");
    spill(file("good"), bytes.substr(0, blocks[1].offset) + same + bytes.substr(blocks[1].end));
    EXPECT_EQ(RecordingReader(file("good")).header().files, sample.header.files) << "the control";
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
    for (const std::uint32_t format : {1U, 7U}) {
        set_word(bytes, 8, format);
        spill(file(), bytes);
        const std::string other = open_error(file());
        const std::string expected = ": recording format " + std::to_string(format) + "; this program reads 6 ";
        EXPECT_EQ(other.rfind(file() + expected, 0), 0U) << other;
    }
    spill(file("text"), "name = \"gut\"\n and more text than a head\n");
    EXPECT_EQ(open_error(file("text")), file("text") + ": not a recording");
    spill(file("short"), "PLI!");
    EXPECT_EQ(open_error(file("short")), file("short") + ": not a recording");
    EXPECT_EQ(open_error(file("none")), file("none") + ": there is no such file");
    EXPECT_NE(open_error(std::filesystem::temp_directory_path().string()).find("expected a file"), std::string::npos);
}

}  // namespace
}  // namespace plica::testing
