#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/recording/recording.hpp"
#include "io/recording/recording_format.hpp"
#include "tests/apps/commands.hpp"
#include "tests/apps/npy.hpp"

namespace plica::testing {
namespace {

// Recordings.

TEST_F(Command, ARecordingReplays) {
    const std::string file = path("a.plica");
    const Json original = run_json(
        {"run", "intestine-pile", "--seconds", "1", "--seed", "5", "--set", "gut.noise=0.1", "--record", file});
    const Outcome text = run({"replay", file});
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_EQ(text.err, "");
    EXPECT_TRUE(contains(text.out, "30 of 30")) << text.out;
    for (const char* threads : {"1", "2"}) {
        const Json json = run_json({"replay", file, "--threads", threads});
        EXPECT_EQ(keys(json), (std::set<std::string>{"recording", "scene", "seed", "steps", "verified", "matches",
                                                     "first_difference", "truncated", "damaged", "hash"}));
        EXPECT_EQ(json["recording"], file);
        EXPECT_EQ(json["scene"], "intestine-pile");
        EXPECT_EQ(json["seed"], 5);
        EXPECT_EQ(json["steps"], 30);
        EXPECT_EQ(json["verified"], 30);
        EXPECT_EQ(json["matches"], true);
        EXPECT_TRUE(json["first_difference"].is_null());
        EXPECT_EQ(json["truncated"], false);
        EXPECT_EQ(json["hash"], original["hash"]);
    }
}

TEST_F(Command, ARecordingWithAToolReplays) {
    const std::string file = record({pulled_rope(), "--steps", "15"});
    fs::remove(path("pulled.toml"));  // a recording holds its scene
    EXPECT_EQ(run_json({"replay", file})["verified"], 15);
}

TEST_F(Command, ARecordingReplacesTheOneBefore) {
    const std::string file = record({"chain", "--steps", "60"});
    ASSERT_EQ(record({"chain", "--steps", "3"}), file);
    EXPECT_EQ(run_json({"replay", file})["steps"], 3);
}

TEST_F(Command, ACutRecordingReplaysUpToItsLastWholeBlock) {
    const std::string file = record({"intestine-pile", "--seconds", "3", "--audit", "off"});
    const std::string bytes = slurp(file);
    const std::string cut = path("cut.plica");
    std::set<std::uint64_t> counts;
    for (const double share : {0.999, 0.9, 0.75, 0.5, 0.4, 0.25}) {
        spill(cut, bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size()))));
        SCOPED_TRACE(share);
        const std::uint64_t steps = RecordingReader(cut).step_count();
        EXPECT_LE(steps, 90U);
        counts.insert(steps);
        const Outcome outcome = run({"replay", cut, "--json"});
        EXPECT_EQ(outcome.status, steps > 0 ? 0 : 1) << outcome.err;  // nothing to verify is no success
        EXPECT_TRUE(contains(outcome.err, cut)) << outcome.err;
        const Json json = parse_object(outcome);
        EXPECT_EQ(json["steps"], steps);
        EXPECT_EQ(json["verified"], steps);
        EXPECT_EQ(json["matches"], steps > 0);
        EXPECT_EQ(json["truncated"], true);
    }
    EXPECT_GE(counts.size(), 3U);
    EXPECT_GE(*counts.rbegin(), 60U);  // the cut costs at most the last second
    for (const std::size_t size : {0U, 1U, 8U, 11U, 12U, 13U, 44U, 60U}) {
        spill(cut, bytes.substr(0, size));
        const Outcome outcome = run({"replay", cut});
        EXPECT_EQ(outcome.status, 2) << size;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(outcome.err.rfind(cut + ": ", 0), 0U) << outcome.err;
    }
}

TEST_F(Command, ADamagedRecordingIsNeverTakenForAGoodOne) {
    const std::string file = record({"intestine-pile", "--seconds", "2", "--audit", "off"});
    const std::string bytes = slurp(file);
    const std::string bad = path("bad.plica");
    const auto flipped = [&](std::size_t at) {
        std::string copy = bytes;
        copy[at] = static_cast<char>(copy[at] ^ 0x10);
        spill(bad, copy);
        return run({"replay", bad, "--json"});
    };
    for (const std::size_t at : {0U, 7U, 8U, 12U, 20U, 50U, 200U}) {  // magic, version, the block with the scene
        const Outcome outcome = flipped(at);
        EXPECT_EQ(outcome.status, 2) << at << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(outcome.err.rfind(bad + ": ", 0), 0U) << outcome.err;
    }
    for (const double share : {0.3, 0.5, 0.7, 0.9}) {
        const auto at = static_cast<std::size_t>(share * static_cast<double>(bytes.size()));
        const Outcome outcome = flipped(at);
        EXPECT_TRUE(contains(outcome.err, bad)) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "damaged")) << outcome.err;
        const Json json = parse_object(outcome);
        EXPECT_EQ(json["truncated"], true);
        EXPECT_LT(json["verified"].get<int>(), 60);
    }
}

TEST_F(Command, ARecordingOfAnotherVersionIsRefused) {
    const std::string file = record({"chain", "--steps", "3"});
    std::string bytes = slurp(file);
    bytes[recording_format::magic.size()] = 9;
    spill(file, bytes);
    for (const Texts& arguments : {Texts{"replay", file}, Texts{"export", file, "--to", "npy", "-o", path("out")}}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(contains(outcome.err, file) && contains(outcome.err, "format 9")) << outcome.err;
    }
    EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(Command, FilesThatAreNoRecordings) {
    const std::string text = write("a.txt", "plica = 1\n");
    for (const std::string& name : {text, path("missing"), path("")}) {
        for (const Texts& arguments :
             {Texts{"replay", name}, Texts{"export", name, "--to", "npy", "-o", path("out")}}) {
            const Outcome outcome = run(arguments);
            EXPECT_EQ(outcome.status, 2) << outcome.err;
            EXPECT_EQ(outcome.out, "");
            EXPECT_TRUE(contains(outcome.err, name)) << outcome.err;
        }
    }
    EXPECT_EQ(files(), Texts{"a.txt"});
}

// Writes a recording again through the library, changed on the way.
using ChangeHeader = std::function<void(RecordingHeader&)>;
using ChangeStep = std::function<void(int, RecordedStep&)>;
void rewrite(const std::string& from, const std::string& to, const ChangeStep& change,
             const ChangeHeader& change_header = nullptr) {
    RecordingReader reader(from);
    const auto vectors = [](const std::vector<float>& floats) {
        std::vector<Vec3> all;
        for (std::size_t i = 0; i + 2 < floats.size(); i += 3) all.push_back({floats[i], floats[i + 1], floats[i + 2]});
        return all;
    };
    RecordingHeader header = reader.header();
    if (change_header) change_header(header);
    RecordingWriter writer(to, header, vectors(reader.initial_positions()));
    RecordedStep step;
    for (int i = 0; reader.next(step); ++i) {
        if (change) change(i, step);
        writer.append(step.inputs, step.hash, step.tool_forces, step.tool_torques, vectors(step.positions),
                      step.values);
    }
    writer.close();
}

TEST_F(Command, ReplayFailsWhereTheRecordingDiffers) {
    const std::string file = record({pulled_rope(), "--steps", "15"});
    const std::string changed = path("changed.plica");
    const std::vector<std::pair<const char*, ChangeStep>> changes{
        {"hash", [](int i, RecordedStep& step) { step.hash ^= i == 9 ? 1U : 0U; }},
        {"gravity", [](int i, RecordedStep& step) { step.inputs.gravity.z += i == 9 ? 1e-9 : 0.0; }},
        {"tool", [](int i, RecordedStep& step) { step.inputs.tools[0].target.x += i == 9 ? 1e-9 : 0.0; }},
        {"hold",
         [](int i, RecordedStep& step) { step.inputs.tools[0].present = i == 9 ? 0 : step.inputs.tools[0].present; }},
    };
    for (const auto& [what, change] : changes) {
        SCOPED_TRACE(what);
        rewrite(file, changed, change);
        const Json json = run_json({"replay", changed}, 1);
        EXPECT_EQ(json["matches"], false);
        EXPECT_EQ(json["first_difference"], 9);
        EXPECT_EQ(json["verified"], 9);
        const Outcome text = run({"replay", changed});
        EXPECT_EQ(text.status, 1);
        EXPECT_TRUE(contains(text.out + text.err, "step 9 differs")) << text.out << text.err;
    }
    rewrite(file, changed, nullptr);
    EXPECT_EQ(run_json({"replay", changed})["verified"], 15);  // what is written again unchanged still matches
}

TEST_F(Command, ReplayOfARecordingThatDoesNotFitItsScene) {
    const std::string file = record({pulled_rope(), "--steps", "15"});
    const std::string changed = path("changed.plica");
    rewrite(file, changed, nullptr, [](RecordingHeader& header) { header.overrides.emplace_back("gut.segments=30"); });
    const Outcome other = run({"replay", changed});
    EXPECT_EQ(other.status, 2) << other.err;
    EXPECT_EQ(other.out, "");
    EXPECT_TRUE(contains(other.err, "another world")) << other.err;
    rewrite(file, changed, nullptr, [](RecordingHeader& header) { header.scene_text = "gibberish"; });
    EXPECT_EQ(run({"replay", changed}).status, 2);
    rewrite(file, changed, nullptr, [](RecordingHeader& header) { header.seed = 2; });
    EXPECT_EQ(run({"replay", changed}).status, 1);
}

TEST_F(Command, ReplayRefusesInputsThatMakeNoSense) {
    const std::string file = record({pulled_rope(), "--steps", "15"});
    const std::string changed = path("changed.plica");
    for (const std::int32_t node :
         {26, 1000000, std::numeric_limits<std::int32_t>::max(), -2, std::numeric_limits<std::int32_t>::min()}) {
        rewrite(file, changed, [&](int i, RecordedStep& step) {
            step.inputs.tools[0].node = i == 9 ? node : step.inputs.tools[0].node;
        });
        const Outcome outcome = run({"replay", changed});
        EXPECT_TRUE(outcome.status == 1 || outcome.status == 2)
            << "node " << node << ": status " << outcome.status << " signal " << outcome.signal << " "
            << outcome.err.substr(0, 400);
        EXPECT_FALSE(contains(outcome.err, "Sanitizer")) << "node " << node;
    }
    rewrite(file, changed, [](int i, RecordedStep& step) {
        if (i == 9) step.inputs.tools[0].target.x = std::nan("");
    });
    const Outcome outcome = run({"replay", changed});
    EXPECT_TRUE(outcome.status >= 1 && outcome.status <= 3) << outcome.status << " signal " << outcome.signal;
    const double nan = std::nan("");
    for (const Tuning& tuning :
         {Tuning{nan, 1, 0, -1}, Tuning{-1, 1, 0, -1}, Tuning{1, 1e9, 0, -1}, Tuning{1, 1, nan, 0}}) {
        rewrite(file, changed, [&](int i, RecordedStep& step) {
            if (i == 9) step.inputs.tuning = tuning;
        });
        const Outcome tuned = run({"replay", changed});
        EXPECT_EQ(tuned.status, 2);
        EXPECT_TRUE(contains(tuned.err, "found a tuning of")) << tuned.err;
    }
    rewrite(file, changed, [](int, RecordedStep& step) { step.inputs.tuning.detector = 99; });  // the scene's own
    EXPECT_EQ(run({"replay", changed}).status, 0);
}

// The checksum is right and what it covers is not: then the steps cannot all be had, and that is no success.
TEST_F(Command, AForgedBlockIsNoSuccess) {
    namespace format = recording_format;
    const std::string file = record({"intestine-pile", "--seconds", "2", "--audit", "off"});
    std::string bytes = slurp(file);
    format::BlockHead head;
    std::size_t at = format::start_size;
    for (int block = 0; block < 2; ++block) {  // past the header and the first second
        ASSERT_TRUE(format::parse_head(std::string_view(bytes).substr(at, format::BlockHead::size), head));
        at += format::BlockHead::size + head.packed_size;
    }
    ASSERT_TRUE(format::parse_head(std::string_view(bytes).substr(at, format::BlockHead::size), head));
    ASSERT_EQ(head.type, format::BlockType::steps);
    const std::size_t packed = at + format::BlockHead::size;
    for (std::size_t i = 2; i < 12; ++i) bytes[packed + i] = static_cast<char>(bytes[packed + i] ^ 0x5A);
    head.packed_crc = format::checksum(std::string_view(bytes).substr(packed, head.packed_size));
    bytes.replace(at, format::BlockHead::size, format::head_bytes(head));
    spill(file, bytes);
    const Outcome outcome = run({"replay", file, "--json"});
    EXPECT_NE(outcome.status, 0) << outcome.out;
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_TRUE(contains(outcome.err, file)) << outcome.err;
    const Outcome exported = run({"export", file, "--to", "npy", "-o", path("out")});
    EXPECT_TRUE(contains(exported.err, file)) << "told nothing: " << exported.out;
}

// Ctrl-C.

// True once the recording has a step that can be read.
bool wait_for_steps(const std::string& file) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline) {
        try {
            if (RecordingReader(file).step_count() > 0) return true;
        } catch (const Error&) {  // not yet
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

TEST_F(Command, AnInterruptKeepsWhatWasRecorded) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const std::string name = signal == SIGINT ? "int" : "term";
        const std::string file = path(name + ".plica");
        Process process({"run", "intestine-pile", "--seconds", "100000", "--audit", "off", "--json", "--record", file,
                         "--dump", path(name)});
        ASSERT_TRUE(wait_for_steps(file));
        process.send(signal);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        process.send(signal);  // as timeout does
        const Outcome outcome = process.finish();
        EXPECT_EQ(outcome.status, 0) << "signal " << outcome.signal << " " << outcome.err;
        const Json json = parse_object(outcome);
        EXPECT_EQ(json["interrupted"], true);
        const auto steps = json["steps"].get<std::size_t>();
        EXPECT_GT(steps, 0U);
        EXPECT_LT(steps, 3000000U);
        const RecordingReader reader(file);
        EXPECT_EQ(reader.step_count(), steps);
        EXPECT_FALSE(reader.truncated());
        EXPECT_EQ(reader.message(), "");
        const Json replayed = run_json({"replay", file});
        EXPECT_EQ(replayed["verified"], steps);
        EXPECT_EQ(replayed["hash"], json["hash"]);
        EXPECT_EQ(load_npy(path(name + "/positions.npy")).shape.at(0), steps + 1);
    }
}

// A step of 10,000 substeps of a liver of 60,000 cells, which takes half a minute, is given up at once.
TEST_F(Command, AnInterruptIsHeardWithinAStep) {
    const std::string file = path("long.plica");
    Process process({"run", "liver-drop", "--set", "solver.dt=1", "--set", "solver.substeps=10000", "--set",
                     "liver.cell=0.006", "--steps", "2", "--audit", "off", "--json", "--record", file});
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!fs::exists(file) && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::this_thread::sleep_for(std::chrono::seconds(1));  // well into the step
    const auto asked = std::chrono::steady_clock::now();
    process.send(SIGINT);
    const Outcome outcome = process.finish();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - asked;
    EXPECT_LT(took.count(), 2.0);  // 0.2 on a machine with nothing else to do
    EXPECT_EQ(outcome.status, 0) << "signal " << outcome.signal << " " << outcome.err;
    const Json json = parse_object(outcome);
    EXPECT_EQ(json["interrupted"], true);
    EXPECT_EQ(json["steps"], 0);
    const RecordingReader reader(file);
    EXPECT_EQ(reader.step_count(), 0U);
    EXPECT_FALSE(reader.truncated());
    EXPECT_EQ(reader.message(), "");
}

// Of a replay and of an export only the whole counts.
TEST_F(Command, AnInterruptedReplayOrExportIsNoSuccess) {
    const auto began = std::chrono::steady_clock::now();
    const std::string file = record({"chain", "--steps", "20000", "--audit", "off"});
    const auto took = std::chrono::steady_clock::now() - began;
    const auto interrupt = [&](const Texts& arguments, const std::function<void()>& wait) {
        Process process(arguments);
        wait();
        process.send(SIGINT);
        const Outcome outcome = process.finish();
        EXPECT_EQ(outcome.status, 130) << quoted(arguments) << "\n" << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "interrupted")) << outcome.err;
        return outcome;
    };
    // It takes about as long as the run did, or less: that wrote a file, and perhaps beside other work.
    const Json json =
        parse_object(interrupt({"replay", file, "--json"}, [&] { std::this_thread::sleep_for(took / 6); }));
    EXPECT_EQ(json["interrupted"], true);
    EXPECT_EQ(json["matches"], false);
    EXPECT_LT(json["verified"].get<int>(), 20000);
    for (const char* format : {"vtk", "obj", "npy"}) {
        const std::string out = path(format);
        const auto until_it_writes = [&] {
            while (!fs::exists(out) && std::chrono::steady_clock::now() - began < std::chrono::minutes(3)) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        };
        EXPECT_EQ(interrupt({"export", file, "--to", format, "-o", out}, until_it_writes).out, "");
        EXPECT_EQ(files(), Texts{"a.plica"}) << format;
    }
    const std::string little = record({"chain", "--steps", "3"}, "little.plica");
    EXPECT_EQ(run({"replay", little}).status, 0) << "the control";
    EXPECT_EQ(run({"export", little, "--to", "obj", "-o", path("out")}).status, 0) << "the control";
}

TEST_F(Command, AKilledRunLeavesAReadableRecording) {
    const std::string file = path("a.plica");
    Process process({"run", "intestine-pile", "--seconds", "100000", "--audit", "off", "--record", file});
    ASSERT_TRUE(wait_for_steps(file));
    process.send(SIGKILL);
    EXPECT_EQ(process.finish().signal, SIGKILL);
    const std::uint64_t steps = RecordingReader(file).step_count();
    ASSERT_GT(steps, 0U);
    const Json json = run_json({"replay", file});
    EXPECT_EQ(json["verified"], steps);
    EXPECT_EQ(json["truncated"], true);
}

}  // namespace
}  // namespace plica::testing
