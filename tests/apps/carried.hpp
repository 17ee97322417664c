#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "io/recording/recording.hpp"
#include "tests/apps/commands.hpp"

namespace plica::testing {

// A cube of tetrahedra in TetGen's pair of files, m.
inline void write_cube(const std::string& stem, double side) {
    const std::string s = std::to_string(side);
    std::string nodes = "8 3 0 0\n";
    for (int i = 0; i < 8; ++i) {
        nodes += std::to_string(i);
        for (const int bit : {1, 2, 4}) nodes += (i & bit) != 0 ? " " + s : " 0";
        nodes += "\n";
    }
    spill(stem + ".node", nodes);
    spill(stem + ".ele", "6 4 0\n0 0 1 3 7\n1 0 3 2 7\n2 0 2 6 7\n3 0 6 4 7\n4 0 4 5 7\n5 0 5 1 7\n");
}

// The same recording with another header; fields have no values.
inline void copy_recording(const std::string& from, const std::string& to,
                           const std::function<void(RecordingHeader&)>& change) {
    RecordingReader reader(from);
    RecordingHeader header = reader.header();
    change(header);
    std::vector<Vec3> places(static_cast<std::size_t>(header.nodes));
    const auto take = [&](const std::vector<float>& numbers) {
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    };
    take(reader.initial_positions());
    RecordingWriter writer(to, header, places);
    RecordedStep step;
    while (reader.next(step)) {
        take(step.positions);
        writer.append(step.inputs, step.hash, step.tool_forces, step.tool_torques, places);
    }
    writer.close();
}

class Carried : public Command {
protected:
    // A solid from a mesh file, held at one side, 6 steps.
    [[nodiscard]] std::string record_cube() const {
        fs::create_directories(path("models"));
        write_cube(path("models/cube"), 0.1);
        const std::string scene = write("models/cube.toml",
                                        "plica = 1\n[[body]]\nname = \"cube\"\ntissue = \"tled\"\nmesh = \"cube\"\n"
                                        "fixed = [{ side = \"-x\" }]\n");
        return record({scene, "--steps", "6"});
    }
    // Whatever the bytes of a recording are, the program ends by itself, with a status of its own, and names the file.
    // arguments: the commands that take it.
    void expect_orderly_ends(const std::function<std::vector<Texts>(const std::string&)>& arguments) const {
        const std::string bytes = slurp(record_cube()), bad = path("bad.plica");
        Random random{5};
        for (int variant = 0; variant < 12; ++variant) {
            std::string damaged = bytes;
            if (variant % 3 == 0) damaged.resize(random.next() % damaged.size());
            if (variant % 3 == 1) damaged[random.next() % damaged.size()] ^= static_cast<char>(1 + random.next() % 255);
            if (variant % 3 == 2) damaged.insert(random.next() % damaged.size(), "grown");
            spill(bad, damaged);
            for (const Texts& words : arguments(bad)) {
                const Outcome outcome = run(words);
                EXPECT_TRUE(outcome.status >= 0 && outcome.status <= 4) << outcome.status << " " << outcome.err;
                EXPECT_TRUE(contains(outcome.err, bad)) << "told nothing";
            }
        }
    }
};

}  // namespace plica::testing
