#pragma once
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "io/recording/recording.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/texts.hpp"

// Recordings written from random samples, read back, and taken apart by hand.
namespace plica::testing {

inline constexpr std::size_t start_size = 12;
inline constexpr std::size_t head_size = 32;
inline constexpr double never = 1e9;  // s between flushes: blocks are then the same however slow the machine is

class RecordingTest : public TempFolderTest {};

struct Step {
    Inputs inputs;
    std::uint64_t hash = 0;
    std::vector<Vec3> forces, torques, positions;
    std::vector<float> values{};
};

struct Sample {
    RecordingHeader header;
    std::vector<Vec3> initial;
    std::vector<Step> steps;
};

inline Vec3 random_vec(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

inline Sample make_sample(int nodes, int tools, int steps, double dt) {
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
        step.inputs.tuning = {random.uniform(0.1, 10.0), random.uniform(0.0, 5.0), random.uniform(-1.0, 1.0),
                              n % 5 - 1};
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

inline void append(RecordingWriter& writer, const Step& step) {
    writer.append(step.inputs, step.hash, step.forces, step.torques, step.positions, step.values);
}

inline void write(const std::string& path, const Sample& sample) {
    RecordingWriter writer(path, sample.header, sample.initial, never);
    for (const Step& step : sample.steps) append(writer, step);
    writer.close();
}

// By bytes: not a number equals itself, and -0 is not 0.
template <class T>
bool same_bytes(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

inline bool same_vecs(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0);
}

inline bool same_positions(const std::vector<float>& read, const std::vector<Vec3>& written) {
    if (read.size() != 3 * written.size()) return false;
    for (std::size_t i = 0; i < written.size(); ++i) {
        const float expected[3] = {static_cast<float>(written[i].x), static_cast<float>(written[i].y),
                                   static_cast<float>(written[i].z)};
        if (std::memcmp(expected, &read[3 * i], sizeof expected) != 0) return false;
    }
    return true;
}

inline bool same_step(const RecordedStep& read, const Step& written) {
    bool same = same_bytes(read.inputs.gravity, written.inputs.gravity) && read.hash == written.hash &&
                read.inputs.tuning == written.inputs.tuning && read.inputs.tools.size() == written.inputs.tools.size();
    for (std::size_t t = 0; same && t < written.inputs.tools.size(); ++t) {
        const ToolInput& a = read.inputs.tools[t];
        const ToolInput& b = written.inputs.tools[t];
        same = same_bytes(a.target, b.target) && a.node == b.node && a.present == b.present;
    }
    return same && same_vecs(read.tool_forces, written.forces) && same_vecs(read.tool_torques, written.torques) &&
           same_positions(read.positions, written.positions) && read.values == written.values;
}

inline void expect_header(const RecordingReader& reader, const Sample& sample) {
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
inline int matching_steps(RecordingReader& reader, const Sample& sample) {
    RecordedStep step;
    int count = 0;
    for (; reader.next(step); ++count) {
        const auto i = static_cast<std::size_t>(count);
        if (i >= sample.steps.size() || !same_step(step, sample.steps[i])) return -1;
    }
    return count;
}

inline void expect_whole(const std::string& path, const Sample& sample) {
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

inline std::string error_of(const std::function<void()>& action, Status status) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), status) << error.what();
        return error.what();
    }
    return "nothing was thrown";
}

inline std::string open_error(const std::string& path) {
    return error_of([&] { const RecordingReader reader(path); }, Status::bad_input);
}

inline std::uint32_t word_at(const std::string& bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        value |= std::uint32_t{static_cast<unsigned char>(bytes[offset + k])} << (8 * k);
    }
    return value;
}

inline std::uint32_t crc_of(const std::string& bytes, std::size_t offset, std::size_t size) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + offset), static_cast<uInt>(size)));
}

struct Block {
    std::size_t offset, end;
    std::uint32_t type, steps;
};

// The format read by hand, independently of the reader.
inline std::vector<Block> blocks_of(const std::string& bytes) {
    std::vector<Block> blocks;
    for (std::size_t at = start_size; at < bytes.size(); at = blocks.back().end) {
        const std::size_t packed = word_at(bytes, at + 20);
        EXPECT_EQ(word_at(bytes, at + 28), crc_of(bytes, at, 28));
        EXPECT_EQ(word_at(bytes, at + 24), crc_of(bytes, at + head_size, packed));
        blocks.push_back({at, at + head_size + packed, word_at(bytes, at), word_at(bytes, at + 4)});
    }
    return blocks;
}

}  // namespace plica::testing
